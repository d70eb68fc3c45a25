"""The demonstration set: deals chosen by hand, auctions by the robot, comments by people."""

from deals.bridge.board import BoardRecord, complete_record
from deals.bridge.pbn_writer import HEADER, write_pbn
from deals.bridge.vulnerability import board_dealer, board_vulnerability

from .dealing import deal_cards
from .leads import opening_lead
from .robot import bid_out
from .selection import Choice, choices

EVENT = "Bridge Boards demonstration"
DATE = "2026.01.01"
SYSTEM = "SAYC"

THEMES: dict[int, str] = {choice.number: choice.theme for choice in choices() if choice.theme}
"""Board number → the identifier of the theme that the board shows."""


def demonstration_boards() -> list[BoardRecord]:
    """In the order of their numbers, each one checked."""
    boards = [_board(choice) for choice in choices()]
    for board in boards:
        board.check()
    return boards


def _board(choice: Choice) -> BoardRecord:
    deal = deal_cards(choice.seed)
    dealer, vulnerability = board_dealer(choice.number), board_vulnerability(choice.number)
    auction = bid_out(deal, dealer, vulnerability)
    contract = auction.contract
    record = BoardRecord(
        deal=deal,
        dealer=dealer,
        vulnerability=vulnerability,
        board_number=choice.number,
        auction=auction,
        opening_lead=opening_lead(deal, auction, contract) if contract else "",
        tricks=choice.tricks if choice.tricks >= 0 else None,
        title=choice.title,
        commentary=choice.commentary,
        event=EVENT,
        date=DATE,
        scoring="MP",
        auction_system=SYSTEM,
    )
    return complete_record(record)


def write_demonstration() -> bytes:
    """A whole PBN file."""
    return "".join([HEADER, *map(write_pbn, demonstration_boards())]).encode()
