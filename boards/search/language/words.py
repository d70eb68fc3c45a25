"""The words of the language, each declared once. The parser, the guide, the form and the schema have them from here."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from boards.search.conditions import (
    EVERY_BOARD,
    Between,
    Bid,
    Condition,
    OneOf,
    Tagged,
    Votes,
    either,
    every,
)
from boards.search.facts import DRAFT, choice, number
from boards.search.language import values
from boards.search.language.days import DAYS
from boards.search.language.values import Contract, Makeable, Range, Reader, Shape, choices, numbers
from bridge.board import TEXTS
from bridge.names import SEAT_KEYS, SUIT_NAMES
from bridge.seats import SEATS
from bridge.vulnerability import Vulnerability


@dataclass(frozen=True, kw_only=True)
class Word:
    """A word that stands before an operator.

    `condition` makes a condition of the operator, of what the reader returns, and of what the facts' names begin with:
    "north." of a hand, "ns." of a side, "" of the board.
    """

    name: str
    reader: Reader[Any]
    condition: Callable[[str, Any, str], Condition]
    example: str
    help_text: str


def by_name(*words: Word) -> dict[str, Word]:
    return {word.name: word for word in words}


def exactly(name: str, value: int) -> Between:
    return Between(number(name), value, value)


def counted(prefix: str, name: str, example: str, help_text: str) -> Word:
    """Declare the word of a number. `prefix` is that of one of the facts; all hands have the same numbers."""
    fact = number(prefix + name)
    return Word(
        name=name,
        reader=numbers(fact.low, fact.high),
        condition=lambda operator, value, prefix: Between(number(prefix + name), value.low, value.high),
        example=example,
        help_text=help_text,
    )


def chosen(name: str, reader: Reader[str], example: str, help_text: str, fact: str = "") -> Word:
    """Declare the word of a choice."""
    return Word(
        name=name,
        reader=reader,
        condition=lambda operator, value, prefix: OneOf(choice(prefix + (fact or name)), (str(value),)),
        example=example,
        help_text=help_text,
    )


def seated(name: str, help_text: str) -> Word:
    """Declare the word of a seat. A side means any of its two seats."""
    return Word(
        name=name,
        reader=values.SEAT,
        condition=lambda operator, seats, prefix: OneOf(choice(name), tuple(seat.value for seat in seats)),
        example=f"{name}=south",
        help_text=help_text,
    )


def tagged(name: str, reader: Reader[tuple[str, ...]], example: str, help_text: str, tag: str = "") -> Word:
    """Declare the word of a tag (boards.search.facts.tags_of)."""
    return Word(
        name=name,
        reader=reader,
        condition=lambda operator, ids, prefix: Tagged(tuple(f"{tag or name}:{each}" for each in ids)),
        example=example,
        help_text=help_text,
    )


def of_cards(operator: str, cards: tuple[str, ...], prefix: str) -> Condition:
    seat = SEATS[SEAT_KEYS.index(prefix.removesuffix("."))]
    return every(OneOf(choice(f"holder.{card}"), (seat.value,)) for card in cards)


def of_shape(operator: str, shape: Shape, prefix: str) -> Condition:
    if not shape.is_exact:
        known = sorted(length for length in shape.lengths if length is not None)
        return OneOf(choice(f"{prefix}shape"), values.shapes_with(tuple(known)))
    return every(
        exactly(f"{prefix}{suit}", length)
        for suit, length in zip(SUIT_NAMES.values(), shape.lengths, strict=True)
        if length is not None
    )


def of_contract(operator: str, contract: Contract, prefix: str) -> Condition:
    parts: list[Condition] = [exactly("level", contract.level)]
    if contract.denomination:
        parts.append(OneOf(choice("denomination"), (contract.denomination,)))
    if contract.doubled:
        parts.append(OneOf(choice("doubled"), (contract.doubled,)))
    return every(parts)


def of_makeable(operator: str, wanted: Makeable, prefix: str) -> Condition:
    facts = (number(f"{seat.key}.makes.{wanted.denomination}") for seat in wanted.seats)
    return either(Between(fact, low=wanted.level + 6) for fact in facts)


def of_auction(operator: str, calls: str, prefix: str) -> Condition:
    if operator != "=":
        return Bid(calls, from_the_start=operator == "^=")
    return every([Bid(calls, from_the_start=True), exactly("calls", calls.count("-") + 1)])


def of_days(operator: str, days: Range, prefix: str) -> Condition:
    parts: list[Condition] = []
    if days.low is not None:
        parts.append(Between(number("playedFrom"), low=days.low))
    if days.high is not None:
        parts.append(Between(number("playedTo"), high=days.high))
    return every(parts)


def suits(prefix: str, example: str, where: str) -> list[Word]:
    return [
        counted(prefix, suit, f"{suit}>={example}", f"The number of {suit} in {where}.") for suit in SUIT_NAMES.values()
    ]


HAND_WORDS = by_name(
    *suits("north.", "5", "the hand"),
    counted("north.", "hcp", "hcp>=15", "High-card points: ace 4, king 3, queen 2, jack 1."),
    counted("north.", "controls", "controls>=5", "Controls: an ace is two, a king is one."),
    counted(
        "north.",
        "losers",
        "losers<=6",
        "Losing tricks: ace, king and queen that are missing, at most three a suit.",
    ),
    counted("north.", "aces", "aces=3", "The number of aces."),
    Word(
        name="shape",
        reader=values.SHAPE,
        condition=of_shape,
        example="shape=5332",
        help_text="The lengths of the four suits, in any order or exactly.",
    ),
    Word(
        name="cards",
        reader=values.SEVERAL_CARDS,
        condition=of_cards,
        example="cards=SAKQ",
        help_text="Cards that the hand has, all of them.",
    ),
)

SIDE_WORDS = by_name(
    counted("ns.", "hcp", "hcp=25..27", "High-card points of both hands together."),
    counted("ns.", "fit", "fit>=9", "The cards of the longest suit of both hands together."),
    *suits("ns.", "8", "both hands together"),
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
    Word(
        name="contract",
        reader=values.ONE_CONTRACT,
        condition=of_contract,
        example="contract=4S,4H",
        help_text="The contract: 4S also finds 4SX, and 4SX only the doubled one.",
    ),
    counted("", "level", "level>=6", "The contract's level, 0 for a board that was passed out."),
    chosen("denomination", values.DENOMINATION, "denomination=hearts", "The contract's suit, or notrump."),
    chosen(
        "doubled",
        choices("state of doubling", {each.lower(): each for each in DOUBLED.values}),
        "doubled=X",
        "Whether the contract is not doubled, doubled or redoubled.",
    ),
    seated("declarer", "Who plays the contract: a seat, or any of a side."),
    counted("", "result", "result<0", "Tricks above the contract; below it as a negative number."),
    counted("", "tricks", "tricks>=10", "Declarer's tricks."),
    counted("", "score", "score>=400", "The score for North-South; that of East-West is negative."),
    counted("", "par", "par<=-400", "The par score for North-South, by double dummy."),
    counted(
        "",
        "leadcost",
        "leadcost>=1",
        "The tricks that the opening lead cost the defence, with all cards seen.",
    ),
    counted("", "declarerlost", "declarerlost=0", "The tricks that declarer's cards cost, with all cards seen."),
    counted("", "defencelost", "defencelost>=2", "The tricks that the defenders' cards cost, with all cards seen."),
    chosen("lead", values.ONE_CARD, "lead=HK", "The opening lead."),
    chosen("opening", values.BID, "opening=1N", "The first bid of the auction."),
    seated("opener", "Who made the first bid: a seat, or any of a side."),
    Word(
        name="auction",
        reader=values.AUCTION,
        condition=of_auction,
        example="auction^=1N-P-2C",
        help_text="The calls: ^= with which the auction begins, *= that it has somewhere, = all of them.",
    ),
    counted("", "calls", "calls>=12", "The number of calls."),
    seated("dealer", "Who deals: a seat, or any of a side."),
    chosen(
        "vul",
        choices("vulnerability", VULNERABILITIES, {"both": "All"}),
        "vul=ns",
        "Which side is vulnerable.",
        fact="vulnerability",
    ),
    counted("", "board", "board=1..16", "The board's number."),
    chosen("room", texts("room"), "room=open", "The room of a team match."),
    chosen("difficulty", texts("difficulty"), "difficulty=beginner", "How difficult the board is."),
    Word(
        name="makes",
        reader=values.MAKEABLE,
        condition=of_makeable,
        example="makes=6S:ns",
        help_text="What can be made by double dummy, and by whom.",
    ),
    tagged("theme", values.THEME, "theme=stayman", "What the board is about."),
    tagged("type", values.THEME_TYPE, "type=convention", "The type of one of its themes.", "theme"),
    tagged("system", values.SYSTEM, "system=acol", "The auction system.", "auctionSystem"),
    Word(
        name="event",
        reader=values.EVENT,
        condition=lambda operator, event, prefix: Tagged((f"event:{event.slug}", f"eventName:{event.name}")),
        example='event="Friday pairs"',
        help_text="The event: all of that name, or one by the slug in its address.",
    ),
    Word(
        name="site",
        reader=values.NAME,
        condition=lambda operator, name, prefix: Tagged((f"siteName:{name}",)),
        example='site="Club room"',
        help_text="Where the event was held.",
    ),
    Word(
        name="date",
        reader=DAYS,
        condition=of_days,
        example="date=2026-01..2026-06",
        help_text="When the board was played, as far as that is certain.",
    ),
    Word(
        name="votes",
        reader=numbers(-1_000_000, 1_000_000),
        condition=lambda operator, votes, prefix: Votes(votes.low, votes.high),
        example="votes>=3",
        help_text="The votes for the board less those against it.",
    ),
    tagged("owner", values.OWNER, "owner=me", "Whose board it is.", "userId"),
    Word(
        name="is",
        reader=choices("state of a board", STATES),
        condition=lambda operator, state, prefix: state,
        example="is:makeable",
        help_text="Whether the contract is doubled (or redoubled), redoubled or passed out, whether both sides bid,"
        " whether the contract makes by double dummy, whether the board is a draft.",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Holder:
    """A word that stands before brackets: a hand or a side.

    `cases` has what it may mean: a condition on the board, and what the names of the facts begin with then.
    """

    name: str
    cases: tuple[tuple[Condition, str], ...]
    words: Mapping[str, Word]
    example: str
    help_text: str


def hand(name: str, cases: Iterable[tuple[Condition, str]], example: str, help_text: str) -> Holder:
    every_case = tuple((condition, f"{key}.") for condition, key in cases)
    return Holder(name=name, cases=every_case, words=HAND_WORDS, example=f"{name}({example})", help_text=help_text)


def side(name: str, help_text: str) -> Holder:
    return Holder(
        name=name,
        cases=((EVERY_BOARD, f"{name}."),),
        words=SIDE_WORDS,
        example=f"{name}(hcp=25..27)",
        help_text=help_text,
    )


DECLARERS = [(OneOf(choice("declarer"), (seat.value,)), seat) for seat in SEATS]

HANDS = {
    each.name: each
    for each in (
        *(hand(seat.key, [(EVERY_BOARD, seat.key)], "hcp>=15", f"{seat.full_name}'s hand.") for seat in SEATS),
        hand(
            "any",
            [(EVERY_BOARD, key) for key in SEAT_KEYS],
            "spades>=5 hearts>=4",
            "One of the four hands, which meets all that stands in the brackets.",
        ),
        hand("declarer", [(plays, seat.key) for plays, seat in DECLARERS], "hcp<12", "Declarer's hand."),
        hand("dummy", [(plays, seat.partner.key) for plays, seat in DECLARERS], "shape=4441", "Dummy's hand."),
        hand(
            "leader",
            [(plays, seat.next.key) for plays, seat in DECLARERS],
            "cards=SAK",
            "The hand of the opening leader.",
        ),
        hand(
            "opener",
            [(OneOf(choice("opener"), (seat.value,)), seat.key) for seat in SEATS],
            "hcp<10",
            "The hand that made the first bid.",
        ),
    )
}
SIDES = {
    each.name: each
    for each in (
        side("ns", "North's and South's hands together."),
        side("ew", "East's and West's hands together."),
    )
}
HOLDERS = {**HANDS, **SIDES}
