"""Renaming an event for all its tables, of all accounts, and what becomes of two that get one name.

Staff see a `Renaming` before it is done, and it is read again when they press the button. A chunk of its boards is one
transaction of `bulk`: what is done stays done, and a renaming that was broken off goes on with the boards left over.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Q

from boards.events.tables import Table, same_at, without_copies
from boards.identity import UNNUMBERED, fold, slug_of, stage_key_of
from boards.models import Board, Event, EventRanking
from boards.querysets import BoardQuerySet
from boards.services import bulk

MAX_COMPARED = 10_000
"""The boards of two events that are compared before they become one: about a second's work."""


def boards_of_event(event: Event) -> BoardQuerySet:
    """Return the boards of an event, of all accounts, drafts too, however they spell its texts.

    The queries are about columns and not about slugs, so that a board that is given another event meanwhile is not
    among them any more when it is locked.
    """
    columns = Board.objects.order_by().values_list("event", "date").distinct()
    key = fold(event.name), fold(event.date)
    alike = [texts for texts in columns if (fold(texts[0]), fold(texts[1])) == key]
    slug = slug_of(event.name, event.date, event.site)  # which tells Großes from GROSSES, and fold does not
    named = [texts for texts in alike if slug_of(*texts, event.site) == slug]
    boards = Board.objects.filter(event__in={name for name, _ in named}, date__in={date for _, date in named})
    sites = boards.order_by().values_list("site", flat=True).distinct()
    return boards.filter(site__in=[site for site in sites if fold(site) == fold(event.site)])


class Counts(NamedTuple):
    """How many boards there are, how many are published, of how many accounts, and when the last was changed."""

    boards: int
    published: int
    accounts: int
    changed_at: datetime | None

    @classmethod
    def of(cls, boards: BoardQuerySet) -> "Counts":
        published, accounts = Count("pk", filter=Q(published_at__isnull=False)), Count("owner", distinct=True)
        columns = {"boards": Count("pk"), "published": published, "accounts": accounts, "changed_at": Max("updated_at")}
        return cls(**boards.order_by().aggregate(**columns))


class Merged(NamedTuple):
    """What two events are as one: its published deals and its tables, without the `copies` that another account has.

    `twice` counts the published tables that one account has in both, and that stay two. `clashes` are the numbers, by
    account, under which it has other cards in one of the events than in the other.
    """

    deals: int
    tables: int
    copies: int
    twice: int
    clashes: dict[str, list[int]]


class Renaming:
    """The boards of an event that are to get other texts, as they are now, and the event that has these already.

    Where only case and blanks differ, the event stays the same one and keeps its address.
    """

    def __init__(self, event: Event, spelling: dict[str, str]) -> None:
        slug = slug_of(spelling["name"], spelling["date"], spelling["site"])
        self.event = event
        self.keeps_address = slug == event.slug
        self.others = Board.objects.none() if self.keeps_address else boards_of_event(Event(**spelling))
        self.counts_of_others = Counts.of(self.others)
        stored = None if self.keeps_address else Event.objects.filter(pk=slug).first()
        self.to = stored if stored and self.counts_of_others.boards else Event(slug=slug, **spelling)
        self.texts = {"event": self.to.name, "date": self.to.date, "site": self.to.site}
        self.boards = boards_of_event(event).exclude(**self.texts)
        self.counts = Counts.of(self.boards)

    @property
    def seen(self) -> str:
        """Return what differs as soon as any of the boards does: the page that staff have seen sends it back."""
        return " ".join(map(str, (*self.counts, *self.counts_of_others)))

    @cached_property
    def merged(self) -> Merged | None:
        """Return what the two events become, None where there is one, or where both are too large to be compared."""
        total = self.counts.boards + self.counts_of_others.boards
        if not self.counts.boards or not self.counts_of_others.boards or total > MAX_COMPARED:
            return None
        return merge(read_tables(self.boards), read_tables(self.others))

    def count_replaced_rankings(self) -> int:
        """Return how many rankings that files gave the event are deleted, since the other has one of that stage."""
        kept = EventRanking.objects.filter(event=self.to.slug, owner=OuterRef("owner"), stage_key=OuterRef("stage_key"))
        return EventRanking.objects.filter(Exists(kept), event=self.event.slug).count()

    def change(self, board_ids: Sequence[UUID]) -> list[Board]:
        """Rename those of these boards that are still of the event. Return them."""
        return bulk.set_texts(board_ids, self.texts, among=self.boards)


Position = tuple[str, int, UUID]
"""Where a deal stands in its event: the stage, the number of the board, and the deal."""


def read_tables(boards: BoardQuerySet) -> dict[Position, list[Table]]:
    tables: dict[Position, list[Table]] = defaultdict(list)
    rows: Any = boards.order_by().values_list("deal_id", *Table._fields)
    for deal_id, *columns in rows:
        table = Table(*columns)
        tables[stage_key_of(table.stage), table.board_number or UNNUMBERED, deal_id].append(table)
    return tables


def merge(first: dict[Position, list[Table]], second: dict[Position, list[Table]]) -> Merged:
    """Compare the tables of two events. An account's own board is never a copy of another of its boards."""
    deals = tables = copies = 0
    for position in first.keys() | second.keys():
        both = (*first.get(position, ()), *second.get(position, ()))
        if published := [table for table in both if table.published_at]:
            played = [table for table in published if not table.is_deal_alone]
            kept = len(without_copies(played).tables) if played else 0
            deals, tables, copies = deals + 1, tables + kept, copies + len(played) - kept
    twice = (records_of(first) & records_of(second)).total()
    return Merged(deals, tables, copies, twice, clashes_of(first, second))


def records_of(event: dict[Position, list[Table]]) -> Counter[Hashable]:
    """Count the published tables of each account that say the same."""
    shown = ((position, table) for position, tables in event.items() for table in tables if table.published_at)
    return Counter((position, table.owner_id, same_at(table)) for position, table in shown if not table.is_deal_alone)


def clashes_of(first: dict[Position, list[Table]], second: dict[Position, list[Table]]) -> dict[str, list[int]]:
    """Return the numbers that an account gives to other deals in each of the events, in the same stage."""
    deals: tuple[dict[tuple[str, int, str], set[UUID]], ...] = defaultdict(set), defaultdict(set)
    for of_event, event in zip(deals, (first, second), strict=True):
        for (stage, number, deal_id), tables in event.items():
            for table in filter(attrgetter("published_at"), tables):
                of_event[table.owner_id, number, stage].add(deal_id)
    clashes: dict[str, list[int]] = defaultdict(list)
    for key in sorted(deals[0].keys() & deals[1].keys()):
        owner_id, number, _ = key
        if number != UNNUMBERED and deals[0][key].isdisjoint(deals[1][key]):
            clashes[owner_id].append(number)
    return clashes
