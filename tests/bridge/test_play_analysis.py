"""What cards cost: stored forms, and the solver against a minimax of our own."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

from bridge.contract import Contract
from bridge.layout import Layout
from bridge.play import cards_to_play, check_play, players_of, tricks_won
from bridge.play_analysis import CardChoice, PlayedCard, Trace, choices_at, lost_by, write_costs
from bridge.seats import Seat
from tests import factories
from tests.deals.solver.solvers import real_solver

FOUR_SUITS = Layout("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
SPADES = Contract.parse("7S", Seat.NORTH)
Play = tuple[Layout, Contract, list[str]]


def play_at_random(seed: int, cards: int) -> Play:
    """Return a deal, a contract and a legal play of so many cards."""
    choice = random.Random(seed)
    layout = factories.layout(seed)
    bid = f"{choice.randint(1, 7)}{choice.choice(['C', 'D', 'H', 'S', 'NT'])}"
    contract = Contract.parse(bid, choice.choice(list(Seat)))
    played: list[str] = []
    for _ in range(cards):
        played.append(choice.choice(cards_to_play(layout, contract, played)[1]))
    return layout, contract, played


def test_a_player_follows_suit_and_plays_any_card_without_one() -> None:
    for seed in range(20):
        layout, contract, played = play_at_random(seed, 52)
        check_play(layout, contract, played)
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
    assert trace.costly(contract, played)[0] == PlayedCard(1 + first // 4, players[first], played[first], 1)


def test_costs_are_stored_by_card_and_moment() -> None:
    stored = write_costs([[0] * 12 + [1], []])
    assert stored == "0000000000001."
    seat, choices = choices_at(stored, FOUR_SUITS, SPADES, (), 0) or (None, [])
    assert seat is Seat.EAST
    assert choices[-1] == CardChoice("H2", 1)
    for text, played, moment in ((stored, ("HA",), 1), (stored, ("HA",), 2), ("", (), 0)):
        assert choices_at(text, FOUR_SUITS, SPADES, played, moment) is None


def minimax(layout: Layout, contract: Contract, played: Sequence[str]) -> int:
    """Return declarer's tricks of the whole play by trying every card. For short endings."""
    assert contract.declarer

    @cache
    def best(cards: tuple[str, ...]) -> int:
        seat, choices = cards_to_play(layout, contract, cards)
        if not choices:
            return tricks_won(contract, cards)
        pick = max if seat.side == contract.declarer.side else min
        return pick(best((*cards, card)) for card in choices)

    return best(tuple(played))


def question(layout: Layout, contract: Contract, played: list[str]) -> dict[str, Any]:
    return {"cards": layout.cards, "contract": contract.text, "declarer": contract.declarer, "play": played}


def solve(plays: Sequence[Play]) -> tuple[list[str], list[str]]:
    """Return the traces and the costs of plays, in their stored forms. Each must be solved."""
    questions = [question(*play) for play in plays]
    with real_solver() as solver:
        traces = solver.solve(questions, task="plays", seconds=300, read=lambda answer: str(answer["trace"]))
        costs = solver.solve(questions, task="costs", seconds=300, read=lambda answer: str(answer["costs"]))
    assert None not in (*traces, *costs)
    return [str(trace) for trace in traces], [str(stored) for stored in costs]


def test_the_solver_says_what_trying_every_card_says() -> None:
    endings = [play_at_random(seed, 40 + seed % 9) for seed in range(100, 106)]
    plays = [*endings, *(play_at_random(seed, 1 + seed * 4 % 52) for seed in range(200, 204))]
    for (layout, contract, played), text, stored in zip(plays, *solve(plays), strict=True):
        trace = Trace(text)
        for moment, (card, each) in enumerate(zip(played, trace.costs(contract, played), strict=True)):
            seat, choices = choices_at(stored, layout, contract, played, moment) or (None, [])
            assert (seat, dict(choices)[card]) == (each.seat, each.cost)
        if len(played) >= 40:
            now = minimax(layout, contract, played)
            assert trace.tricks[-1] == now
            for card, cost in (choices_at(stored, layout, contract, played, len(played)) or (None, []))[1]:
                assert cost == abs(now - minimax(layout, contract, [*played, card])), card


def test_the_solver_refuses_a_play_that_breaks_the_laws() -> None:
    good = question(*play_at_random(7, 8))
    bad = [good | {"play": [*good["play"], good["play"][0]]}, good | {"cards": "N:"}, good | {"contract": "Pass"}]
    with real_solver() as solver:
        for task, name in (("plays", "trace"), ("costs", "costs")):
            answers = solver.solve([*bad, good], task=task, seconds=60, read=lambda answer: answer[name])  # noqa: B023
            assert [answer is None for answer in answers] == [True, True, True, False]
