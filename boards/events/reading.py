"""Reading an event: its deals, and what stands around a board of it. boards.events.listing has the list of all.

boards.events.naming stores events and their deals.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from orjson import loads

from boards.events.counting import MAX_EVENT_TABLES, CountedEvent, among, open_tables
from boards.events.listing import HAS_BOARD, PUBLISHED, STORED
from boards.events.owners import find_club, merge_owners
from boards.events.tables import IS_OF_TEAMS, IS_PAIRS, DealTables, Table, table_order, without_copies
from boards.events.unplayed import DealRows, mark_unplayed
from boards.identity import stage_key_of, whole_stage
from boards.models import Board, Event, EventDeal
from bridge.board import teams_of
from bridge.double_dummy import Par, par_for
from config.api.pagination import Page
from config.database import fetch_rows
from config.database.rows import as_uuid

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
ORDER = ("event_deal.stage_key", "event_deal.board_number", "event_deal.deal_id")
IN_ORDER = ", ".join(ORDER)
"""The order of the deals of an event."""

DEAL = f"event_deal.id, event_deal.event_id, {IN_ORDER}"
"""The columns of a deal of an event, with which `fetch_deals` makes it."""

HAS_RESULT = "(board.tricks IS NOT NULL OR board.contract = 'Pass' OR board.adjustment <> '')"
MOST_TABLES = f"""CASE WHEN {IS_PAIRS} THEN (
    SELECT max(tables) FROM (
        SELECT count(*) AS tables FROM (
            SELECT event_deal_id FROM {STORED} WHERE event_id = %s AND stage_key = %s LIMIT {MAX_EVENT_TABLES + 1:d}
        ) AS stored
        GROUP BY event_deal_id
    ) AS deals
) END"""
"""The tables of the deal of the stage that has most, from indexes alone. A match of teams does not need them.

Of an event that is too large they are those of a part, and stand for nothing but that there may be more.
"""

IS_DEAL = f"(event_deal.event_id, {IN_ORDER}) = (%s, %s, %s, %s)"
"""The condition that a deal is that of a board. Its parameters are `EventDeal.key`."""


def select_nearest(comparison: str, direction: str) -> str:
    """Return the id of the nearest deal before or after one of the same event."""
    order = ", ".join(f"{column} {direction}" for column in ORDER)
    return f"""(
        SELECT id FROM boards_eventdeal AS event_deal
        WHERE event_id = %s AND ({IN_ORDER}) {comparison} (%s, %s, %s) AND {HAS_BOARD} ORDER BY {order} LIMIT 1
    )"""


def select_tables(part: int, is_deal: str, limit: int, most_tables: str = "0") -> str:
    """Return a part of SURROUNDINGS: its number, `most_tables`, and the tables of a deal."""
    return f"""
SELECT * FROM (
    SELECT {part:d} AS part, {most_tables} AS most_tables, board.id, {COLUMNS} FROM {PUBLISHED}
    WHERE {is_deal} LIMIT {limit:d}
) AS part{part:d}
"""


SURROUNDINGS = " UNION ALL ".join(
    [
        select_tables(0, IS_DEAL, MAX_TABLES + 1, MOST_TABLES),
        select_tables(1, f"event_deal.id = {select_nearest('<', 'DESC')}", MAX_NEAR),
        select_tables(2, f"event_deal.id = {select_nearest('>', 'ASC')}", MAX_NEAR),
    ]
)
"""The tables of a board's deal, and of the deals before and after it."""

OWN_TABLES = f"SELECT board.id, {COLUMNS} FROM {PUBLISHED} WHERE {IS_DEAL} AND owner_id = %s LIMIT {MAX_TABLES + 1:d}"
"""Those of one account, where all together are too many: another account's tables take none of these away."""


def neighbours(board: Board) -> tuple[Table | None, Table | None]:
    found = read_surroundings(board)
    return found.previous, found.next


def read_surroundings(board: Board) -> Surroundings:
    """Return the boards before and after this one in its event, and all tables of its deal.

    A draft has none, nor has a board without an event. Before and after stand other deals, at the same table where
    they were played there.
    """
    deal = EventDeal.of(board)
    if not deal or not board.published_at:
        return Surroundings()
    rows = fetch_rows(SURROUNDINGS, [deal.event_id, deal.stage_key, *deal.key * 3])
    parts: tuple[list[Table], ...] = ([], [], [])
    for part, _, pk, *columns in rows:
        parts[part].append(Table(as_uuid(pk), *columns))
    here, before, after = parts
    if len(here) > MAX_TABLES:
        own = fetch_rows(OWN_TABLES, [*deal.key, board.owner_id])
        here = [Table(as_uuid(pk), *columns) for pk, *columns in own]
    ((_, here),) = mark_unplayed([(deal, here if len(here) <= MAX_TABLES else [])])
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


class ListedDeal(NamedTuple):
    """A deal of an event with all its tables. What follows the deal is that of DealTables."""

    event_deal: EventDeal
    tables: list[Table]
    shown_of: str = ""
    lead: Table | None = None

    @property
    def board(self) -> Table:
        return DealTables(*self[1:]).board

    @property
    def stage_key(self) -> str:
        return self.event_deal.stage_key

    @property
    def deal_id(self) -> UUID:
        return self.event_deal.deal_id


DealRow = tuple[EventDeal, list[Any]]
"""A deal of an event, and further columns of a row that a hand-written statement returns."""


def fetch_deals(sql: str, parameters: Sequence[Any]) -> list[DealRow]:
    """Return the rows of a statement whose columns begin with those of DEAL. Each deal is made once."""
    deals: dict[int, EventDeal] = {}
    rows: list[DealRow] = []
    for pk, slug, stage_key, number, deal_id, *columns in fetch_rows(sql, parameters):
        if pk not in deals:
            key = {"event_id": slug, "stage_key": stage_key, "board_number": number, "deal_id": as_uuid(deal_id)}
            deals[pk] = EventDeal(pk, **key)
        rows.append((deals[pk], columns))
    return rows


def fetch_tables(deals: Collection[int], columns: str, rest: str, *parameters: Any) -> list[DealRow]:
    """Return columns of the published tables of these deals of events, behind the deal of each."""
    if not deals:
        return []
    is_wanted, values = among("event_deal.id", deals)
    return fetch_deals(f"SELECT {DEAL}, {columns} FROM {PUBLISHED} AND {is_wanted} {rest}", [*values, *parameters])


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
    """Return the statement of so many deals of an event: a deal, its place, the number of all, and a table of it.

    The deals are put in order alone: PostgreSQL takes longer to sort all tables by the columns of their deals.
    """
    return f"""
WITH deals AS (
    SELECT event_deal.*, row_number() OVER (ORDER BY {IN_ORDER}) AS place
    FROM boards_eventdeal AS event_deal WHERE event_id = %s AND {HAS_BOARD}
)
SELECT {DEAL}, place, (SELECT count(*) FROM deals), board.id, {COLUMNS}
FROM (SELECT * FROM deals ORDER BY place LIMIT {limit:d} OFFSET %s) AS event_deal
JOIN boards_publishedboard AS stored ON stored.event_deal_id = event_deal.id
JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL
"""


def read_evening(counted: CountedEvent, number: int, size: int) -> Evening | None:
    """Return a page of an open event's deals in the order of their numbers. None when there is no such page."""
    rows = fetch_deals(evening_statement(size), [counted.slug, (number - 1) * size])
    if not rows:
        return None
    page = Page(number, size, rows[0][1][1])
    in_order = sorted(rows, key=lambda row: row[1][0])
    deals = group_tables(((deal, table) for deal, (_, _, *table) in in_order), are_whole=page.total_pages == 1)
    return Evening(counted.event, page, counted.tables, deals)


class MostTables(NamedTuple):
    """How many tables, and how many results, the deal of a stage has that has most of them."""

    tables: int
    results: int


LARGEST = f"""
SELECT stage_key, max(tables), max(results) FROM (
    SELECT stage_key, count(*) AS tables, count(CASE WHEN {HAS_RESULT} THEN 1 END) AS results
    FROM {PUBLISHED} WHERE event_id = %s GROUP BY event_deal.id, stage_key, board.owner_id
) AS deals GROUP BY stage_key
"""


def count_most_tables(slug: str) -> dict[str, MostTables]:
    """Return the numbers of each stage of an open event by its key. There are none for an event without boards.

    They are those of the account that has most, since two may hold the same tables.
    """
    return {stage_key: MostTables(*numbers) for stage_key, *numbers in fetch_rows(LARGEST, [slug])}


STAGES = f"""
SELECT {DEAL}, board.id, {COLUMNS} FROM {PUBLISHED}
WHERE event_id = %s AND {IS_OF_TEAMS}
AND (substr(event_deal.stage_key, 1, %s) = %s OR substr(event_deal.stage_key, 1, %s) = %s)
ORDER BY {IN_ORDER} LIMIT {MAX_STAGE_TABLES + 1:d}
"""


def read_team_deals(slug: str, *stages: str) -> list[ListedDeal]:
    """Return all deals that teams played in one or two stages of the event with all their parts, named by their keys.

    Without a stage they are those of the whole event. There are none in stages of more than MAX_STAGE_TABLES tables:
    the sums of a part of them would be wrong.
    """
    first, last = (stages[0], stages[-1]) if stages else ("", "")
    rows = fetch_deals(STAGES, [slug, len(first), first, len(last), last])
    deals = group_tables(rows, are_whole=True) if len(rows) <= MAX_STAGE_TABLES else []
    return [deal for deal in deals if not stages or whole_stage(deal.stage_key) in stages]


EVERY_TABLE = f"""
SELECT {DEAL}, board.id, {COLUMNS} FROM {PUBLISHED}
WHERE event_id = %s ORDER BY {IN_ORDER} LIMIT {MAX_EVENT_TABLES + 1:d}
"""


def read_all_deals(slug: str) -> list[ListedDeal]:
    """Return all deals of an open event, none of one that has become too large just now: sums would be wrong."""
    rows = fetch_deals(EVERY_TABLE, [slug])
    return group_tables(rows, are_whole=True) if len(rows) <= MAX_EVENT_TABLES else []


def group_tables(rows: Iterable[DealRow], *, are_whole: bool) -> list[ListedDeal]:
    """Return the deals of rows of a deal and the columns of a table, in the order of the rows. See `list_tables`."""
    deals: dict[int, tuple[EventDeal, list[Table]]] = {}  # by id: a model's own hash takes longer than all else here
    for deal, (pk, *columns) in rows:
        if deal.id not in deals:
            deals[deal.id] = deal, []
        deals[deal.id][1].append(Table._make((as_uuid(pk), *columns)))
    return list_tables(deals.values(), are_whole=are_whole)


def list_tables(deals: DealRows, *, are_whole: bool) -> list[ListedDeal]:
    """Return these deals with each of their tables once, and those marked that were not played.

    Where the deals `are_whole`, all that teams played in their stages, no other table is read.
    """
    marked = mark_unplayed(deals, are_whole=are_whole)
    return [ListedDeal(deal, *tables) for deal, tables in merge_owners(marked)]


PARS = """
SELECT event_deal.id, par FROM boards_eventdeal AS event_deal JOIN deals_deal AS deal ON deal.id = deal_id
WHERE par IS NOT NULL
"""


def read_pars(deals: Iterable[ListedDeal]) -> dict[UUID, Par]:
    """Return the par of each deal, as far as it is computed, for dealer and vulnerability of its first table."""
    boards = {deal.event_deal.id: (deal.deal_id, deal.board) for deal in deals}
    is_wanted, values = among("event_deal.id", boards)
    pars = dict(fetch_rows(f"{PARS} AND {is_wanted}", values)) if boards else {}
    return {
        deal_id: par_for(loads(pars[pk]), board.vulnerability, board.dealer)
        for pk, (deal_id, board) in boards.items()
        if pk in pars
    }
