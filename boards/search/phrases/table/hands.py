"""Phrases about the cards of one hand.

The conditions of a hand are joined: "void 15-17" is one hand with both.
"""

from collections.abc import Callable, Iterable
from datetime import date
from functools import partial
from itertools import combinations

from boards.search.phrases.patterns import Phrase, Scope, Values
from boards.search.subject import write_shape
from bridge.layout import SHAPES
from bridge.names import SUIT_NAMES

hand = partial(Phrase, Scope.HAND)


def any_of(conditions: Iterable[str]) -> str:
    return f"({' OR '.join(conditions)})"


def in_any_suit(condition: str) -> str:
    """Return a condition with {suit} and {letter} for any of the suits. Other braces stay."""
    suits = SUIT_NAMES.items()
    return any_of(condition.replace("{suit}", name).replace("{letter}", letter) for letter, name in suits)


def with_lengths(*least: int) -> str:
    """Return the condition that a hand has so many cards or more in its longest suits."""
    shapes = (shape for shape in SHAPES if all(map(int.__ge__, sorted(shape, reverse=True), least)))
    return f"shape={','.join(map(write_shape, shapes))}"


def in_two_suits(values: Values, one: str, other: str) -> str:
    """Return the condition of the lengths of {pair} in two suits, of which either may be the longer one."""
    high, low = tuple(values["pair"].query)
    if high == low:
        return f"{one}>={high} {other}>={low}"
    return any_of((f"({one}>={high} {other}>={low})", f"({one}>={low} {other}>={high})"))


def in_these_suits(values: Values, today: date) -> str:
    return in_two_suits(values, *values["two"].query.split())


def both_of(least: int) -> Callable[[Values, date], str]:
    """Return the query of so many cards or more in both suits of {two}."""
    return lambda values, today: " ".join(f"{suit}>={least}" for suit in values["two"].query.split())


def in_named_suits(values: Values, today: date) -> str:
    return in_two_suits(values, values["suit"].query, values["suit2"].query)


POINTS = "(point|hcp|pt|hp|punkt|punto|punten)"
SHORT = "(short|shortage|shortness)"
MORE = "or (more|better|higher|longer)"
LESS = "or (less|fewer|lower|shorter)"
SINGLE = "(singleton|stiff|bare|blank)"
NO_SUIT_OF_FIVE = "shape=4333,4432,4441"

PHRASES = (
    hand(f"{{n}} [high card] {POINTS} [hand]; {{n}} count; (hcp|point) {{n}}", "hcp{n}", "{n} points", "16 points"),
    hand(f"{{count}} [high card] {POINTS} {MORE}", "hcp>={count}", "{count} points or more", "12 points or more"),
    hand(f"{{count}} [high card] {POINTS} {LESS}", "hcp<={count}", "at most {count} points", "10 points or less"),
    hand("{points}", "hcp{points}", "{points} points", "15-17"),
    hand(
        "balanced [hand]; flat (hand|shape|distribution)",
        "is:balanced",
        "balanced: 4333, 4432 or 5332",
        "balanced 15-17",
    ),
    hand(
        "(semi balanced|semibalanced) [hand]",
        "shape=4333,4432,5332,5422,6322",
        "at most two doubletons",
        "semi-balanced hand",
    ),
    hand("(unbalanced|not balanced) [hand]", "-is:balanced", "not balanced", "unbalanced 12 points"),
    hand("{shape} [(hand|shape|distribution|pattern)]", "shape={shape}", "{shape} in any order", "4441"),
    hand(
        "{pair} [(hand|shape|distribution|shaped|pattern)]", "shape={pair}xx", "two suits of {pair} cards", "6-5 shape"
    ),
    hand(
        "{pair} [(hand|shape)] or (more|better|wilder|longer)",
        lambda values, today: with_lengths(*map(int, values["pair"].query)),
        "two suits of {pair} cards or more",
        "6-5 or wilder",
    ),
    hand(
        "{pair} [(both|the)] {two} [suit]; {two} [suit] {pair}",
        in_these_suits,
        "{pair} or more in the {two}",
        "5-5 majors",
    ),
    hand(
        "{pair} {suit} [and] {suit2}",
        in_named_suits,
        "{pair} or more in {suit} and {suit2}",
        "5-4 in spades and hearts",
    ),
    hand("both {two} [suit]", both_of(4), "four cards or more in both {two}", "both majors"),
    hand(
        "(no|without) [{n} card] major; (no|without) {n} cm",
        "spades<=3 hearts<=3",
        "no major of four cards",
        "no four-card major",
    ),
    hand("{length} [card] {suit} [suit]; {suit} {length}", "{suit}{length}", "{length} {suit}", "6 spades"),
    hand(f"{{count}} {{suit}} {LESS}", "{suit}<={count}", "at most {count} {suit}", "2 hearts or fewer"),
    hand(f"{{count}} {{suit}} {MORE}", "{suit}>={count}", "{count} {suit} or more", "6 hearts or more"),
    hand("{length} card suit; suit {length} card", "longest{length}", "a suit of {length} cards", "7-card suit"),
    hand(
        "{length} (card major|cm) [suit]; {length} major",
        any_of(("spades{length}", "hearts{length}")),
        "a major of {length} cards",
        "six-card major",
    ),
    hand(
        "{length} card minor [suit]; {length} minor",
        any_of(("diamonds{length}", "clubs{length}")),
        "a minor of {length} cards",
        "six-card minor",
    ),
    hand(
        "{length} major and {length2} minor",
        any_of(
            f"({major}{{length}} {minor}{{length2}})"
            for major in ("spades", "hearts")
            for minor in ("diamonds", "clubs")
        ),
        "a major of {length} cards and a minor of {length2}",
        "5 major and 5 minor",
    ),
    hand("long {suit} [suit]", "{suit}>=6", "six {suit} or more", "long diamonds"),
    hand("(very long|longest|long) suit", "longest>=7", "a suit of seven cards or more", "very long suit"),
    hand(f"{SHORT} {{suit}}; {{suit}} {SHORT}", "{suit}<=1", "at most one card in {suit}", "short hearts"),
    hand("(shortage|shortness|short suit)", "shortest<=1", "a singleton or a void", "shortage"),
    hand(
        "(no|without) ((shortage|shortness|short suit)|singleton (or|and) void|void (or|and) singleton)",
        "shortest>=2",
        "no singleton and no void",
        "no shortage",
    ),
    hand("no five card suit", NO_SUIT_OF_FIVE, "no suit of five cards", "no five-card suit"),
    hand(
        "(void|chicane|chicanne|renonce) {suit}; {suit} void; (no|without) {suit}",
        "{suit}=0",
        "a void in {suit}",
        "void in spades",
    ),
    hand("void; void suit; chicane", "shortest=0", "a void", "void"),
    hand("(two|2|double) void", "shape=xx00", "two voids", "two voids"),
    hand(f"{SINGLE} {{suit}}; {{suit}} {SINGLE}", "{suit}=1", "a singleton in {suit}", "singleton heart"),
    hand("singleton", "shape=xxx1", "a singleton", "singleton"),
    hand("(two|2|double) singleton", "shape=xx11", "two singletons", "two singletons"),
    hand("doubleton {suit}; {suit} doubleton", "{suit}=2", "a doubleton in {suit}", "doubleton club"),
    hand("doubleton", "shape=xxx2", "a doubleton", "doubleton"),
    hand("(two|2) doubleton", "shape=xx22", "two doubletons", "two doubletons"),
    hand("(three|3) doubleton", "shape=7222", "three doubletons", "three doubletons"),
    hand("tripleton {suit}; {suit} tripleton", "{suit}=3", "three {suit}", "tripleton diamond"),
    hand("tripleton", "shape=xxx3", "a suit of three cards", "tripleton"),
    hand(
        "doubleton {rank}; {rank} doubleton",
        in_any_suit("(cards={letter}{rank} {suit}=2)"),
        "{rank} and one more card of a suit",
        "doubleton queen",
    ),
    hand(
        f"{SINGLE} honour",
        in_any_suit("({suit}=1 (cards={letter}A OR cards={letter}K OR cards={letter}Q OR cards={letter}J))"),
        "a singleton ace, king, queen or jack",
        "singleton honour",
    ),
    hand(f"{SINGLE} {{rank}}", in_any_suit("(cards={letter}{rank} {suit}=1)"), "a singleton {rank}", "singleton ace"),
    hand(
        f"{SINGLE} {{rank}} {{suit}}; {SINGLE} {{suit}} {{rank}}",
        "cards={suit.letter}{rank} {suit}=1",
        "the singleton {rank} of {suit}",
        "singleton king of hearts",
    ),
    hand("{honours} [in a suit]", in_any_suit("cards={letter}{honours}"), "{honours} of a suit", "AKQ"),
    hand(
        "{suit} and {suit2} at least {count} each; at least {count} {suit} and {suit2}",
        "{suit}>={count} {suit2}>={count}",
        "{count} or more in {suit} and in {suit2}",
        "at least 5 spades and hearts",
    ),
    *(
        hand(f"(both|two|2) {colour} {{rank}}", f"cards={suits}", f"both {colour} {{rank}}s", f"both {colour} aces")
        for colour, suits in (("red", "H{rank}D{rank}"), ("black", "S{rank}C{rank}"))
    ),
    hand("{cards}", "cards={cards}", "{cards}", "ace of spades"),
    hand("(no|without|zero) ace; aceless [hand]", "aces=0", "no ace", "no ace"),
    hand("[all] (four|4) ace; all [the] ace", "aces=4", "all four aces", "all four aces"),
    hand("{n} ace", "aces{n}", "{n} aces", "two aces"),
    hand(
        "[all] (four|4) {rank}; all [the] {rank}",
        "cards=S{rank}H{rank}D{rank}C{rank}",
        "all four cards of the rank {rank}",
        "all four kings",
    ),
    *(
        hand(
            f"(three|3) {rank}",
            any_of(f"cards={''.join(suit + letter for suit in three)}" for three in combinations(SUIT_NAMES, 3)),
            f"three {rank}s or four",
            f"three {rank}s",
        )
        for letter, rank in (("K", "king"), ("Q", "queen"), ("J", "jack"))
    ),
    hand("(no|without) king", "-cards=SK -cards=HK -cards=DK -cards=CK", "no king", "no king"),
    hand(
        "all [the] honour {suit}; {suit} honour",
        "cards={suit.letter}AKQJ",
        "all honours of {suit}",
        "all honours in spades",
    ),
    hand("(yarborough|yarboro)", "hcp=0 -cards=ST -cards=HT -cards=DT -cards=CT", "no card above a nine", "yarborough"),
    hand("no point; pointless hand", "hcp=0", "no points", "no points"),
    hand("{n} loser [hand]; loser {n}", "losers{n}", "{n} losers", "4 losers"),
    hand(f"{{count}} loser {LESS}", "losers<={count}", "at most {count} losers", "5 losers or fewer"),
    hand(f"{{count}} loser {MORE}", "losers>={count}", "{count} losers or more", "9 losers or more"),
    hand(f"{{count}} control {MORE}", "controls>={count}", "{count} controls or more", "6 controls or more"),
    hand("{n} control", "controls{n}", "{n} controls: an ace is two, a king one", "7 controls"),
    hand(
        "(two suiter|two suited|2 suiter|2 suited) [hand]",
        with_lengths(5, 5),
        "two suits of five cards or more",
        "two-suiter",
    ),
    hand(
        "(two|2) (suiter|suited) [hand] {suit} [and] {suit2}",
        "{suit}>=5 {suit2}>=5",
        "five cards or more in {suit} and {suit2}",
        "two-suiter in spades and clubs",
    ),
    hand(
        "{two} [suit] [(two|2)] (suiter|suited); (two|2) (suiter|suited) {two} [suit]",
        both_of(5),
        "five cards or more in both {two}",
        "major two-suiter",
    ),
    hand("(three suiter|three suited|3 suiter|3 suited) [hand]", "shape=4441,5440", "4441 or 5440", "three-suiter"),
    hand(
        "(one suiter|one suited|single suited|single suiter|1 suiter|1 suited) [hand]",
        "shape=6322,6331,7222,7321,7330",
        "one suit of six or seven cards and no other of four",
        "one-suiter",
    ),
    hand(
        "(freak|freakish|wild) [(hand|distribution|shape)]",
        any_of(("longest>=8", with_lengths(6, 6), with_lengths(7, 5))),
        "a suit of eight cards or more, 6-6 or 7-5",
        "freak hand",
    ),
    hand(
        "(distributional|shapely) [hand]",
        any_of(("longest>=7", with_lengths(6, 5))),
        "a suit of seven cards or more, or 6-5",
        "distributional hand",
    ),
    hand("(strong|big|powerful|good) (hand|one)", "hcp>=18", "18 points or more", "strong hand"),
    hand(
        "(huge|monster|enormous|very strong) [hand]; game forcing hand; rock crusher",
        "hcp>=22",
        "22 points or more",
        "huge hand",
    ),
    hand("(weak|poor|bad) (hand|one)", "hcp<=6", "at most six points", "weak hand"),
    hand("(bust|hopeless|awful|terrible) [hand]", "hcp<=3", "at most three points", "bust"),
    hand("(opening|opening bid) (hand|strength|value); opening bid", "hcp>=12", "12 points or more", "opening values"),
    hand(
        "(less than|below|under|no|without) [an] opening [(hand|strength|value|bid)]; non opening hand",
        "hcp<=11",
        "at most 11 points",
        "less than opening values",
    ),
    hand("strong notrump [hand]; strong nt", "is:balanced hcp=15..17", "balanced, 15 to 17 points", "strong notrump"),
    hand("weak notrump [hand]; weak nt", "is:balanced hcp=12..14", "balanced, 12 to 14 points", "weak notrump"),
    hand(
        "{length} [card] {suit} [suit] (headed by|to) [the] {honours}",
        "{suit}{length} cards={suit.letter}{honours}",
        "{length} {suit} with {honours}",
        "6 hearts headed by AK",
    ),
    hand(
        "(good|strong) {length} card {suit} [suit]",
        "good={suit.letter} {suit}{length}",
        "{length} {suit} with two of the three top honours",
        "good six-card spade suit",
    ),
    hand(
        "(good|strong) {suit} [suit]; (good|strong) suit {suit}; two [of] [the] top three [honour] {suit}",
        "good={suit.letter} {suit}>=5",
        "five {suit} or more with two of the three top honours",
        "good spades",
    ),
    hand(
        "(good|strong) suit; good {n} card suit",
        in_any_suit("(good={letter} {suit}>=5)"),
        "a suit of five cards or more with two of the three top honours",
        "good suit",
    ),
    hand(
        "(solid|running) {suit} [suit]; {suit} (solid|running)",
        "cards={suit.letter}AKQ {suit}>=6",
        "six {suit} or more with ace, king and queen",
        "solid hearts",
    ),
    hand(
        "{length} [card] (solid|running) {suit} [suit]; (solid|running) {length} card {suit} [suit]",
        "cards={suit.letter}AKQ {suit}{length}",
        "{length} {suit} with ace, king and queen",
        "eight solid spades",
    ),
    hand(
        "(solid|running) {length} card suit; {length} card (solid|running) suit",
        in_any_suit("(cards={letter}AKQ {suit}{length})"),
        "{length} cards of a suit with ace, king and queen",
        "solid seven-card suit",
    ),
    hand(
        "(solid|running) suit",
        in_any_suit("(cards={letter}AKQ {suit}>=6)"),
        "a suit of six cards or more with ace, king and queen",
        "solid suit",
    ),
)
