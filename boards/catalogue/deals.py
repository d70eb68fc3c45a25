"""Reading lists for people: one entry a deal, however many tables of its event the list has (decision 43).

A list is walked from a row on. The first board of each deal that is met is the deal's entry, unless another table of
the deal stands before that row: then the entry is on an earlier page.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import chain, count
from typing import NamedTuple
from uuid import UUID

from boards.catalogue.reading import Search, of_published, page_finder
from boards.events.counting import count_tables
from boards.events.owners import merge_owners
from boards.events.reading import COLUMNS as RESULT
from boards.events.reading import IN_ORDER, fetch_tables
from boards.events.tables import DealTables, Table
from boards.events.unplayed import mark_unplayed
from boards.models import LAST_NUMBER, Board, EventDeal
from boards.querysets import BoardQuerySet
from config.database.rows import as_uuid
from config.edge.limits.dear_reads import DEAR_ROWS, take_permit_for
from search.conditions import Among, Condition, Not, Tagged, every
from search.index.finding import IS_PUBLISHED
from search.index.pages import Found, Reading, find
from search.index.rows import NET_VOTES, adapt
from themes.labels import LabelCache

BATCHES = (100, 300, 600, 1_200)
"""The boards that are looked at one batch after the other, until a page is full: at most 2,200."""

ROUNDS = 30
ROUND = 100
"""A feed looks at so many batches at most, of so many boards each."""

AHEAD = 100
"""The boards among which the home page looks for its few deals."""

MAX_RESULTS = 5_000
"""The tables that one page reads. Deals past them are shown as if they had none."""

MAX_BEFORE = 5_000
"""The tables before a page that are looked at."""

COLUMNS = of_published(
    "stored.board_id, board.number, stored.event_deal_id, coalesce(event_deal.event_id, '')",
    "LEFT JOIN boards_eventdeal AS event_deal ON event_deal.id = stored.event_deal_id",
)
"""The columns of ListedBoard."""


class ListedBoard(NamedTuple):
    """A published board of a list, and of which deal of which event it is, of none or of "" without an event."""

    pk: UUID | str
    number: int
    event_deal: int | None
    event_slug: str

    @property
    def board_id(self) -> UUID:
        return as_uuid(self.pk)

    @property
    def deal(self) -> int | UUID:
        """Return the id of the deal. A board of no event is a deal by itself."""
        return self.event_deal or self.board_id


class FoundDeal(NamedTuple):
    """A deal in a list: the first of its boards that is found, and all its tables at the event.

    `found` counts those of several tables that the list has. `title` is that of the deal, as the first account that
    holds it tells it. A board of no event has no tables.
    """

    board_id: UUID
    tables: Sequence[Table] = ()
    found: int = 0
    title: str = ""


class DealPage(NamedTuple):
    """A page of deals, each by the first of its boards that meets the condition.

    `total` counts all boards found, `start` and `next_start` are rows of the list, from 0. `next_start` is None at the
    end of the list.
    """

    entries: list[ListedBoard]
    condition: Condition
    total: int
    start: int
    next_start: int | None
    labels: LabelCache
    search: Search


def find_deals(search: Search, start: int, size: int) -> DealPage:
    """Return so many of the selected deals, the first of them at row `start` or later; fewer where BATCHES end before.

    It takes a bounded number of queries.
    """
    met: dict[int | UUID, ListedBoard] = {}
    earlier: set[int | UUID] = set()
    rows: dict[int, int] = {}
    row = start
    for limit in BATCHES:
        found, labels = search.select(page_finder(search.selection, row, limit), COLUMNS)
        condition = search.condition(labels)
        rows |= zip(found.numbers, count(row))
        row += len(found.numbers)
        known = set(met)
        met = first_of_deals(chain(met.values(), map(ListedBoard._make, found.rows)))
        if start and met:
            first = next(iter(met.values()))
            new = [board.event_deal for deal, board in met.items() if deal not in known and board.event_deal]
            earlier |= deals_before(search.selection.sort, condition, first, new)
        entries = [board for deal, board in met.items() if deal not in earlier]
        if len(entries) > size or row >= found.total:
            break
    if len(entries) > size:
        next_start: int | None = rows[entries[size].number]
    else:
        next_start = row if row < found.total else None
    return DealPage(entries[:size], condition, found.total, start, next_start, labels, search)


def find_news(search: Search, size: int) -> list[list[ListedBoard]]:
    """Return so many of the newest deals, those of an event together; fewer where ROUNDS end before.

    An event is left out of what is looked at once two of its deals are found, so that 512 tables cost no more than a
    batch.
    """
    news: dict[str, dict[int | UUID, ListedBoard]] = {}
    after = LAST_NUMBER
    for _ in range(ROUNDS):
        known = tuple(f"event:{slug}" for slug, deals in news.items() if len(deals) > 1)
        found, _ = search.select(partial(find_others, known=known, after=after), COLUMNS)
        for board in map(ListedBoard._make, found.rows):
            news.setdefault(board.event_slug or str(board.board_id), {}).setdefault(board.deal, board)
        if len(news) >= size or not found.has_more:
            break
        after = found.numbers[-1]
    return [[*deals.values()] for deals in news.values()][:size]


def find_others(condition: Condition, reading: Reading, known: tuple[str, ...], after: int) -> Found:
    """Return the next boards that meet the condition and have none of the known tags."""
    others = [Not(Tagged(known))] if known else []
    return find(every([condition, *others]), 0, ROUND, after, reading)


def deals_before(sort: str, condition: Condition, first: ListedBoard, deals: Collection[int]) -> set[int]:
    """Return those of the deals of which a board that the condition finds stands before the first one of a page."""
    order = f"{NET_VOTES}, number" if sort == "top" else "number"
    stands_before = f"WHERE ({order}) > (SELECT {order} FROM boards_board WHERE id = %s) LIMIT {MAX_BEFORE:d}"
    take_permit_for(count_tables(deals, DEAR_ROWS + 1))
    before = fetch_tables(deals, "board.id", stands_before, adapt(Board, "id", first.board_id))
    matching = matching_among(condition, [as_uuid(pk) for _, (pk,) in before])
    return {deal.pk for deal, (pk,) in before if as_uuid(pk) in matching}


def matching_among(condition: Condition, board_ids: Sequence[UUID]) -> set[UUID]:
    """Return those of these published boards that meet a resolved condition on published boards."""
    if condition == IS_PUBLISHED or not board_ids:
        return {*board_ids}
    return {*find(every([condition, Among(tuple(board_ids))]), 0, len(board_ids)).ids}


def first_deals(size: int) -> tuple[list[FoundDeal], list[FoundDeal]]:
    """Return so many of the newest deals, and of those that have the most votes, more of them for than against.

    It takes three statements: lists of a few deals need no index. The page / needs no permit either.
    """
    boards = Board.objects.published()
    newest, top = (entries_of(each, size) for each in (boards.newest_first(), boards.liked().top_first()))
    deals = list_deals([*newest, *top], IS_PUBLISHED, takes_permit=False)
    return deals[: len(newest)], deals[len(newest) :]


def entries_of(boards: BoardQuerySet, size: int) -> list[ListedBoard]:
    """Return the first board of so many deals."""
    rows = boards.values_list("pk", "number", "published__event_deal", "published__event_deal__event")
    listed = (ListedBoard(pk, number, deal, slug or "") for pk, number, deal, slug in rows[:AHEAD])
    return [*first_of_deals(listed).values()][:size]


def first_of_deals(boards: Iterable[ListedBoard]) -> dict[int | UUID, ListedBoard]:
    """Return the first board of each deal."""
    first: dict[int | UUID, ListedBoard] = {}
    for board in boards:
        first.setdefault(board.deal, board)
    return first


def list_deals(entries: Sequence[ListedBoard], condition: Condition, *, takes_permit: bool = True) -> list[FoundDeal]:
    """Return the deals with all of their tables, and how many of these meet the condition.

    Many tables need a permit: without one fewer are read. Raise TooManyRunning when none gets free.
    """
    deals = tables_of({entry.event_deal for entry in entries if entry.event_deal}, takes_permit)
    several = [table.pk for deal in deals.values() if len(deal.tables) > 1 for table in deal.tables]
    matching = matching_among(condition, several)
    return [found_deal(entry, deals.get(entry.event_deal), matching) for entry in entries]


def found_deal(entry: ListedBoard, deal: DealTables | None, matching: Collection[UUID]) -> FoundDeal:
    if deal is None:
        return FoundDeal(entry.board_id)
    count = sum(table.pk in matching for table in deal.tables)
    return FoundDeal(entry.board_id, deal.tables, count, deal.board.deal_title)


def tables_of(deals: Collection[int], takes_permit: bool) -> dict[int | None, DealTables]:
    """Return the published tables of each deal. It takes another statement where several accounts hold one."""
    max_results = MAX_RESULTS if takes_permit else DEAR_ROWS
    if takes_permit:
        take_permit_for(count_tables(deals, DEAR_ROWS + 1))
    in_order = f"ORDER BY event_deal.event_id, {IN_ORDER} LIMIT {max_results + 1:d}"
    rows = fetch_tables(deals, f"board.id, {RESULT}", in_order)
    tables: dict[EventDeal, list[Table]] = {}
    for deal, (pk, *columns) in rows:
        tables.setdefault(deal, []).append(Table(as_uuid(pk), *columns))
    if len(rows) > max_results:
        tables.popitem()  # not all of its tables are here
    return {deal.pk: merged for deal, merged in merge_owners(mark_unplayed(tables.items(), max_results))}
