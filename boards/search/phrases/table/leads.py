"""Phrases about the opening lead."""

from functools import partial

from boards.search.phrases.patterns import Phrase, Scope
from boards.search.phrases.table.hands import in_any_suit
from bridge.names import SUIT_NAMES

board = partial(Phrase, Scope.BOARD)

LEAD = "(lead|led|leads|leading|opening lead|entame|ausspiel|attacco|salida)"


BEFORE_LEADER = {"north": "west", "east": "north", "south": "east", "west": "south"}
"""The declarer against whom each seat leads."""


def of_rank(rank: str) -> str:
    """Return the condition that a card of a rank was led."""
    return f"lead={','.join(suit + rank for suit in SUIT_NAMES)}"


PHRASES = (
    board(
        f"[(small|low)] {{suit}} {LEAD}; {LEAD} [a] [(small|low)] {{suit}}; {LEAD} (of|in|from) {{suit}}",
        "lead={suit.letter}",
        "{suit} were led",
        "spade lead",
    ),
    board(
        "{seat} (led|leads|on lead); lead by {seat}",
        lambda values, today: f"declarer={BEFORE_LEADER[values['seat'].query]}",
        "{seat} was on lead",
        "West on lead",
    ),
    board(
        "{seat} (led|leads) [a] [(small|low)] {suit}; {suit} lead by {seat}",
        lambda values, today: f"lead={values['suit'].letter} declarer={BEFORE_LEADER[values['seat'].query]}",
        "{seat} led {suit}",
        "West led a heart",
    ),
    board(f"{{cards}} {LEAD}; {LEAD} {{cards}}", "lead={cards}", "{cards} was led", "king of hearts lead"),
    board(
        f"{LEAD} [the] {{count}} of {{suit}}; {{count}} of {{suit}} {LEAD}",
        lambda values, today: f"lead={values['suit'].letter}{str(values['count']).replace('10', 'T')}",
        "the {count} of {suit} was led",
        "lead 10 of clubs",
    ),
    board(f"[(small|low)] trump {LEAD}; {LEAD} [a] [(small|low)] trump", "lead=trump", "a trump was led", "trump lead"),
    board(f"(ace|a) {LEAD}; {LEAD} ace", of_rank("A"), "an ace was led", "ace lead"),
    board(
        f"{{rank}} {LEAD}; {LEAD} {{rank}}",
        f"lead={','.join(f'{suit}{{rank}}' for suit in SUIT_NAMES)}",
        "the lead was: {rank}",
        "king lead",
    ),
    board(
        f"(underled|underlead|underleads|underleading) {{rank}} [opening lead]; {LEAD} (away from|from|under) {{rank}}",
        in_any_suit("(lead={letter} leader(cards={letter}{rank}) -lead={letter}{rank})"),
        "led a suit with {rank} in it, and another card",
        "underled an ace",
    ),
    board(
        f"(honour|honor) {LEAD}; {LEAD} honour",
        ",".join([of_rank("A"), *(of_rank(r).removeprefix("lead=") for r in "KQJ")]),
        "an honour was led",
        "honour lead",
    ),
    board(f"major [suit] {LEAD}; {LEAD} major", "lead=S,H", "a major was led", "major suit lead"),
    board(f"minor [suit] {LEAD}; {LEAD} minor", "lead=D,C", "a minor was led", "minor suit lead"),
    board(
        f"singleton {LEAD}; {LEAD} [a] singleton; shortage {LEAD}",
        in_any_suit("(lead={letter} leader({suit}=1))"),
        "a singleton was led",
        "singleton lead",
    ),
    board(
        f"doubleton {LEAD}; {LEAD} doubleton",
        in_any_suit("(lead={letter} leader({suit}=2))"),
        "a suit of two cards was led",
        "doubleton lead",
    ),
    board(
        f"{LEAD} (from length|long suit|longest suit); long suit {LEAD}",
        in_any_suit("(lead={letter} leader({suit}>=5))"),
        "a suit of five cards or more was led",
        "long suit lead",
    ),
    board(
        f"(killing|best|perfect|good|safe) {LEAD}; {LEAD} cost nothing",
        "leadcost=0",
        "the lead cost nothing, with all cards seen",
        "good lead",
    ),
    board(
        f"(bad|costly|unlucky|poor|expensive|wrong) {LEAD}; {LEAD} [that] (cost|gave|costs) [trick];"
        " that (cost|gave|costs) trick",
        "leadcost>=1",
        "the lead cost a trick, with all cards seen",
        "costly lead",
    ),
)
