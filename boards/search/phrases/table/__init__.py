"""The phrases of players, by what they are about, in the order of the page "How to search"."""

from boards.search.phrases.patterns import Phrase
from boards.search.phrases.table import (
    auctions,
    contracts,
    conventions,
    hands,
    leads,
    places,
    results,
    sides,
    themes,
    times,
    verdicts,
)

TABLE: dict[str, tuple[Phrase, ...]] = {
    "Hands": hands.PHRASES + sides.PHRASES,
    "Auctions": auctions.PHRASES + conventions.PHRASES,
    "Contracts": contracts.PHRASES,
    "Results": results.PHRASES + verdicts.PHRASES,
    "Leads": leads.PHRASES,
    "Themes": themes.PHRASES,
    "People and places": places.PHRASES,
    "Days": times.PHRASES,
}
PHRASES = tuple(phrase for phrases in TABLE.values() for phrase in phrases)
