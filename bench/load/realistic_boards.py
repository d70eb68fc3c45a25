"""Boards of a realistic size, the same for the same seed: layout, auction, contract, for some the play, and par.

The double dummy table and par are plausible and not solved: a solver would need days for a million deals.
"""

import random
import uuid
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from accounts.models import AuctionSystem
from boards.models import Board
from boards.records import columns_of, fingerprint_of
from bridge.auction import Auction, Call
from bridge.board import BoardRecord
from bridge.cards import DECK
from bridge.contract import Contract
from bridge.dates import write
from bridge.layout import Layout
from bridge.play import trick_winner, tricks_won
from bridge.seats import Seat
from bridge.vulnerability import board_dealer, board_vulnerability
from deals.models import Deal, SolverStatus

AUCTIONS = (
    "1NT Pass 2C! Pass 2H Pass 4H Pass Pass Pass",
    "1NT Pass 3NT Pass Pass Pass",
    "1S X 2S 3H 4S X Pass Pass Pass",
    "Pass 1H Pass 2H Pass 4H Pass Pass Pass",
    "1C! 1S X 2S 3C Pass 3NT Pass Pass Pass",
    "Pass Pass 1D Pass 1S Pass 1NT Pass Pass Pass",
    "2H! Pass 4H 4S Pass Pass X Pass Pass Pass",
    "1S Pass 2NT! Pass 3C! Pass 4NT! Pass 5H! Pass 6S Pass Pass Pass",
    "1H 2H! 3H Pass 4H Pass Pass Pass",
    "1D Pass 1H Pass 2C Pass 2S! Pass 2NT Pass 3NT Pass Pass Pass",
    "Pass Pass Pass 1S Pass 2S Pass Pass Pass",
    "3C X Pass 3S Pass Pass Pass",
)
"""An exclamation mark alerts the call."""

COMMENTARY = "South must choose between the finesse and the squeeze; the bidding shows where the queen is. " * 3
WORDS = tuple(
    first + middle + last
    for first in ("ba", "co", "di", "fe", "gu", "ka", "le", "mo", "ni", "pa", "ri", "so", "tu", "va", "ze")
    for middle in ("l", "m", "n", "r", "s", "nd", "rt", "st", "ll", "mp", "nk", "ss", "tt", "ck", "gr", "pl")
    for last in ("a", "e", "i", "o", "u", "an", "el", "in", "on", "us", "ard", "eth", "ing", "ory", "ule")
)
WEIGHTS = tuple(1 / rank for rank in range(1, len(WORDS) + 1))
"""How often each word is written: as in texts, the tenth a tenth as often as the first (Zipf's law)."""

WORDS_OF_BOARD = 12
FIRST_PUBLISHED_AT = datetime(2020, 1, 1, tzinfo=UTC)
MINUTES_BETWEEN_BOARDS = 3
FIRST_EVENING = date(2016, 1, 1)
BOARDS_OF_EVENT = 32


def random_uuid(choice: random.Random) -> uuid.UUID:
    return uuid.UUID(int=choice.getrandbits(128), version=4)


def random_layout(choice: random.Random) -> Layout:
    cards = list(DECK)
    choice.shuffle(cards)
    hands = {
        seat: {suit: "".join(card[1] for card in cards[index::4] if card[0] == suit) for suit in "SHDC"}
        for index, seat in enumerate(Seat)
    }
    return Layout.from_hands(hands)


@cache
def auction_of(template: str, dealer: Seat) -> tuple[Auction, Contract]:
    calls = [
        Call(text.rstrip("!"), alert=True, explanation="By agreement") if "!" in text else Call(text)
        for text in template.split()
    ]
    auction = Auction(dealer, tuple(calls))
    assert auction.contract
    return auction, auction.contract


def random_play(choice: random.Random, layout: Layout, contract: Contract) -> tuple[str, ...]:
    """Return 52 cards, each of which follows suit where its player can."""
    assert contract.leader and contract.denomination
    hands = {seat: list(layout.cards_held_by(seat)) for seat in Seat}
    leader, played = contract.leader, []
    for _ in range(13):
        trick: list[str] = []
        for seat in leader.clockwise():
            hand = hands[seat]
            card = choice.choice([each for each in hand if trick and each[0] == trick[0][0]] or hand)
            hand.remove(card)
            trick.append(card)
        leader = leader.clockwise()[trick_winner(trick, contract.denomination.trump)]
        played += trick
    return tuple(played)


def random_record(number: int, layout: Layout, choice: random.Random) -> BoardRecord:
    """Return a board whose auction is complete. Every third has its play."""
    board_number = number % 32 + 1
    dealer = board_dealer(board_number)
    auction, contract = auction_of(choice.choice(AUCTIONS), dealer)
    play = random_play(choice, layout, contract) if number % 3 == 0 else ()
    return BoardRecord(
        layout=layout,
        dealer=dealer,
        vulnerability=board_vulnerability(board_number),
        board_number=board_number,
        auction=auction,
        contract=contract,
        opening_lead=play[0] if play else "",
        play=play,
        tricks=tricks_won(contract, play) if play else choice.randrange(6, 13),
        title=f"Board {board_number}",
        commentary=COMMENTARY + " ".join(choice.choices(WORDS, WEIGHTS, k=WORDS_OF_BOARD)) if number % 2 else "",
        event=f"Club pairs {number // BOARDS_OF_EVENT}",
        site="Club room",
        date=write(FIRST_EVENING + timedelta(days=number // BOARDS_OF_EVENT)),
        scoring="MP",
    )


def random_par(choice: random.Random) -> dict[str, Any]:
    level, denomination = choice.randrange(2, 6), choice.choice("CDHS")
    return {
        vulnerability: {"score": choice.randrange(-60, 80) * 10, "contracts": [f"NS {level}{denomination}"]}
        for vulnerability in ("None", "NS", "EW", "All")
    }


def random_deal(layout: Layout, created_at: datetime, choice: random.Random) -> Deal:
    return Deal(
        id=random_uuid(choice),
        cards=layout.cards,
        source_name="A measurement",
        double_dummy_status=SolverStatus.DONE,
        double_dummy="".join(f"{choice.randrange(2, 12):x}" for _ in range(20)),
        par=random_par(choice),
        created_at=created_at,
        updated_at=created_at,
    )


def random_board(
    number: int, owner_id: str, auction_system: AuctionSystem, votes: tuple[int, int], choice: random.Random
) -> Board:
    """Return a published board with its deal, neither of them stored. A higher number is a newer board."""
    layout = random_layout(choice)
    record = random_record(number, layout, choice)
    published_at = FIRST_PUBLISHED_AT + timedelta(minutes=MINUTES_BETWEEN_BOARDS * number)
    return Board(
        **columns_of(record),
        id=random_uuid(choice),
        number=number + 1,
        deal=random_deal(layout, published_at, choice),
        owner_id=owner_id,
        auction_system=auction_system,
        fingerprint=fingerprint_of(record, owner_id),
        up_votes=votes[0],
        down_votes=votes[1],
        published_at=published_at,
        created_at=published_at,
        updated_at=published_at,
    )
