"""Counting boards that meet a condition by the values of facts: how often each contract was bid, and with which result.

PostgreSQL counts the bits of each value among the boards found, of a number those of "at least 3" and the like. Boards
that have a row are counted there. By event and theme together each board found is looked up.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from math import prod
from typing import Any

from config.database import fetch_rows, reading_connection
from config.database.transactions import one_snapshot
from search.conditions import Condition
from search.facts import Fact, Number
from search.index.finding import check_known, resolved
from search.index.pages import is_postgresql
from search.index.rows import Statement, over_rows, part_of
from search.index.slices import NONE, found_tables, slice_name
from search.models import SEGMENT_BITS

Counts = Counter[tuple[Any, ...]]
"""How many boards there are by the values of dividers, None where there is none."""

Steps = tuple[tuple[Any, int], ...]
"""The values whose counts the boards of a slice add to: +1 or -1 for each."""


@dataclass(frozen=True)
class ByFact:
    """Divides boards by the value of a fact of one byte.

    Those of a number may be divided by ranges: `starts` has the lowest value of each, and stands for it in the counts.
    """

    fact: Fact
    starts: tuple[int, ...] = ()

    join = ""
    divides_all = True

    @property
    def column(self) -> str:
        return part_of(self.fact)

    def read(self, stored: Any) -> Any:
        if not (number := int.from_bytes(bytes(stored))):
            return None
        value = self.fact.values[number - 1]
        return self.starts[bisect_right(self.starts, value) - 1] if self.starts else value

    @cached_property
    def slices(self) -> Mapping[str, Steps]:
        """Return the steps of each slice, "" for all boards.

        The count of a number is that of "at least" it less that of "at least" the next one, and of no value that of all
        boards less that of the lowest value. No slice has the boards that have a number which is always known.
        """
        fact, values = self.fact, self.starts or self.fact.values
        if not isinstance(fact, Number):
            names = (slice_name(fact, 0, fact.store(value)) for value in values)
            return {"": ((None, 1),)} | {
                name: ((value, 1), (None, -1)) for name, value in zip(names, values, strict=True)
            }
        levels = [*values] if fact.is_known else [None, *values]
        return {"": ((levels[0], 1),)} | {
            slice_name(fact, 0, fact.store(value)): ((value, 1), (below, -1)) for below, value in pairwise(levels)
        }

    @property
    def is_wanted(self) -> Statement:
        return Statement("= ANY(%s)", [[name for name in self.slices if name]])

    def steps(self, name: str) -> Steps:
        return self.slices[name]


@dataclass(frozen=True)
class ByTag:
    """Divides published boards by a tag of one kind, of which `keys` is a query. `read` makes a value of a key.

    `column` has the key of a board that has a row, by `join`. A board that has several counts under each. Those that
    have none are counted where `divides_all`: then no board has several.
    """

    kind: str
    keys: str
    read: Callable[[Any], Any]
    column: str
    join: str
    divides_all: bool

    @property
    def is_wanted(self) -> Statement:
        """Return what the name of a slice is. An array, so that PostgreSQL looks for each name in the index."""
        return Statement(f"= ANY(ARRAY(SELECT '{self.kind}:' || key FROM ({self.keys}) AS keys(key)))")

    def steps(self, name: str) -> Steps:
        if not name:
            return ((None, 1),)
        value = self.read(name.removeprefix(f"{self.kind}:"))
        return ((value, 1), (None, -1)) if self.divides_all else ((value, 1),)


Divider = ByFact | ByTag


def count_values(condition: Condition, dividers: Sequence[Divider]) -> Counts:
    """Return how many boards that meet the condition have which values of these dividers."""
    check_known(*(each.fact for each in dividers if isinstance(each, ByFact)))
    condition = resolved(condition)
    if not is_postgresql():
        return count_in_rows(condition, dividers)
    tags = [each for each in dividers if isinstance(each, ByTag)]
    if len(tags) == len(dividers) > 1:
        return count_in_boards(condition, tags)
    with one_snapshot(reading_connection()):
        return count_in_rows(condition, dividers) + count_in_segments(condition, dividers)


def count_in_rows(condition: Condition, dividers: Sequence[Divider]) -> Counts:
    rows = over_rows(condition)
    board = "JOIN boards_board USING (number)" if any(each.join for each in dividers) else ""
    sql = f"(SELECT number, facts FROM boards_indexrow WHERE facts IS NOT NULL AND {rows.sql}) AS found {board}"
    return count_one_by_one(Statement(sql, rows.parameters), dividers)


def count_in_boards(condition: Condition, dividers: Sequence[ByTag]) -> Counts:
    """Return the counts by two kinds of tags. Most of the many pairs of an event and a theme have no board."""
    found = found_tables(condition)
    sql = f"""
        ({found.sql} SELECT id FROM boards_board JOIN found ON segment = number / {SEGMENT_BITS}
        WHERE get_bit(bits, mod(number, {SEGMENT_BITS})::integer) = 1) AS boards_board
    """
    return count_one_by_one(Statement(sql, found.parameters), dividers)


def count_one_by_one(boards: Statement, dividers: Sequence[Divider]) -> Counts:
    """Return the counts of a table of boards. They are joined to what has the values, and not combined as bits."""
    columns = "".join(f"{each.column}, " for each in dividers)
    joins = " ".join(each.join for each in dividers)
    numbers = ", ".join(str(number) for number in range(1, len(dividers) + 1))
    sql = f"SELECT {columns} count(*) FROM {boards.sql} {joins} GROUP BY {numbers}"
    counts: Counts = Counter()
    for *stored, count in fetch_rows(sql, boards.parameters):
        counts[tuple(each.read(value) for each, value in zip(dividers, stored, strict=True))] += count
    return counts


def count_in_segments(condition: Condition, dividers: Sequence[Divider]) -> Counts:
    """Return the counts of all segments. The boards found are divided by one divider after the other.

    Bits are counted before anything is grouped (OFFSET 0): PostgreSQL would sort them too, 4 kB for each combination.
    """
    tables = found_tables(condition)
    wanted = [each.is_wanted for each in dividers]
    parts = [divided_table(number, each, wanted[number].sql) for number, each in enumerate(dividers)]
    names = ", ".join(f"name{number}" for number in range(len(dividers)))
    sql = f"""
        {tables.sql},
        divided0 AS (
            SELECT segment, CASE WHEN mask IS NULL THEN bits ELSE bits & ~mask END AS bits
            FROM found LEFT JOIN changed USING (segment)
        )
        {"".join(parts)}
        SELECT {names}, sum(boards)::integer FROM (
            SELECT {names}, bit_count(bits) AS boards FROM divided{len(dividers)} OFFSET 0
        ) AS counted GROUP BY {names}
    """
    parameters = [parameter for each in (tables, *wanted) for parameter in each.parameters]
    counts: Counts = Counter()
    for *found, count in fetch_rows(sql, parameters):
        steps = [each.steps(name) for each, name in zip(dividers, found, strict=True)]
        for combination in product(*steps):
            counts[tuple(value for value, _ in combination)] += count * prod(sign for _, sign in combination)
    return +counts


def divided_table(number: int, divider: Divider, is_wanted: str) -> str:
    """Return the SQL of the bits of the table before, divided by the names of slices that are wanted.

    A name is read once (|| ''): beside many bits it stands in another table, where each comparison would look it up.
    """
    names = "".join(f", name{each}" for each in range(number))
    all_boards = f"UNION ALL SELECT segment{names}, '', bits FROM divided{number}"
    return f"""
        , divided{number + 1} AS (
            SELECT * FROM (
                SELECT segment{names}, name{number}, divided{number}.bits & slice.bits AS bits
                FROM divided{number} JOIN (
                    SELECT segment, (name || '') COLLATE "C" AS name{number}, bits | {NONE} AS bits
                    FROM boards_slice WHERE name {is_wanted} OFFSET 0
                ) AS slice USING (segment)
                {all_boards if divider.divides_all else ""} OFFSET 0
            ) AS parts WHERE bit_count(bits) > 0
        )
    """
