"""The words of the language, each declared once. The parser and the form have them from here."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from bridge.board import TEXTS
from bridge.names import SEAT_KEYS, SUIT_NAMES
from bridge.seats import SEATS, Seat
from bridge.vulnerability import Vulnerability
from search.conditions import EVERY_BOARD, Between, Compared, Condition, OneOf, Tagged, Votes, every, exactly
from search.facts import DRAFT, choice, number
from search.language import meanings, values
from search.language.meanings import BALANCED, VULNERABLE, is_seat
from search.language.values import Reader, choices, numbers


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


def chosen(name: str, reader: Reader[str], example: str) -> Word:
    """Declare the word of a choice."""
    return Word(name, reader, example, lambda value, prefix: OneOf(choice(name), (value,)))


def seated(name: str) -> Word:
    """Declare the word of a seat. A side means any of its two seats."""
    return Word(name, values.SEAT, f"{name}=south", lambda seats, prefix: is_seat(name, *seats))


def called(name: str, example: str, since: int = 5) -> Word:
    """Declare the word of a name, whose tags came with the NOTATION `since`."""
    reader = Reader(values.read_name)
    return Word(name, reader, example, lambda folded, prefix: Tagged((f"{name}Name:{folded}",), since))


def suits(prefix: str, least: int) -> list[Word]:
    return [counted(suit, f"{suit}>={least}", prefix) for suit in SUIT_NAMES.values()]


HAND_WORDS = by_name(
    *suits("north.", 5),
    counted("hcp", "hcp>=15", "north."),
    counted("controls", "controls>=5", "north."),
    counted("losers", "losers<=6", "north."),
    counted("aces", "aces=3", "north."),
    Word("shape", values.SHAPE, "shape=5332"),
    Word("longest", numbers(4, 13), "longest>=7", meanings.longest),
    Word("shortest", numbers(0, 3), "shortest=0", meanings.shortest),
    Word("cards", Reader(values.read_cards), "cards=SAKQ", meanings.held),
    Word("good", values.SUIT, "good=S", meanings.good),
    Word("is", choices("state of a hand", {"balanced": BALANCED}), "is:balanced", meanings.shaped),
)

SIDE_WORDS = by_name(
    counted("hcp", "hcp=25..27", "ns."),
    counted("fit", "fit>=9", "ns."),
    counted("controls", "controls>=10", "ns."),
    counted("losers", "losers<=14", "ns."),
    counted("aces", "aces=4", "ns."),
    *suits("ns.", 8),
)

DOUBLED, MAKEABLE = choice("doubled"), choice("makeable")
STATES: dict[str, Condition] = {
    "doubled": OneOf(DOUBLED, ("X", "XX")),
    "redoubled": OneOf(DOUBLED, ("XX",)),
    "passedout": exactly("level", 0),
    "partscore": meanings.PARTSCORE,
    "game": meanings.GAME,
    "slam": meanings.SLAM,
    "made": Between(number("result"), low=0),
    "down": Between(number("result"), high=-1),
    "competitive": Tagged(("is:competitive",)),
    "alerted": Tagged(("is:alerted",), since=5),
    "makeable": OneOf(MAKEABLE, ("yes",)),
    "unmakeable": OneOf(MAKEABLE, ("no",)),
    "balanced": every(meanings.shaped(BALANCED, f"{key}.") for key in SEAT_KEYS),
    "draft": Tagged((DRAFT,)),
}
"""What a board may be, after `is`. A redoubled contract is doubled too; doubled=X finds those that are only doubled."""

OF_SIDES = {each.value.lower(): OneOf(choice("vulnerability"), (each.value,)) for each in Vulnerability}
VULNERABILITY = choices("vulnerability", {**OF_SIDES, **VULNERABLE}, {"both": OF_SIDES["all"]})


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
    counted("againstpar", "againstpar>=100"),
    Word("imps", numbers(-24, 24), "imps>=10", lambda ends, prefix: Compared("imps", *ends)),
    Word("swing", numbers(0, 24), "swing>=10", lambda ends, prefix: Compared("swing", *ends)),
    counted("leadcost", "leadcost>=1"),
    counted("declarerlost", "declarerlost=0"),
    counted("defencelost", "defencelost>=2"),
    counted("trumps", "trumps=7"),
    chosen("split", Reader(values.read_split, "how declarer's side shares the trumps: 4-3"), "split=4-3"),
    Word("lead", values.LEAD, "lead=HK"),
    chosen("opening", Reader(values.read_bid), "opening=1N"),
    seated("opener"),
    Word("openerseat", numbers(1, 4), "openerseat=3", meanings.in_turn),
    Word("auction", values.AUCTION, "auction^=1N-P-2C"),
    counted("calls", "calls>=12"),
    seated("dealer"),
    Word("vul", VULNERABILITY, "vul=ns"),
    counted("board", "board=1..16"),
    chosen("room", texts("room"), "room=open"),
    chosen("difficulty", texts("difficulty"), "difficulty=beginner"),
    Word("makes", Reader(values.read_makeable), "makes=6S:ns"),
    Word("theme", Reader(values.read_theme), "theme=stayman"),
    Word("type", Reader(values.read_theme_type), "type=convention"),
    Word("system", Reader(values.read_system), "system=acol"),
    Word("event", Reader(values.read_event), 'event="Friday pairs"'),
    called("stage", "stage=Final"),
    called("site", 'site="Club room"', since=1),
    called("team", "team=Hawks"),
    called("table", "table=3"),
    called("pair", "pair=12", since=7),
    called("scoring", "scoring=IMP"),
    Word("date", Reader(values.read_days, operators=values.ORDER), "date=2026-01..2026-06"),
    Word("votes", numbers(-1_000_000, 1_000_000), "votes>=3", lambda ends, prefix: Votes(*ends)),
    Word("owner", Reader(values.read_owner), "owner=me"),
    Word("is", choices("state of a board", STATES), "is:makeable"),
)


def hand(name: str, cases: Iterable[tuple[Condition, str]], example: str) -> Holder:
    return Holder(name, tuple((condition, f"{key}.") for condition, key in cases), HAND_WORDS, f"{name}({example})")


def by_seat(fact: str) -> list[tuple[Condition, Seat]]:
    return [(is_seat(fact, seat), seat) for seat in SEATS]


DECLARERS, OPENERS = by_seat("declarer"), by_seat("opener")

HANDS = by_name(
    *(hand(key, [(EVERY_BOARD, key)], "hcp>=15") for key in SEAT_KEYS),
    hand("any", [(EVERY_BOARD, key) for key in SEAT_KEYS], "spades>=5 hearts>=4"),
    hand("declarer", [(plays, seat.key) for plays, seat in DECLARERS], "hcp<12"),
    hand("dummy", [(plays, seat.partner.key) for plays, seat in DECLARERS], "shape=4441"),
    hand("leader", [(plays, seat.next.key) for plays, seat in DECLARERS], "cards=SAK"),
    hand("dealer", [(deals, seat.key) for deals, seat in by_seat("dealer")], "hcp>=12"),
    hand("opener", [(opens, seat.key) for opens, seat in OPENERS], "hcp<10"),
    hand("responder", [(opens, seat.partner.key) for opens, seat in OPENERS], "hcp>=10"),
    hand("overcaller", [(bids, seat.key) for bids, seat in by_seat("overcaller")], "hcp<8"),
    hand("doubler", [(doubles, seat.key) for doubles, seat in by_seat("doubler")], "hcp>=16"),
)


def side(name: str, cases: Iterable[tuple[Condition, str]], example: str) -> Holder:
    return hand(name, cases, example)._replace(words=SIDE_WORDS)


PLAYS = meanings.DECLARING
SIDES = by_name(
    *(side(key, [(EVERY_BOARD, key)], "hcp=25..27") for key in PLAYS),
    side("declarers", [(PLAYS["ns"], "ns"), (PLAYS["ew"], "ew")], "fit=7"),
    side("defenders", [(PLAYS["ns"], "ew"), (PLAYS["ew"], "ns")], "hcp>=20"),
)
HOLDERS = {**HANDS, **SIDES}
