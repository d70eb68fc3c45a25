"""What players count in a hand beside its points (bridge.layout): controls, losers, its shape."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

CONTROLS = {"A": 2, "K": 1}

SHAPES = tuple(
    sorted(
        (shape[::-1] for shape in combinations_with_replacement(range(14), 4) if sum(shape) == 13),
    )
)
"""The 39 shapes of a hand without regard to suits, each longest suit first, from (4, 3, 3, 3) to (13, 0, 0, 0)."""


@cache
def controls(ranks: str) -> int:
    """Count an ace as two and a king as one. `ranks` are those of a suit."""
    return sum(CONTROLS.get(rank, 0) for rank in ranks)


@cache
def losers(ranks: str) -> int:
    """Count the losers of a suit: ace, king and queen that are missing, no more than it has cards."""
    cards = min(3, len(ranks))
    return cards - sum(rank in ranks for rank in "AKQ"[:cards])


def shape_of(lengths: Sequence[int]) -> tuple[int, ...]:
    """Return the lengths of the suits, longest first."""
    return tuple(sorted(lengths, reverse=True))
