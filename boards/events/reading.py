"""Reading an event: its deals, and what stands around a board of it. boards.events.listing has the list of all.

boards.events.naming stores the names of events.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from boards.events.counting import MAX_EVENT_TABLES, STAGE_KEY, CountedEvent, open_tables, rows_of
from boards.events.owners import find_club, merge_owners
from boards.events.tables import IS_OF_TEAMS, IS_PAIRS, DealTables, Table, table_order, without_copies
from boards.events.unplayed import mark_unplayed
from boards.identity import position_of, split_position, stage_key_of, whole_stage
from boards.models import Board, Event
from bridge.board import teams_of
from bridge.double_dummy import Par, par_for
from config.api.pagination import Page
from config.database import fetch_rows
from config.database.rows import as_uuid
from deals.models import Deal

EVENT = "event"
"""The query parameter that asks for the boards of one event, by its slug."""

MAX_TABLES = 100
"""The tables of a deal that a board's page shows. Of more, none is shown: a part of them would be scored wrongly."""

MAX_NEAR = 20
"""The tables of the deal before and after that are looked through for the same room and table."""

MAX_STAGE_TABLES = 5000
"""The tables of a stage of which matches are made: 60 tables of 80 boards."""


class Surroundings(NamedTuple):
    """What stands around a board in its event. `tables` are all tables of its deal, the board's own too.

    `most_results` are those of the deal of its stage that has most. Matches of teams do not need the number.
    `shown_of` is the account whose tables are shown where another holds them too.
    """

    previous: Table | None = None
    next: Table | None = None
    tables: Sequence[Table] = ()
    most_results: int = 0
    shown_of: str = ""


AS_TEXT = {"published_at": 'CAST(board."published_at" AS text)'}
"""A moment that is only compared: to read it as a datetime would cost as much as the rest of a table's row."""

COLUMNS = ", ".join(AS_TEXT.get(name, f'board."{name}"') for name in Table._fields[1:])
PUBLISHED = """boards_publishedboard AS stored
    JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL"""
HAS_RESULT = "(board.tricks IS NOT NULL OR board.contract = 'Pass' OR board.adjustment <> '')"
MOST_TABLES = f"""CASE WHEN {IS_PAIRS} THEN (
    SELECT max(tables) FROM (
        SELECT count(*) AS tables FROM (
            SELECT event_position FROM boards_publishedboard WHERE event_slug = %s LIMIT {MAX_EVENT_TABLES + 1:d}
        ) AS stored
        WHERE {STAGE_KEY} = %s GROUP BY stored.event_position
    ) AS deals
) END"""
"""The tables of the deal of the stage that has most, from an index alone. A match of teams does not need them.

Of an event that is too large they are those of a part, and stand for nothing but that there may be more.
"""

BEFORE = "(SELECT max(event_position) FROM boards_publishedboard WHERE event_slug = %s AND event_position < %s)"
AFTER = "(SELECT min(event_position) FROM boards_publishedboard WHERE event_slug = %s AND event_position > %s)"


def select_tables(part: int, position: str, limit: int, most_tables: str = "0") -> str:
    """Return a part of SURROUNDINGS: its number, `most_tables`, and the tables of the deal at a position."""
    return f"""
SELECT * FROM (
    SELECT {part:d} AS part, {most_tables} AS most_tables, board.id, {COLUMNS} FROM {PUBLISHED}
    WHERE stored.event_slug = %s AND stored.event_position = {position} LIMIT {limit:d}
) AS part{part:d}
"""


SURROUNDINGS = " UNION ALL ".join(
    [
        select_tables(0, "%s", MAX_TABLES + 1, MOST_TABLES),
        select_tables(1, BEFORE, MAX_NEAR),
        select_tables(2, AFTER, MAX_NEAR),
    ]
)
"""The tables of a board's deal, and of the deals before and after it."""

OWN_TABLES = f"""
SELECT board.id, {COLUMNS} FROM {PUBLISHED}
WHERE stored.event_slug = %s AND stored.event_position = %s AND board.owner_id = %s LIMIT {MAX_TABLES + 1:d}
"""
"""Those of one account, where all together are too many: another account's tables take none of these away."""


def neighbours(board: Board) -> tuple[Table | None, Table | None]:
    found = read_surroundings(board)
    return found.previous, found.next


def read_surroundings(board: Board) -> Surroundings:
    """Return the boards before and after this one in its event, and all tables of its deal.

    A draft has none, nor has a board without an event. Before and after stand other deals, at the same table where
    they were played there.
    """
    slug = board.event_slug
    if not slug or not board.published_at:
        return Surroundings()
    own = position_of(board.stage, board.board_number, board.deal_id)
    rows = fetch_rows(SURROUNDINGS, [slug, stage_key_of(board.stage), slug, own, *(slug, slug, own) * 2])
    parts: tuple[list[Table], ...] = ([], [], [])
    for part, _, pk, *columns in rows:
        parts[part].append(Table(as_uuid(pk), *columns))
    here, before, after = parts
    if len(here) > MAX_TABLES:
        here = [Table(as_uuid(pk), *columns) for pk, *columns in fetch_rows(OWN_TABLES, [slug, own, board.owner_id])]
    here = mark_unplayed({(slug, own): here if len(here) <= MAX_TABLES else []})[slug, own]
    tables, shown_of, _ = without_copies(here, find_club([here]), board.owner_id or "")
    most_tables = max((row[1] or 0 for row in rows), default=0)
    most_results = count_most_results(board, tables, most_tables)
    return Surroundings(nearest(board, before), nearest(board, after), tables, most_results, shown_of)


def count_most_results(board: Board, tables: Sequence[Table], most_tables: int) -> int:
    """Return the results of the deal of the board's stage that has most.

    They are counted, in a statement of their own, only where another deal has more tables than this one has results.
    In an event that is too large the deal stands for itself.
    """
    results = sum(table.has_result for table in tables)
    if len(tables) < 2 or most_tables <= results or not open_tables(board.event_slug):
        return results
    stage = count_most_tables(board.event_slug).get(stage_key_of(board.stage))
    return stage.results if stage else results


def nearest(board: Board, tables: Sequence[Table]) -> Table | None:
    """Return the table at which the same people sat, as far as room and table tell, else the first one.

    Of two accounts that hold it, it is that of the board's owner.
    """

    def distance(other: Table) -> tuple[Any, ...]:
        same_teams = teams_of(other) == teams_of(board)
        is_other = other.pair_ns != board.pair_ns, other.owner_id != board.owner_id
        return not same_teams, other.room != board.room, other.table != board.table, *is_other, table_order(other)

    return min(tables, key=distance, default=None)


class EventDeal(NamedTuple):
    """A deal of an event. All of its tables have this position there."""

    slug: str
    position: str


class ListedDeal(NamedTuple):
    """A deal of an event with all its tables. The position is that of boards.identity, the rest that of DealTables."""

    position: str
    tables: list[Table]
    shown_of: str = ""
    lead: Table | None = None

    @property
    def board(self) -> Table:
        return DealTables(*self[1:]).board

    @property
    def stage_key(self) -> str:
        return split_position(self.position)[0]

    @property
    def deal_id(self) -> UUID:
        return split_position(self.position)[1]


def fetch_tables(deals: Collection[EventDeal], columns: str, rest: str, *parameters: Any) -> list[tuple[Any, ...]]:
    """Return columns of the published tables of these deals, behind the deal of each."""
    if not deals:
        return []
    wanted, values = rows_of(deals)
    sql = f"""
        {wanted} SELECT event_slug, event_position, {columns} FROM wanted
        JOIN boards_publishedboard AS stored USING (event_slug, event_position)
        JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL
        {rest}
    """
    return [(EventDeal(slug, position), *row) for slug, position, *row in fetch_rows(sql, [*values, *parameters])]


class Evening(NamedTuple):
    """An event and a page of its deals. `boards` counts all its boards, the page its deals."""

    event: Event
    page: Page
    boards: int
    deals: list[ListedDeal]

    @property
    def shown_of(self) -> str:
        return next((deal.shown_of for deal in self.deals if deal.shown_of), "")


def evening_statement(limit: int) -> str:
    """Return the statement of so many deals of an event: the number of all, a position, and a table of the deal."""
    return f"""
WITH positions AS (
    SELECT DISTINCT event_position FROM boards_publishedboard WHERE event_slug = %s
)
SELECT (SELECT count(*) FROM positions), shown.event_position, board.id, {COLUMNS}
FROM (SELECT event_position FROM positions ORDER BY event_position LIMIT {limit:d} OFFSET %s) AS shown
JOIN boards_publishedboard AS stored ON stored.event_slug = %s AND stored.event_position = shown.event_position
JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL
ORDER BY shown.event_position
"""


def read_evening(counted: CountedEvent, number: int, size: int) -> Evening | None:
    """Return a page of an open event's deals in the order of their numbers. None when there is no such page."""
    slug = counted.event.slug
    rows = fetch_rows(evening_statement(size), [slug, (number - 1) * size, slug])
    if not rows:
        return None
    total = rows[0][0]
    return Evening(
        counted.event, Page(number, size, total), counted.tables, group_tables(slug, (row[1:] for row in rows))
    )


class MostTables(NamedTuple):
    """How many tables, and how many results, the deal of a stage has that has most of them."""

    tables: int
    results: int


LARGEST = f"""
SELECT stage_key, max(tables), max(results) FROM (
    SELECT {STAGE_KEY} AS stage_key, count(*) AS tables, count(CASE WHEN {HAS_RESULT} THEN 1 END) AS results
    FROM {PUBLISHED}
    WHERE stored.event_slug = %s GROUP BY stored.event_position, board.owner_id
) AS deals GROUP BY stage_key
"""


def count_most_tables(slug: str) -> dict[str, MostTables]:
    """Return the numbers of each stage of an open event by its key. There are none for an event without boards.

    They are those of the account that has most, since two may hold the same tables.
    """
    return {stage_key: MostTables(*numbers) for stage_key, *numbers in fetch_rows(LARGEST, [slug])}


STAGES = f"""
SELECT stored.event_position, board.id, {COLUMNS} FROM {PUBLISHED}
WHERE stored.event_slug = %s AND {IS_OF_TEAMS}
AND (substr({STAGE_KEY}, 1, %s) = %s OR substr({STAGE_KEY}, 1, %s) = %s)
ORDER BY stored.event_position LIMIT {MAX_STAGE_TABLES + 1:d}
"""


def read_team_deals(slug: str, *stages: str) -> list[ListedDeal]:
    """Return all deals that teams played in one or two stages of the event with all their parts, named by their keys.

    Without a stage they are those of the whole event. There are none in stages of more than MAX_STAGE_TABLES tables:
    the sums of a part of them would be wrong.
    """
    first, last = (stages[0], stages[-1]) if stages else ("", "")
    rows = fetch_rows(STAGES, [slug, len(first), first, len(last), last])
    deals = group_tables(slug, rows) if len(rows) <= MAX_STAGE_TABLES else []
    return [deal for deal in deals if not stages or whole_stage(deal.stage_key) in stages]


EVERY_TABLE = f"""
SELECT stored.event_position, board.id, {COLUMNS} FROM {PUBLISHED}
WHERE stored.event_slug = %s ORDER BY stored.event_position LIMIT {MAX_EVENT_TABLES + 1:d}
"""


def read_all_deals(slug: str) -> list[ListedDeal]:
    """Return all deals of an open event, none of one that has become too large just now: sums would be wrong."""
    rows = fetch_rows(EVERY_TABLE, [slug])
    return group_tables(slug, rows) if len(rows) <= MAX_EVENT_TABLES else []


def group_tables(slug: str, rows: Iterable[Sequence[Any]]) -> list[ListedDeal]:
    """Return the deals of an event's rows in the order of their positions: a position, and the columns of a table."""
    deals: dict[tuple[str, str], list[Table]] = {}
    for position, pk, *columns in rows:
        deals.setdefault((slug, position), []).append(Table(as_uuid(pk), *columns))
    return [ListedDeal(position, *tables) for (_, position), tables in merge_owners(mark_unplayed(deals)).items()]


def read_pars(deals: Iterable[ListedDeal]) -> dict[UUID, Par]:
    """Return the par of each deal, as far as it is computed, for dealer and vulnerability of its first table."""
    boards = {deal.deal_id: deal.board for deal in deals}
    stored = Deal.objects.filter(pk__in=boards).values_list("pk", "par")
    return {pk: par_for(pars, boards[pk].vulnerability, boards[pk].dealer) for pk, pars in stored if pars}
