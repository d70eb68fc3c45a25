"""Reading events: the list of all, and what stands around a board of one. Each takes one statement."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from boards.events.identity import position_of
from boards.models import Board, Event, parse_stored_contract
from boards.querysets import BoardQuerySet
from config.api.pagination import Page
from config.database import fetch_rows
from config.database.rows import find_by_key
from deals.bridge.contract import Contract
from deals.bridge.scoring import score_if_known
from deals.bridge.vulnerability import Vulnerability

EVENT = "event"
"""The query parameter that asks for the boards of one event, by its slug."""

MAX_TABLES = 100
"""The tables of a deal that a board's page shows. Of more, none is shown: a part of them would be scored wrongly."""

MAX_NEAR = 20
"""The tables of the deal before and after that are looked through for the same room and table."""


def boards_of_event(slug: str) -> BoardQuerySet:
    """Return the event's published boards in the order of their numbers, all tables of a deal together."""
    return Board.objects.of_event(slug)


class Neighbour(NamedTuple):
    """A board before or after another one in its event."""

    pk: UUID
    board_number: int | None
    room: str
    table: str


class Table(NamedTuple):
    """What was bid and won at a table. Its columns are those of a board."""

    pk: UUID
    board_number: int | None
    room: str
    table: str
    home_team: str
    visit_team: str
    vulnerability: str
    contract: str
    declarer: str
    opening_lead: str
    tricks: int | None
    scoring: str
    title: str
    stage: str
    dealer: str

    @property
    def score(self) -> int | None:
        """Return North-South's points, or None when the contract or the result is not known."""
        return score_if_known(self.final_contract, Vulnerability(self.vulnerability), self.tricks)

    @property
    def final_contract(self) -> Contract | None:
        return parse_stored_contract(self.contract, self.declarer) if self.contract else None


class Surroundings(NamedTuple):
    """What stands around a board in its event. `tables` are all tables of its deal, the board's own too."""

    previous: Neighbour | None = None
    next: Neighbour | None = None
    tables: Sequence[Table] = ()


COLUMNS = ", ".join(f'board."{name}"' for name in Table._fields[1:])
LIMITED = """
SELECT * FROM (
    SELECT {position:d} AS position, board.id, {columns} FROM boards_publishedboard AS stored
    JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL
    WHERE stored.event_slug = %s AND stored.event_position = {at} LIMIT {limit:d}
) AS part{position:d}
"""
BEFORE = (
    "(SELECT max(event_position) FROM boards_publishedboard WHERE event_slug = %s AND event_position < %s)"
)
AFTER = (
    "(SELECT min(event_position) FROM boards_publishedboard WHERE event_slug = %s AND event_position > %s)"
)
SURROUNDINGS = " UNION ALL ".join(
    LIMITED.format(position=position, columns=COLUMNS, at=at, limit=limit)
    for position, at, limit in ((0, "%s", MAX_TABLES + 1), (1, BEFORE, MAX_NEAR), (2, AFTER, MAX_NEAR))
)


def neighbours(board: Board) -> tuple[Neighbour | None, Neighbour | None]:
    """Return the boards before and after this one in its event."""
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
    rows = fetch_rows(SURROUNDINGS, [slug, own, slug, slug, own, slug, slug, own])
    parts: tuple[list[Table], ...] = ([], [], [])
    for position, pk, *columns in rows:
        parts[position].append(Table(as_uuid(pk), *columns))
    here, before, after = parts
    tables = sorted(here, key=table_order) if len(here) <= MAX_TABLES else ()
    return Surroundings(nearest(board, before), nearest(board, after), tables)


def nearest(board: Board, tables: Sequence[Table]) -> Neighbour | None:
    """Return the table at which the same people sat, as far as room and table tell, else the first one."""
    if not tables:
        return None

    def distance(other: Table) -> tuple[Any, ...]:
        same_teams = (other.home_team, other.visit_team) == (board.home_team, board.visit_team)
        return not same_teams, other.room != board.room, other.table != board.table, table_order(other)

    found = min(tables, key=distance)
    return Neighbour(found.pk, found.board_number, found.room, found.table)


def table_order(table: Table) -> tuple[Any, ...]:
    """Return what sorts the tables of a deal: by match, the open room before the closed one, and by number."""
    number = int(table.table) if table.table.isdecimal() and table.table.isascii() else 0
    return table.home_team, table.visit_team, table.room == "Closed", number, table.table, str(table.pk)


def as_uuid(key: Any) -> UUID:
    """Return an id as a hand-written statement returns it: SQLite has texts."""
    return key if isinstance(key, UUID) else UUID(key)


class ListedEvent(NamedTuple):
    """An event with the number of its published boards, and of their deals."""

    event: Event
    boards: int
    deals: int


class EventPage(NamedTuple):
    page: Page
    events: list[ListedEvent]


EVENT_FIELDS = ("slug", "name", "date", "site", "day")
EVENT_COLUMNS = ", ".join(EVENT_FIELDS)
BOARDS = "(SELECT count(*) FROM boards_publishedboard WHERE event_slug = slug)"
"""The number of an event's published boards, from an index alone."""

IS_SHOWN = """(
    SELECT 1 FROM boards_publishedboard AS stored
    JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL
    WHERE event_slug = slug LIMIT 1
) IS NOT NULL"""
"""The condition that an event has a published board. It is a value, so that it is read until a page is full."""

LISTED = f"""
SELECT (SELECT count(*) FROM boards_event WHERE {IS_SHOWN}), {EVENT_COLUMNS}, boards, (
    SELECT count(DISTINCT event_position) FROM boards_publishedboard WHERE event_slug = slug
) FROM (SELECT 1) AS always LEFT JOIN (
    SELECT {EVENT_COLUMNS}, {BOARDS} AS boards FROM boards_event WHERE {IS_SHOWN}
    ORDER BY day DESC, name, slug LIMIT {{limit:d}} OFFSET %s
) AS page ON 1 = 1
ORDER BY day DESC, name, slug
"""


def read_events(page_query: Mapping[str, Any]) -> EventPage:
    """Return a page of the events that have published boards, the latest first. `page_query` is a parsed PageQuery."""
    number, size = page_query["page"], page_query["pageSize"]
    rows = fetch_rows(LISTED.format(limit=size), [(number - 1) * size])
    events = [
        ListedEvent(make_event(columns), int(boards), deals)
        for _, *columns, boards, deals in rows
        if columns[0] is not None
    ]
    return EventPage(Page(number, size, rows[0][0]), events)


LATEST = f"""
SELECT {EVENT_COLUMNS} FROM (
    SELECT {EVENT_COLUMNS} FROM boards_event WHERE {IS_SHOWN}
    ORDER BY day DESC, name, slug LIMIT {{limit:d}}
) AS latest
UNION SELECT {EVENT_COLUMNS} FROM boards_event WHERE slug = %s AND {IS_SHOWN}
ORDER BY day DESC, name, slug
"""


def latest_events(limit: int, slug: str = "") -> list[Event]:
    """Return the latest events that have published boards, and the one with this slug.

    It costs the same however many events there are.
    """
    return [make_event(columns) for columns in fetch_rows(LATEST.format(limit=limit), [slug])]


def make_event(columns: Sequence[str]) -> Event:
    """Return the event of a row of EVENT_COLUMNS."""
    return Event(**dict(zip(EVENT_FIELDS, columns, strict=True)))


class ListedDeal(NamedTuple):
    """A deal of an event: its first table, and all of them."""

    board: Table
    tables: list[Table]


class Evening(NamedTuple):
    """An event and a page of its deals. `boards` counts all its boards, the page its deals."""

    event: Event
    page: Page
    boards: int
    deals: list[ListedDeal]


EVENING = f"""
WITH positions AS (
    SELECT event_position, count(*) AS tables FROM boards_publishedboard WHERE event_slug = %s GROUP BY event_position
)
SELECT (SELECT count(*) FROM positions), (SELECT sum(tables) FROM positions), shown.event_position, board.id, {COLUMNS}
FROM (SELECT event_position FROM positions ORDER BY event_position LIMIT {{limit:d}} OFFSET %s) AS shown
JOIN boards_publishedboard AS stored ON stored.event_slug = %s AND stored.event_position = shown.event_position
JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL
ORDER BY shown.event_position
"""


def read_evening(slug: str, number: int, size: int) -> Evening | None:
    """Return a page of the event's deals in the order of their numbers. None when there is no such page or event."""
    event = find_by_key(Event, slug)
    rows = fetch_rows(EVENING.format(limit=size), [slug, (number - 1) * size, slug]) if event else []
    if event is None or not rows:
        return None
    total, boards = rows[0][:2]
    by_position: dict[str, list[Table]] = {}
    for _, _, event_position, pk, *columns in rows:
        by_position.setdefault(event_position, []).append(Table(as_uuid(pk), *columns))
    sorted_tables = [sorted(tables, key=table_order) for tables in by_position.values()]
    deals = [ListedDeal(tables[0], tables) for tables in sorted_tables]
    return Evening(event, Page(number, size, total), int(boards), deals)
