"""What cards cost, and how it is stored."""

from bridge.contract import Contract
from bridge.layout import Layout
from bridge.play import cards_to_play, check_play, players_of
from bridge.play_analysis import CardChoice, PlayedCard, Trace, choices_at, lost_by, write_costs
from bridge.seats import Seat
from tests.bridge.factories import play_at_random

FOUR_SUITS = Layout("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
SPADES = Contract.parse("7S", Seat.NORTH)


def test_a_player_follows_suit_and_plays_any_card_without_one() -> None:
    for seed in range(20):
        layout, contract, played = play_at_random(seed, 52)
        check_play(layout, contract, tuple(played))
        assert cards_to_play(layout, contract, played)[1] == []
    assert cards_to_play(FOUR_SUITS, SPADES, []) == (Seat.EAST, [f"H{rank}" for rank in "AKQJT98765432"])
    assert cards_to_play(FOUR_SUITS, SPADES, ["HA"])[0] is Seat.SOUTH
    layout, contract, played = play_at_random(3, 1)
    seat, cards = cards_to_play(layout, contract, played)
    assert cards == [played[0][0] + rank for rank in layout.suits(seat)[played[0][0]]]


def test_a_trace_tells_what_each_card_cost_its_side() -> None:
    _, contract, played = play_at_random(5, 6)
    declarer, defence = contract.declarer, contract.leader
    assert declarer and defence
    players = players_of(contract, played)
    lost = [int(seat.side == declarer.side) for seat in players]
    trace = Trace.from_tricks([9 - sum(lost[:number]) for number in range(7)])
    costs = trace.costs(contract, played)
    assert [each.cost for each in costs] == lost
    assert (lost_by(declarer.side, costs), lost_by(defence.side, costs)) == (sum(lost), 0)
    first = lost.index(1)
    assert costs[first] == PlayedCard(1 + first // 4, players[first], played[first], 1)


def test_costs_are_stored_by_card_and_moment() -> None:
    stored = write_costs([[0] * 12 + [1], []])
    assert stored == "0000000000001."
    seat, choices = choices_at(stored, FOUR_SUITS, SPADES, (), 0) or (None, [])
    assert seat is Seat.EAST
    assert choices[-1] == CardChoice("H2", 1)
    for text, played, moment in ((stored, ("HA",), 1), (stored, ("HA",), 2), ("", (), 0)):
        assert choices_at(text, FOUR_SUITS, SPADES, played, moment) is None
