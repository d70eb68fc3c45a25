"""What the index knows of a board. Each fact is declared once: a number, a choice, or a tag.

Numbers and choices stand one after the other in a row's `facts`, each in a byte or, where it has many values, in
several. In a segment a number has a slice for each threshold, "north.hcp>=15", and a choice one for each value,
"dealer=N". A tag is a word in a row's `tags` and a slice of that name, "theme:ID".
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import accumulate, chain
from operator import attrgetter
from typing import Any, ClassVar

from boards.search.subject import Subject
from boards.search.words import fold_name
from bridge.auction import BIDS, MAX_CALLS
from bridge.board import TEXTS
from bridge.cards import DECK, SUITS
from bridge.dates import LAST, known_parts, write_day
from bridge.double_dummy import par_for
from bridge.layout import SHAPES, controls, losers, shape_of
from bridge.names import DENOMINATIONS, SEAT_KEYS, SUIT_NAMES
from bridge.seats import SEATS
from bridge.vulnerability import Vulnerability

MAX_BASE = 100
"""A number with more than 254 values has digits to this base or a smaller one, each digit with its own slices."""

EPOCH = datetime(2020, 1, 1, tzinfo=UTC)
SIDES = {"ns": (0, 2), "ew": (1, 3)}
"""The seats of each side, by their index."""
SEAT_VALUES = tuple(seat.value for seat in SEATS)


Value = int | str | None


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A fact with a value or none. Its stored form is 0 for none, else 1 and more, in `width` bytes.

    `since` is the NOTATION with which it came.
    """

    name: str
    since: int = 1

    size: ClassVar[int]

    @cached_property
    def width(self) -> int:
        width = 1
        while self.size > (254 if width == 1 else MAX_BASE**width - 1):
            width += 1
        return width

    @cached_property
    def base(self) -> int:
        """Return the smallest base in which so many digits are enough."""
        return next(base for base in range(2, 256) if base**self.width > self.size)

    def digits(self, stored: int) -> tuple[int, ...]:
        """Return the bytes of a stored value: one, or its digits to the base."""
        if self.width == 1:
            return (stored,)
        return tuple(stored // self.base**power % self.base for power in reversed(range(self.width)))


@dataclass(frozen=True, kw_only=True)
class Number(Fact):
    """A whole number from `low` to `high`, a multiple of `unit`. `is_known`: every board has it."""

    low: int
    high: int
    unit: int = 1
    is_known: bool = False

    @property
    def size(self) -> int:  # type: ignore[override]  # of the values
        return (self.high - self.low) // self.unit + 1

    def store(self, value: int | None) -> int:
        """Return the stored form of a value, which is brought into the range."""
        if value is None:
            return 0
        return (min(max(value, self.low), self.high) - self.low) // self.unit + 1


@dataclass(frozen=True, kw_only=True)
class Choice(Fact):
    """One of a few values."""

    values: tuple[str, ...]

    @property
    def size(self) -> int:  # type: ignore[override]  # of the values
        return len(self.values)

    @cached_property
    def numbers(self) -> dict[str | None, int]:
        return {value: number for number, value in enumerate(self.values, start=1)}

    def store(self, value: str | None) -> int:
        """Return the stored form of a value, that of none for one which is not among them."""
        return self.numbers.get(value, 0)


Values = Iterator[Value]


@dataclass(frozen=True)
class Group:
    """Facts that are read together: `read` yields the value of each."""

    facts: tuple[Fact, ...]
    read: Callable[[Subject], Values]


def hand_facts(seat: str) -> tuple[Fact, ...]:
    lengths = (Number(name=f"{seat}.{suit}", low=0, high=13, is_known=True) for suit in SUIT_NAMES.values())
    counts = {"hcp": 37, "controls": 12, "losers": 12, "aces": 4}
    numbers = (Number(name=f"{seat}.{name}", low=0, high=high, is_known=True) for name, high in counts.items())
    return *lengths, *numbers, Choice(name=f"{seat}.shape", values=tuple(map(write_shape, SHAPES)))


def write_shape(shape: Sequence[int]) -> str:
    """Write a shape as in "5332", or "10-2-1-0" where a suit has ten cards or more."""
    return ("-" if max(shape) > 9 else "").join(map(str, shape))


def read_hands(subject: Subject) -> Values:
    for suits, lengths, hcp in zip(subject.suits, subject.lengths, subject.points, strict=True):
        yield from lengths
        yield hcp
        yield sum(map(controls, suits))
        yield sum(map(losers, suits))
        yield sum("A" in ranks for ranks in suits)
        yield write_shape(shape_of(lengths))


def side_facts(side: str) -> tuple[Fact, ...]:
    lengths = (Number(name=f"{side}.{suit}", low=0, high=13, is_known=True) for suit in SUIT_NAMES.values())
    return (
        Number(name=f"{side}.hcp", low=0, high=40, is_known=True),
        Number(name=f"{side}.fit", low=7, high=13, is_known=True),
        *lengths,
    )


def read_sides(subject: Subject) -> Values:
    for one, other in SIDES.values():
        lengths = [mine + partners for mine, partners in zip(subject.lengths[one], subject.lengths[other], strict=True)]
        yield subject.points[one] + subject.points[other]
        yield max(lengths)
        yield from lengths


def read_holders(subject: Subject) -> Values:
    holders = {
        suit + rank: seat
        for seat, hand in zip(SEAT_VALUES, subject.suits, strict=True)
        for suit, ranks in zip(SUITS, hand, strict=True)
        for rank in ranks
    }
    return (holders[card] for card in DECK)


def read_makes(subject: Subject) -> Values:
    if subject.double_dummy:
        yield from subject.double_dummy
    else:
        yield from (None for _ in range(20))


def read_outcome(subject: Subject) -> Values:
    board, contract = subject.board, subject.contract
    yield (contract.level or 0) if contract else None
    yield contract.denomination if contract else None
    yield (contract.doubled or "no") if contract and contract.level else None
    yield board.declarer
    yield board.tricks
    yield subject.result
    yield board.score
    yield board.opening_lead
    pars = board.deal.par
    yield par_for(pars, board.vulnerability, board.dealer)["score"] if pars else None


def read_auction(subject: Subject) -> Values:
    index = subject.opening
    yield None if index is None else subject.calls[index]
    yield None if index is None else SEATS[("NESW".index(subject.board.dealer) + index) % 4].value
    yield None if subject.board.auction is None else len(subject.calls)
    for position in range(MAX_BEGINNING):
        yield subject.calls[position] if position < len(subject.calls) else None


def read_board(subject: Subject) -> Values:
    board = subject.board
    yield board.dealer
    yield board.vulnerability
    yield board.board_number
    yield board.difficulty
    yield board.room
    yield from read_days(board.date)
    yield minute_of(board.updated_at)


def read_days(date: str) -> Iterator[int | None]:
    """Yield the first and the last day on which a board with this date may have been played (PBN 2.1 §3.4.3)."""
    if not (parts := known_parts(date)):
        yield from (None, None)
        return
    year, month, day = (int(part) for part in [*parts, "0", "0"][:3])
    yield write_day(year, month or 1, day or 1)
    yield write_day(year, month or LAST, day or LAST)


def minute_of(moment: datetime) -> int:
    """Return the minutes since EPOCH."""
    return int((moment - EPOCH).total_seconds() // 60)


def read_makeable(subject: Subject) -> Values:
    yield subject.makeable


SHORT_BIDS = tuple(bid.replace("NT", "N") for bid in BIDS)
CALLS = ("P", "X", "XX", *SHORT_BIDS)

MAX_BEGINNING = 12
"""The first calls of an auction, each of which is a fact."""

MAX_RUN = 3
"""The calls of a run anywhere in an auction that a tag may have."""

LAST_DAY = write_day(9999, LAST, LAST)

GROUPS = (
    Group(tuple(fact for seat in SEAT_KEYS for fact in hand_facts(seat)), read_hands),
    Group(tuple(fact for side in SIDES for fact in side_facts(side)), read_sides),
    Group(tuple(Choice(name=f"holder.{card}", values=SEAT_VALUES) for card in DECK), read_holders),
    Group(
        tuple(
            Number(name=f"{seat}.makes.{denomination}", low=0, high=13)
            for seat in SEAT_KEYS
            for denomination in DENOMINATIONS
        ),
        read_makes,
    ),
    Group(
        (
            Number(name="level", low=0, high=7),
            Choice(name="denomination", values=tuple(DENOMINATIONS)),
            Choice(name="doubled", values=("no", "X", "XX")),
            Choice(name="declarer", values=SEAT_VALUES),
            Number(name="tricks", low=0, high=13),
            Number(name="result", low=-13, high=6),
            Number(name="score", low=-7600, high=7600, unit=10),
            Choice(name="lead", values=DECK),
            Number(name="par", low=-7600, high=7600, unit=10),
        ),
        read_outcome,
    ),
    Group(
        (
            Choice(name="opening", values=SHORT_BIDS),
            Choice(name="opener", values=SEAT_VALUES),
            Number(name="calls", low=0, high=MAX_CALLS),
            *(Choice(name=f"call.{number}", values=CALLS) for number in range(1, MAX_BEGINNING + 1)),
        ),
        read_auction,
    ),
    Group(
        (
            Choice(name="dealer", values=SEAT_VALUES),
            Choice(name="vulnerability", values=tuple(Vulnerability)),
            Number(name="board", low=1, high=99_999),
            Choice(name="difficulty", values=TEXTS["difficulty"].choices),
            Choice(name="room", values=TEXTS["room"].choices),
            Number(name="playedFrom", low=0, high=LAST_DAY),
            Number(name="playedTo", low=0, high=LAST_DAY),
            Number(name="updated", low=0, high=MAX_BASE**4 - 2, is_known=True),
        ),
        read_board,
    ),
    Group((Choice(name="makeable", values=("yes", "no")),), read_makeable),
    Group(
        (
            Number(name="leadcost", low=0, high=13, since=2),
            Number(name="declarerlost", low=0, high=26, since=2),
            Number(name="defencelost", low=0, high=26, since=2),
        ),
        lambda subject: iter(subject.costs),
    ),
    Group((Number(name="notation", low=1, high=250, since=4),), lambda subject: iter((NOTATION,))),
)

FACTS = {
    fact.name: fact for fact in sorted((fact for group in GROUPS for fact in group.facts), key=attrgetter("since"))
}
"""The facts by their names, in the order in which a row stores them: a row of an earlier version is a part of one."""

OFFSETS = dict(zip(FACTS, accumulate((fact.width for fact in FACTS.values()), initial=0), strict=False))
"""The offset of each fact in a row's `facts`, from 0."""


ROW_LENGTH = sum(fact.width for fact in FACTS.values())
"""The bytes of a row's `facts`."""


def number(name: str) -> Number:
    fact = FACTS[name]
    assert isinstance(fact, Number)
    return fact


PUBLISHED = "is:published"
DRAFT = "is:draft"


NOTATION = 4
"""Increase it when facts are added, with their `since`, or when a board gets other facts or tags than before.

It is a fact of a board itself, so that the index tells which boards an earlier version of the program has indexed.
"""


def bytes_of(fact: Any) -> dict[Value, int]:
    """Return the byte that stores each value, and none. There is nothing for a fact of several bytes."""
    values = fact.values if isinstance(fact, Choice) else range(fact.low, fact.high + 1, fact.unit)
    return {value: fact.store(value) for value in (None, *values)} if fact.width == 1 else {}


READ: tuple[tuple[Any, int, dict[Value, int]], ...] = tuple(
    (fact, OFFSETS[fact.name], bytes_of(fact)) for group in GROUPS for fact in group.facts
)
"""The facts in the order in which they are read, with their offsets and bytes."""


def encode_facts(subject: Subject) -> bytes:
    """Return the stored forms of all facts."""
    row = bytearray(ROW_LENGTH)
    values = chain.from_iterable(group.read(subject) for group in GROUPS)
    for (fact, offset, stored_bytes), value in zip(READ, values, strict=True):
        if (stored := stored_bytes.get(value)) is not None:
            row[offset] = stored
        else:
            row[offset : offset + fact.width] = fact.digits(fact.store(value))
    return bytes(row)


def tags_of(subject: Subject) -> Iterator[str]:
    """Yield the tags of a board. No tag has a space."""
    board = subject.board
    yield PUBLISHED if board.published_at else DRAFT
    for theme in board.themes.all():
        yield f"theme:{theme.pk}"
    if slug := board.event_slug:
        yield f"event:{slug}"
    for name in ("event", "site"):
        if folded := fold_name(getattr(board, name)):
            yield f"{name}Name:{folded}"
    if board.auction_system_id:
        yield f"auctionSystem:{board.auction_system_id}"
    yield f"userId:{board.owner_id}"
    if subject.is_competitive:
        yield "is:competitive"


def calls_of(subject: Subject) -> str:
    """Return the auction as in "-1N-P-3N-P-P-P-", "" when it is not known."""
    return f"-{'-'.join(subject.calls)}-" if subject.calls else ""


def auction_tags(calls: str) -> Iterator[str]:
    """Yield the tags of the runs of calls in an auction as `calls_of` writes it."""
    parts = calls.strip("-").split("-") if calls else []
    yield from {
        f"auction*{'-'.join(parts[start : start + length])}"
        for length in range(1, MAX_RUN + 1)
        for start in range(len(parts) - length + 1)
    }
