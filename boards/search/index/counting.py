"""Counting boards that meet a condition by the values of facts: how often each contract was bid, and with which result.

PostgreSQL counts the bits of each value among the boards found, of a number those of "at least 3" and the like. Boards
that have a row are counted there.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product
from math import prod
from typing import Any
from uuid import UUID

from boards.events.reading import as_uuid
from boards.search.conditions import Condition
from boards.search.facts import Fact, Number
from boards.search.index.finding import check_known, is_postgresql, resolved
from boards.search.index.rows import over_rows, part_of
from boards.search.index.slices import found_tables, slice_name
from config.database import fetch_rows, reading_connection
from config.database.transactions import one_snapshot

Counts = Counter[tuple[Any, ...]]
"""How many boards there are by the values of facts, None where there is none; by the id of a theme."""

Divider = Fact | frozenset[UUID]
"""What boards are counted by: the value of a fact, or these themes, a board under each that it has."""

NEW_THEME = object()
"""Stands for a theme that was made since the caller read which there are."""


def count_values(condition: Condition, facts: Sequence[Divider]) -> Counts:
    """Return how many boards that meet the condition have which values of these facts. Each fact has one byte."""
    check_known(*(fact for fact in facts if isinstance(fact, Fact)))
    condition = resolved(condition)
    if not is_postgresql():
        return count_in_rows(condition, facts)
    with one_snapshot(reading_connection()):
        return count_in_rows(condition, facts) + count_in_segments(condition, facts)


def count_in_rows(condition: Condition, facts: Sequence[Divider]) -> Counts:
    rows = over_rows(condition)
    columns = ", ".join(part_of(fact) if isinstance(fact, Fact) else "theme_id" for fact in facts)
    is_by_theme = not all(isinstance(fact, Fact) for fact in facts)
    joined = "JOIN boards_board USING (number) JOIN boards_board_themes ON board_id = boards_board.id"
    numbers = ", ".join(str(number) for number in range(1, len(facts) + 1))
    sql = f"""
        SELECT {columns}, count(*)
        FROM (SELECT number, facts FROM boards_indexrow WHERE facts IS NOT NULL AND {rows.sql}) AS found
        {joined if is_by_theme else ""} GROUP BY {numbers}
    """
    counts: Counts = Counter()
    for *stored, count in fetch_rows(sql, rows.parameters):
        values = tuple(map(read_value, facts, stored))
        if NEW_THEME not in values:
            counts[values] += count
    return counts


def read_value(fact: Divider, stored: Any) -> Any:
    if not isinstance(fact, Fact):
        return theme_id if (theme_id := as_uuid(stored)) in fact else NEW_THEME
    number = int.from_bytes(bytes(stored))
    return fact.values[number - 1] if number else None


def levels_of(fact: Divider) -> dict[str, tuple[tuple[Any, int], ...]]:
    """Return the slices of a fact, "" for all boards, and the values whose counts each adds to: +1 or -1 for each.

    The count of a number is that of "at least" it less that of "at least" the next one, and of no value that of all
    boards less that of the lowest value. A theme's boards are counted for themselves.
    """
    if not isinstance(fact, Fact):
        return {f"theme:{theme_id}": ((theme_id, 1),) for theme_id in fact}
    levels: dict[str, tuple[tuple[Any, int], ...]] = {"": ((None, 1),)}
    for digit, (before, value) in enumerate(pairwise((None, *fact.values)), start=1):
        levels[slice_name(fact, 0, digit)] = (value, 1), (before if isinstance(fact, Number) else None, -1)
    return levels


def count_in_segments(condition: Condition, facts: Sequence[Divider]) -> Counts:
    """Return the counts of all segments. The boards found are divided by one fact after the other.

    Bits are counted before anything is grouped (OFFSET 0): PostgreSQL would sort them too, 4 kB for each combination.
    """
    tables = found_tables(condition)
    levels = [*map(levels_of, facts)]
    divided, names, last = "", "", "settled"
    for number, names_of_fact in enumerate(levels):
        all_boards = f"UNION ALL SELECT segment{names}, '', bits FROM {last}"
        divided += f"""
            , divided{number} AS (
                SELECT * FROM (
                    SELECT segment{names}, slice.name COLLATE "C" AS name{number},
                        {last}.bits & slice.bits AS bits
                    FROM {last} JOIN boards_slice AS slice USING (segment) WHERE slice.name = ANY(%s)
                    {all_boards if "" in names_of_fact else ""} OFFSET 0
                ) AS parts WHERE bit_count(bits) > 0
            )
        """
        names, last = f"{names}, name{number}", f"divided{number}"
    names = names.removeprefix(", ")
    sql = f"""
        {tables.sql},
        settled AS (
            SELECT segment, CASE WHEN mask IS NULL THEN bits ELSE bits & ~mask END AS bits
            FROM found LEFT JOIN changed USING (segment)
        )
        {divided}
        SELECT {names}, sum(boards)::integer
        FROM (SELECT {names}, bit_count(bits) AS boards FROM {last} OFFSET 0) AS counted GROUP BY {names}
    """
    wanted = [[name for name in each if name] for each in levels]
    counts: Counts = Counter()
    for *found, count in fetch_rows(sql, [*tables.parameters, *wanted]):
        steps = [each[name] for each, name in zip(levels, found, strict=True)]
        for combination in product(*steps):
            counts[tuple(value for value, _ in combination)] += count * prod(sign for _, sign in combination)
    return +counts
