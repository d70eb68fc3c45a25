"""Readers of values. Each is made once."""

import calendar
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from operator import add
from typing import Generic, TypeVar

from accounts.identifiers import PATTERN
from bridge.auction import parse_call
from bridge.cards import RANKS, SUITS
from bridge.contract import Denomination
from bridge.errors import BridgeError
from bridge.layout import SHAPES
from bridge.names import SUIT_NAMES
from bridge.seats import SEATS
from search.conditions import Between, Bid, Condition, OneOf, Tagged, either, every, exactly, played_between
from search.facts import choice, number
from search.language.meanings import NEEDED, TRUMP_LED, led
from search.language.parsing import Code, QueryError, shorten, suggest
from search.subject import SPLITS, short_call, write_shape
from search.words import fold_name
from themes.labels import LabelCache

T = TypeVar("T")

ORDER = ("=", ">=", "<=", ">", "<")


@dataclass(frozen=True)
class Given:
    """A value of a condition, and what is needed to read it and to say what is wrong with it.

    `prefix` is what the facts' names begin with: "north." of a hand, "ns." of a side, "" of the board.
    """

    word: str
    example: str
    operator: str
    text: str
    position: int
    prefix: str
    labels: LabelCache
    account_id: str | None

    @property
    def shown(self) -> str:
        """Return the value as a message shows it."""
        return shorten(self.text) or '""'

    def part(self, start: int, text: str) -> "Given":
        """Return a part of the value that begins `start` characters behind its own beginning."""
        return replace(self, text=text, position=self.position + start)

    def error(self, message: str, code: Code = "bad_value") -> QueryError:
        return QueryError(code, message, self.position, self.text)


@dataclass(frozen=True)
class Reader(Generic[T]):
    """Reads a value, and raises QueryError for one that it cannot take.

    The form offers `choices`, the only values where they are few, `limits`, the least and the greatest number, or says
    in words what it `takes`.
    """

    read: Callable[[Given], T]
    takes: str = ""
    operators: tuple[str, ...] = ("=",)
    choices: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None


Ends = tuple[T | None, T | None]
"""The first and the last value of a range. None leaves that end open."""


def read_range(given: Given, read: Callable[[Given], tuple[T, T]], move: Callable[[T, int], T]) -> Ends[T]:
    """Return what a value such as 15 or 15..17 means with its operator.

    `read` returns the first and the last value that a text stands for, `move` the value so many steps further.
    """
    if ".." in given.text:
        return read_ends(given, read)
    first, last = read(given)
    match given.operator:
        case ">=":
            return first, None
        case "<=":
            return None, last
        case ">":
            return move(last, 1), None
        case "<":
            return None, move(first, -1)
    return first, last


def read_ends(given: Given, read: Callable[[Given], tuple[T, T]]) -> Ends[T]:
    """Return what 15..17, 15.. or ..17 means. It goes after = alone."""
    low, _, high = given.text.partition("..")
    if given.operator != "=":
        raise given.error(f"A range goes after =. Write {given.word}={given.shown}.", "wrong_operator")
    if not low and not high:
        raise given.error(f"A range needs at least one end: {given.example}.")
    lowest = read(given.part(0, low))[0] if low else None
    highest = read(given.part(len(low) + 2, high))[1] if high else None
    if lowest is not None and highest is not None and lowest > highest:  # type: ignore[operator]  # numbers or days
        raise given.error(f"{given.shown} runs backwards. Write {shorten(high)}..{shorten(low)}.")
    return lowest, highest


WHOLE_NUMBER = re.compile(r"-?[0-9]+")


def numbers(lowest: int, highest: int) -> Reader[Ends[int]]:
    """Return the reader of a number within limits, or of a range of them."""

    def read_one(given: Given) -> tuple[int, int]:
        if not WHOLE_NUMBER.fullmatch(given.text):
            raise given.error(f"{given.shown} is not a whole number.")
        if not lowest <= (value := int(given.text)) <= highest:
            raise given.error(f"{given.word} is a number from {lowest} to {highest}.")
        return value, value

    return Reader(lambda given: read_range(given, read_one, add), operators=ORDER, limits=(lowest, highest))


def choices(noun: str, values: Mapping[str, T], others: Mapping[str, T] | None = None) -> Reader[T]:
    """Return the reader of a few words in any case. `others` are taken too, but not offered."""
    known = {name.lower(): value for name, value in {**values, **(others or {})}.items()}

    def read(given: Given) -> T:
        value = known.get(given.text.lower())
        if value is None:
            hint = suggest(given.text, values, f"Write {one_of(values)}.")
            raise given.error(f"{given.shown} is not a {noun}. {hint}")
        return value

    return Reader(read, choices=tuple(values))


def one_of(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


SEAT = choices(
    "seat",
    {**{seat.key: (seat,) for seat in SEATS}, "ns": SEATS[0::2], "ew": SEATS[1::2]},
    {seat.value: (seat,) for seat in SEATS},
)
"""Seats, of which any is meant: one of them, or those of a side."""

CARDS = re.compile(rf"(?:[{SUITS}][{RANKS}]+)+")
RANK_FIRST = re.compile(rf"([{RANKS}])([{SUITS}])")


def read_cards(given: Given) -> tuple[str, ...]:
    text = given.text.upper().replace("10", "T")
    if match := RANK_FIRST.fullmatch(text):
        raise given.error(f"Write the suit first: {match[2]}{match[1]}.")
    if not CARDS.fullmatch(text):
        raise given.error(f"{given.shown} is not a card. Write the suit, then the ranks: SAKQ.")
    suit, cards = "", []
    for letter in text:
        if letter in SUITS:
            suit = letter
        else:
            cards.append(suit + letter)
    return tuple(dict.fromkeys(cards))


def read_card(given: Given) -> str:
    cards = read_cards(given)
    if len(cards) > 1:
        raise given.error(f"{given.word} is one card: {given.example}.")
    return cards[0]


SUIT = choices("suit", {name: letter for letter, name in SUIT_NAMES.items()}, {letter: letter for letter in SUITS})


def read_lead(given: Given) -> Condition:
    """Return the condition that a card was led, one of a suit or a trump."""
    if given.text.lower() == "trump":
        return TRUMP_LED
    if (suit := given.text.upper()) in SUIT_NAMES:
        return led(suit)
    return OneOf(choice("lead"), (read_card(given),))


LEAD = Reader(read_lead, "a card, the suit first: HK; a suit: H; trump")


@cache
def shapes_with(lengths: tuple[int, ...]) -> tuple[str, ...]:
    """Return those of the 39 shapes that have these lengths, and any others besides."""
    known = Counter(lengths)
    return tuple(write_shape(shape) for shape in SHAPES if known <= Counter(shape))


LENGTH = re.compile(r"[0-9]{1,2}|[xX]")


def read_shape(given: Given) -> Condition:
    text = given.text
    separator = next((each for each in "=-" if each in text), "")
    parts = text.split(separator) if separator else [*text]
    if len(parts) != 4 or not all(map(LENGTH.fullmatch, parts)):
        raise given.error(f"{given.shown} is not a shape. Write 5332, 5=3=3=2, 54xx or 10-2-1-0.")
    lengths = tuple(None if part in ("x", "X") else int(part) for part in parts)
    total = sum(filter(None, lengths))
    if total > 13 or (total < 13 and None not in lengths):
        raise given.error(f"A hand has 13 cards, and {text} has {total}.")
    known = [(suit, length) for suit, length in zip(SUIT_NAMES.values(), lengths, strict=True) if length is not None]
    if separator == "=":
        return every(exactly(given.prefix + suit, length) for suit, length in known)
    return OneOf(choice(f"{given.prefix}shape"), shapes_with(tuple(sorted(length for _, length in known))))


SHAPE = Reader(
    read_shape,
    "four lengths: 5332 in any order, 5=3=3=2 for spades, hearts, diamonds and clubs, x for any length, "
    "10-2-1-0 where a suit has ten cards or more",
)

DENOMINATION = choices(
    "denomination",
    {**{SUIT_NAMES[suit]: suit for suit in "CDHS"}, "notrump": "NT"},
    {**{each.value: each.value for each in Denomination}, "N": "NT"},
)
CONTRACT = re.compile(r"([1-7])(C|D|H|S|NT?)(XX?)?")


def parse_contract(given: Given) -> tuple[int, str, str]:
    """Return level, denomination and doubling, "" for any. The level is 0 for a board that was passed out."""
    text = given.text.upper()
    if text in ("PASS", "P"):
        return 0, "", ""
    if not (match := CONTRACT.fullmatch(text)):
        raise given.error(f"{given.shown} is not a contract. Write one such as 4S, 3NT, 4SX or Pass.")
    return int(match[1]), "NT" if match[2] == "N" else match[2], match[3] or ""


def read_contract(given: Given) -> Condition:
    level, denomination, doubled = parse_contract(given)
    parts: list[Condition] = [exactly("level", level)]
    if denomination:
        parts.append(OneOf(choice("denomination"), (denomination,)))
    if doubled:
        parts.append(OneOf(choice("doubled"), (doubled,)))
    return every(parts)


ONE_CONTRACT = Reader(read_contract, "a contract: 4S, doubled or not; 4SX doubled, 4SXX redoubled; 3NT or 3N; Pass")


def read_makeable(given: Given) -> Condition:
    """Return the condition that any of some seats makes a bid, a game or a slam by double dummy."""
    text, colon, seat = given.text.partition(":")
    needed = NEEDED.get(text.lower()) or read_needed(given.part(0, text))
    seats = SEAT.read(given.part(len(text) + 1, seat)) if colon else SEATS
    return either(
        Between(number(f"{seat.key}.makes.{denomination}"), low=tricks)
        for seat in seats
        for denomination, tricks in needed.items()
    )


def read_needed(given: Given) -> Mapping[str, int]:
    """Return the tricks that a bid needs, by its denomination."""
    level, denomination, doubled = parse_contract(given)
    if not level or doubled:
        raise given.error(f"Write a bid, and by whom: {given.example}.")
    return {denomination: level + 6}


def read_call(given: Given) -> str:
    if not given.text:
        raise given.error(f"A call is missing here: {given.example}.")
    try:
        return short_call(parse_call(given.text))
    except BridgeError:
        raise given.error(f"{given.shown} is not a call.") from None


def read_auction(given: Given) -> Condition:
    calls, start = [], 0
    for text in given.text.split("-"):
        calls.append("?" if text == "?" else read_call(given.part(start, text)))
        start += len(text) + 1
    bid = Bid("-".join(calls), from_the_start=given.operator != "*=")
    return every([bid, exactly("calls", len(calls))]) if given.operator == "=" else bid


def read_bid(given: Given) -> str:
    call = read_call(given)
    if call in ("P", "X", "XX"):
        raise given.error(f"{given.shown} is not a bid. Write one such as 1N.")
    return call


AUCTION = Reader(read_auction, "calls with - between them: 1N-P-2C; P, X, XX; ? for any", operators=("^=", "*=", "="))


SPLIT = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")


def read_split(given: Given) -> str:
    lengths = [int(length) for length in match.groups()] if (match := SPLIT.fullmatch(given.text)) else []
    split = "-".join(map(str, sorted(lengths, reverse=True)))
    if split not in SPLITS:
        raise given.error(
            f"{given.shown} is not a split of a suit. Write two lengths, of 13 cards at most: {given.example}."
        )
    return split


def read_theme(given: Given) -> Tagged:
    labels = given.labels
    return named("theme", "theme", labels.theme_ids_named(given.text), given, labels.theme_ids_by_identifier)


def read_theme_type(given: Given) -> Tagged:
    labels = given.labels
    return named("theme", "theme type", labels.theme_ids_of_type(given.text), given, labels.theme_types)


def read_system(given: Given) -> Tagged:
    labels = given.labels
    names = [system.identifier for system in labels.auction_systems.values()]
    return named("auctionSystem", "auction system", labels.auction_system_ids_named(given.text), given, names)


def named(tag: str, noun: str, ids: Sequence[object], given: Given, names: Iterable[str]) -> Tagged:
    """Return the condition of what has the name that is given. Raise QueryError when nothing has it."""
    if not ids:
        hint = suggest(given.text, names, "")
        raise given.error(f"No {noun} is called {given.shown}. {hint}".rstrip(), "unknown_name")
    return Tagged(tuple(f"{tag}:{each}" for each in ids))


def read_name(given: Given) -> str:
    """Return the words of a name, joined by hyphens."""
    if not (name := fold_name(given.text)):
        raise given.error(f"{given.shown} has neither a letter nor a digit.")
    return name


def read_owner(given: Given) -> Tagged:
    if given.text == "me":
        if given.account_id is None:
            raise given.error("Log in to search for your own boards.", "not_signed_in")
        return Tagged((f"userId:{given.account_id}",))
    if not re.fullmatch(PATTERN, given.text):
        raise given.error(f"{given.shown} is not an account's id.")
    return Tagged((f"userId:{given.text}",))


def read_event(given: Given) -> Tagged:
    return Tagged((f"event:{given.text}", f"eventName:{read_name(given)}"))


DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


def read_date(given: Given) -> tuple[date, date]:
    """Return the first and the last day of a year, a month or a day."""
    no_date = given.error(f"{given.shown} is not a date. Write 2026, 2026-01 or 2026-01-05.")
    if not (match := DATE.fullmatch(given.text)):
        raise no_date
    year, first_month, last_month = int(match[1]), int(match[2] or 1), int(match[2] or 12)
    try:
        last_day = int(match[3] or calendar.monthrange(year, last_month)[1])
        return date(year, first_month, int(match[3] or 1)), date(year, last_month, last_day)
    except ValueError:
        raise no_date from None


def read_days(given: Given) -> Condition:
    def move(day: date, number: int) -> date:
        try:
            return day + timedelta(days=number)
        except OverflowError:
            raise given.error(f"No date is {given.operator}{given.shown}.") from None

    return played_between(*read_range(given, read_date, move))
