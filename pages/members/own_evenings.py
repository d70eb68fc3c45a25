"""A member's own boards by evening: how many of each state, the first hands, and the tables of a few.

A page takes the same few statements, however many boards and evenings there are.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import Count, F, Max, Q, Window
from django.db.models.functions import DenseRank, Length
from django.utils.safestring import SafeString

from boards.drawing.mini_hands import draw_mini
from boards.identity import slug_of
from boards.models import PublicationReview
from boards.querysets import BoardQuerySet
from boards.services.reviews import Publishing, publishing
from bridge.dates import in_words
from config.values.words import format_count
from pages.presenters.boards import OwnBoard

DRAFT = Q(published_at=None)
PUBLISHED = Q(published_at__isnull=False)
WAITING = Q(review__state=PublicationReview.State.WAITING)
LISTS = {
    "": ("All", Q()),
    "drafts": ("Drafts", DRAFT & ~WAITING),
    "waiting": ("Waiting for staff", WAITING),
    "answered": ("Answered by staff", Q(review__state=PublicationReview.State.DECLINED)),
    "published": ("Published", PUBLISHED),
}
"""The lists of a member's boards: the value of `show`, what it is called, and which boards are in it."""

OTHERS = "other"
"""The key of the boards that belong to no event. No event has it: their slugs end with a hash."""

MAX_HANDS = 3
MAX_LISTED = 12
FEW_EVENINGS = 6
"""A page of few evenings lists so many tables below them. Those of others are a click away: a page has 60 kB."""

SEARCHED = ("title", "event", "site", "table")
WORD = re.compile(r"(?:\b(board|table)\s+(?=[0-9]))?(\S+)", re.IGNORECASE)
DIGITS = re.compile(r"[0-9]{1,5}")
BY_NUMBER = (F("board_number").asc(nulls_last=True),)
BY_TABLE = ("stage", *BY_NUMBER, "-room", Length("table"), "table", "-created_at", "pk")


@dataclass
class OwnEvening:
    """A member's boards of an event, as far as they are in the list that is shown.

    `spellings` are the event, date and site of its boards, the latest first: those of one key may differ in case.
    `counts` are by the names of LISTS. `hands` are the cards of the first deals, with the numbers of their boards.
    """

    key: str
    spellings: list[tuple[str, str, str]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LISTS, 0))
    deals: int = 0
    hands: dict[str, int | None] = field(default_factory=dict)
    boards: Sequence[OwnBoard] = ()

    @property
    def name(self) -> str:
        return "Other boards" if self.key == OTHERS else self.spellings[0][0]

    @property
    def origin(self) -> str:
        _, date, site = self.spellings[0]
        return "Without an event" if self.key == OTHERS else ", ".join(filter(None, (in_words(date), site)))

    @property
    def full_name(self) -> str:
        """Return the name with the date: "Friday pairs, 20 November 2026"."""
        return self.name if self.key == OTHERS else ", ".join(filter(None, (self.name, in_words(self.spellings[0][1]))))

    @property
    def tables(self) -> int:
        return self.counts[""]

    @property
    def unpublished(self) -> int:
        """Return how many boards can be deleted. Some of them may wait for staff."""
        return self.tables - self.counts["published"]

    @property
    def can_be_withdrawn(self) -> bool:
        return bool(self.counts["published"] or self.counts["waiting"])

    @property
    def event_slug(self) -> str:
        """Return the slug of the event's page, "" where readers see none of the boards."""
        return self.key if self.counts["published"] and self.key != OTHERS else ""

    @property
    def action(self) -> str:
        """Return the one thing to do with the evening: "publish", else "open" its page, else "withdraw", or ""."""
        if self.counts["drafts"] and publishing() is not Publishing.OFF:
            return "publish"
        return "open" if self.event_slug else "withdraw" * self.can_be_withdrawn

    @property
    def counts_in_words(self) -> str:
        """Say "30 boards, 299 results: 280 published, 19 drafts (2 answered by staff)"."""
        of = self.counts
        answered = f" ({of['answered']:,} answered by staff)" * bool(of["answered"])
        states = (
            f"{of['published']:,} published" * bool(of["published"]),
            f"{of['waiting']:,} waiting for staff" * bool(of["waiting"]),
            f"{format_count(of['drafts'], 'draft')}{answered}" * bool(of["drafts"]),
        )
        results = f", {self.tables:,} results" * (self.tables > self.deals)
        return f"{format_count(self.deals, 'board')}{results}: {', '.join(filter(None, states))}."

    @property
    def drawn(self) -> list[SafeString]:
        return [draw_mini(cards, number) for cards, number in self.hands.items()]

    @property
    def hands_in_words(self) -> str:
        numbers = [f"board {number}" for number in self.hands.values() if number]
        return f"The hands of {', '.join(numbers) or 'the first boards'}."

    @property
    def condition(self) -> Q:
        """Return the condition of its boards. All combinations of its spellings are of one key."""
        events, dates, sites = (set(texts) for texts in zip(*self.spellings, strict=True))
        return Q(event__in=events) if self.key == OTHERS else Q(event__in=events, date__in=dates, site__in=sites)


def key_of(event: str, date: str, site: str) -> str:
    return slug_of(event, date, site) or OTHERS


def read_evenings(boards: BoardQuerySet) -> list[OwnEvening]:
    """Return the evenings of the boards, the latest upload first."""
    counts = {f"in_{name}": Count("pk", filter=condition) for name, (_, condition) in LISTS.items()}
    rows = (
        boards.order_by()
        .values_list("event", "date", "site")
        .annotate(stored_at=Max("created_at"), deals=Count("deal", distinct=True), **counts)
    )
    evenings: dict[str, OwnEvening] = {}
    for event, date, site, _, deals, *numbers in rows.order_by("-stored_at", "event", "date", "site"):
        evening = evenings.setdefault(key := key_of(event, date, site), OwnEvening(key))
        evening.spellings.append((event, date, site))
        evening.deals += deals
        for name, number in zip(LISTS, numbers, strict=True):
            evening.counts[name] += number
    return list(evenings.values())


def find_boards(boards: BoardQuerySet, key: str) -> BoardQuerySet:
    """Return those of an evening, none for a key that is of none of them."""
    spellings = boards.order_by().values_list("event", "date", "site").distinct()
    evening = OwnEvening(key, [texts for texts in spellings if key_of(*texts) == key])
    return boards.filter(evening.condition) if evening.spellings else boards.none()


def read_hands(boards: BoardQuerySet, evenings: Sequence[OwnEvening]) -> None:
    """Read the first deals of each of these evenings."""
    if not evenings:
        return
    order = ("stage", *BY_NUMBER, "deal_id")
    rank = Window(DenseRank(), partition_by=["event", "date", "site"], order_by=order)
    found = boards.filter(any_of(evenings)).annotate(rank=rank).filter(rank__lte=MAX_HANDS)
    rows = found.order_by(*order).values_list("event", "date", "site", "board_number", "deal__cards")
    by_key = {evening.key: evening.hands for evening in evenings}
    for event, date, site, number, cards in rows:
        hands = by_key[key_of(event, date, site)]
        if len(hands) < MAX_HANDS:
            hands.setdefault(cards, number)


def list_tables(boards: BoardQuerySet, evenings: Sequence[OwnEvening]) -> None:
    """Read the boards of the evenings that have few, until a page lists MAX_LISTED."""
    room, listed = MAX_LISTED * (len(evenings) <= FEW_EVENINGS), []
    for evening in evenings:
        if evening.tables <= room:
            room -= evening.tables
            listed.append(evening)
    by_key: dict[str, list[OwnBoard]] = {evening.key: [] for evening in listed}
    for board in in_order(boards.filter(any_of(listed))) if listed else ():
        by_key[key_of(board.event, board.date, board.site)].append(OwnBoard(board))
    for evening in listed:
        evening.boards = by_key[evening.key]


def in_order(boards: BoardQuerySet) -> BoardQuerySet:
    """Order the tables of an evening by number, and fetch what a line of one shows."""
    return boards.select_related("review").defer("auction", "play", "commentary").order_by(*BY_TABLE)


def any_of(evenings: Iterable[OwnEvening]) -> Q:
    return reduce(or_, (evening.condition for evening in evenings))


def matching(text: str) -> Q:
    """Return the condition that a board has each word in one of its texts, or as its number.

    "board 11" is its number alone, and "table 3" its table.
    """
    condition = Q()
    for kind, word in WORD.findall(text):
        number = Q(board_number=int(word)) if DIGITS.fullmatch(word) else Q()
        if kind and number:
            condition &= number if kind.casefold() == "board" else Q(table=word)
        else:
            condition &= reduce(or_, (Q(**{f"{name}__icontains": word}) for name in SEARCHED), number)
    return condition


def evenings_of(boards: BoardQuerySet) -> set[str]:
    """Return the keys of the evenings that these boards are of."""
    return {key_of(*texts) for texts in boards.order_by().values_list("event", "date", "site").distinct()}
