"""Joining the results of a file with deals that the owner has stored already: the same event, day and board number."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from boards.files.corrections import EVENING, MAX_STORED
from boards.identity import fold
from boards.models import Board, Event
from bridge.board import BoardRecord
from bridge.dates import sort_key
from bridge.formats.outcomes import Deals, Outcome, SkippedRecord, TableWithoutDeal
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability

BATCH_SIZE = 500
ANY_SITE = "*"
COLUMNS = (*EVENING, "stage", "board_number", "dealer", "vulnerability", "deal__cards")


def join_stored(outcomes: Iterable[Outcome], owner_id: str, texts: Mapping[str, str]) -> Iterator[Outcome]:
    """Yield the outcomes, the tables without hands with the hands of the owner's boards; the others are skipped.

    `texts`, such as {"event": "Friday pairs"}, stand where a table has none.
    """
    outcomes = iter(outcomes)
    while batch := list(islice(outcomes, BATCH_SIZE)):
        tables = {
            each.record: replace(each, texts={name: text or texts.get(name, "") for name, text in each.texts.items()})
            for each in batch
            if isinstance(each, TableWithoutDeal)
        }
        deals = read_deals(owner_id, list(tables.values()))
        for each in batch:
            yield join(tables[each.record], deals) if isinstance(each, TableWithoutDeal) else each


def join(table: TableWithoutDeal, deals: Mapping[tuple[str, ...], Deals]) -> Outcome:
    """Return what a table is with a deal of its event and day: of its site, else of none; of any, if it names none."""
    event, date, site = (fold(table.texts[name]) for name in EVENING)
    for of_site in (site, "") if site else (ANY_SITE,):
        key = event, date, of_site
        outcome = deals[key].join(table) if event and date and key in deals else table
        if not isinstance(outcome, TableWithoutDeal):
            return outcome
    return SkippedRecord(table.record, table.board, table.line, table.code, table.message)


def read_deals(owner_id: str, tables: Sequence[TableWithoutDeal]) -> dict[tuple[str, ...], Deals]:
    """Return the deals of the owner's boards of these events, days and numbers, by event, day and site."""
    found: dict[tuple[str, ...], Deals] = defaultdict(Deals)
    wanted = {names for table in tables if all(names := (table.texts["event"], table.texts["date"]))}
    if not wanted:
        return found
    numbers = {table.number for table in tables}
    of_owner = Board.objects.filter(owner=owner_id, board_number__in=numbers).order_by()
    events, dates = map(set, zip(*wanted, strict=True))
    rows = (
        of_owner.filter(event__in=events, date__in=dates),
        of_owner.filter(published__event_deal__event__in=slugs_of(wanted)),
    )
    stored = {each for boards in rows for each in boards.values_list(*COLUMNS).distinct()[: MAX_STORED + 1]}
    if len(stored) > MAX_STORED:
        return found
    for event, date, site, stage, number, dealer, vulnerability, cards in stored:
        layout, seat, sides = Layout.from_canonical(cards), Seat(dealer), Vulnerability(vulnerability)
        board = BoardRecord(layout, seat, sides, number, event=event, date=date, site=site, stage=stage)
        for of_site in (fold(site), ANY_SITE):
            found[fold(event), fold(date), of_site].add(board)
    return found


def slugs_of(names: Collection[tuple[str, str]]) -> list[str]:
    """Return the slugs of published events of these names and dates, in whatever letters and at whatever sites."""
    folded = {(fold(name), fold(date)) for name, date in names}
    of_days = Event.objects.filter(day__in={sort_key(date) for _, date in names}).values_list("slug", "name", "date")
    return [slug for slug, name, date in of_days[:MAX_STORED] if (fold(name), fold(date)) in folded]
