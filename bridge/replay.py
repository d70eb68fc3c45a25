"""A board step by step: the auction call by call, then the play card by card."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bridge.auction import Auction, Call
from bridge.board import BoardRecord
from bridge.contract import Contract
from bridge.layout import Layout
from bridge.play import play_leaders, players_of
from bridge.seats import Seat


class Position(NamedTuple):
    """A moment of a board: the numbers of calls made and of cards played."""

    calls: int
    cards: int


def positions(record: BoardRecord) -> list[Position]:
    """Return the moments to stop at: before the first call, after each call, after each card."""
    calls, cards = len(calls_of(record)), len(cards_of(record))
    bidding = [Position(number, 0) for number in range(calls + 1)]
    return bidding + [Position(calls, number) for number in range(1, cards + 1)]


def record_at(record: BoardRecord, position: Position) -> BoardRecord:
    """Return what is known at a moment. The contract shows when the auction is over, the result at the very end.

    The hands lose the cards that were played, so that the layout no longer has 52 cards. Do not check the record.
    """
    calls, cards = calls_of(record), cards_of(record)
    is_bid, is_over = position.calls == len(calls), position == (len(calls), len(cards))
    return replace(
        record,
        layout=without(record.layout, cards[: position.cards]),
        auction=record.auction and Auction.from_legal(record.auction.dealer, calls[: position.calls]),
        contract=record.contract if is_bid else None,
        opening_lead=record.opening_lead if position.cards else "",
        play=record.play[: position.cards],
        tricks=record.tricks if is_over else None,
    )


def calls_of(record: BoardRecord) -> tuple[Call, ...]:
    return record.auction.calls if record.auction else ()


def cards_of(record: BoardRecord) -> tuple[str, ...]:
    """Return the cards that were played, the opening lead alone when no other is known."""
    return record.play or ((record.opening_lead,) if record.opening_lead else ())


def without(layout: Layout, played: Collection[str]) -> Layout:
    """Return the layout without the cards that were played."""
    hands = (
        ".".join(
            "".join(rank for rank in ranks if suit + rank not in played) for suit, ranks in layout.suits(seat).items()
        )
        for seat in Seat
    )
    return Layout.from_canonical(f"N:{' '.join(hands)}")


def next_caller(record: BoardRecord, calls: int) -> Seat | None:
    """Return whose turn it is after a number of calls, or None after the last known call."""
    return record.dealer.clockwise()[calls % 4] if calls < len(calls_of(record)) else None


class CurrentTrick(NamedTuple):
    """The trick of the card that was played last: its cards in the order of play. A whole trick has a winner."""

    number: int
    cards: Mapping[Seat, str]
    winner: Seat | None


class TricksWon(NamedTuple):
    """The whole tricks of each side so far."""

    north_south: int
    east_west: int


def current_trick(contract: Contract, cards: Sequence[str]) -> CurrentTrick | None:
    """Return the trick of the last of these cards, which were played in the contract, or None before the lead."""
    if not cards:
        return None
    first = (len(cards) - 1) // 4 * 4
    players = players_of(contract, cards)
    winner = play_leaders(contract, cards)[-1] if len(cards) % 4 == 0 else None
    trick = dict(zip(players[first:], cards[first:], strict=True))
    return CurrentTrick(first // 4 + 1, trick, winner)


def count_tricks(contract: Contract, cards: Sequence[str]) -> TricksWon:
    """Count the whole tricks of these cards, which were played in the contract."""
    winners = play_leaders(contract, cards)[1:]
    north_south = sum(seat.side == "NS" for seat in winners)
    return TricksWon(north_south, len(winners) - north_south)
