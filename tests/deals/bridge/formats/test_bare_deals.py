"""Deals alone, one a line."""

from hypothesis import given
from hypothesis import strategies as st
from pytest import mark

from deals.bridge.formats.bare_deals import read_bare_deals
from deals.bridge.formats.outcomes import ReadBoard, RecordError
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from tests.bridge_strategies import layouts, seats
from tests.deals.bridge.formats.reading import Reading
from tests.deals.bridge.moderate import moderate

READING = Reading(read_bare_deals)
DEAL = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"


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


@mark.parametrize("deal", [DEAL.lower(), f"  {DEAL.replace('T', '10')}\t", DEAL.replace("T987.765.432.AKQ", "-")])
def test_a_deal_is_read_as_pbn_reads_it(deal: str) -> None:
    assert READING.record(deal).layout.cards == DEAL


def test_a_bad_line_costs_none_of_its_neighbours() -> None:
    first, second, third, last = READING.outcomes(f"{DEAL}\n\n{DEAL.replace('AKQJ.', 'AKQQ.', 1)}\nhello\n{DEAL}")
    assert isinstance(first, ReadBoard) and isinstance(last, ReadBoard) and last.record == 4
    assert isinstance(second, RecordError) and (second.record, second.line, second.code) == (2, 3, "duplicate_card")
    assert isinstance(third, RecordError) and (third.record, third.line, third.code) == (3, 4, "malformed_deal")
