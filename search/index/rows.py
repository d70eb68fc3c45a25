"""Conditions as SQL over rows of facts (search.models.IndexRow). It is the same for both databases."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from search import conditions
from search.facts import OFFSETS, Fact
from search.models import IndexRow


@dataclass
class Statement:
    """A part of a statement, or all of it, and its parameters in their order."""

    sql: str
    parameters: list[Any] = field(default_factory=list)


def over_rows(condition: conditions.Condition) -> Statement:
    """Return the condition as SQL over the columns of IndexRow."""
    match condition:
        case conditions.Between(fact=fact):
            return Statement(f"{part_of(fact)} BETWEEN %s AND %s", [*map(fact.digits, condition.stored)])
        case conditions.OneOf(fact=fact, values=values):
            return is_in(part_of(fact), [fact.written[value] for value in values])
        case conditions.Tagged(tags=tags) if len(tags) > 1 and connection.vendor == "postgresql":
            return Statement("string_to_array(tags, ' ') && %s::text[]", [[*tags]])
        case conditions.Tagged(tags=tags):
            return join([contains("tags", f" {tag} ") for tag in tags], "OR")
        case conditions.Bid(calls=calls) if "?" in calls:
            return Statement(f"calls {'~' if connection.vendor == 'postgresql' else 'REGEXP'} %s", [condition.pattern])
        case conditions.Bid(calls=calls, from_the_start=True):
            return Statement(f"substr(calls, 1, {len(calls) + 2:d}) = %s", [f"-{calls}-"])
        case conditions.Bid(calls=calls):
            return contains("calls", f"-{calls}-")
        case conditions.Words(phrase=phrase):
            return contains("words", f" {phrase} ")
        case conditions.Numbered():
            return is_among(condition)
        case conditions.Compared():
            raise ValueError(condition)  # search.index.finding compares it before
        case conditions.Votes():
            return within_rows(Statement(within_limits(condition)))
        case conditions.ChangedSince(moment=moment):
            return Statement("updated_at >= %s", [adapt(IndexRow, "updated_at", moment)])
        case conditions.Among():
            return within_rows(with_ids(condition))
        case conditions.AllOf(parts=parts):  # facts first, which take a fifth of the time of a look at a text
            in_order = sorted(parts, key=lambda part: not isinstance(part, conditions.Between | conditions.OneOf))
            return join(list(map(over_rows, in_order)), "AND")
        case conditions.AnyOf(parts=parts):
            return join(list(map(over_rows, parts)), "OR")
        case conditions.Not(part=part):
            negated = over_rows(part)
            return Statement(f"NOT {negated.sql}", negated.parameters)


def contains(column: str, text: str) -> Statement:
    find = "strpos" if connection.vendor == "postgresql" else "instr"
    return Statement(f"{find}({column}, %s) > 0", [text])


NET_VOTES = "up_votes - down_votes"
"""The votes for a board less those against it, by its own columns."""


def within_limits(votes: conditions.Votes) -> str:
    """Return the condition on votes as SQL over the board's own columns.

    The limits are written out: with parameters PostgreSQL would plan for a third of all boards. The index board_voted
    has its expression.
    """
    least = "true" if votes.low is None else f"down_votes - up_votes <= {-votes.low:d}"
    most = "true" if votes.high is None else f"down_votes - up_votes >= {-votes.high:d}"
    return f"({least} AND {most})"


def with_ids(among: conditions.Among) -> Statement:
    """Return the condition that a board has one of these ids as SQL over its own columns."""
    if connection.vendor == "postgresql":
        return Statement("id = ANY(%s::uuid[])", [[*among.board_ids]])
    return is_in("id", [board_id.hex for board_id in among.board_ids])


def within_rows(boards: Statement) -> Statement:
    """Return a condition on boards' own columns as one on rows."""
    same = "boards_board.number = boards_indexrow.number"
    return Statement(f"EXISTS (SELECT 1 FROM boards_board WHERE {same} AND {boards.sql})", boards.parameters)


def join(parts: Sequence[Statement], operator: str) -> Statement:
    """Join conditions by AND or OR, in brackets."""
    if not parts:
        return Statement("1 = 1" if operator == "AND" else "1 = 0")
    sql = f" {operator} ".join(part.sql for part in parts)
    return Statement(f"({sql})", [parameter for part in parts for parameter in part.parameters])


def part_of(fact: Fact) -> str:
    """Return the SQL of the bytes that store the fact."""
    return f"substr(facts, {OFFSETS[fact.name] + 1:d}, {fact.width:d})"


def is_in(sql: str, values: list[Any]) -> Statement:
    return Statement(f"{sql} IN ({', '.join(['%s'] * len(values))})", values) if values else Statement("1 = 0")


def is_among(numbered: conditions.Numbered) -> Statement:
    """Return the condition that the number is one of very many: they are hashed once."""
    if connection.vendor == "postgresql":
        return Statement(f"number IN ({as_table(numbered).sql})", as_table(numbered).parameters)
    return Statement("number IN (SELECT value FROM json_each(%s))", [f"[{numbered.written}]"])


def as_table(numbered: conditions.Numbered) -> Statement:
    """Return the numbers as a query, for PostgreSQL."""
    return Statement("SELECT unnest(%s::bigint[]) AS number", [f"{{{numbered.written}}}"])


def adapt(model: Any, column: str, value: Any) -> Any:
    """Return a value as the database takes it: a moment or an id as a text on SQLite."""
    return model._meta.get_field(column).get_db_prep_value(value, connection)
