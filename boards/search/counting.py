"""Counting boards that meet a condition by the values of facts: how often each contract was bid, and with which result.

PostgreSQL counts the bits of each value among the boards found. A number has slices of thresholds, so what is counted
there is "at least 3", and the counts of neighbours are subtracted afterwards. All counts are of one snapshot.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple
from uuid import UUID

from boards.search.conditions import Condition
from boards.search.facts import Choice, Fact
from boards.search.finding import found_table, resolved
from boards.search.rows import over_rows, part_of
from boards.search.slices import slice_name
from boards.search.updating import check_known
from config.database import fetch_rows, reading_connection

Values = tuple[int, ...]
"""The stored form of each fact, 0 for none; of a theme its number in Themes."""


class Themes(NamedTuple):
    """Boards are counted under each of these themes that they have."""

    ids: Sequence[UUID]


Divider = Fact | Themes


def count_values(condition: Condition, facts: Sequence[Divider]) -> Counter[Values]:
    """Return how many boards that meet the condition have which values of these facts. Each fact has one byte."""
    check_known(condition, *(fact for fact in facts if isinstance(fact, Fact)))
    counts = count_in_rows(condition, facts)
    if reading_connection().vendor == "postgresql":
        counts += count_in_segments(resolved(condition), facts)
    return counts


def count_in_rows(condition: Condition, facts: Sequence[Divider]) -> Counter[Values]:
    rows = over_rows(condition)
    columns = ", ".join("theme_id" if isinstance(fact, Themes) else part_of(fact) for fact in facts)
    themes = next((fact for fact in facts if isinstance(fact, Themes)), None)
    joined = "JOIN boards_board_themes USING (board_id)" if themes else ""
    numbers = ", ".join(str(number) for number in range(1, len(facts) + 1))
    sql = f"SELECT {columns}, count(*) FROM boards_indexrow {joined} WHERE {rows.sql} GROUP BY {numbers}"
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
    """Return the counts of all segments. The boards found are divided by one fact after the other."""
    tables = found_table(condition)
    levels = [{level.name: level.steps for level in levels_of(fact)} for fact in facts]
    divided, names, last = "", "", "found"
    for number, names_of_fact in enumerate(levels[:-1]):
        all_boards = (
            f"UNION ALL SELECT segment_id{names}, '', bits FROM {last}" if "" in names_of_fact else ""
        )
        divided += f"""
            , divided{number} AS MATERIALIZED (
                SELECT segment_id{names}, slice.name AS name{number}, {last}.bits & slice.bits AS bits
                FROM {last} JOIN boards_slice AS slice USING (segment_id)
                WHERE slice.name = ANY(%s) AND bit_count({last}.bits & slice.bits) > 0
                {all_boards}
            )
        """
        names, last = f"{names}, name{number}", f"divided{number}"
    before, grouped = (f"{names[2:]}, ", f"GROUP BY {names[2:]}") if names else ("", "")
    all_boards = (
        f"UNION ALL SELECT {before}'', coalesce(sum(bit_count(bits)), 0)::integer FROM {last} {grouped}"
    )
    sql = f"""
        WITH {tables.sql}{divided}
        SELECT {before}slice.name, sum(bit_count({last}.bits & slice.bits))::integer
        FROM {last} JOIN boards_slice AS slice USING (segment_id)
        WHERE slice.name = ANY(%s) GROUP BY {before}slice.name {all_boards if "" in levels[-1] else ""}
    """
    wanted = [[name for name in each if name] for each in levels]
    counts: Counter[Values] = Counter()
    for *found, count in fetch_rows(sql, [*tables.parameters, *wanted]):
        steps = [each[name] for each, name in zip(levels, found, strict=True)]
        for combination in product(*steps):
            counts[tuple(stored for stored, _ in combination)] += count * prod(
                sign for _, sign in combination
            )
    return +counts
