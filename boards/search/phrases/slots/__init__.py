"""What a pattern has in braces, such as {suit}: which words stand for it, and what they are in a query and in words.

reading    what a slot is
amounts    15, 15-17, at least 15
names      suits, seats, sides, ranks
calls      bids, contracts, auctions
cards      cards, honours, shapes
"""

from collections.abc import Mapping

from boards.search.phrases.slots.amounts import BEFORE, BEHIND, NUMBERS, amount, counts, points, ranges
from boards.search.phrases.slots.calls import auctions, bids, contracts
from boards.search.phrases.slots.cards import cards, honours, pairs, shapes, splits
from boards.search.phrases.slots.names import RANK_WORDS, SEATS, SIDES, STRAINS, SUITS, TURNS, TWO_SUITS
from boards.search.phrases.slots.reading import Slot, matching, one_of

SLOTS: Mapping[str, Slot] = {
    "n": amount("="),
    "length": amount(">="),
    "suit": one_of(SUITS),
    "strain": one_of(STRAINS),
    "seat": one_of(SEATS),
    "side": one_of(SIDES),
    "rank": one_of(RANK_WORDS),
    "turn": one_of(TURNS),
    "two": one_of(TWO_SUITS),
    "bid": bids,
    "contract": contracts,
    "calls": auctions,
    "cards": cards,
    "honours": honours,
    "shape": shapes,
    "pair": pairs,
    "split": splits,
    "points": points,
    "count": counts,
    "down": matching(r"-(1[0-3]|[1-9])"),
    "over": matching(r"\+([1-6])"),
    "won": matching(r"\+(\d{2,3}0)"),
    "lost": matching(r"-(\d{2,3}0|[5-9]0)"),
    "score": matching(r"([2-9]\d0|1[1-9]0|1[0-9]\d0|2[1-9]\d0|[3-7]\d\d0)"),
    "points_scored": matching(r"\+?(\d{2,3}0|[5-9]0)"),
    "number": matching(r"#?(\d{1,5})"),
    "numbers": ranges,
    "year": matching(r"((?:19|20)\d\d)"),
    "years": matching(r"((?:19|20)\d\d-(?:19|20)\d\d)"),
    "date": matching(r"(\d{1,2})(?:st|nd|rd|th)?"),
    "day": matching(r"((?:19|20)\d\d-\d\d(?:-\d\d)?)"),
}
"""The slots by their names. A digit behind a name tells two of one kind apart: {suit} and {suit2}."""

KNOWN = {
    word
    for spellings in (SUITS, STRAINS, SEATS, SIDES, RANK_WORDS, TURNS, TWO_SUITS, NUMBERS)
    for spelling in spellings
    for word in spelling.split()
    if len(word) > 1
} | {word for sequence in (*BEFORE, *BEHIND) for word in sequence}
"""The words that slots read. They may have slips like those of patterns."""
