from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from deals.bridge.cards import DECK
from deals.bridge.diagram import Diagram
from deals.bridge.replay import Position, next_caller, positions, record_at, winners_of
from deals.bridge.seats import Seat
from tests import factories
from tests.bridge_strategies import moderate, random_play, randoms

CALLS = "1NT Pass 3NT Pass Pass Pass"


def played(cards: int, random: Random | None = None):
    record = factories.record(seed=5, number=1, calls=CALLS)
    play = random_play(record.layout, record.contract, cards, random or Random(1))
    return replace(record, play=play, opening_lead="".join(play[:1]), tricks=9)


def test_the_stops_are_every_call_then_the_lead_and_each_trick() -> None:
    bidding = [Position(number, 0) for number in range(7)]
    assert positions(played(0)) == bidding
    assert positions(played(1)) == [*bidding, (6, 1)]
    assert positions(played(4)) == [*bidding, (6, 1), (6, 4)]
    assert positions(played(6)) == [*bidding, (6, 1), (6, 4), (6, 6)]
    assert positions(played(52))[7:] == [(6, 1), *((6, 4 * trick) for trick in range(1, 14))]


def test_a_board_of_cards_alone_has_one_stop_and_a_lead_alone_two() -> None:
    assert positions(factories.record(seed=5)) == [(0, 0)]
    led = replace(played(1), auction=None, play=())
    assert positions(led) == [(0, 0), (0, 1)]


def test_the_contract_appears_with_the_last_call_the_lead_with_the_first_card_and_the_result_at_the_end() -> (
    None
):
    record = played(52)
    shown = [record_at(record, position) for position in positions(record)]
    assert [it.contract is not None for it in shown] == [False] * 6 + [True] * 15
    assert [bool(it.opening_lead) for it in shown] == [False] * 7 + [True] * 14
    assert [it.tricks for it in shown] == [None] * 20 + [9]
    assert [len(it.auction.calls) for it in shown] == [*range(7), *[6] * 14]


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


def test_the_winners_are_those_of_whole_tricks() -> None:
    record = played(6)
    (winner,) = winners_of(record, record.play)
    assert record.layout.holder(record.play[4]) is winner
    assert winners_of(record, record.play[:3]) == winners_of(factories.record(seed=5), ()) == ()
