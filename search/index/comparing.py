"""What tables won in IMPs: all tables of the deals that may be meant are compared, once for a search.

Boards stores the tables, reads them and compares them.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from bridge.scores import Won
from search.conditions import AllOf, AnyOf, Compared, Condition, Not, Numbered
from search.index.pages import Reading

MAX_COMPARED = 5_000
"""The boards that may be meant, and the tables of their deals. It takes 40 µs for each."""


class Comparison(NamedTuple):
    """What each table won, by the number of its board. It is not whole where the tables of all deals are too many."""

    won: Mapping[int, Won]
    is_whole: bool


class Comparer(NamedTuple):
    """What is read of each board that may be meant, and the function that compares the tables of these rows.

    Where all tables are too many and `is_partial` is true, it compares those of the first rows.
    """

    reading: Reading
    compare: Callable[..., Comparison]


COMPARERS: list[Comparer] = []
"""The one that compares tables. The app that stores them adds it when it starts (boards.apps)."""


def decide(condition: Condition, by_number: Mapping[int, Won]) -> Condition:
    """Return the condition with the boards that won what is meant."""
    match condition:
        case Compared():
            return Numbered(frozenset(number for number, won in by_number.items() if condition.includes(won)))
        case AllOf(parts=parts) | AnyOf(parts=parts):
            return type(condition)(tuple(decide(part, by_number) for part in parts))
        case Not(part=part):
            return Not(decide(part, by_number))
    return condition
