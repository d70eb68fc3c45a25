from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from pytest import raises

from bridge import play
from bridge.cards import DECK
from bridge.contract import PASSED_OUT, Contract
from bridge.diagram import Diagram
from bridge.errors import BridgeError
from bridge.layout import Layout
from bridge.replay import Position, count_tricks, current_trick, next_caller, positions, record_at
from bridge.seats import Seat
from tests.bridge import factories
from tests.bridge.strategies import contracts, layouts, moderate, random_play, randoms

LAYOUT = Layout.parse("N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65")
NOTRUMP = Contract.parse("1NT", Seat.NORTH)


def refusal(cards: str, contract: Contract = NOTRUMP) -> BridgeError:
    with raises(BridgeError) as error:
        play.check_play(LAYOUT, contract, tuple(cards.split()))
    return error.value


def test_a_play_may_stop_in_mid_trick_and_is_refused_at_the_first_card_against_the_laws() -> None:
    play.check_play(LAYOUT, NOTRUMP, ("CA", "C7", "C5", "C2", "CK"))
    for cards, message in (
        ("SA", "Trick 1, SA by East: the card was dealt to North."),
        ("H5 H2 HA H8 H6", "Trick 2, H6 by West: the card was dealt to East."),
        ("CA C7 C5 C2 CA", "Trick 2, CA by East: the card has been played already."),
        ("CA S4", "Trick 1, S4 by South: a revoke, as CA was led (Law 61)."),
    ):
        error = refusal(cards)
        assert (error.code, error.message) == ("illegal_play", message)
    assert refusal("CA C1").code == "malformed_card"
    for contract in (PASSED_OUT, Contract.parse("1NT", None)):
        assert refusal("CA", contract).code == "play_without_contract"


def test_the_highest_trump_or_else_the_highest_card_of_the_suit_led_wins() -> None:
    cases = ("C2 CA SK C3", None, 1), ("C2 CA S2 C3", "S", 2), ("C2 S3 S2 CA", "S", 1), ("D2 HA SA CA", None, 0)
    for cards, trump, winner in cases:
        assert play.trick_winner(cards.split(), trump) == winner, cards


def test_the_player_to_declarers_left_leads() -> None:
    play.check_lead(LAYOUT, NOTRUMP, "CA")
    play.check_lead(LAYOUT, replace(NOTRUMP, declarer=None), "SA")
    with raises(BridgeError, match=r"^East leads, but North holds the opening lead SA \(Law 41A\)\.$") as error:
        play.check_lead(LAYOUT, NOTRUMP, "SA")
    assert error.value.code == "illegal_lead"


def test_columns_begin_with_the_opening_leader_whoever_leads_the_trick() -> None:
    cards = ("H5", "H2", "HA", "H8", "D8", "D5", "D2", "DA")
    rows = [["H5", "H2", "HA", "H8"], ["D2", "DA", "D8", "D5"]]
    for played, columns in ((cards, rows), (("CA",), [["CA", "-", "-", "-"]])):
        assert play.to_columns(NOTRUMP, played) == columns
        assert play.from_columns(NOTRUMP, Seat.EAST, [card for row in columns for card in row]) == played
    for nothing in (["-", "-"], []):
        assert play.from_columns(NOTRUMP, Seat.EAST, nothing) == ()


def test_columns_are_read_in_either_case_and_refused_where_they_fit_no_play() -> None:
    assert play.parse_columns(["ca", "-", "H10"]) == ("CA", "-", "HT")
    with raises(BridgeError, match="'C1' is not a card"):
        play.parse_columns(["CA", "C1"])
    for first, columns, code in (
        *((Seat.EAST, "CA - C5 C2", "malformed_play"), (Seat.EAST, "CA - - - CK", "malformed_play")),
        (Seat.WEST, "CA", "illegal_lead"),
    ):
        with raises(BridgeError) as error:
            play.from_columns(NOTRUMP, first, columns.split())
        assert error.value.code == code


@moderate
@given(layouts(), contracts(), st.integers(0, 52), randoms)
def test_any_legal_play_survives_its_columns(layout: Layout, contract: Contract, length: int, random: Random) -> None:
    cards = random_play(layout, contract, length, random)
    play.check_play(layout, contract, cards)
    assert contract.leader is not None
    columns = [card for row in play.to_columns(contract, cards) for card in row]
    assert play.from_columns(contract, contract.leader, columns) == cards
    assert len(play.play_leaders(contract, cards)) == length // 4 + 1
    assert 0 <= play.tricks_won(contract, cards) <= length // 4


def played(cards: int, random: Random | None = None):
    """Return a board whose cards are replayed."""
    record = factories.record(seed=5, number=1, calls="1NT Pass 3NT Pass Pass Pass")
    cards_played = random_play(record.layout, record.contract, cards, random or Random(1))
    return replace(record, play=cards_played, opening_lead="".join(cards_played[:1]), tricks=9)


def test_the_stops_are_every_call_and_then_every_card() -> None:
    bidding = [Position(number, 0) for number in range(7)]
    for cards in (0, 1, 6, 52):
        assert positions(played(cards)) == [*bidding, *((6, number) for number in range(1, cards + 1))]
    led_alone = replace(played(1), auction=None, play=())
    assert (positions(factories.record(seed=5)), positions(led_alone)) == ([(0, 0)], [(0, 0), (0, 1)])


def test_the_contract_appears_with_the_last_call_the_lead_with_the_first_card_and_the_result_at_the_end() -> None:
    record = played(52)
    shown = [record_at(record, position) for position in positions(record)]
    assert [it.contract is not None for it in shown] == [False] * 6 + [True] * 53
    assert [bool(it.opening_lead) for it in shown] == [False] * 7 + [True] * 52
    assert [it.tricks for it in shown] == [None] * 58 + [9]
    assert [len(it.auction.calls) for it in shown] == [*range(7), *[6] * 52]
    assert [next_caller(record, calls) for calls in range(7)] == [*"NESWNE", None]


@moderate
@given(randoms)
def test_each_card_is_in_a_hand_until_it_is_played_and_each_trick_with_a_side(random: Random) -> None:
    record = played(52, random)
    for position in positions(record):
        shown = record_at(record, position)
        left = [card for seat in Seat for card in shown.layout.cards_held_by(seat)]
        assert sorted([*left, *record.play[: position.cards]]) == sorted(DECK)
        assert Diagram(shown).hands.keys() == {"north", "east", "south", "west"}
        won = count_tricks(record.contract, record.play[: position.cards])
        assert won.north_south + won.east_west == position.cards // 4
        assert won.north_south == play.tricks_won(record.contract, record.play[: position.cards])  # North declares


def test_the_trick_of_the_last_card_has_its_cards_by_seat_and_its_winner_once_it_is_whole() -> None:
    record = played(6)
    leads = [current_trick(record.contract, record.play[:number]) for number in range(7)]
    assert leads[0] is None
    assert (leads[1].number, dict(leads[1].cards), leads[1].winner) == (1, {Seat.EAST: record.play[0]}, None)
    assert [*leads[3].cards] == [Seat.EAST, Seat.SOUTH, Seat.WEST]
    assert leads[4].number == 1 and leads[4].winner is record.layout.holder(record.play[4])
    assert (leads[6].number, len(leads[6].cards), leads[6].winner) == (2, 2, None)
