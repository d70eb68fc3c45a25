from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from pytest import raises

from bridge.auction import Auction, Call
from bridge.board import TEXTS, BoardRecord, complete_record
from bridge.contract import PASSED_OUT, Contract
from bridge.errors import BridgeError
from bridge.layout import Layout
from bridge.play import tricks_won
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.bridge.strategies import moderate, random_play, records

LAYOUT = Layout.parse("N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65")
BARE = BoardRecord(LAYOUT, Seat.NORTH, Vulnerability.NS)
BID = Auction(Seat.NORTH, tuple(map(Call, ("1NT", "Pass", "Pass", "Pass"))))
CONTRACT = Contract.parse("1NT", Seat.NORTH)
PLAYED = replace(BARE, auction=BID, contract=CONTRACT)
ALL_CARDS = random_play(LAYOUT, CONTRACT, 52, Random(1))
WON = tricks_won(CONTRACT, ALL_CARDS)
WON_OF_FIVE = tricks_won(CONTRACT, ALL_CARDS[:20])


def test_a_record_is_completed_from_its_auction_and_its_play() -> None:
    record = complete_record(replace(BARE, auction=BID, play=("CA", "C7")))
    assert (record.contract, record.opening_lead) == (CONTRACT, "CA")
    record.check()
    assert complete_record(replace(PLAYED, play=ALL_CARDS, tricks=None)).tricks == WON


def test_the_score_is_north_souths_and_a_deal_alone_has_none() -> None:
    BARE.check()
    passed_out = replace(BARE, contract=PASSED_OUT)
    scored = (BARE, PLAYED, replace(PLAYED, tricks=7), replace(PLAYED, tricks=6), passed_out)
    assert [record.score for record in scored] == [None, None, 90, -100, 0]


def test_it_refuses_every_contradiction_by_its_code_and_with_a_sentence() -> None:
    PLAYED.check()
    nothing_bid: dict[str, Any] = {"auction": None, "contract": None}
    passed_out: dict[str, Any] = {"auction": None, "contract": PASSED_OUT}
    for code, changes in (
        ("dealer_contradicts_auction", {"dealer": Seat.EAST}),
        ("contract_contradicts_auction", {"contract": Contract.parse("1NT", Seat.SOUTH)}),
        ("contract_contradicts_auction", {"contract": Contract.parse("1NTX", Seat.NORTH)}),
        ("contract_contradicts_auction", {"contract": PASSED_OUT}),
        ("unknown_declarer", {"auction": None, "contract": Contract.parse("1NT", None)}),
        *(("illegal_lead", {"opening_lead": "SA"}), ("malformed_card", {"opening_lead": "ca"})),
        ("lead_without_contract", nothing_bid | {"opening_lead": "CA"}),
        ("lead_contradicts_play", {"opening_lead": "CA", "play": ("CK", "C7")}),
        ("illegal_play", {"play": ("CA", "C2")}),
        *(("play_without_contract", bid | {"play": ("CA",)}) for bid in (nothing_bid, passed_out)),
        *(("impossible_result", {"tricks": tricks}) for tricks in (14, -1)),
        ("result_without_contract", nothing_bid | {"tricks": 7}),
        ("result_without_contract", passed_out | {"tricks": 0}),
        ("result_contradicts_play", {"play": ALL_CARDS, "tricks": (WON + 1) % 14}),
        ("result_contradicts_play", {"play": ALL_CARDS[:23], "tricks": WON_OF_FIVE - 1}),
        ("result_contradicts_play", {"play": ALL_CARDS[:23], "tricks": WON_OF_FIVE + 9}),
    ):
        with raises(BridgeError) as error:
            replace(PLAYED, **changes).check()
        assert error.value.code == code, changes
    contradiction = "The auction ends in 1NT by North, but the contract is given as 1NT by"
    first = " North was the first of the side to name the denomination (Law 22)."
    for declarer, message in ((Seat.SOUTH, f"{contradiction} South.{first}"), (Seat.EAST, f"{contradiction} East.")):
        with raises(BridgeError) as error:
            replace(PLAYED, contract=Contract.parse("1NT", declarer)).check()
        assert error.value.message == message


def test_a_part_of_a_play_leaves_its_other_tricks_to_either_side() -> None:
    replace(PLAYED, play=ALL_CARDS, tricks=WON).check()
    for tricks in range(WON_OF_FIVE, WON_OF_FIVE + 9):
        replace(PLAYED, play=ALL_CARDS[:23], tricks=tricks).check()


@moderate
@given(records())
def test_any_legal_record_passes_its_check(record: BoardRecord) -> None:
    record.check()
    assert complete_record(record) == record


def test_all_tables_of_a_board_share_its_texts_but_those_that_name_one() -> None:
    assert {name for name, text in TEXTS.items() if not text.shared} == {
        *("title", "room", "table", "pair_ns", "pair_ew", "adjustment")
    }
