"""What a pattern has in braces, such as {suit}: which words stand for it, and what they are in a query and in words.

reading    what a slot is
amounts    15, 15-17, at least 15
names      suits, seats, sides, ranks
calls      bids, contracts, auctions
cards      cards, honours, shapes
days       weekdays, months, two weeks
"""

from collections.abc import Mapping

from search.phrases.slots.amounts import AmountReader
from search.phrases.slots.calls import CallReader
from search.phrases.slots.cards import CardReader
from search.phrases.slots.days import DayReader
from search.phrases.slots.names import NameReader
from search.phrases.slots.reading import Slot


def make_slots(words: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Mapping[str, Slot]:
    """Return the slots of a language by their names, from the words of its synonyms.txt.

    A digit behind a name tells two of one kind apart: {suit} and {suit2}.
    """
    names, amounts = NameReader(words), AmountReader(words)
    calls, cards, days = CallReader(words, names, amounts), CardReader(names, amounts), DayReader(words, amounts)
    return {**names.slots(), **amounts.slots(), **calls.slots(), **cards.slots(), **days.slots()}
