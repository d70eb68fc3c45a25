"""Deals alone, one a line."""

from hypothesis import given
from hypothesis import strategies as st

from deals.bridge.formats.bare_deals import read_bare_deals
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from tests.bridge_strategies import layouts, seats
from tests.deals.bridge.formats.reading import CARDS, Reading
from tests.deals.bridge.moderate import moderate

READING = Reading(read_bare_deals)


@moderate
@given(
    deals=st.lists(layouts(), min_size=1, max_size=5), first=seats, end=st.sampled_from(["\n", "\r\n", "\r", "\n\n"])
)
def test_each_line_is_a_board_that_its_first_hand_deals(deals: list[Layout], first: Seat, end: str) -> None:
    boards = READING.read_all(end.join(deal.pbn(first) for deal in deals))
    assert [board.layout for board in boards] == deals
    assert {(board.dealer, board.vulnerability, board.board_number) for board in boards} == {
        (first, Vulnerability.NONE, None)
    }


def test_a_deal_is_read_as_pbn_reads_it() -> None:
    for deal in (CARDS.lower(), f"  {CARDS.replace('T', '10')}\t", CARDS.replace("T987.765.432.AKQ", "-")):
        assert READING.record(deal).layout.cards == CARDS
