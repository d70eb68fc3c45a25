"""Readers of values. Each is made once and says what it takes, for the guide, the form and the schema."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Generic, NamedTuple, TypeVar

from accounts.identifiers import PATTERN
from boards.search.language.parsing import Code, QueryError, shorten, suggest
from boards.search.subject import short_call, write_shape
from boards.search.words import fold_name
from bridge.auction import parse_call
from bridge.cards import RANKS, SUITS
from bridge.contract import Denomination
from bridge.errors import BridgeError
from bridge.layout import SHAPES
from bridge.seats import SEATS, Seat

T = TypeVar("T")

EQUALS = ("=",)
ORDER = ("=", ">=", "<=", ">", "<")
CALLS = ("^=", "*=", "=")
"""The operators of an auction: begins with, contains, is."""


class Names(NamedTuple):
    """What the database knows by name. `account_id` is the caller's, None for a stranger."""

    theme_ids: Callable[[str], Sequence[object]]
    auction_system_ids: Callable[[str], Sequence[object]]
    themes: Callable[[], Iterable[str]]
    theme_ids_of_type: Callable[[str], Sequence[object]]
    theme_types: Callable[[], Collection[str]]
    auction_systems: Callable[[], Iterable[str]]
    account_id: str | None


@dataclass(frozen=True)
class Given:
    """A value of a condition, and what is needed to read it and to say what is wrong with it."""

    word: str
    example: str
    operator: str
    text: str
    position: int
    is_quoted: bool
    names: Names

    @property
    def shown(self) -> str:
        """Return the value as a message shows it."""
        return shorten(self.text) or '""'

    def part(self, start: int, text: str) -> "Given":
        """Return a part of the value that begins `start` characters behind its own beginning."""
        return replace(self, text=text, position=self.position + start)

    def error(self, message: str, code: Code = "bad_value") -> QueryError:
        return QueryError(code, message, self.position, self.text)


@dataclass(frozen=True, kw_only=True)
class Reader(Generic[T]):
    """Reads a value, and raises QueryError for one that it cannot take.

    `takes` says in words what it takes. `choices` are the only values, where they are few, and `limits` the least and
    the greatest number.
    """

    takes: str
    read: Callable[[Given], T]
    operators: tuple[str, ...] = EQUALS
    choices: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None


class Range(NamedTuple):
    """From one number to another. None leaves that end open."""

    low: int | None = None
    high: int | None = None


def read_ends(given: Given, read: Callable[[Given], T]) -> tuple[T | None, T | None]:
    """Return the ends of a range as in 15..17, of which one may be missing. A single value is both."""
    low, dots, high = given.text.partition("..")
    if not dots:
        value = read(given)
        return value, value
    if given.operator != "=":
        raise given.error(f"A range stands after =. Write {given.word}={given.shown}.", "wrong_operator")
    if not low and not high:
        raise given.error(f"A range needs at least one end: {given.example}.")
    return (
        read(given.part(0, low)) if low else None,
        read(given.part(len(low) + 2, high)) if high else None,
    )


def backwards(given: Given) -> QueryError:
    low, _, high = given.text.partition("..")
    return given.error(f"{given.shown} runs backwards. Write {shorten(high)}..{shorten(low)}.")


WHOLE_NUMBER = re.compile(r"-?[0-9]+")


def numbers(lowest: int, highest: int) -> Reader[Range]:
    """Return the reader of a number within limits, or of a range of them."""

    def read_one(given: Given) -> int:
        if not WHOLE_NUMBER.fullmatch(given.text):
            raise given.error(f"{given.shown} is no whole number.")
        if not lowest <= (value := int(given.text)) <= highest:
            raise given.error(f"{given.word} is a number from {lowest} to {highest}.")
        return value

    def read(given: Given) -> Range:
        low, high = read_ends(given, read_one)
        if low is not None and high is not None and low > high:
            raise backwards(given)
        match given.operator:
            case ">=":
                return Range(low=low)
            case "<=":
                return Range(high=high)
            case ">":
                return Range(low=(low or 0) + 1)
            case "<":
                return Range(high=(high or 0) - 1)
        return Range(low, high)

    takes = f"a number from {lowest} to {highest}, or a range as in {lowest}..{highest}"
    return Reader(takes=takes, read=read, operators=ORDER, limits=(lowest, highest))


def choices(noun: str, values: Mapping[str, T], others: Mapping[str, T] | None = None) -> Reader[T]:
    """Return the reader of a few words in any case. `others` are taken too, but not offered."""
    known = {name.lower(): value for name, value in {**values, **(others or {})}.items()}

    def read(given: Given) -> T:
        value = known.get(given.text.lower())
        if value is None:
            hint = suggest(given.text, values, f"Write {one_of(values)}.")
            raise given.error(f"{given.shown} is no {noun}. {hint}")
        return value

    return Reader(takes=one_of(values), read=read, choices=tuple(values))


def one_of(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


BY_SIDE = {"ns": (Seat.NORTH, Seat.SOUTH), "ew": (Seat.EAST, Seat.WEST)}

SEAT = choices(
    "seat",
    {**{seat.key: (seat,) for seat in SEATS}, **BY_SIDE},
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
        raise given.error(f"{given.shown} is no card. Write the suit, then the ranks: SAKQ.")
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


SEVERAL_CARDS = Reader(takes="a suit and ranks, SAKQ, of one suit or of several: SAKHQ", read=read_cards)
ONE_CARD = Reader(takes="a card, the suit first: HK", read=read_card)


class Shape(NamedTuple):
    """The lengths of four suits, None for any. `is_exact`: of spades, hearts, diamonds and clubs, in this order."""

    lengths: tuple[int | None, ...]
    is_exact: bool


@cache
def shapes_with(lengths: tuple[int, ...]) -> tuple[str, ...]:
    """Return those of the 39 shapes that have these lengths, and any others besides."""
    known = Counter(lengths)
    return tuple(write_shape(shape) for shape in SHAPES if known <= Counter(shape))


LENGTH = re.compile(r"[0-9]{1,2}|[xX]")


def read_shape(given: Given) -> Shape:
    text = given.text
    separator = next((each for each in "=-" if each in text), "")
    parts = text.split(separator) if separator else [*text]
    if len(parts) != 4 or not all(map(LENGTH.fullmatch, parts)):
        raise given.error(f"{given.shown} is no shape. Write 5332, 5=3=3=2, 54xx or 10-2-1-0.")
    lengths = tuple(None if part in ("x", "X") else int(part) for part in parts)
    total = sum(filter(None, lengths))
    if total > 13 or (total < 13 and None not in lengths):
        raise given.error(f"A hand has 13 cards, and {text} has {total}.")
    return Shape(lengths, separator == "=")


SHAPE = Reader(
    takes="four lengths: 5332 in any order, 5=3=3=2 for spades, hearts, diamonds and clubs, x for any length, "
    "10-2-1-0 where a suit has ten cards or more",
    read=read_shape,
)

DENOMINATIONS: dict[str, str] = {
    "clubs": Denomination.CLUBS.value,
    "diamonds": Denomination.DIAMONDS.value,
    "hearts": Denomination.HEARTS.value,
    "spades": Denomination.SPADES.value,
    "notrump": Denomination.NOTRUMP.value,
}
DENOMINATION = choices(
    "denomination",
    DENOMINATIONS,
    {**{each.value: each.value for each in Denomination}, "N": Denomination.NOTRUMP.value},
)


class Contract(NamedTuple):
    """A contract that is asked for. `level` is 0 for a board that was passed out; `doubled` is "" for any."""

    level: int
    denomination: str = ""
    doubled: str = ""


CONTRACT = re.compile(r"([1-7])(C|D|H|S|NT?)(XX?)?")


def read_contract(given: Given) -> Contract:
    text = given.text.upper()
    if text in ("PASS", "P"):
        return Contract(0)
    if not (match := CONTRACT.fullmatch(text)):
        raise given.error(f"{given.shown} is no contract. Write one such as 4S, 3NT, 4SX or Pass.")
    denomination = "NT" if match[2] == "N" else match[2]
    return Contract(int(match[1]), denomination, match[3] or "")


ONE_CONTRACT = Reader(
    takes="a contract: 4S, doubled or not; 4SX doubled, 4SXX redoubled; 3NT or 3N; Pass", read=read_contract
)


class Makeable(NamedTuple):
    """A bid, and the seats of which any is to make it."""

    level: int
    denomination: str
    seats: tuple[Seat, ...]


def read_makeable(given: Given) -> Makeable:
    text, colon, seat = given.text.partition(":")
    level, denomination, doubled = read_contract(given.part(0, text))
    if not level or doubled:
        raise given.error(f"Write a bid, and by whom: {given.example}.")
    seats = SEAT.read(given.part(len(text) + 1, seat)) if colon else SEATS
    return Makeable(level, denomination, seats)


MAKEABLE = Reader(
    takes="a bid; after a colon a seat or a side, else anybody is meant: 6S:ns, 4H:south, 3N",
    read=read_makeable,
)


def read_call(given: Given) -> str:
    if not given.text:
        raise given.error(f"A call is missing here: {given.example}.")
    try:
        return short_call(parse_call(given.text))
    except BridgeError:
        raise given.error(f"{given.shown} is no call.") from None


def read_calls(given: Given) -> str:
    """Return the calls as in "1N-P-2C"."""
    calls, start = [], 0
    for text in given.text.split("-"):
        calls.append(read_call(given.part(start, text)))
        start += len(text) + 1
    return "-".join(calls)


def read_bid(given: Given) -> str:
    call = read_call(given)
    if call in ("P", "X", "XX"):
        raise given.error(f"{given.shown} is no bid. Write one such as 1N.")
    return call


AUCTION = Reader(takes="calls with - between them: 1N-P-2C; P, X and XX", read=read_calls, operators=CALLS)
BID = Reader(takes="a bid: 1N or 1NT, 2C", read=read_bid)


def read_theme(given: Given) -> tuple[str, ...]:
    return find_ids(given, "theme", given.names.theme_ids, given.names.themes)


def read_system(given: Given) -> tuple[str, ...]:
    return find_ids(given, "auction system", given.names.auction_system_ids, given.names.auction_systems)


def find_ids(
    given: Given, noun: str, find: Callable[[str], Sequence[object]], names: Callable[[], Iterable[str]]
) -> tuple[str, ...]:
    """Return the ids that a name stands for. Raise QueryError when nothing has it."""
    if not (ids := find(given.text)):
        raise unknown_name(given, noun, names())
    return tuple(map(str, ids))


def unknown_name(given: Given, noun: str, names: Iterable[str]) -> QueryError:
    hint = suggest(given.text, names, "")
    return given.error(f"No {noun} is called {given.shown}. {hint}".rstrip(), "unknown_name")


def read_theme_type(given: Given) -> tuple[str, ...]:
    """Return the ids of the themes of a type."""
    return find_ids(given, "theme type", given.names.theme_ids_of_type, given.names.theme_types)


def read_name(given: Given) -> str:
    """Return the words of a name, joined by hyphens."""
    if not (name := fold_name(given.text)):
        raise given.error(f"{given.shown} has no letter and no digit.")
    return name


class Event(NamedTuple):
    """An event that is asked for, by its slug or by its name."""

    slug: str
    name: str


def read_event(given: Given) -> Event:
    return Event(given.text, read_name(given))


def read_owner(given: Given) -> tuple[str, ...]:
    if given.text == "me":
        if given.names.account_id is None:
            raise given.error("Log in to search for your own boards.", "not_signed_in")
        return (given.names.account_id,)
    if not re.fullmatch(PATTERN, given.text):
        raise given.error(f"{given.shown} is no account's id.")
    return (given.text,)


THEME = Reader(takes="a theme's identifier or id", read=read_theme)
THEME_TYPE = Reader(takes="a theme type", read=read_theme_type)
SYSTEM = Reader(takes="an auction system's identifier", read=read_system)
EVENT = Reader(takes="an event's name or slug", read=read_event)
NAME = Reader(takes="a name", read=read_name)
OWNER = Reader(takes="an account's id, or me", read=read_owner)
