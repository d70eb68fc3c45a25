"""A board step by step: the auction call by call, then the opening lead, then the play trick by trick."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from deals.bridge.auction import Auction, Call
from deals.bridge.board import BoardRecord
from deals.bridge.layout import Layout
from deals.bridge.play import play_leaders
from deals.bridge.seats import Seat


class Position(NamedTuple):
    """A moment of a board: so many calls have been made and so many cards played."""

    calls: int
    cards: int


def positions(record: BoardRecord) -> list[Position]:
    """Return the moments to stop at: before the first call, after each call, after the lead, after each trick."""
    calls, cards = len(calls_of(record)), len(cards_of(record))
    stops = sorted({1, *range(4, cards, 4), cards}) if cards else []
    return [Position(number, 0) for number in range(calls + 1)] + [Position(calls, stop) for stop in stops]


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
            "".join(rank for rank in ranks if suit + rank not in played)
            for suit, ranks in layout.suits(seat).items()
        )
        for seat in Seat
    )
    return Layout.from_canonical(f"N:{' '.join(hands)}")


def next_caller(record: BoardRecord, calls: int) -> Seat | None:
    """Return whose turn it is after so many calls, or None after the last call that is known."""
    return record.dealer.clockwise()[calls % 4] if calls < len(calls_of(record)) else None


def winners_of(record: BoardRecord, cards: Sequence[str]) -> tuple[Seat, ...]:
    """Return who won each whole trick of these cards, which were played in the record's contract."""
    return play_leaders(record.contract, cards)[1:] if record.contract and len(cards) >= 4 else ()
