"""An auction as it is printed: four columns, West's leftmost, whoever deals."""

from deals.bridge.auction import Auction, Call
from deals.bridge.seats import Seat

COLUMNS = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)


def auction_rows(auction: Auction) -> list[list[Call | None]]:
    """Rows of four calls; None before the dealer's first call and after the last one. No rows without a call."""
    before = COLUMNS.index(auction.dealer)
    cells: list[Call | None] = [*[None] * before, *auction.calls] if auction.calls else []
    cells += [None] * (-len(cells) % 4)
    return [cells[start : start + 4] for start in range(0, len(cells), 4)]
