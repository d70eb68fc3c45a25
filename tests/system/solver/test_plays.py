"""What the solver says of plays, against a minimax of our own."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from bridge.contract import Contract
from bridge.layout import Layout
from bridge.play import cards_to_play, tricks_won
from bridge.play_analysis import Trace, choices_at
from tests.bridge.factories import Play, play_at_random
from tests.deals.solver.solvers import real_solver


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
