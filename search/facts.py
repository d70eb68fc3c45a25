"""What the index knows of a board: numbers and choices, each declared once with how it is read, and tags.

Numbers and choices stand one after the other in a row's `facts`, each in a byte or, where it has many values, in
several. In a segment a number has a slice for each threshold, "north.hcp>=15", and a choice one for each value,
"dealer=N". A tag is a word in a row's `tags` and a slice of that name, "theme:ID".
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import Any, ClassVar

from bridge.auction import MAX_CALLS
from bridge.board import TEXTS, teams_of
from bridge.cards import DECK
from bridge.contract import Denomination
from bridge.dates import LAST, write_day
from bridge.layout import SHAPES
from bridge.names import DENOMINATIONS, SEAT_KEYS, SUIT_NAMES
from bridge.seats import SEATS, Seat
from bridge.vulnerability import Vulnerability
from config.database.inserting import insert_rows
from search.models import IndexRow
from search.subject import CALLS, MAX_BEGINNING, SHORT_BIDS, SPLITS, Subject, write_shape
from search.words import fold_name, words_of

EPOCH = datetime(2020, 1, 1, tzinfo=UTC)

MAX_BASE = 100
"""A number with more than 254 values has digits to this base or a smaller one, each digit with its own slices."""

Value = int | str | None


@dataclass(frozen=True)
class Fact:
    """A fact with one of its `values` or none. Its stored form is 0 for none, else 1 and more, in `width` bytes.

    `since` is the NOTATION with which it came.
    """

    name: str
    read: Callable[[Subject], Value] = field(kw_only=True, repr=False, compare=False)
    since: int = field(kw_only=True, default=1)

    values: ClassVar[Sequence[Any]]

    def store(self, value: Any) -> int:
        raise NotImplementedError  # a Number counts its values from the lowest, and a Choice has them in a row

    @property
    def size(self) -> int:
        return len(self.values)

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

    def digits(self, stored: int) -> bytes:
        """Return the bytes of a stored form: one, or its digits to the base. Their order is that of the values."""
        if self.width == 1:
            return bytes([stored])
        return bytes(stored // self.base**power % self.base for power in reversed(range(self.width)))

    @cached_property
    def written(self) -> "Written":
        return Written(self)


class Written(dict[Value, bytes]):
    """The bytes that store each value of a fact, and none. Those of a fact of several bytes are made when needed."""

    def __init__(self, fact: Fact) -> None:
        values = (None, *fact.values) if fact.width == 1 else ()
        super().__init__({value: fact.digits(fact.store(value)) for value in values})
        self.fact = fact

    def __missing__(self, value: Value) -> bytes:
        return self.fact.digits(self.fact.store(value))


@dataclass(frozen=True)
class Number(Fact):
    """A whole number from `low` to `high`, a multiple of `unit`. `is_known`: every board has it."""

    low: int
    high: int
    unit: int = 1
    is_known: bool = False

    @cached_property
    def values(self) -> range:  # type: ignore[override]  # made of the limits
        return range(self.low, self.high + 1, self.unit)

    def store(self, value: int | None) -> int:
        """Return the stored form of a value, which is brought into the range."""
        if value is None:
            return 0
        return (min(max(value, self.low), self.high) - self.low) // self.unit + 1


@dataclass(frozen=True)
class Choice(Fact):
    """One of a few values."""

    values: tuple[str, ...]  # type: ignore[misc]  # each choice has its own

    def store(self, value: str | None) -> int:
        """Return the stored form of a value, that of none for one which is not among them."""
        return self.values.index(value) + 1 if value in self.values else 0


def known(name: str, low: int, high: int, since: int = 1) -> Number:
    """Declare a number that every board has. A subject has it by the same name."""
    return Number(name, low, high, read=attrgetter(name), is_known=True, since=since)


def minute_of(moment: datetime) -> int:
    """Return the minutes since EPOCH."""
    return int((moment - EPOCH).total_seconds() // 60)


def lengths(hands: str) -> Iterator[Number]:
    return (known(f"{hands}.{suit}", 0, 13) for suit in SUIT_NAMES.values())


def hand_facts(seat: str) -> tuple[Fact, ...]:
    return (
        *lengths(seat),
        known(f"{seat}.hcp", 0, 37),
        known(f"{seat}.controls", 0, 12),
        known(f"{seat}.losers", 0, 12),
        known(f"{seat}.aces", 0, 4),
        Choice(f"{seat}.shape", tuple(map(write_shape, SHAPES)), read=attrgetter(f"{seat}.shape")),
    )


def side_sums(side: str) -> Iterator[Number]:
    return (known(f"{side}.{name}", 0, most, 5) for name, most in (("controls", 12), ("losers", 24), ("aces", 4)))


def holder(card: str) -> Choice:
    return Choice(f"holder.{card}", SEAT_VALUES, read=lambda subject: subject.holders[card])


def makes(seat: Seat, denomination: Denomination) -> Number:
    place = 5 * seat.index + denomination.rank
    return Number(f"{seat.key}.makes.{denomination}", 0, 13, read=lambda subject: subject.makes[place])


def call(number: int) -> Choice:
    return Choice(f"call.{number}", CALLS, read=lambda subject: subject.beginning[number - 1])


SEAT_VALUES = tuple(seat.value for seat in SEATS)
LAST_DAY = write_day(9999, LAST, LAST)

DECLARED: tuple[Fact, ...] = (
    *(fact for seat in SEAT_KEYS for fact in hand_facts(seat)),
    *(known("ns.hcp", 0, 40), known("ns.fit", 7, 13), *lengths("ns")),
    *(known("ew.hcp", 0, 40), known("ew.fit", 7, 13), *lengths("ew")),
    *map(holder, DECK),
    *(makes(seat, denomination) for seat in SEATS for denomination in DENOMINATIONS),
    Number("level", 0, 7, read=attrgetter("level")),
    Choice("denomination", tuple(DENOMINATIONS), read=attrgetter("denomination")),
    Choice("doubled", ("no", "X", "XX"), read=attrgetter("doubled")),
    Choice("declarer", SEAT_VALUES, read=attrgetter("declarer")),
    Number("tricks", 0, 13, read=attrgetter("record.tricks")),
    Number("result", -13, 6, read=attrgetter("result")),
    Number("score", -7600, 7600, 10, read=attrgetter("record.score")),
    Choice("lead", DECK, read=attrgetter("record.opening_lead")),
    Number("par", -7600, 7600, 10, read=attrgetter("par")),
    Choice("opening", SHORT_BIDS, read=attrgetter("opening")),
    Choice("opener", SEAT_VALUES, read=attrgetter("opener")),
    Number("calls", 0, MAX_CALLS, read=attrgetter("number_of_calls")),
    *map(call, range(1, MAX_BEGINNING + 1)),
    Choice("dealer", SEAT_VALUES, read=attrgetter("record.dealer")),
    Choice("vulnerability", tuple(Vulnerability), read=attrgetter("record.vulnerability")),
    Number("board", 1, 99_999, read=attrgetter("record.board_number")),
    Choice("difficulty", TEXTS["difficulty"].choices, read=attrgetter("record.difficulty")),
    Choice("room", TEXTS["room"].choices, read=attrgetter("record.room")),
    Number("playedFrom", 0, LAST_DAY, read=attrgetter("played_from")),
    Number("playedTo", 0, LAST_DAY, read=attrgetter("played_to")),
    Number("updated", 0, MAX_BASE**4 - 2, read=lambda subject: minute_of(subject.updated_at), is_known=True),
    Choice("makeable", ("yes", "no"), read=attrgetter("makeable")),
    Number("leadcost", 0, 13, read=attrgetter("lead_cost"), since=2),
    Number("declarerlost", 0, 26, read=attrgetter("declarer_lost"), since=2),
    Number("defencelost", 0, 26, read=attrgetter("defence_lost"), since=2),
    Number("notation", 1, 250, read=lambda subject: NOTATION, since=4),
    *(fact for side in ("ns", "ew") for fact in side_sums(side)),
    Number("againstpar", -15_200, 15_200, 10, read=attrgetter("against_par"), since=5),
    Choice("overcaller", SEAT_VALUES, read=attrgetter("overcaller"), since=5),
    Choice("doubler", SEAT_VALUES, read=attrgetter("doubler"), since=5),
    Number("fit", 7, 13, read=attrgetter("fit"), since=5),
    Number("trumps", 0, 13, read=attrgetter("trumps"), since=5),
    Choice("split", SPLITS, read=attrgetter("split"), since=5),
)
FACTS = {fact.name: fact for fact in sorted(DECLARED, key=attrgetter("since"))}
"""The facts by their names, in the order in which a row stores them: a row of an earlier version is a part of one."""

NOTATION = 7
"""Increase it when facts are added, with their `since`, or when a board gets other facts or tags than before.

It is a fact of a board itself, so that the index tells which boards an earlier version of the program has indexed.
"""

OFFSETS = dict(zip(FACTS, accumulate((fact.width for fact in FACTS.values()), initial=0), strict=False))
"""The offset of each fact in a row's `facts`, from 0."""

MAX_RUN = 3
"""The calls of a run anywhere in an auction that a tag may have."""

PUBLISHED = "is:published"
DRAFT = "is:draft"


def number(name: str) -> Number:
    fact = FACTS[name]
    assert isinstance(fact, Number)
    return fact


def choice(name: str) -> Choice:
    fact = FACTS[name]
    assert isinstance(fact, Choice)
    return fact


def make_row(subject: Subject) -> IndexRow:
    """Return the row of a subject, not stored."""
    return IndexRow(
        number=subject.number,
        facts=encode_facts(subject),
        tags=f" {' '.join(tags_of(subject))} ",
        calls=calls_of(subject),
        words=words_of(subject.record),
        updated_at=subject.updated_at,
    )


def index_subjects(subjects: Iterable[Subject]) -> None:
    """Index boards in the transaction that stores or changes them.

    Who deletes a board, or gives it another number, calls search.models.leave_numbers too.
    """
    insert_rows(sorted(map(make_row, subjects), key=attrgetter("number")), replace=True)


def encode_facts(subject: Subject) -> bytes:
    """Return the stored forms of all facts."""
    return b"".join([fact.written[fact.read(subject)] for fact in FACTS.values()])


def tags_of(subject: Subject) -> Iterator[str]:
    """Yield the tags of a board: its own, and those of its texts and calls. No tag has a space."""
    record = subject.record
    yield from subject.tags
    for name in ("event", "site", "table", "stage"):
        if folded := fold_name(getattr(record, name)):
            yield f"{name}Name:{folded}"
    for folded in {*map(fold_name, teams_of(record))} - {""}:
        yield f"teamName:{folded}"
    pairs = fold_name(record.pair_ns), fold_name(record.pair_ew)
    for folded in {*pairs, *(pair.rpartition("-")[2] for pair in pairs)} - {""}:  # "1-12" is a pair 12, too
        yield f"pairName:{folded}"
    for folded in {fold_name(record.scoring), fold_name(record.scoring.partition(";")[0])} - {""}:
        yield f"scoringName:{folded}"
    if subject.is_competitive:
        yield "is:competitive"
    if subject.is_alerted:
        yield "is:alerted"


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
