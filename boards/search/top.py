"""The boards with the most votes among those that meet a condition.

On PostgreSQL the slices say how many boards have at least so many votes. From these counts the search learns which
votes the boards of a page have, and asks for these boards alone: where all have as many votes, for those of the page;
where they are few, for all, and sorts them. The counts only say where to look, so they need not be of this moment.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from boards.search.conditions import Condition, Votes, every
from boards.search.facts import VOTES
from boards.search.finding import Found, count_boards, fetch_found, find_page, found_table, resolved
from boards.search.rows import NET_VOTES, Statement, over_rows
from boards.search.votes import STEPS
from config.database import fetch_rows, reading_connection

BY_VOTES = f"{NET_VOTES} DESC, key DESC"

MAX_SORTED = 200
"""So many boards are sorted at once where their votes differ: 10 µs each."""

LIKED = VOTES.store(1)
"""From this stored form on a board has more votes for it than against it."""

ALL_OF_THEM = 2**31 - 1


def find_top(condition: Condition, first_row: int, limit: int) -> Found:
    """Return the boards from `first_row` on by up minus down votes, then newest, then id."""
    condition = resolved(condition)
    if reading_connection().vendor != "postgresql":
        ranked = Statement(
            f"""
            SELECT key FROM found JOIN boards_board AS board ON board.id = board_id
            ORDER BY {BY_VOTES} LIMIT {limit:d} OFFSET %s
            """,
            [first_row],
        )
        return fetch_found(over_rows(condition), ranked)
    total, boards_with = count_votes(condition, LIKED)
    if sum(boards_with[LIKED:]) < first_row + limit:
        total, boards_with = count_votes(condition, 2)
    return Found(total, walk(condition, boards_with, first_row, limit))


def count_votes(condition: Condition, lowest: int) -> tuple[int, list[int]]:
    """Return how many boards meet the condition, and how many of those in segments have which votes.

    The second has a number for each stored form of VOTES, from 0 for none, which no board has. Those with less than
    `lowest` are counted as one less than that: few slices are read for the boards that many have voted for.
    """
    names = [name for name, stored in STEPS.items() if stored >= lowest]
    tables, rows = found_table(condition), over_rows(condition)
    sql = f"""
        WITH {tables.sql}
        SELECT NULL, (SELECT count(*) FROM boards_indexrow WHERE {rows.sql})::integer
        UNION ALL
        SELECT '', (SELECT coalesce(sum(bit_count(bits)), 0)::integer FROM found)
        UNION ALL
        SELECT name, sum(bit_count(found.bits & slice.bits))::integer
        FROM found JOIN boards_slice AS slice USING (segment_id) WHERE name = ANY(%s) GROUP BY name
    """
    counts = dict(fetch_rows(sql, [*tables.parameters, *rows.parameters, names]))
    in_rows, in_segments = counts[None], counts[""]
    at_least = [in_segments] * lowest + [counts.get(name, 0) for name in names] + [0]
    return in_rows + in_segments, [more - less for more, less in pairwise(at_least)]


class Level(NamedTuple):
    """The boards with votes from one stored form to another."""

    low: int
    high: int

    @property
    def is_of_one(self) -> bool:
        """Tell whether all its boards have as many votes, so that their order is that of all lists."""
        return self.low == self.high and 1 < self.low < VOTES.size

    @property
    def votes(self) -> Votes:
        low, high = (VOTES.low + stored - 1 for stored in self)
        return Votes(None if low <= VOTES.low else low, None if high >= VOTES.high else high)


def walk(condition: Condition, boards_with: Sequence[int], first_row: int, limit: int) -> list[bytes]:
    """Return the keys of the top boards from `first_row` on."""
    highest, before = start_of(condition, boards_with, first_row)
    skipped, keys = first_row - before, list[bytes]()
    for level in levels(boards_with, highest):
        wanted = every([condition, level.votes])
        if level.is_of_one:
            found = find_page(wanted, skipped, limit - len(keys))
            keys += found.keys
        else:
            found = find_page(wanted, 0, ALL_OF_THEM)
            keys += sort_by_votes(found.keys, skipped, limit - len(keys))
        skipped = max(0, skipped - found.total)
        if len(keys) == limit:
            break
    return keys


def start_of(condition: Condition, boards_with: Sequence[int], first_row: int) -> tuple[int, int]:
    """Return the most votes that the board of this row can have, and how many boards have more."""
    highest, more = VOTES.size, 0
    if first_row == 0:
        return highest, 0
    while highest > 1 and more + boards_with[highest] <= first_row:
        more += boards_with[highest]
        highest -= 1
    while highest < VOTES.size:
        before = count_boards(every([condition, Level(highest + 1, VOTES.size).votes]))
        if before <= first_row:
            return highest, before
        highest += 1  # since the slices were made, boards have got more votes
    return highest, 0


def levels(boards_with: Sequence[int], highest: int) -> Iterator[Level]:
    """Yield levels from the highest votes down. Those of few boards are yielded as one."""
    high, boards = highest, 0
    for stored in range(highest, 0, -1):
        if stored < high and boards + boards_with[stored] > MAX_SORTED:
            yield Level(stored + 1, high)
            high, boards = stored, 0
        boards += boards_with[stored]
    yield Level(1, high)


def sort_by_votes(keys: Sequence[bytes], first_row: int, limit: int) -> list[bytes]:
    sql = f"""
        SELECT key FROM unnest(%s::bytea[]) AS wanted(key)
        JOIN boards_board AS board ON board.id = encode(substr(key, 9), 'hex')::uuid
        ORDER BY {BY_VOTES} LIMIT {limit:d} OFFSET %s
    """
    return [bytes(key) for (key,) in fetch_rows(sql, [[*keys], first_row])]
