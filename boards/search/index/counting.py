"""Counting boards that meet a condition by the values of facts: how often each contract was bid, and with which result.

PostgreSQL counts the bits of each value among the boards found. A number has slices of thresholds, so what is counted
there is "at least 3", and the counts of neighbours are subtracted afterwards. Boards that have a row are counted there.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple
from uuid import UUID

from boards.search.conditions import Condition
from boards.search.facts import Choice, Fact
from boards.search.index.finding import check_known, is_postgresql, resolved
from boards.search.index.rows import over_rows, part_of
from boards.search.index.slices import found_tables, slice_name
from config.database import fetch_rows, reading_connection
from config.database.transactions import one_snapshot

Values = tuple[int, ...]
"""The stored form of each fact, 0 for none; of a theme its number in Themes."""


class Themes(NamedTuple):
    """Boards are counted under each of these themes that they have."""

    ids: Sequence[UUID]


Divider = Fact | Themes


def count_values(condition: Condition, facts: Sequence[Divider]) -> Counter[Values]:
    """Return how many boards that meet the condition have which values of these facts. Each fact has one byte."""
    check_known(*(fact for fact in facts if isinstance(fact, Fact)))
    condition = resolved(condition)
    if not is_postgresql():
        return count_in_rows(condition, facts)
    with one_snapshot(reading_connection()):
        return count_in_rows(condition, facts) + count_in_segments(condition, facts)


def count_in_rows(condition: Condition, facts: Sequence[Divider]) -> Counter[Values]:
    rows = over_rows(condition)
    columns = ", ".join("theme_id" if isinstance(fact, Themes) else part_of(fact) for fact in facts)
    themes = next((fact for fact in facts if isinstance(fact, Themes)), None)
    joined = "JOIN boards_board USING (number) JOIN boards_board_themes ON board_id = boards_board.id" if themes else ""
    numbers = ", ".join(str(number) for number in range(1, len(facts) + 1))
    sql = f"""
        SELECT {columns}, count(*)
        FROM (SELECT number, facts FROM boards_indexrow WHERE facts IS NOT NULL AND {rows.sql}) AS found
        {joined} GROUP BY {numbers}
    """
    places = {theme_id: number for number, theme_id in enumerate(themes.ids)} if themes else {}
    counts: Counter[Values] = Counter()
    for *values, count in fetch_rows(sql, rows.parameters):
        read = [
            places.get(UUID(str(value))) if isinstance(fact, Themes) else int.from_bytes(bytes(value))
            for fact, value in zip(facts, values, strict=True)
        ]
        if None not in read:  # a theme that was made since
            counts[tuple(number for number in read if number is not None)] += count
    return counts


class Level(NamedTuple):
    """A slice of a fact that is counted, and the stored forms whose counts it adds to: +1 or -1 for each."""

    name: str
    steps: tuple[tuple[int, int], ...]


def levels_of(fact: Divider) -> Iterator[Level]:
    """Yield the slices of a fact, and "" for all boards. A theme's boards are counted for themselves.

    The count of value v is that of "at least v" less that of "at least v + 1", and of no value that of all boards less
    that of the lowest value.
    """
    if isinstance(fact, Themes):
        for number, theme_id in enumerate(fact.ids):
            yield Level(f"theme:{theme_id}", ((number, 1),))
        return
    if isinstance(fact, Choice):
        yield Level("", ((0, 1),))
        for stored, value in enumerate(fact.values, start=1):
            yield Level(f"{fact.name}={value}", ((stored, 1), (0, -1)))
        return
    yield Level("", ((0, 1),))
    for stored in range(1, fact.size + 1):
        yield Level(slice_name(fact, 0, stored), ((stored, 1), (stored - 1, -1)))


def count_in_segments(condition: Condition, facts: Sequence[Divider]) -> Counter[Values]:
    """Return the counts of all segments. The boards found are divided by one fact after the other.

    Bits are counted before anything is grouped (OFFSET 0): PostgreSQL would sort them too, 4 kB for each combination.
    """
    tables = found_tables(condition)
    levels = [{level.name: level.steps for level in levels_of(fact)} for fact in facts]
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
    counts: Counter[Values] = Counter()
    for *found, count in fetch_rows(sql, [*tables.parameters, *wanted]):
        steps = [each[name] for each, name in zip(levels, found, strict=True)]
        for combination in product(*steps):
            counts[tuple(stored for stored, _ in combination)] += count * prod(sign for _, sign in combination)
    return +counts
