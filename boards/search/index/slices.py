"""Conditions as SQL over the slices of segments. PostgreSQL combines them, all boards of a segment at once."""

from datetime import datetime, timedelta

from boards.models.index import BLOCK_KEYS, SEGMENT_BITS
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
from boards.search.facts import EPOCH, MAX_BEGINNING, MAX_RUN, VOTES, Fact, Number, minute_of, number
from boards.search.index.keys import KEY_LENGTH
from boards.search.index.rows import NET_VOTES, Statement, within_limits

NONE = f"0::bit({SEGMENT_BITS})"
EVERY = f"(~{NONE})"


KEY = """
int8send((extract(epoch FROM coalesce(published_at, created_at)) * 1000000)::bigint) || uuid_send(id) AS key
"""
"""The key of a board, of its own columns (boards.search.index.keys)."""

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

    `slices` has those whose ones are united, in the order in which they are met: each group is a column s0, s1, … of
    the statement. Each of `lookups` is a query of keys, by an ordinary index; the bits of their positions are a column
    l0, l1, …
    """

    def __init__(self, condition: Condition) -> None:
        self.slices: dict[tuple[str, ...], str] = {}
        self.lookups: list[Statement] = []
        self.sql = self.write(condition)

    def write(self, condition: Condition) -> str:
        match condition:
            case Between(fact=fact):
                low, high = condition.stored
                return self.between(fact, low, high) if low <= high else NONE
            case OneOf(fact=fact, values=values):
                return self.column(*(f"{fact.name}={value}" for value in values))
            case Tagged(slices=slices):
                return self.column(*slices)
            case Bid(keys=None):
                return self.write_calls(condition)
            case Words(keys=None):
                return join([self.column(f"word:{word}") for word in condition.phrase.split()], "&")
            case Bid(keys=keys) | Words(keys=keys):
                return self.look_up(Statement("SELECT unnest(%s::bytea[]) AS key", [[*(keys or ())]]))
            case Votes():
                return self.write_votes(condition)
            case ChangedSince(moment=moment):
                return self.write_changes(moment)
            case Among(board_ids=board_ids):
                wanted = f"SELECT {KEY} FROM boards_board WHERE id = ANY(%s)"
                return self.look_up(Statement(wanted, [[*board_ids]]))
            case AllOf(parts=parts):
                return join(list(map(self.write, parts)), "&")
            case AnyOf(parts=parts):
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
            Statement(f"SELECT {KEY} FROM boards_board WHERE updated_at >= %s AND updated_at < %s", [moment, ends])
        )
        return join([self.between(UPDATED, UPDATED.store(minute + 1), UPDATED.size), lookup], "|")

    def write_votes(self, votes: Votes) -> str:
        """Return the SQL of votes. Boards whose votes changed after a segment's slices are looked up.

        So are those with more votes for or against them than there are slices, which are few.
        """
        if votes.low is None and votes.high is None:
            return EVERY
        low = VOTES.low if votes.low is None else votes.low
        high = VOTES.high if votes.high is None else votes.high
        if low > VOTES.high or high < VOTES.low:
            return self.look_up(voted(votes.low, votes.high))
        parts = [self.between(VOTES, VOTES.store(low), VOTES.store(high)), f"(~{self.look_up(CHANGED_VOTES)})"]
        if votes.low is not None and low <= VOTES.low:
            parts.append(f"(~{self.look_up(voted(None, low - 1))})")
        if votes.high is not None and high >= VOTES.high:
            parts.append(f"(~{self.look_up(voted(high + 1, None))})")
        return join([join(parts, "&"), self.look_up(changed_votes(votes))], "|")

    def look_up(self, keys: Statement) -> str:
        """Return the column of the boards whose keys the statement returns."""
        if keys not in self.lookups:
            self.lookups.append(keys)
        return f"l{self.lookups.index(keys)}"

    def column(self, *names: str) -> str:
        """Return the column of the boards that have a one in any of these slices."""
        return self.slices.setdefault(names, f"s{len(self.slices)}") if names else NONE

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
            [greater, join([self.threshold(fact, place, digit), self.at_least(fact, tuple(rest), place + 1)], "&")], "|"
        )

    def threshold(self, fact: Fact, place: int, digit: int) -> str:
        return self.column(slice_name(fact, place, digit)) if digit else EVERY

    def write_calls(self, condition: Bid) -> str:
        """Return the SQL of calls. Other auctions meet it too where the calls are many (boards.search.index.resolving)."""
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

CHANGED = """
SELECT votes_of FROM deals_feedevent WHERE position IS NULL AND votes_of IS NOT NULL
UNION ALL
SELECT votes_of FROM deals_feedevent
WHERE position > (SELECT min(votes_position) FROM boards_segment) AND votes_of IS NOT NULL
"""
"""The boards whose votes have changed since slices were made of them (boards.search.index.votes)."""

KEY_AND_VOTES = f"SELECT {KEY}, {NET_VOTES} AS votes FROM boards_board"
CHANGED_VOTES = Statement(f"{KEY_AND_VOTES} JOIN ({CHANGED}) AS changed ON changed.votes_of = boards_board.id")


def changed_votes(votes: Votes) -> Statement:
    """Return the keys of those of them that meet the condition now."""
    within = within_limits(votes)
    return Statement(f"{CHANGED_VOTES.sql} WHERE {within.sql}", within.parameters)


def voted(low: int | None, high: int | None) -> Statement:
    """Return the keys and votes of the boards that have so many. The index board_top finds those that are published.

    The limits are written out: with parameters PostgreSQL would plan for a third of all boards.
    """
    parts = []
    if low is not None:
        parts.append(f"down_votes - up_votes <= {-low:d}")
    if high is not None:
        parts.append(f"down_votes - up_votes >= {-high:d}")
    within = " AND ".join(parts)
    return Statement(
        f"{KEY_AND_VOTES} WHERE published_at IS NOT NULL AND {within}"
        f" UNION ALL {KEY_AND_VOTES} WHERE published_at IS NULL AND {within}"
    )
