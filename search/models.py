"""The index of boards (search.index, decision 0051): bits by the numbers of boards, and rows of late changes.

Its tables have the names that they had as a part of boards (decision 0063).

The greatest number is the newest in every list. SQLite keeps all boards in IndexRow and has no slices.
"""

import random
from collections.abc import Collection
from typing import Any

from django.db import connection, models
from django.db.backends.base.base import BaseDatabaseWrapper

from config.database.inserting import insert_rows

SEGMENT_BITS = 32_000
"""The numbers of a segment. Two slices of so many bits fit on a page of PostgreSQL's, of 32,768 one."""


def new_version() -> int:
    """Return a number that no other version of a row has."""
    return random.getrandbits(63)


class BitsField(models.Field[Any, Any]):
    """A string of bits, PostgreSQL's `bit varying`. SQLite has the column and nothing in it."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "bit varying" if connection.vendor == "postgresql" else "blob"


class IndexRow(models.Model):
    """What is known of the board that has a number, until the worker folds it into slices.

    A row without facts says that no board has the number any more.
    """

    number = models.BigIntegerField(primary_key=True, help_text="The number of the board, published or a draft.")
    facts = models.BinaryField(null=True, help_text="Numbers and choices, each in its bytes (search.facts).")
    tags = models.TextField(default="", help_text="Tags such as theme:ID, each between two spaces.")
    calls = models.TextField(default="", help_text='The auction as in "-1N-P-3N-P-P-P-". Blank when it is not known.')
    words = models.TextField(default="", help_text="The words of its texts, each between two spaces (search.words).")
    updated_at = models.DateTimeField(null=True, help_text="The board's own updated_at.")
    version = models.BigIntegerField(
        default=new_version, help_text="Another one after each change: a fold deletes the row that it has read."
    )

    class Meta:
        db_table = "boards_indexrow"

    def __str__(self) -> str:
        return str(self.number)


class Slice(models.Model):
    """A bit for each number of a segment: whether one thing is true of its board, such as north.hcp>=15 or theme:ID.

    A slice without any bit has no row.
    """

    pk = models.CompositePrimaryKey("name", "segment")
    name = models.CharField(max_length=300, help_text="What is true (search.facts).")
    segment = models.IntegerField(db_index=True, help_text="The numbers of its boards, divided by SEGMENT_BITS.")
    bits = BitsField(help_text="SEGMENT_BITS bits, one for each number.")

    class Meta:
        db_table = "boards_slice"

    def __str__(self) -> str:
        return f"{self.segment}: {self.name}"


def leave_numbers(numbers: Collection[int]) -> None:
    """Let the index find no board under these numbers. Whoever deletes a board or gives it another number calls it."""
    if connection.vendor == "postgresql":
        insert_rows([IndexRow(number=number) for number in sorted(numbers)], replace=True)
    else:
        IndexRow.objects.filter(pk__in=numbers).delete()
