"""Slots of names: suits, seats, sides, ranks and turns."""

from collections.abc import Mapping
from dataclasses import dataclass

from bridge.names import RANK_NAMES, SEAT_NAMES, SUIT_NAMES
from bridge.seats import Seat
from search.phrases.slots.reading import Slot, Value, one_of, spelled

GAMES = {"spades": "4S", "hearts": "4H", "diamonds": "5D", "clubs": "5C", "notrump": "3NT"}


@dataclass(frozen=True)
class Strain(Value):
    """A suit, or notrump."""

    letter: str = ""

    @property
    def game(self) -> str:
        """Return the lowest game."""
        return GAMES[self.query]


@dataclass(frozen=True)
class Seated(Value):
    """A seat."""

    seat: Seat = Seat.NORTH

    @property
    def right(self) -> str:
        """Return the seat on the right: the declarer where this one leads."""
        return self.seat.partner.next.key


@dataclass(frozen=True)
class Side(Value):
    """A side, its two seats, and the other side."""

    one: str = ""
    two: str = ""
    other: str = ""


@dataclass(frozen=True)
class TwoSuits(Value):
    """Two suits that have a name together."""

    one: str = ""
    two: str = ""


SUITS = {name: Strain(name, name, letter=letter) for letter, name in SUIT_NAMES.items()}
STRAINS = {**SUITS, "notrump": Strain("notrump", "notrump", letter="NT")}
SEATS = {name.lower(): Seated(name.lower(), name, seat=Seat(letter)) for letter, name in SEAT_NAMES.items()}
SIDES = {
    "ns": Side("ns", "North-South", one="north", two="south", other="ew"),
    "ew": Side("ew", "East-West", one="east", two="west", other="ns"),
}
TWO_SUITS = {
    "majors": TwoSuits("majors", "majors", one="spades", two="hearts"),
    "minors": TwoSuits("minors", "minors", one="diamonds", two="clubs"),
    "black": TwoSuits("black", "black suits", one="spades", two="clubs"),
    "red": TwoSuits("red", "red suits", one="hearts", two="diamonds"),
    "rounded": TwoSuits("rounded", "rounded suits", one="hearts", two="clubs"),
    "pointed": TwoSuits("pointed", "pointed suits", one="spades", two="diamonds"),
}
RANKS = {letter: Value(letter, name) for letter, name in RANK_NAMES.items() if letter in "AKQJT"}
TURNS = {str(turn): Value(str(turn), name) for turn, name in enumerate(("first", "second", "third", "fourth"), 1)}


class NameReader:
    """Reads names with the words of a language."""

    def __init__(self, words: Mapping[str, Mapping[str, tuple[str, ...]]]) -> None:
        self.by_suit = spelled(words["suit"], SUITS)
        self.by_strain = {**self.by_suit, **spelled(words["strain"], STRAINS)}
        self.suits, self.strains = one_of(self.by_suit), one_of(self.by_strain)
        self.ranks = one_of(spelled(words["rank"], RANKS))
        self.seats, self.sides = one_of(spelled(words["seat"], SEATS)), one_of(spelled(words["side"], SIDES))
        self.turns, self.two_suits = one_of(spelled(words["turn"], TURNS)), one_of(spelled(words["two"], TWO_SUITS))

    def slots(self) -> Mapping[str, Slot]:
        return {
            "suit": Slot(self.suits, Strain),
            "strain": Slot(self.strains, Strain),
            "seat": Slot(self.seats, Seated),
            "side": Slot(self.sides, Side),
            "rank": Slot(self.ranks),
            "turn": Slot(self.turns),
            "two": Slot(self.two_suits, TwoSuits),
        }
