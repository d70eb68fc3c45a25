"""Random legal boards: any deal and any legal auction, with a result unless the board is passed out."""

import random
from collections.abc import Iterator

from deals.bridge.auction import BIDS, Auction, Call
from deals.bridge.board import BoardRecord, complete_record
from deals.bridge.errors import BridgeError
from deals.bridge.vulnerability import board_dealer, board_vulnerability
from tests import factories


def boards(count: int, seed: int = 1) -> Iterator[BoardRecord]:
    """Yield boards, the same for the same seed."""
    for number in range(seed, seed + count):
        choice = random.Random(number)
        board = number % 32 + 1
        auction = random_auction(Auction(board_dealer(board)), choice)
        contract = auction.contract
        assert contract
        yield complete_record(
            BoardRecord(
                factories.layout(number),
                board_dealer(board),
                board_vulnerability(board),
                board_number=board,
                auction=auction,
                tricks=None if contract.passed_out else choice.randrange(14),
                title=f"Board {number}",
                event="A measurement",
            )
        )


def random_auction(auction: Auction, choice: random.Random) -> Auction:
    last_bid = -1
    while not auction.complete:
        higher = BIDS[last_bid + 1 : last_bid + 8]
        call = choice.choice(["Pass", "Pass", "Pass", "X", "XX", *higher])
        try:
            auction = Auction(auction.dealer, (*auction.calls, Call(call)))
        except BridgeError:
            continue
        last_bid = BIDS.index(call) if call in BIDS else last_bid
    return auction
