from dataclasses import replace
from random import Random

from hypothesis import given
from pytest import Subtests, raises

from deals.bridge.auction import Auction, Call
from deals.bridge.board import TEXTS, BoardRecord, complete_record
from deals.bridge.contract import PASSED_OUT, Contract
from deals.bridge.errors import BridgeError
from deals.bridge.layout import Layout
from deals.bridge.play import tricks_won
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from tests.bridge_strategies import random_play, records
from tests.deals.bridge.moderate import moderate

LAYOUT = Layout.parse("N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65")
BARE = BoardRecord(LAYOUT, Seat.NORTH, Vulnerability.NS)
BID = Auction(Seat.NORTH, tuple(map(Call, ("1NT", "Pass", "Pass", "Pass"))))
CONTRACT = Contract.parse("1NT", Seat.NORTH)
PLAYED = replace(BARE, auction=BID, contract=CONTRACT)
ALL_CARDS = random_play(LAYOUT, CONTRACT, 52, Random(1))
WON = tricks_won(CONTRACT, ALL_CARDS)
WON_OF_FIVE = tricks_won(CONTRACT, ALL_CARDS[:20])


def test_a_deal_alone_passes_its_check_and_has_no_score() -> None:
    BARE.check()
    assert BARE.score is None


def test_a_record_is_completed_from_its_auction_and_its_play() -> None:
    record = complete_record(replace(BARE, auction=BID, play=("CA", "C7")))
    assert (record.contract, record.opening_lead) == (CONTRACT, "CA")
    record.check()


def test_the_score_is_north_souths() -> None:
    assert replace(PLAYED, tricks=7).score == 90
    assert replace(PLAYED, tricks=6).score == -100
    assert PLAYED.score is None
    assert replace(BARE, contract=PASSED_OUT).score == 0


def test_it_refuses_every_contradiction_by_its_code(subtests: Subtests) -> None:
    for code, changes in [
        ("dealer_contradicts_auction", {"dealer": Seat.EAST}),
        ("contract_contradicts_auction", {"contract": Contract.parse("1NT", Seat.SOUTH)}),
        ("contract_contradicts_auction", {"contract": Contract.parse("1NTX", Seat.NORTH)}),
        ("contract_contradicts_auction", {"contract": PASSED_OUT}),
        ("unknown_declarer", {"auction": None, "contract": Contract.parse("1NT", None)}),
        ("illegal_lead", {"opening_lead": "SA"}),
        ("malformed_card", {"opening_lead": "ca"}),
        ("lead_without_contract", {"auction": None, "contract": None, "opening_lead": "CA"}),
        ("lead_contradicts_play", {"opening_lead": "CA", "play": ("CK", "C7")}),
        ("illegal_play", {"play": ("CA", "C2")}),
        ("play_without_contract", {"auction": None, "contract": None, "play": ("CA",)}),
        ("play_without_contract", {"auction": None, "contract": PASSED_OUT, "play": ("CA",)}),
        ("impossible_result", {"tricks": 14}),
        ("impossible_result", {"tricks": -1}),
        ("result_without_contract", {"auction": None, "contract": None, "tricks": 7}),
        ("result_without_contract", {"auction": None, "contract": PASSED_OUT, "tricks": 0}),
        ("result_contradicts_play", {"play": ALL_CARDS, "tricks": (WON + 1) % 14}),
        ("result_contradicts_play", {"play": ALL_CARDS[:23], "tricks": WON_OF_FIVE - 1}),
        ("result_contradicts_play", {"play": ALL_CARDS[:23], "tricks": WON_OF_FIVE + 9}),
    ]:
        with subtests.test(code=code):
            PLAYED.check()
            with raises(BridgeError) as error:
                replace(PLAYED, **changes).check()
            assert error.value.code == code


def test_a_whole_play_with_its_result_passes_its_check() -> None:
    replace(PLAYED, play=ALL_CARDS, tricks=WON).check()


def test_a_part_of_a_play_leaves_its_other_tricks_to_either_side() -> None:
    for tricks in range(WON_OF_FIVE, WON_OF_FIVE + 9):
        replace(PLAYED, play=ALL_CARDS[:23], tricks=tricks).check()


def test_a_whole_play_gives_the_result() -> None:
    assert complete_record(replace(PLAYED, play=ALL_CARDS, tricks=None)).tricks == WON


def test_a_contradiction_is_explained_in_a_sentence() -> None:
    with raises(BridgeError, match=r"^The auction ends in 1NT by North, but the contract is given as 1NT by South\.$"):
        replace(PLAYED, contract=Contract.parse("1NT", Seat.SOUTH)).check()


@moderate
@given(records())
def test_any_legal_record_passes_its_check(record: BoardRecord) -> None:
    record.check()
    assert complete_record(record) == record


def test_all_tables_of_a_board_share_its_texts_but_those_that_name_one() -> None:
    assert {name for name, text in TEXTS.items() if not text.shared} == {"title", "room", "table"}
