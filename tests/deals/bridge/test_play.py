from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from pytest import raises

from deals.bridge.contract import PASSED_OUT, Contract
from deals.bridge.errors import BridgeError
from deals.bridge.layout import Layout
from deals.bridge.play import (
    check_lead,
    check_play,
    from_columns,
    parse_columns,
    play_leaders,
    to_columns,
    trick_winner,
    tricks_won,
)
from deals.bridge.seats import Seat
from tests.bridge_strategies import contracts, layouts, random_play, randoms
from tests.deals.bridge.moderate import moderate

LAYOUT = Layout.parse("N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65")
NOTRUMP = Contract.parse("1NT", Seat.NORTH)


def refusal(cards: str, contract: Contract = NOTRUMP) -> BridgeError:
    with raises(BridgeError) as error:
        check_play(LAYOUT, contract, cards.split())
    return error.value


def test_a_play_may_stop_in_mid_trick_and_is_refused_at_the_first_card_against_the_laws() -> None:
    check_play(LAYOUT, NOTRUMP, ["CA", "C7", "C5", "C2", "CK"])
    for cards, message in (
        ("SA", "Trick 1, SA by East: the card was dealt to North."),
        ("H5 H2 HA H8 H6", "Trick 2, H6 by West: the card was dealt to East."),
        ("CA C7 C5 C2 CA", "Trick 2, CA by East: the card has been played already."),
        ("CA S4", "Trick 1, S4 by South: a revoke, as CA was led."),
    ):
        error = refusal(cards)
        assert (error.code, error.message) == ("illegal_play", message)


def test_it_refuses_what_is_not_a_card_and_a_play_without_a_contract() -> None:
    assert refusal("CA C1").code == "malformed_card"
    for contract in (PASSED_OUT, Contract.parse("1NT", None)):
        assert refusal("CA", contract).code == "play_without_contract"


def test_the_highest_trump_or_else_the_highest_card_of_the_suit_led_wins() -> None:
    cases = ("C2 CA SK C3", None, 1), ("C2 CA S2 C3", "S", 2), ("C2 S3 S2 CA", "S", 1), ("D2 HA SA CA", None, 0)
    for cards, trump, winner in cases:
        assert trick_winner(cards.split(), trump) == winner, cards


def test_the_player_to_declarers_left_leads() -> None:
    check_lead(LAYOUT, NOTRUMP, "CA")
    check_lead(LAYOUT, replace(NOTRUMP, declarer=None), "SA")
    with raises(BridgeError, match=r"^East leads, but North holds the opening lead SA\.$") as error:
        check_lead(LAYOUT, NOTRUMP, "SA")
    assert error.value.code == "illegal_lead"


def test_columns_begin_with_the_opening_leader_whoever_leads_the_trick() -> None:
    cards = ("H5", "H2", "HA", "H8", "D8", "D5", "D2", "DA")
    rows = [["H5", "H2", "HA", "H8"], ["D2", "DA", "D8", "D5"]]
    assert to_columns(NOTRUMP, cards) == rows
    assert from_columns(NOTRUMP, Seat.EAST, [*rows[0], *rows[1]]) == cards


def test_an_unfinished_trick_is_filled_up_with_hyphens() -> None:
    assert to_columns(NOTRUMP, ["CA"]) == [["CA", "-", "-", "-"]]
    assert from_columns(NOTRUMP, Seat.EAST, ["CA", "-", "-", "-"]) == ("CA",)
    assert from_columns(NOTRUMP, Seat.EAST, ["-", "-"]) == from_columns(NOTRUMP, Seat.EAST, []) == ()


def test_cards_of_columns_are_read_in_either_case_and_refused_by_name() -> None:
    assert parse_columns(["ca", "-", "H10"]) == ("CA", "-", "HT")
    with raises(BridgeError, match="'C1' is not a card"):
        parse_columns(["CA", "C1"])


def test_it_refuses_columns_with_a_gap_or_of_the_wrong_leader() -> None:
    for first, columns, code in (
        *((Seat.EAST, "CA - C5 C2", "malformed_play"), (Seat.EAST, "CA - - - CK", "malformed_play")),
        (Seat.WEST, "CA", "illegal_lead"),
    ):
        with raises(BridgeError) as error:
            from_columns(NOTRUMP, first, columns.split())
        assert error.value.code == code


@moderate
@given(layouts(), contracts(), st.integers(0, 52), randoms)
def test_any_legal_play_survives_its_columns(layout: Layout, contract: Contract, length: int, random: Random) -> None:
    cards = random_play(layout, contract, length, random)
    check_play(layout, contract, cards)
    assert contract.leader is not None
    columns = [card for row in to_columns(contract, cards) for card in row]
    assert from_columns(contract, contract.leader, columns) == cards
    assert len(play_leaders(contract, cards)) == length // 4 + 1
    assert 0 <= tricks_won(contract, cards) <= length // 4
