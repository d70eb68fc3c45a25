"""Factories of layouts and records for tests. Whatever a test does not name gets a sensible value."""

import itertools
import random
from typing import Any

from bridge.auction import Auction, Call
from bridge.board import BoardRecord, complete_record
from bridge.cards import DECK
from bridge.contract import Contract
from bridge.layout import Layout
from bridge.play import cards_to_play
from bridge.seats import Seat
from bridge.vulnerability import board_dealer, board_vulnerability

Play = tuple[Layout, Contract, list[str]]

_numbers = itertools.count(1)


def layout(seed: int | None = None) -> Layout:
    """Return a layout of random cards, the same for the same seed."""
    cards = list(DECK)
    # A text, since the next number could be the seed of another layout in the same test.
    random.Random(f"layout {next(_numbers)}" if seed is None else seed).shuffle(cards)
    hands = {
        seat: {suit: "".join(card[1] for card in cards[place::4] if card[0] == suit) for suit in "SHDC"}
        for place, seat in enumerate(Seat)
    }
    return Layout.from_hands(hands)


def auction(dealer: Seat, calls: str) -> Auction:
    """Return the auction of calls such as "1NT Pass 3NT Pass Pass Pass"."""
    return Auction(dealer, tuple(Call(call) for call in calls.split()))


def record(
    seed: int | None = None, number: int = 1, calls: str = "", cards: Layout | None = None, **values: Any
) -> BoardRecord:
    dealer = board_dealer(number)
    bid = {"auction": auction(dealer, calls)} if calls else {}
    cards = cards or layout(seed)
    return complete_record(
        BoardRecord(cards, dealer, board_vulnerability(number), board_number=number, **{**bid, **values})
    )


def play_at_random(seed: int, cards: int) -> Play:
    """Return a deal, a contract and a legal play of so many cards."""
    choice = random.Random(seed)
    dealt = layout(seed)
    bid = f"{choice.randint(1, 7)}{choice.choice(['C', 'D', 'H', 'S', 'NT'])}"
    contract = Contract.parse(bid, choice.choice(list(Seat)))
    played: list[str] = []
    for _ in range(cards):
        played.append(choice.choice(cards_to_play(dealt, contract, played)[1]))
    return dealt, contract, played
