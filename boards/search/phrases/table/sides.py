"""Phrases about the cards of two hands or all four, and about whose hand is meant."""

from functools import partial
from itertools import combinations

from boards.search.phrases.patterns import Phrase, Scope
from boards.search.phrases.table.hands import POINTS, any_of
from bridge.names import SUIT_NAMES

side = partial(Phrase, Scope.SIDE)
holder = partial(Phrase, Scope.HOLDER)
board = partial(Phrase, Scope.BOARD)

SEATS_OF = {"ns": ("north", "south"), "ew": ("east", "west")}
TOGETHER = "(together|combined|between (them|us|(the|both) [two] hand|two hand)|partnership)"
FLAT = "(balanced|flat)"


def both_hands(condition: str) -> str:
    """Return the condition that both hands of a partnership have something."""
    return any_of(f"({one}({condition}) {other}({condition}))" for one, other in (("north", "south"), ("east", "west")))


PHRASES = (
    side("{length} card fit; fit {length} [card]", "fit{length}", "a fit of {length} cards", "9-card fit"),
    side(
        "{length} card {suit} fit; {suit} fit {length} card; {length} {suit} " + TOGETHER,
        "{suit}{length}",
        "{length} {suit} together",
        "9-card heart fit",
    ),
    side(
        f"{{n}} [combined] {POINTS} {TOGETHER}; combined {{n}} [{POINTS}]; {{n}} (combined|together) [{POINTS}]",
        "hcp{n}",
        "{n} points together",
        "25 points together",
    ),
    *(
        board(
            f"{{n}} {POINTS} {level}",
            f"is:{level} declarers(hcp{{n}})",
            f"a {level} with {{n}} points together",
            f"28 point {level}",
        )
        for level in ("slam", "game", "partscore")
    ),
    side("{suit} fit; fit {suit}", "{suit}>=8", "eight {suit} or more together", "heart fit"),
    side("major [suit] fit; fit [in] major", any_of(("spades>=8", "hearts>=8")), "eight of a major", "major fit"),
    side("minor [suit] fit; fit [in] minor", any_of(("diamonds>=8", "clubs>=8")), "eight of a minor", "minor fit"),
    side(
        "(double|two|2) (fit|suit fit)",
        any_of(f"({one}>=8 {other}>=8)" for one, other in combinations(SUIT_NAMES.values(), 2)),
        "eight cards or more in two suits",
        "double fit",
    ),
    side("{n} ace together", "aces{n}", "{n} aces together", "four aces together"),
    holder("(north|norths hand)", "north", "North", "North has 16 points"),
    holder("by {seat}", "{seat}", "{seat}", "3NT making by S"),
    holder("{seat} (has|had|hold|held|with)", "{seat}", "{seat}", "N has 16 points"),
    holder("east", "east", "East", "East has a void"),
    holder("south", "south", "South", "South has 5 spades and 4 hearts"),
    holder("west", "west", "West", "West has 20 points"),
    holder("(declarer|declaring hand|declarer hand)", "declarer", "Declarer", "declarer has a void"),
    holder("dummy", "dummy", "Dummy", "dummy has a singleton"),
    holder("(leader|opening leader|hand lead|player lead)", "leader", "The opening leader", "leader has two aces"),
    holder("(opener|opening bidder)", "opener", "The opener", "opener has 10 points"),
    holder("dealer", "dealer", "The dealer", "dealer has 12 points"),
    holder("responder", "responder", "The opener’s partner", "responder has a void"),
    holder("overcaller", "overcaller", "The overcaller", "overcaller has 8 points"),
    holder("doubler", "doubler", "Who doubled first", "doubler has a void"),
    holder("({side}|{side} together)", "{side}", "{side}", "NS have 25 points"),
    holder(
        "(declaring side|declarer side|declarer and dummy)",
        "declarers",
        "Declarer’s side",
        "declaring side has 22 points",
    ),
    holder("(defender|defending side)", "defenders", "The defenders", "defenders have 20 points"),
    board(
        f"both [hand] {FLAT}; (two|2) {FLAT} hand; {FLAT} (against|opposite) {FLAT}; {FLAT} both hand",
        both_hands("is:balanced"),
        "both hands of a partnership balanced",
        "both hands balanced",
    ),
    board(
        f"{{side}} [hand] both [hand] {FLAT}; both {{side}} [hand] {FLAT}; both hand {FLAT} {{side}}",
        lambda values, today: " ".join(f"{seat}(is:balanced)" for seat in SEATS_OF[values["side"].query]),
        "{side}: both hands balanced",
        "NS both balanced",
    ),
    board(
        "(no|without) [8 card] fit; misfit; misfitting [(hand|deal)]",
        "declarers(fit<=7)",
        "declarer’s side has no suit of eight cards",
        "misfit",
    ),
    board(
        "both side [have] {length} card fit; both side [have] fit {length}",
        "ns(fit{length}) ew(fit{length})",
        "both sides have a fit of {length} cards",
        "both sides have a nine-card fit",
    ),
    board(
        "(no|without) major [suit] fit",
        "declarers(spades<=7 hearts<=7)",
        "declarer’s side has eight cards in no major",
        "no major fit",
    ),
    board(
        f"{POINTS} (evenly|equally) (split|divided|shared|distributed); (even|equal) {POINTS}; half {POINTS}",
        "ns(hcp=19..21)",
        "19 to 21 points on either side",
        "points evenly split",
    ),
    board(
        f"((every|each|all|all four|four) hand|both side|everybody|everyone) {FLAT}; {FLAT} deal; four {FLAT} hand",
        "is:balanced",
        "all four hands balanced",
        "all hands balanced",
    ),
    holder("(any|one|some|a) (hand|player|seat)", "any", "One hand", "one hand has 10 hearts"),
)
