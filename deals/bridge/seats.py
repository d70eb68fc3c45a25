"""The four seats of a table."""

from enum import StrEnum

from deals.bridge.errors import BridgeError


class Seat(StrEnum):
    """In clockwise order, which is the order of dealing, calling and playing."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    index: int  # type: ignore[assignment]  # a seat is never searched for a substring
    """N=0, E=1, S=2, W=3: also the two bits a card's holder takes in a deal key."""
    side: str
    """Either "NS" or "EW"."""

    def __init__(self, letter: str) -> None:
        self.index = "NESW".find(letter)
        self.side = "EW" if letter in "EW" else "NS"

    @property
    def next(self) -> "Seat":
        """The left-hand opponent."""
        return _CLOCKWISE[self.index + 1]

    @property
    def partner(self) -> "Seat":
        return _CLOCKWISE[self.index + 2]

    @property
    def word(self) -> str:
        """In the API's keys: "north", "east", "south" or "west"."""
        return self.name.lower()

    @property
    def spoken(self) -> str:
        """As a sentence names the player: "North", "East", "South" or "West"."""
        return self.name.capitalize()

    def clockwise(self) -> tuple["Seat", ...]:
        """The whole table, beginning with this seat."""
        return _CLOCKWISE[self.index : self.index + 4]


_CLOCKWISE: tuple[Seat, ...] = (*Seat, *Seat)
_BY_LETTER = {seat.value: seat for seat in Seat}


def parse_seat(text: str) -> Seat:
    """A seat's initial in either case (PBN 2.1 §3.11); `malformed_seat` otherwise."""
    try:
        return _BY_LETTER.get(text) or _BY_LETTER[text.strip().upper()]
    except KeyError:
        raise BridgeError("malformed_seat", f"{text[:20]!r} is not a seat: N, E, S or W.") from None
