"""The words of the language, each declared once. The parser and the form have them from here."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from boards.search.conditions import EVERY_BOARD, Between, Condition, OneOf, Tagged, Votes, exactly
from boards.search.facts import DRAFT, choice, number
from boards.search.language import values
from boards.search.language.values import Reader, choices, numbers
from bridge.board import TEXTS
from bridge.names import SEAT_KEYS, SUIT_NAMES
from bridge.seats import SEATS, Seat
from bridge.vulnerability import Vulnerability


@dataclass(frozen=True)
class Word:
    """A word that stands before an operator.

    `condition` makes a condition of what the reader returns, and of what the facts' names begin with. Many readers
    return the condition.
    """

    name: str
    reader: Reader[Any]
    example: str
    condition: Callable[[Any, str], Condition] = lambda condition, prefix: condition


class Holder(NamedTuple):
    """A word that stands before brackets: a hand or a side.

    `cases` has what it may mean: a condition on the board, and what the names of the facts begin with then.
    """

    name: str
    cases: tuple[tuple[Condition, str], ...]
    words: Mapping[str, Word]
    example: str


Named = TypeVar("Named", Word, Holder)


def by_name(*words: Named) -> dict[str, Named]:
    return {word.name: word for word in words}


def counted(name: str, example: str, prefix: str = "") -> Word:
    """Declare the word of a number. `prefix` is that of one of the facts; all hands have the same numbers."""
    fact = number(prefix + name)
    reader = numbers(fact.low, fact.high)
    return Word(name, reader, example, lambda ends, prefix: Between(number(prefix + name), *ends))


def chosen(name: str, reader: Reader[str], example: str, fact: str = "") -> Word:
    """Declare the word of a choice."""
    return Word(name, reader, example, lambda value, prefix: OneOf(choice(fact or name), (value,)))


def seated(name: str) -> Word:
    """Declare the word of a seat. A side means any of its two seats."""

    def condition(seats: tuple[Seat, ...], prefix: str) -> Condition:
        return OneOf(choice(name), tuple(seat.value for seat in seats))

    return Word(name, values.SEAT, f"{name}=south", condition)


def suits(prefix: str, least: int) -> list[Word]:
    return [counted(suit, f"{suit}>={least}", prefix) for suit in SUIT_NAMES.values()]


HAND_WORDS = by_name(
    *suits("north.", 5),
    counted("hcp", "hcp>=15", "north."),
    counted("controls", "controls>=5", "north."),
    counted("losers", "losers<=6", "north."),
    counted("aces", "aces=3", "north."),
    Word("shape", values.SHAPE, "shape=5332"),
    Word("cards", Reader(values.read_held), "cards=SAKQ"),
)

SIDE_WORDS = by_name(
    counted("hcp", "hcp=25..27", "ns."),
    counted("fit", "fit>=9", "ns."),
    *suits("ns.", 8),
)

VULNERABILITIES = {each.value.lower(): each.value for each in Vulnerability}
DOUBLED = choice("doubled")
STATES = {
    "doubled": OneOf(DOUBLED, ("X", "XX")),
    "redoubled": OneOf(DOUBLED, ("XX",)),
    "passedout": exactly("level", 0),
    "competitive": Tagged(("is:competitive",)),
    "makeable": OneOf(choice("makeable"), ("yes",)),
    "draft": Tagged((DRAFT,)),
}
"""What a board may be, after `is`. A redoubled contract is doubled too; doubled=X finds those that are only doubled."""


def texts(name: str) -> Reader[str]:
    """Return the reader of a text of a board that has a few values."""
    return choices(name, {value.lower(): value for value in TEXTS[name].choices})


BOARD_WORDS = by_name(
    Word("contract", values.ONE_CONTRACT, "contract=4S,4H"),
    counted("level", "level>=6"),
    chosen("denomination", values.DENOMINATION, "denomination=hearts"),
    chosen("doubled", choices("state of doubling", {each.lower(): each for each in DOUBLED.values}), "doubled=X"),
    seated("declarer"),
    counted("result", "result<0"),
    counted("tricks", "tricks>=10"),
    counted("score", "score>=400"),
    counted("par", "par<=-400"),
    counted("leadcost", "leadcost>=1"),
    counted("declarerlost", "declarerlost=0"),
    counted("defencelost", "defencelost>=2"),
    chosen("lead", values.ONE_CARD, "lead=HK"),
    chosen("opening", Reader(values.read_bid), "opening=1N"),
    seated("opener"),
    Word("auction", values.AUCTION, "auction^=1N-P-2C"),
    counted("calls", "calls>=12"),
    seated("dealer"),
    chosen("vul", choices("vulnerability", VULNERABILITIES, {"both": "All"}), "vul=ns", "vulnerability"),
    counted("board", "board=1..16"),
    chosen("room", texts("room"), "room=open"),
    chosen("difficulty", texts("difficulty"), "difficulty=beginner"),
    Word("makes", Reader(values.read_makeable), "makes=6S:ns"),
    Word("theme", Reader(values.read_theme), "theme=stayman"),
    Word("type", Reader(values.read_theme_type), "type=convention"),
    Word("system", Reader(values.read_system), "system=acol"),
    Word("event", Reader(values.read_event), 'event="Friday pairs"'),
    Word("site", Reader(values.read_site), 'site="Club room"'),
    Word("date", Reader(values.read_days, operators=values.ORDER), "date=2026-01..2026-06"),
    Word("votes", numbers(-1_000_000, 1_000_000), "votes>=3", lambda ends, prefix: Votes(*ends)),
    Word("owner", Reader(values.read_owner), "owner=me"),
    Word("is", choices("state of a board", STATES), "is:makeable"),
)


def hand(name: str, cases: Iterable[tuple[Condition, str]], example: str) -> Holder:
    return Holder(name, tuple((condition, f"{key}.") for condition, key in cases), HAND_WORDS, f"{name}({example})")


DECLARERS = [(OneOf(choice("declarer"), (seat.value,)), seat) for seat in SEATS]

HANDS = by_name(
    *(hand(key, [(EVERY_BOARD, key)], "hcp>=15") for key in SEAT_KEYS),
    hand("any", [(EVERY_BOARD, key) for key in SEAT_KEYS], "spades>=5 hearts>=4"),
    hand("declarer", [(plays, seat.key) for plays, seat in DECLARERS], "hcp<12"),
    hand("dummy", [(plays, seat.partner.key) for plays, seat in DECLARERS], "shape=4441"),
    hand("leader", [(plays, seat.next.key) for plays, seat in DECLARERS], "cards=SAK"),
    hand("opener", [(OneOf(choice("opener"), (seat.value,)), seat.key) for seat in SEATS], "hcp<10"),
)
SIDES = by_name(
    *(Holder(name, ((EVERY_BOARD, f"{name}."),), SIDE_WORDS, f"{name}(hcp=25..27)") for name in ("ns", "ew")),
)
HOLDERS = {**HANDS, **SIDES}
