"""Joining the results of a file with deals that the owner has stored already: the same event, day and board number."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from boards.files.corrections import MAX_STORED
from boards.identity import fold
from boards.models import Board
from bridge.board import BoardRecord
from bridge.formats.outcomes import Deals, Outcome, SkippedRecord, TableWithoutDeal
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability

BATCH_SIZE = 500
EVENING = ("event", "date", "site")
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
    if not tables:
        return found
    rows = Board.objects.filter(
        event__in={table.texts["event"] for table in tables} - {""},
        date__in={table.texts["date"] for table in tables} - {""},
        board_number__in={table.number for table in tables},
        owner=owner_id,
    )
    stored = list(rows.order_by().values_list(*COLUMNS).distinct()[: MAX_STORED + 1])
    for event, date, site, stage, number, dealer, vulnerability, cards in stored if len(stored) <= MAX_STORED else ():
        layout, seat, sides = Layout.from_canonical(cards), Seat(dealer), Vulnerability(vulnerability)
        board = BoardRecord(layout, seat, sides, number, event=event, date=date, site=site, stage=stage)
        for of_site in (fold(site), ANY_SITE):
            found[fold(event), fold(date), of_site].add(board)
    return found
