from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from pytest import raises

from bridge.contract import PASSED_OUT, Contract, Denomination
from bridge.errors import BridgeError
from bridge.scores import score
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.bridge.strategies import contracts, moderate, vulnerabilities


def test_it_reads_every_usual_spelling() -> None:
    for text, written in (
        *(("4SX", "4SX"), ("4S X", "4SX"), ("3n", "3NT"), ("3NT", "3NT"), ("1c xx", "1CXX"), ("3NR", "3NTXX")),
        *(("pass", "Pass"), ("1NT*", "1NTX"), ("4s **", "4SXX")),
    ):
        assert Contract.parse(text, Seat.NORTH).text == written


def test_it_refuses_what_is_not_a_contract() -> None:
    for text in ("", "8S", "0NT", "S", "4", "4Z", "4SXXX", "4S***", "4S by N", "Passs"):
        with raises(BridgeError) as error:
            Contract.parse(text, Seat.NORTH)
        assert error.value.code == "malformed_contract", text
    for fields in ((4, None), (None, Denomination.CLUBS), (None, None, "X"), (8, Denomination.CLUBS)):
        with raises(BridgeError):
            Contract(*fields)


def test_a_contract_knows_its_leader_its_tricks_and_its_rank() -> None:
    contract = Contract.parse("4SX", Seat.SOUTH)
    assert (contract.leader, contract.tricks_needed, contract.passed_out) == (Seat.WEST, 10, False)
    assert str(contract) == "4SX by South"
    assert Contract.parse("Pass", Seat.NORTH) == PASSED_OUT
    assert (PASSED_OUT.text, PASSED_OUT.leader, PASSED_OUT.tricks_needed) == ("Pass", None, None)
    assert [denomination.rank for denomination in Denomination] == [0, 1, 2, 3, 4]
    assert "".join(Denomination) == "CDHSNT"


def test_it_scores_by_law_77() -> None:
    for contract, tricks, not_vulnerable, vulnerable in [
        ("1C", 7, 70, 70), ("1NT", 8, 120, 120), ("2S", 8, 110, 110), ("3NT", 9, 400, 600),
        ("4H", 11, 450, 650), ("5D", 11, 400, 600), ("6S", 12, 980, 1430), ("6NT", 13, 1020, 1470),
        ("7C", 13, 1440, 2140), ("1DX", 7, 140, 140), ("2HX", 8, 470, 670), ("2HX", 10, 670, 1070),
        ("1NTXX", 7, 560, 760), ("1CXX", 9, 630, 1030), ("7NTXX", 13, 2280, 2980), ("4S", 9, -50, -100),
        ("4S", 0, -500, -1000), ("4SX", 9, -100, -200), ("4SX", 8, -300, -500), ("4SX", 7, -500, -800),
        ("4SX", 6, -800, -1100), ("4SXX", 6, -1600, -2200), ("7NTX", 0, -3500, -3800),
    ]:  # fmt: skip
        assert score(Contract.parse(contract, Seat.NORTH), Vulnerability.EW, tricks) == not_vulnerable, contract
        assert score(Contract.parse(contract, Seat.SOUTH), Vulnerability.NS, tricks) == vulnerable, contract
    assert score(PASSED_OUT, Vulnerability.ALL, None) == 0


@moderate
@given(contracts(), vulnerabilities, st.integers(0, 13))
def test_east_wests_scores_are_north_souths_reversed_and_each_further_trick_scores_more(
    contract: Contract, vulnerability: Vulnerability, tricks: int
) -> None:
    assert contract.declarer is not None
    turned = Contract(contract.level, contract.denomination, contract.doubled, contract.declarer.next)
    swapped = {"NS": Vulnerability.EW, "EW": Vulnerability.NS}.get(vulnerability, vulnerability)
    assert score(turned, swapped, tricks) == -score(contract, vulnerability, tricks)
    side = 1 if contract.declarer in (Seat.NORTH, Seat.SOUTH) else -1
    scores = [side * score(contract, vulnerability, each) for each in range(14)]
    assert scores == sorted(set(scores))


def test_it_refuses_a_contract_without_a_declarer_or_a_possible_result() -> None:
    contract = Contract.parse("1C", Seat.NORTH)
    impossible = [(contract, tricks, "impossible_result") for tricks in (None, -1, 14)]
    for refused, tricks, code in (*impossible, (replace(contract, declarer=None), 7, "unknown_declarer")):
        with raises(BridgeError) as error:
            score(refused, Vulnerability.NONE, tricks)
        assert error.value.code == code
