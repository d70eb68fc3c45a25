from pytest import raises

from deals.bridge.contract import PASSED_OUT, Contract, Denomination
from deals.bridge.errors import BridgeError
from deals.bridge.seats import Seat


def test_it_reads_every_usual_spelling() -> None:
    for text, written in (
        *(("4SX", "4SX"), ("4S X", "4SX"), ("3n", "3NT"), ("3NT", "3NT"), ("1c xx", "1CXX"), ("3NR", "3NTXX")),
        ("pass", "Pass"),
    ):
        assert Contract.parse(text, Seat.NORTH).text == written


def test_it_refuses_what_is_not_a_contract() -> None:
    for text in ("", "8S", "0NT", "S", "4", "4Z", "4SXXX", "4S by N", "Passs"):
        with raises(BridgeError) as error:
            Contract.parse(text, Seat.NORTH)
        assert error.value.code == "malformed_contract", text
    for fields in ((4, None), (None, Denomination.CLUBS), (None, None, "X"), (8, Denomination.CLUBS)):
        with raises(BridgeError):
            Contract(*fields)


def test_a_contract_knows_its_leader_and_its_tricks() -> None:
    contract = Contract.parse("4SX", Seat.SOUTH)
    assert (contract.leader, contract.tricks_needed, contract.passed_out) == (Seat.WEST, 10, False)
    assert str(contract) == "4SX by South"


def test_a_passed_out_board_has_no_declarer_even_if_one_is_given() -> None:
    assert Contract.parse("Pass", Seat.NORTH) == PASSED_OUT
    assert (PASSED_OUT.text, PASSED_OUT.leader, PASSED_OUT.tricks_needed) == ("Pass", None, None)


def test_denominations_rank_from_clubs_to_notrump() -> None:
    assert [denomination.rank for denomination in Denomination] == [0, 1, 2, 3, 4]
    assert "".join(Denomination) == "CDHSNT"
