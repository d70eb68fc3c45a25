"""Rows of facts (boards.models.IndexRow): conditions on them as SQL, the same for both databases, and writing them.

Whoever stores or changes a board calls `index_boards` in the same transaction. Who deletes a board, or
gives it another number, calls boards.models.leave_numbers too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from django.db import connection

from boards.models import Board, IndexRow
from boards.search.conditions import (
    AllOf,
    Among,
    AnyOf,
    Between,
    Bid,
    ChangedSince,
    Condition,
    Not,
    OneOf,
    Tagged,
    Votes,
    Words,
)
from boards.search.facts import OFFSETS, Fact, calls_of, encode_facts, tags_of
from boards.search.subject import Subject
from boards.search.words import words_of
from config.database.inserting import insert_rows


@dataclass
class Statement:
    """A part of a statement, or all of it, and its parameters in their order."""

    sql: str
    parameters: list[Any] = field(default_factory=list)


def over_rows(condition: Condition) -> Statement:
    """Return the condition as SQL over the columns of IndexRow."""
    match condition:
        case Between(fact=fact):
            return Statement(f"{part_of(fact)} BETWEEN %s AND %s", [*map(fact.digits, condition.stored)])
        case OneOf(fact=fact, values=values):
            stored = [fact.written[value] for value in values]
            return Statement(f"{part_of(fact)} IN ({placeholders(stored)})", stored) if stored else FALSE
        case Tagged(tags=tags) if len(tags) > 1 and connection.vendor == "postgresql":
            return Statement("string_to_array(tags, ' ') && %s::text[]", [[*tags]])
        case Tagged(tags=tags):
            return join([contains("tags", f" {tag} ") for tag in tags], "OR")
        case Bid(calls=calls, from_the_start=True):
            return Statement(f"substr(calls, 1, {len(calls) + 2:d}) = %s", [f"-{calls}-"])
        case Bid(calls=calls):
            return contains("calls", f"-{calls}-")
        case Words(phrase=phrase):
            return contains("words", f" {phrase} ")
        case Votes():
            return within_rows(within_limits(condition))
        case ChangedSince(moment=moment):
            return Statement("updated_at >= %s", [adapt(IndexRow, "updated_at", moment)])
        case Among():
            return within_rows(with_ids(condition))
        case AllOf(parts=parts):
            return join(list(map(over_rows, parts)), "AND")
        case AnyOf(parts=parts):
            return join(list(map(over_rows, parts)), "OR")
        case Not(part=part):
            negated = over_rows(part)
            return Statement(f"NOT {negated.sql}", negated.parameters)


def contains(column: str, text: str) -> Statement:
    find = "strpos" if connection.vendor == "postgresql" else "instr"
    return Statement(f"{find}({column}, %s) > 0", [text])


NET_VOTES = "up_votes - down_votes"
"""The votes for a board less those against it, by its own columns."""


def within_limits(votes: Votes) -> Statement:
    """Return the condition on votes as SQL over the board's own columns.

    The limits are written out: with parameters PostgreSQL would plan for a third of all boards. The index board_voted
    has its expression.
    """
    parts = []
    if votes.low is not None:
        parts.append(f"down_votes - up_votes <= {-votes.low:d}")
    if votes.high is not None:
        parts.append(f"down_votes - up_votes >= {-votes.high:d}")
    return join([*map(Statement, parts)], "AND")


def with_ids(among: Among) -> Statement:
    """Return the condition that a board has one of these ids as SQL over its own columns."""
    ids = [adapt(Board, "id", board_id) for board_id in among.board_ids]
    if connection.vendor == "postgresql":
        return Statement("id = ANY(%s::uuid[])", [ids])
    return Statement(f"id IN ({placeholders(ids)})", ids)


def within_rows(boards: Statement) -> Statement:
    """Return a condition on boards' own columns as one on rows."""
    same = "boards_board.number = boards_indexrow.number"
    return Statement(f"EXISTS (SELECT 1 FROM boards_board WHERE {same} AND {boards.sql})", boards.parameters)


FALSE = Statement("1 = 0")
TRUE = Statement("1 = 1")


def join(parts: Sequence[Statement], operator: str) -> Statement:
    """Join conditions by AND or OR, in brackets."""
    if not parts:
        return TRUE if operator == "AND" else FALSE
    sql = f" {operator} ".join(part.sql for part in parts)
    return Statement(f"({sql})", [parameter for part in parts for parameter in part.parameters])


def part_of(fact: Fact) -> str:
    """Return the SQL of the bytes that store the fact."""
    return f"substr(facts, {OFFSETS[fact.name] + 1:d}, {fact.width:d})"


def placeholders(values: Sequence[Any]) -> str:
    return ", ".join(["%s"] * len(values))


def adapt(model: Any, column: str, value: Any) -> Any:
    """Return a value as the database takes it: a moment or an id as a text on SQLite."""
    return model._meta.get_field(column).get_db_prep_value(value, connection)


def make_row(board: Board) -> IndexRow:
    """Return the row of a board of `with_details()`, not stored."""
    subject = Subject(board)
    return IndexRow(
        number=board.number,
        facts=encode_facts(subject),
        tags=f" {' '.join(tags_of(subject))} ",
        calls=calls_of(subject),
        words=words_of(board),
        updated_at=board.updated_at,
    )


def index_boards(boards: Iterable[Board]) -> None:
    """Index boards that this transaction has stored or changed. They must be as `with_details` returns them."""
    insert_rows(sorted(map(make_row, boards), key=attrgetter("number")), replace=True)
