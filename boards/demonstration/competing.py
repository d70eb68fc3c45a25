"""Later calls when an opponent holds the contract: bid game, bid on by the law of total tricks, or double."""

from collections.abc import Iterator

from .bid import Bid
from .continuations import best_fit, combined, notrump_is_safe
from .hand import MAJORS
from .position import Position


def competing(position: Position) -> Iterator[Bid]:
    last = position.last
    if last is None:
        return
    low, _ = combined(position)
    fit = best_fit(position)
    yield from _trump_tricks(position, low)
    if last.level >= 4:
        yield from _over_their_game(position, fit, low)
        return
    if low >= 25 and fit in MAJORS and fit:
        yield Bid(f"4{fit}")
    if low >= 25 and notrump_is_safe(position) and last.level <= 3:
        yield Bid("3NT")
    call = position.cheapest(fit) if fit else ""
    if call and int(call[0]) <= position.fit(fit) - 6 and low >= 16 and int(call[0]) <= 3:
        yield Bid(call, suits={fit: position.hand.length(fit)})


def _trump_tricks(position: Position, low: int) -> Iterator[Bid]:
    """A double for penalties on trumps and the balance of strength."""
    last = position.last
    trump = last.denomination if last else "NT"
    if last is None or trump == "NT" or last.level < 3:
        return
    held = position.hand.suits[trump]
    if len(held) >= 4 and sum(rank in held for rank in "AKQJ") >= 2 and low >= 19:
        yield Bid("X")


def _over_their_game(position: Position, fit: str, low: int) -> Iterator[Bid]:
    """With the strength double; without it, and with ten trumps and the right vulnerability, sacrifice."""
    strong = low >= 23
    if fit and not strong and position.fit(fit) >= 10 and not position.vulnerable:
        call = position.cheapest(fit)
        if call and call[0] <= ("5" if position.fit(fit) > 10 else "4") and position.hand.hcp <= 10:
            yield Bid(call)
    if strong and not position.ours:
        yield Bid("X")
