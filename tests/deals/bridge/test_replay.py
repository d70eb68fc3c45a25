from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from deals.bridge.cards import DECK
from deals.bridge.diagram import Diagram
from deals.bridge.play import tricks_won
from deals.bridge.replay import Position, count_tricks, current_trick, next_caller, positions, record_at
from deals.bridge.seats import Seat
from tests import factories
from tests.bridge_strategies import random_play, randoms
from tests.deals.bridge.moderate import moderate

CALLS = "1NT Pass 3NT Pass Pass Pass"


def played(cards: int, random: Random | None = None):
    record = factories.record(seed=5, number=1, calls=CALLS)
    play = random_play(record.layout, record.contract, cards, random or Random(1))
    return replace(record, play=play, opening_lead="".join(play[:1]), tricks=9)


def test_the_stops_are_every_call_and_then_every_card() -> None:
    bidding = [Position(number, 0) for number in range(7)]
    for cards in (0, 1, 6, 52):
        assert positions(played(cards)) == [*bidding, *((6, number) for number in range(1, cards + 1))]


def test_a_board_of_cards_alone_has_one_stop_and_a_lead_alone_two() -> None:
    assert positions(factories.record(seed=5)) == [(0, 0)]
    led = replace(played(1), auction=None, play=())
    assert positions(led) == [(0, 0), (0, 1)]


def test_the_contract_appears_with_the_last_call_the_lead_with_the_first_card_and_the_result_at_the_end() -> None:
    record = played(52)
    shown = [record_at(record, position) for position in positions(record)]
    assert [it.contract is not None for it in shown] == [False] * 6 + [True] * 53
    assert [bool(it.opening_lead) for it in shown] == [False] * 7 + [True] * 52
    assert [it.tricks for it in shown] == [None] * 58 + [9]
    assert [len(it.auction.calls) for it in shown] == [*range(7), *[6] * 52]


def test_the_next_caller_follows_the_dealer_clockwise_until_the_last_call() -> None:
    record = factories.record(seed=5, number=2, calls=CALLS)
    assert [next_caller(record, calls) for calls in range(7)] == [*"ESWNES", None]


@moderate
@given(randoms, st.integers(0, 52))
def test_each_card_is_in_a_hand_until_it_is_played(random: Random, cards: int) -> None:
    record = played(cards, random)
    for position in positions(record):
        shown = record_at(record, position)
        left = [card for seat in Seat for card in shown.layout.cards_held_by(seat)]
        assert sorted([*left, *record.play[: position.cards]]) == sorted(DECK)
        assert Diagram(shown).hands.keys() == {"north", "east", "south", "west"}


def test_the_trick_of_the_last_card_has_its_cards_by_seat_and_its_winner_once_it_is_whole() -> None:
    record = played(6)
    leads = [current_trick(record.contract, record.play[:number]) for number in range(7)]
    assert leads[0] is None
    assert (leads[1].number, dict(leads[1].cards), leads[1].winner) == (1, {Seat.EAST: record.play[0]}, None)
    assert [*leads[3].cards] == [Seat.EAST, Seat.SOUTH, Seat.WEST]
    assert leads[4].number == 1 and leads[4].winner is record.layout.holder(record.play[4])
    assert (leads[6].number, len(leads[6].cards), leads[6].winner) == (2, 2, None)


@moderate
@given(randoms)
def test_the_sides_have_all_whole_tricks_together(random: Random) -> None:
    record = played(52, random)
    for number in range(53):
        won = count_tricks(record.contract, record.play[:number])
        assert won.north_south + won.east_west == number // 4
    assert won.north_south == tricks_won(record.contract, record.play)  # North declares
