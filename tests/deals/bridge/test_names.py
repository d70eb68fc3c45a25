"""Bridge in words."""

import pytest

from deals.bridge.auction import BIDS
from deals.bridge.names import shown_call, spoken_call


@pytest.mark.parametrize(
    ("call", "shown", "spoken"),
    [
        ("1S", "1♠", "one spade"),
        ("2C", "2♣", "two clubs"),
        ("3NT", "3NT", "three no trump"),
        ("Pass", "Pass", "pass"),
        ("X", "X", "double"),
        ("XX", "XX", "redouble"),
    ],
)
def test_a_call_is_shown_and_spoken(call: str, shown: str, spoken: str) -> None:
    assert (shown_call(call), spoken_call(call)) == (shown, spoken)


def test_no_two_bids_are_spoken_alike() -> None:
    assert len({spoken_call(bid) for bid in BIDS}) == len({shown_call(bid) for bid in BIDS}) == 35
