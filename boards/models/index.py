"""The index of boards (boards.search, decision 0041). SQLite keeps all boards in IndexRow and has no segments."""

from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

SEGMENT_BITS = 32_000
"""The boards that a segment has room for. Two slices of so many bits fit on a page of PostgreSQL's, of 32,768 one."""

BLOCK_KEYS = 64
"""The boards of a block."""


class BitsField(models.Field[Any, Any]):
    """A string of bits, PostgreSQL's `bit varying`. SQLite has the column and nothing in it."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "bit varying" if connection.vendor == "postgresql" else "blob"


class IndexRow(models.Model):
    """The facts of a board that was stored or changed lately, until the worker folds them into a segment."""

    board = models.OneToOneField(
        "boards.Board",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="index_row",
        help_text="The board, published or a draft.",
    )
    key = models.BinaryField(
        db_index=True, help_text="Sorts the board in lists: its moment and its id, 24 bytes (boards.search.index.keys)."
    )
    facts = models.BinaryField(help_text="Numbers and choices, each in its bytes (boards.search.facts).")
    tags = models.TextField(help_text="Tags such as theme:ID, each between two spaces.")
    calls = models.TextField(help_text='The auction as in "-1N-P-3N-P-P-P-". Blank when it is not known.')
    words = models.TextField(help_text="The words of its texts, each between two spaces (boards.search.words).")
    updated_at = models.DateTimeField(help_text="The board's own updated_at.")
    format = models.PositiveIntegerField(help_text="The version of the row (boards.search.facts.FORMAT).")

    def __str__(self) -> str:
        return str(self.board_id)


class Segment(models.Model):
    """Up to SEGMENT_BITS boards, in the order of their keys, the oldest at position 0.

    The keys of two segments do not overlap. A segment's boards and their positions never change, nor its slices but
    those of votes: the worker (boards.search.index.folding) replaces it by another.
    """

    oldest = models.BinaryField(help_text="The least key.")
    newest = models.BinaryField(help_text="The greatest key.")
    boards = models.PositiveIntegerField(help_text="The number of its boards, dead ones too.")
    format = models.PositiveIntegerField(help_text="The least of its boards' rows.")
    votes_position = models.BigIntegerField(
        help_text="The position in the feed of events up to which its slices know the votes (boards.search.index.votes)."
    )

    class Meta:
        indexes = (models.Index(name="segment_by_key", fields=("oldest",)),)

    def __str__(self) -> str:
        return f"{self.pk}: {self.boards}"


class Slice(models.Model):
    """A bit for each board of a segment: whether one thing is true of it, such as north.hcp>=15 or theme:ID.

    A slice without any bit has no row.
    """

    pk = models.CompositePrimaryKey("name", "segment_id")
    name = models.CharField(max_length=300, help_text="What is true (boards.search.facts).")
    segment_id = models.IntegerField(db_index=True, help_text="The segment.")
    bits = BitsField(help_text="SEGMENT_BITS bits, one for each position.")

    def __str__(self) -> str:
        return f"{self.segment_id}: {self.name}"


class KeyBlock(models.Model):
    """The keys of BLOCK_KEYS neighbouring boards of a segment: from a position to the board, and back."""

    pk = models.CompositePrimaryKey("segment_id", "number")
    segment_id = models.IntegerField(help_text="The segment.")
    number = models.PositiveSmallIntegerField(help_text="The first position, divided by BLOCK_KEYS.")
    oldest = models.BinaryField(db_index=True, help_text="The first key, which is the least.")
    keys = models.BinaryField(help_text="The keys, 24 bytes each.")

    def __str__(self) -> str:
        return f"{self.segment_id}: {self.number}"


class DeadPosition(models.Model):
    """A position in a segment whose board was changed or deleted since. What it is now stands in IndexRow."""

    pk = models.CompositePrimaryKey("segment_id", "position")
    segment_id = models.IntegerField(help_text="The segment.")
    position = models.PositiveSmallIntegerField(help_text="The position, from 0.")

    def __str__(self) -> str:
        return f"{self.segment_id}: {self.position}"
