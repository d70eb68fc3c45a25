"""What the robot bids with chosen hands, and that it always finishes."""

from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import mark

from boards.demonstration.bid import Bid
from boards.demonstration.dealing import deal_cards
from boards.demonstration.hand import Hand
from boards.demonstration.position import Position
from boards.demonstration.robot import bid_out, choose
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability


def hand(text: str) -> Hand:
    return Hand(dict(zip("SHDC", text.split("."), strict=True)))


def opening(text: str) -> str:
    return choose(Position(hand(text), Seat.NORTH, Vulnerability.NONE, ())).call


@mark.parametrize(
    ("text", "call"),
    [
        ("AQ5.KJ4.K875.Q83", "1NT"),
        ("AQ5.KJ4.AQ75.AJ8", "2NT"),
        ("AKQJ5.AK4.AQ75.8", "2C"),
        ("AQ852.KJ943.K8.3", "1S"),
        ("A3.KQ84.AJ52.J94", "1NT"),
        ("A3.KQ84.QJ52.J94", "1D"),
        ("AQ3.KJ4.JT5.Q842", "1C"),
        ("84.KQJ974.Q52.83", "2H"),
        ("8.K4.QJT9852.Q83", "3D"),
        ("8.K4.Q985.KT8642", "Pass"),
    ],
)
def test_it_opens_as_the_system_says(text: str, call: str) -> None:
    assert opening(text) == call


def test_a_transfer_says_what_it_shows_and_is_alerted() -> None:
    opener = choose(Position(hand("AQ5.KJ4.K875.Q83"), Seat.NORTH, Vulnerability.NONE, ()))
    history = (opener, Bid("Pass"))
    transfer = choose(Position(hand("4.QT852.J943.975"), Seat.NORTH, Vulnerability.NONE, history)).spoken()
    assert (transfer.call, transfer.alert) == ("2D", True)
    assert transfer.explanation == "Transfer: five or more hearts"


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 16))
def test_every_auction_ends_below_the_seven_level_or_with_every_key_card(seed: int, number: int) -> None:
    auction = bid_out(deal_cards(seed), board_dealer(number), board_vulnerability(number))
    assert auction.complete
    calls = [call.call for call in auction.calls]
    assert "4NT" in calls or not any(call.startswith("7") for call in calls)


def test_a_seed_deals_the_same_cards_everywhere() -> None:
    assert deal_cards(1).cards == "N:765.865.J532.QT5 4.QJ93.AT96.KJ87 K32.AKT74.84.A42 AQJT98.2.KQ7.963"
