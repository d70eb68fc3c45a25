"""The list of events, what stands beside one in it, and what came of a deal at all its tables.

Each takes one or two statements.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Count

from boards.events.tables import Table
from boards.models import Event, PublishedBoard, parse_stored_contract
from bridge.contract import Contract
from config.api.pagination import Page
from config.database import fetch_rows


class ListedEvent(NamedTuple):
    """An event with the number of its published boards, and of their deals."""

    event: Event
    boards: int
    deals: int


EVENT_FIELDS = ("slug", "name", "date", "site", "day")
EVENT_COLUMNS = ", ".join(EVENT_FIELDS)

STORED = "boards_eventdeal AS event_deal JOIN boards_publishedboard AS stored ON stored.event_deal_id = event_deal.id"
"""The deals of events and what is stored of the boards of each."""

PUBLISHED = f"""{STORED}
    JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL"""
"""The same with the boards. The stored rows alone do not know of a draft that SQL has made."""

HAS_BOARD = "EXISTS (SELECT 1 FROM boards_publishedboard WHERE event_deal_id = event_deal.id)"
"""The condition that a deal of an event has a published board."""

BOARDS = f"(SELECT count(*) FROM {STORED} WHERE event_id = slug)"
"""The number of an event's published boards, from indexes alone."""

DEALS = f"(SELECT count(*) FROM boards_eventdeal AS event_deal WHERE event_id = slug AND {HAS_BOARD})"
"""The number of their deals."""

IS_SHOWN = f"(SELECT 1 FROM {PUBLISHED} WHERE event_id = slug LIMIT 1) IS NOT NULL"
"""The condition that an event has a published board. It is a value, so that it is read until a page is full."""


def listed_statement(limit: int) -> str:
    """Return the statement of a page: in each row how many events there are, and an event, or nothing of one."""
    return f"""
SELECT (SELECT count(*) FROM boards_event WHERE {IS_SHOWN}), {EVENT_COLUMNS}, boards, {DEALS}
FROM (SELECT 1) AS always LEFT JOIN (
    SELECT {EVENT_COLUMNS}, {BOARDS} AS boards FROM boards_event WHERE {IS_SHOWN}
    ORDER BY day DESC, name, slug LIMIT {limit:d} OFFSET %s
) AS page ON 1 = 1
ORDER BY day DESC, name, slug
"""


def read_events(page_query: Mapping[str, Any]) -> tuple[Page, list[ListedEvent]]:
    """Return a page of the events that have published boards, the latest first. `page_query` is a parsed PageQuery."""
    number, size = page_query["page"], page_query["pageSize"]
    rows = fetch_rows(listed_statement(size), [(number - 1) * size])
    events = [
        ListedEvent(make_event(columns), int(boards), deals)
        for _, *columns, boards, deals in rows
        if columns[0] is not None
    ]
    return Page(number, size, rows[0][0]), events


def read_latest() -> ListedEvent | None:
    """Return the latest event that has published boards, with their numbers, by one statement."""
    sql = f"""
SELECT {EVENT_COLUMNS}, {BOARDS}, {DEALS} FROM boards_event WHERE {IS_SHOWN} ORDER BY day DESC, name, slug LIMIT 1
"""
    for *columns, boards, deals in fetch_rows(sql, []):
        return ListedEvent(make_event(columns), boards, deals)
    return None


def latest_events(limit: int, slug: str = "") -> list[Event]:
    """Return the latest events that have published boards, and the one with this slug.

    It costs the same however many events there are.
    """
    sql = f"""
SELECT {EVENT_COLUMNS} FROM (
    SELECT {EVENT_COLUMNS} FROM boards_event WHERE {IS_SHOWN}
    ORDER BY day DESC, name, slug LIMIT {limit:d}
) AS latest
UNION SELECT {EVENT_COLUMNS} FROM boards_event WHERE slug = %s AND {IS_SHOWN}
ORDER BY day DESC, name, slug
"""
    return [make_event(columns) for columns in fetch_rows(sql, [slug])]


def make_event(columns: Sequence[str]) -> Event:
    return Event(**dict(zip(EVENT_FIELDS, columns, strict=True)))


def list_events(slugs: Collection[str]) -> dict[str, ListedEvent]:
    """Return these events by their slugs. It takes two statements, and reads no board."""
    events = Event.objects.in_bulk(slugs)
    boards = PublishedBoard.objects.filter(event_deal__event__in=events).order_by()
    rows = boards.values_list("event_deal__event").annotate(
        boards=Count("pk"), deals=Count("event_deal", distinct=True)
    )
    return {slug: ListedEvent(events[slug], *counts) for slug, *counts in rows}


class Neighbours(NamedTuple):
    """The events beside another one in the list of all. The list begins with the latest."""

    earlier: Event | None
    later: Event | None


BESIDE = " UNION ALL ".join(
    f"""
SELECT * FROM (
    SELECT {position:d} AS position, {EVENT_COLUMNS} FROM boards_event WHERE {condition} AND {IS_SHOWN}
    ORDER BY {order} LIMIT 1
) AS part{position:d}
"""
    for position, (condition, order) in enumerate(
        (
            ("day = %s AND (name, slug) > (%s, %s)", "name, slug"),
            ("day < %s", "day DESC, name, slug"),
            ("day = %s AND (name, slug) < (%s, %s)", "name DESC, slug DESC"),
            ("day > %s", "day, name DESC, slug DESC"),
        )
    )
)
"""The nearest event of the same day and of another day, on both sides. Each part reads the index `event_newest`."""


def read_neighbours(event: Event) -> Neighbours:
    parameters = [event.day, event.name, event.slug, event.day]
    found = {position: make_event(columns) for position, *columns in fetch_rows(BESIDE, parameters * 2)}
    return Neighbours(found.get(0) or found.get(1), found.get(2) or found.get(3))


class DealResults:
    """The tables that played a deal. Scores are North-South's. A table without a contract or a result has none."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = [table for table in tables if not table.is_unplayed]

    def __len__(self) -> int:
        return len(self.tables)

    @cached_property
    def scored(self) -> list[tuple[int, Table]]:
        scored = [(table.score, table) for table in self.tables]
        return sorted([(score, table) for score, table in scored if score is not None], key=lambda row: -row[0])

    @property
    def best(self) -> tuple[int, Table] | None:
        return self.scored[0] if self.scored else None

    @property
    def worst(self) -> tuple[int, Table] | None:
        return self.scored[-1] if self.scored else None

    @property
    def spread(self) -> int | None:
        """Return the points between the best and the worst score, or None with fewer than two scores."""
        return self.scored[0][0] - self.scored[-1][0] if len(self.scored) > 1 else None

    @cached_property
    def usual_contract(self) -> tuple[Contract, int] | None:
        """Return the contract of most tables, whichever partner declared, and their number. Of equals the first."""
        stored = Counter((table.contract, table.declarer) for table in self.tables if not table.adjustment)
        first: dict[tuple[str, str], Contract] = {}
        tables: Counter[tuple[str, str]] = Counter()
        for (text, declarer), number in stored.items():
            if text:
                contract = parse_stored_contract(text, declarer)
                same = contract.text, contract.declarer.side if contract.declarer else ""
                first.setdefault(same, contract)
                tables[same] += number
        most = max(tables, key=tables.__getitem__, default=None)
        return (first[most], tables[most]) if most else None
