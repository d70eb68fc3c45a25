from hypothesis import given
from hypothesis import strategies as st
from pytest import raises

from bridge.auction import (
    BIDS,
    Auction,
    Call,
    in_rows,
    legal_calls,
    parse_call,
    without_passes_after_end,
)
from bridge.contract import PASSED_OUT, Contract
from bridge.errors import BridgeError
from bridge.seats import Seat
from tests.bridge.strategies import auctions, moderate


def auction(calls: str, dealer: Seat = Seat.NORTH) -> Auction:
    return Auction(dealer, tuple(Call(parse_call(call)) for call in calls.split()))


def refusal(calls: str) -> str:
    with raises(BridgeError) as error:
        auction(calls)
    assert error.value.code == "illegal_call"
    return error.value.message


def test_it_refuses_an_illegal_call_by_number_and_seat() -> None:
    for calls, message in (
        ("1H 2S Pass Pass 2H", "Call 5, 2H by North: an insufficient bid, not higher than 2S (Law 27)."),
        ("1NT 1NT", "Call 2, 1NT by East: an insufficient bid, not higher than 1NT (Law 27)."),
        ("1S Pass X", "Call 3, X by South: 1S was bid by the same side (Law 19A)."),
        ("Pass X", "Call 2, X by East: there is no bid to double (Law 19A)."),
        ("1S X Pass X", "Call 4, X by West: 1S is already doubled (Law 19A)."),
        ("1S X XX X", "Call 4, X by West: 1S is already redoubled (Law 19A)."),
        ("1S XX", "Call 2, XX by East: there is no double to redouble (Law 19B)."),
        ("1S X Pass XX", "Call 4, XX by West: 1S was bid by the other side (Law 19B)."),
        ("1S X XX Pass XX", "Call 5, XX by North: 1S is already redoubled (Law 19B)."),
        ("1S X 2S Pass XX", "Call 5, XX by North: there is no double to redouble (Law 19B)."),
    ):
        assert refusal(calls) == message
    for calls in ("Pass Pass Pass Pass Pass", "1C Pass Pass Pass 1D", "1C Pass Pass Pass X"):
        assert refusal(calls).endswith("the auction is over (Law 22)."), calls


def test_an_auction_that_may_go_on_has_no_contract_and_four_passes_pass_the_board_out() -> None:
    for calls in ("", "Pass Pass Pass", "1C Pass Pass", "Pass Pass Pass 1C Pass Pass"):
        assert (auction(calls).complete, auction(calls).contract) == (False, None), calls
    assert auction("Pass Pass Pass Pass").contract == PASSED_OUT


def test_declarer_is_the_first_of_the_side_to_name_the_denomination() -> None:
    for calls, contract, declarer in (
        ("1S Pass 2H Pass 4H Pass Pass Pass", "4H", Seat.SOUTH),
        ("1H 1S 2H 2S Pass 4S Pass Pass Pass", "4S", Seat.EAST),
        ("Pass 1C 1NT 2C 2NT Pass 3NT X XX Pass Pass Pass", "3NTXX", Seat.SOUTH),
        ("1S X 2S Pass Pass X Pass Pass Pass", "2SX", Seat.NORTH),
    ):
        assert auction(calls).contract == Contract.parse(contract, declarer)


def test_calls_are_read_in_the_usual_spellings_but_stored_in_one() -> None:
    calls = {
        "1n": "1NT",
        "p": "Pass",
        "nb": "Pass",
        "No Bid": "Pass",
        "PASS": "Pass",
        "d": "X",
        "x": "X",
        "R": "XX",
        "xx": "XX",
        "7nt": "7NT",
    }
    assert {call: parse_call(call) for call in calls} == calls
    for call in ("1n", "pass", "8C", ""):
        with raises(BridgeError) as error:
            Call(call)
        assert error.value.code == "malformed_call"


@moderate
@given(auctions(complete=True))
def test_an_auction_ends_once_in_a_contract_that_its_own_side_bid(
    auction: Auction,
) -> None:
    contract = auction.contract
    assert contract is not None
    assert not any(Auction(auction.dealer, auction.calls[:length]).complete for length in range(len(auction.calls)))
    bids = [call.call for call in auction.calls if call.call[0].isdigit()]
    assert contract.text.rstrip("X") == (bids[-1] if bids else "Pass")
    if contract.declarer:
        callers = zip(auction.calls, auction.dealer.clockwise() * 99, strict=False)
        named = [seat for call, seat in callers if call.call[1:] == contract.denomination]
        assert next(seat for seat in named if seat.side == contract.declarer.side) is contract.declarer


def test_an_auction_without_its_end_rules_out_contracts() -> None:
    for calls, possible, impossible in (
        ("", "1C by N, 7NTXX by W, Pass", ""),
        ("Pass 1H", "1H by E, 1HXX by E, 2H by E, 2H by S, 1S by W", "Pass, 1D by E, 1H by W, 2H by W"),
        ("1NT Pass 2C Pass", "2C by S, 2CX by S, 3C by E, 2NT by N", "1NT by N, 2C by N, 3C by N, 2NT by S, Pass"),
        ("1S X XX", "1SXX by N, 4S by N, 2S by E", "1S by N, 1SX by N, 4S by S"),
        ("1C Pass Pass Pass", "1C by N", "1C by S, 2C by N, Pass"),
    ):
        for texts, can in ((possible, True), (impossible, False)):
            for text in filter(None, texts.split(", ")):
                contract, _, declarer = text.partition(" by ")
                stated = Contract.parse(contract, Seat(declarer) if declarer else None)
                assert auction(calls).can_end_in(stated) is can, (calls, text)
    assert auction("1NT Pass").can_end_in(Contract.parse("2C", None))


@moderate
@given(auctions(complete=True))
def test_an_auction_can_at_each_moment_end_as_it_does(auction: Auction) -> None:
    assert auction.contract
    for length in range(len(auction.calls) + 1):
        assert Auction(auction.dealer, auction.calls[:length]).can_end_in(auction.contract), length


@moderate
@given(auctions(complete=True), st.integers(0, 5))
def test_passes_after_the_end_of_an_auction_can_be_told(auction: Auction, more: int) -> None:
    assert without_passes_after_end((*auction.calls, *[Call("Pass")] * more)) == auction.calls
    assert without_passes_after_end(auction.calls[:-1]) == auction.calls[:-1]


@moderate
@given(auctions())
def test_the_legal_calls_are_those_that_an_auction_takes(auction: Auction) -> None:
    def is_taken(call: str) -> bool:
        try:
            Auction(auction.dealer, (*auction.calls, Call(call)))
        except BridgeError:
            return False
        return True

    legal = legal_calls(auction.dealer, [call.call for call in auction.calls])
    assert legal == [call for call in ("Pass", "X", "XX", *BIDS) if is_taken(call)]


def test_an_auction_stands_in_columns_from_west() -> None:
    bid, passed, higher = Call("1NT"), Call("Pass"), Call("2S")
    for dealer, calls, rows in (
        (Seat.EAST, (bid, passed), [[None, None, bid, passed]]),
        (Seat.WEST, (bid, passed, passed, higher, passed), [[bid, passed, passed, higher], [passed, None, None, None]]),
        (Seat.WEST, (), []),
    ):
        assert in_rows(dealer, calls) == rows
