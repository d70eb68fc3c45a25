"""Conditions as SQL over the slices of segments. PostgreSQL combines them, all boards of a segment at once."""

from datetime import datetime, timedelta

from boards.models.index import BLOCK_KEYS, SEGMENT_BITS
from boards.search.conditions import (
    All,
    Any,
    Between,
    Bid,
    ChangedSince,
    Condition,
    Not,
    OneOf,
    Tagged,
)
from boards.search.facts import EPOCH, MAX_BEGINNING, MAX_RUN, Fact, Number, minute_of, number
from boards.search.keys import KEY_LENGTH
from boards.search.rows import Statement

NONE = f"0::bit({SEGMENT_BITS})"
EVERY = f"(~{NONE})"


KEY = """
int8send((extract(epoch FROM coalesce(published_at, created_at)) * 1000000)::bigint) || uuid_send(id) AS key
"""
"""The key of a board, of its own columns (boards.search.keys)."""

PLACES = f"""
(
    SELECT segment_id, (number * {BLOCK_KEYS} + (position - 1) / {KEY_LENGTH})::integer AS position FROM (
        SELECT segment_id, number, position(wanted.key IN keys) AS position FROM (
            SELECT segment_id, number, keys FROM boards_keyblock WHERE oldest <= wanted.key
            ORDER BY oldest DESC LIMIT 1
        ) AS block
    ) AS found WHERE position > 0
)
"""
"""Where the key of `wanted` stands in a segment: a row or none."""

PART = 500
"""The bits of a part in which positions are collected first. To copy a whole slice for each takes ten times as long."""


def bits_of(places: str) -> str:
    """Return the SQL of the bits of these places, rows of segment_id and position, by segment."""
    return f"""
        SELECT segment_id, bit_or(part::bit({SEGMENT_BITS}) >> (number * {PART})) AS bits FROM (
            SELECT segment_id, position / {PART} AS number,
                bit_or(set_bit(0::bit({PART}), mod(position, {PART}), 1)) AS part
            FROM ({places}) AS places GROUP BY 1, 2
        ) AS parts GROUP BY segment_id
    """


class SliceSql:
    """The SQL of a condition, and what it combines.

    `names` has the slices in the order in which they are met. Each is a column s0, s1, … of the statement. Each of
    `lookups` is a query of keys, by an ordinary index; the bits of their positions are a column l0, l1, …
    """

    def __init__(self, condition: Condition) -> None:
        self.names: dict[str, str] = {}
        self.lookups: list[Statement] = []
        self.sql = self.write(condition)

    def write(self, condition: Condition) -> str:
        match condition:
            case Between(fact=fact):
                low, high = condition.stored
                return self.between(fact, low, high) if low <= high else NONE
            case OneOf(fact=fact, values=values):
                return join([self.column(f"{fact.name}={value}") for value in values], "|")
            case Tagged(tags=tags):
                return join(list(map(self.column, tags)), "|")
            case Bid(keys=None):
                return self.write_calls(condition)
            case Bid(keys=keys):
                return self.look_up(Statement("SELECT unnest(%s::bytea[]) AS key", [[*(keys or ())]]))
            case ChangedSince(moment=moment):
                return self.write_changes(moment)
            case All(parts=parts):
                return join(list(map(self.write, parts)), "&")
            case Any(parts=parts):
                return join(list(map(self.write, parts)), "|")
            case Not(part=part):
                return f"(~{self.write(part)})"

    def write_changes(self, moment: datetime) -> str:
        """Return the SQL of the boards that were changed since. Those of the same minute are looked up."""
        minute = minute_of(moment)
        if not 0 <= minute < UPDATED.high:
            return NONE if minute > 0 else EVERY
        ends = EPOCH + timedelta(minutes=minute + 1)
        lookup = self.look_up(
            Statement(
                f"SELECT {KEY} FROM boards_board WHERE updated_at >= %s AND updated_at < %s", [moment, ends]
            )
        )
        return join([self.between(UPDATED, UPDATED.store(minute + 1), UPDATED.size), lookup], "|")

    def look_up(self, keys: Statement) -> str:
        """Return the column of the boards whose keys the statement returns."""
        self.lookups.append(keys)
        return f"l{len(self.lookups) - 1}"

    def column(self, name: str) -> str:
        return self.names.setdefault(name, f"s{len(self.names)}")

    def between(self, fact: Number, low: int, high: int) -> str:
        """Return the SQL of a stored form from `low` to `high`."""
        parts = [] if low == 1 and fact.is_known else [self.at_least(fact, fact.digits(low))]
        if high < fact.size:
            parts.append(f"(~{self.at_least(fact, fact.digits(high + 1))})")
        return join(parts, "&")

    def at_least(self, fact: Fact, digits: tuple[int, ...], place: int = 0) -> str:
        """Return the SQL of a stored form whose digits from `place` on are these or greater."""
        digit, *rest = digits
        if not rest:
            return self.threshold(fact, place, digit)
        greater = self.threshold(fact, place, digit + 1) if digit + 1 < fact.base else NONE
        return join(
            [
                greater,
                join([self.threshold(fact, place, digit), self.at_least(fact, tuple(rest), place + 1)], "&"),
            ],
            "|",
        )

    def threshold(self, fact: Fact, place: int, digit: int) -> str:
        return self.column(slice_name(fact, place, digit)) if digit else EVERY

    def write_calls(self, condition: Bid) -> str:
        """Return the SQL of calls. Other auctions meet it too where the calls are many (boards.search.resolving)."""
        calls = condition.calls.split("-")
        if condition.from_the_start:
            first = enumerate(calls[:MAX_BEGINNING], start=1)
            return join([self.column(f"call.{number}={call}") for number, call in first], "&")
        runs = [calls[start : start + MAX_RUN] for start in range(max(1, len(calls) - MAX_RUN + 1))]
        return join([self.column(f"auction*{'-'.join(run)}") for run in runs], "&")


def slice_name(fact: Fact, place: int, digit: int) -> str:
    """Return the name of the slice of a threshold, the value's own for a number of one byte."""
    if isinstance(fact, Number) and fact.width == 1:
        return f"{fact.name}>={fact.low + (digit - 1) * fact.unit}"
    return f"{fact.name}/{place}>={digit}"


def join(parts: list[str], operator: str) -> str:
    if not parts:
        return EVERY if operator == "&" else NONE
    return f"({f' {operator} '.join(parts)})" if len(parts) > 1 else parts[0]


UPDATED = number("updated")
