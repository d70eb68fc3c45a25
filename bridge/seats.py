"""The four seats of a table and the sides that partners form."""

from enum import StrEnum

from bridge.errors import BridgeError


class Seat(StrEnum):
    """The four seats in clockwise order, which is the order of dealing, calling and playing."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    index: int  # type: ignore[assignment]  # a seat is never searched for a substring
    """North is 0, East 1, South 2, West 3. These are also the two bits of a card's holder in a deal key."""
    side: str
    """The partnership, "NS" or "EW"."""

    key: str
    """The seat's key in the API: "north", "east", "south" or "west"."""
    full_name: str
    """The name for sentences and headings: "North", "East", "South" or "West"."""

    def __init__(self, letter: str) -> None:
        self.index = "NESW".find(letter)
        self.side = "EW" if letter in "EW" else "NS"
        self.key = self.name.lower()
        self.full_name = self.name.capitalize()

    @property
    def next(self) -> "Seat":
        """Return the left-hand opponent."""
        return _CLOCKWISE[self.index + 1]

    @property
    def partner(self) -> "Seat":
        return _CLOCKWISE[self.index + 2]

    def clockwise(self) -> tuple["Seat", ...]:
        """Return all four seats, beginning with this one."""
        return _CLOCKWISE[self.index : self.index + 4]


SEATS = tuple(Seat)
"""The seats in their order. To loop over a tuple is ten times as fast as over an enumeration."""

SEAT_WORDS = {
    Seat.NORTH: "n north nord norte noord północ polnoc norr",
    Seat.EAST: "e east ost est este oost wschód wschod ö öst öster",
    Seat.SOUTH: "s south süd sued sud sur zuid południe poludnie syd söder",
    Seat.WEST: "w west ouest oeste ovest zachód zachod v väst väster",
}
"""What English, German, French, Spanish, Italian, Dutch, Polish and Swedish call each seat, in lower case.

Letters that are two seats in two languages, such as O and Z, are left out. W and S are PBN's, whatever Polish says.
"""

_BY_WORD = {word: seat for seat, words in SEAT_WORDS.items() for word in (seat.value, *words.split())}
_CLOCKWISE: tuple[Seat, ...] = (*Seat, *Seat)


def parse_seat(text: str) -> Seat:
    """Read a seat's initial (PBN 2.1 §3.11) or one of SEAT_WORDS in any case; `malformed_seat` otherwise."""
    seat = _BY_WORD.get(text) or _BY_WORD.get(text.strip().lower())
    if seat is None:
        raise BridgeError("malformed_seat", f"{text[:20]!r} is not a seat. Write N, E, S or W.")
    return seat
