"""What cards cost with all cards seen: on a board's page, at its steps, and asked for by POST /boards/{id}/costs."""

import re
from random import Random
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from boards.analysis.questions import ask_for_costs
from boards.analysis.queues import COSTS, PLAYS
from boards.models import Board, CardCosts
from config.worker.shutdown import ShutdownRequest
from deals.models import SolverStatus
from deals.solver.worker import Worker
from tests import factories
from tests.boards.pages.test_board_page import page_of, rows
from tests.bridge_strategies import random_play
from tests.config.site.documents import Document
from tests.deals.solver.solvers import real_solver

pytestmark = pytest.mark.django_db

CALLS = "1NT Pass 3NT Pass Pass Pass"
BUTTON = "What does each card cost?"


@pytest.fixture(scope="module")
def board(rows_of_module: None) -> Board:
    record = factories.record(seed=5, number=1, calls=CALLS)
    play = random_play(record.layout, record.contract, 52, Random(1))
    return factories.board(seed=5, number=1, calls=CALLS, play=play)


def solve(board: Board, *, costs: bool = True) -> None:
    if costs:
        ask_for_costs(board)
    Worker(real_solver(), ShutdownRequest()).run(once=True)


def costs_of(page: Document) -> str:
    """Return what the part about costs says, links and buttons too."""
    (text,) = page.texts("div", id="costs")
    return " ".join(text.replace("\ufe0e", "").split())


def test_a_reader_asks_for_the_costs_and_sees_them_at_each_step(client: Client, board: Board) -> None:
    assert costs_of(page_of(client, board, "?step=7")) == BUTTON
    response = client.post(f"/boards/{board.pk}/costs", {"step": "7"})
    assert response.status_code == 303
    path = f"/boards/{board.pk}?costs=shown&step=7"
    assert response["Location"] == f"{path}#costs"
    waiting = Document(client.get(path))
    assert costs_of(waiting) == "What each card costs is being computed. Look again"
    assert waiting.links()["Look again"] == path and not waiting.is_indexed()
    solve(board, costs=False)
    shown = Document(client.get(path))
    assert costs_of(shown).startswith("South to play. With all cards seen ")
    assert re.search("costs? nothing|no card costs a trick", costs_of(shown))
    assert shown.links()["Next"] == f"/boards/{board.pk}?costs=shown&step=8#next"
    assert costs_of(Document(client.get(path.replace("step=7", "step=end")))) == ""
    assert costs_of(Document(client.get(path.replace("step=7", "step=3")))) == ""


def test_each_costly_card_has_its_cost_in_the_hand_of_the_player_and_nowhere_else(client: Client, board: Board) -> None:
    solve(board)
    page = page_of(client, board, "?step=6&costs=shown")
    first, *_ = CardCosts.objects.get().costs.split(".")
    marks = [text for text in page.texts("sup", **{"class": "cost"}) if text]
    assert sorted(marks) == sorted(f"−{cost}" for cost in first if cost != "0")
    assert page_of(client, board, "?step=6").texts("sup", **{"class": "cost"}) == []


def test_costs_are_asked_for_once_and_again_after_a_failure_within_the_limit(
    client: Client, board: Board, settings: LazySettings
) -> None:
    settings.EXPORT_RATE = "2/h"
    for _ in range(4):
        assert client.post(f"/boards/{board.pk}/costs", {"step": "7"}).status_code == 303
    assert CardCosts.objects.count() == 1
    CardCosts.objects.update(status=SolverStatus.FAILED, attempts=3)
    assert costs_of(page_of(client, board, "?step=7&costs=shown")) == "What each card costs could not be computed."
    assert client.post(f"/boards/{board.pk}/costs", {"step": "7"}).status_code == 303
    assert CardCosts.objects.get().status == SolverStatus.PENDING
    other = factories.board(seed=6, number=1, calls=CALLS)
    refused = client.post(f"/boards/{other.pk}/costs", {"step": "7"})
    assert refused.status_code == 429 and int(refused["Retry-After"]) >= 1
    assert CardCosts.objects.count() == 1


def test_one_customer_of_a_provider_and_all_together_ask_about_few_boards(
    client: Client, settings: LazySettings
) -> None:
    settings.EXPORT_RATE, settings.QUESTION_RATE_IN_TOTAL = "1/h", "6/h"
    households = [f"2001:db8:1:{number:x}::1" for number in range(6)]
    others = [f"192.0.2.{number}" for number in range(4)]

    def ask(address: str) -> int:
        other = factories.board(number=1, calls=CALLS)
        return client.post(f"/boards/{other.pk}/costs", {"step": "7"}, REMOTE_ADDR=address).status_code

    assert [ask(address) for address in households] == [303] * 4 + [429] * 2, "of one /48"
    assert [ask(address) for address in others] == [303] * 2 + [429] * 2, "of all"
    assert CardCosts.objects.count() == 6


def test_it_needs_no_token_and_another_site_cannot_send_it(board: Board) -> None:
    client = Client(enforce_csrf_checks=True)
    for headers, status in (
        ({"Origin": "https://other.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({}, 303),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 303),
        ({"Origin": "http://testserver"}, 303),
    ):
        response = client.post(f"/boards/{board.pk}/costs", {"step": "7"}, headers=headers)
        assert response.status_code == status and not response.cookies, headers
        assert CardCosts.objects.exists() is (status == 303), headers
        CardCosts.objects.all().delete()


def test_a_bad_step_is_refused_and_nothing_is_asked(client: Client, board: Board) -> None:
    wrong: list[dict[str, Any]] = [{"step": "x"}, {"costs": "y"}, {"step": ["1", "2"]}]
    for data in wrong:
        assert client.post(f"/boards/{board.pk}/costs", data).status_code == 400, data
    assert not CardCosts.objects.exists()
    assert client.post(f"/boards/{board.pk}/costs", {}).status_code == 303
    assert CardCosts.objects.exists()


def test_no_costs_are_told_of_hidden_hands_of_drafts_and_of_boards_that_are_not_played(
    client: Client, board: Board
) -> None:
    solve(board)
    hidden = page_of(client, board, "?show=south&step=20&costs=shown")
    assert hidden.texts("div", id="costs") == [] and 'class="cost"' not in hidden.html
    draft = factories.board(seed=8, number=1, calls=CALLS, published=False)
    assert client.post(f"/boards/{draft.pk}/costs").status_code == 404
    assert client.get(f"/boards/{board.pk}/costs")["Location"] == f"/boards/{board.pk}"
    cards = factories.board(seed=9, number=1)
    client.post(f"/boards/{cards.pk}/costs")
    assert CardCosts.objects.count() == 1
    assert costs_of(page_of(client, cards, "?step=0")) == ""


def test_without_a_solver_the_page_says_so(client: Client, board: Board) -> None:
    ask_for_costs(board)
    COSTS.mark_unavailable()
    text = costs_of(page_of(client, board, "?step=7&costs=shown"))
    assert text == "Double dummy analysis is not available on this site."


def test_the_play_shows_which_card_cost_a_trick_and_the_review_says_it(client: Client, board: Board) -> None:
    assert "−1" not in page_of(client, board).html
    assert "Review" not in page_of(client, board).texts("h2")
    solve(board, costs=False)
    page = page_of(client, board)
    assert PLAYS.rows.get().status == SolverStatus.DONE
    board = Board.objects.with_details().get(pk=board.pk)
    assert board.trace and board.final_contract and board.play
    costly = board.trace.costly(board.final_contract, board.play)
    marked = [cell for row in rows(page, "play")[2:] for cell in row if "−" in cell]
    assert len(marked) == len(costly) > 0
    assert "Review" in page.texts("h2")
    assert any("with all cards seen" in text.lower() for text in page.texts("li"))
    index = (board.play).index(costly[0].card)
    (text,) = page_of(client, board, f"?step={7 + index}").texts("p", id="moment")
    assert f"−{costly[0].cost}" in text and "with all cards seen" in text
