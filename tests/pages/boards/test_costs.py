"""What cards cost with all cards seen: on a board's page, at its steps, and asked for by POST /boards/{id}/costs."""

import re
from typing import Any

import pytest
from django.test import Client

from boards.analysis import COSTS, PLAYS
from boards.models import Board, CardCosts
from config.worker.runner import ShutdownRequest
from deals.models import SolverStatus
from deals.solver.worker import Worker
from tests import factories
from tests.deals.solver.solvers import real_solver
from tests.pages.documents import Document
from tests.pages.opening import CALLS, page_of, rows

pytestmark = pytest.mark.django_db

LEAD = "?step=6&costs=shown"


def solve() -> None:
    Worker(real_solver(), ShutdownRequest()).run(once=True)


def ask(client: Client, board: Board, **more: Any) -> Any:
    return client.post(f"/boards/{board.pk}/costs", {"step": "7"}, **more)


def costs_of(page: Document) -> str:
    """Return what the part about costs says, links and buttons too."""
    (text,) = page.texts("div", id="costs")
    return " ".join(text.replace("\ufe0e", "").split())


def test_a_reader_asks_for_the_costs_and_sees_them_at_each_step(client: Client, board: Board) -> None:
    assert costs_of(page_of(client, board, "?step=7")) == "What does each card cost?"
    response, path = ask(client, board), f"/boards/{board.pk}?costs=shown&step=7"
    assert (response.status_code, response["Location"]) == (303, f"{path}#costs")
    waiting = page_of(client, board, "?costs=shown&step=7")
    assert costs_of(waiting) == "What each card costs is being computed. Look again"
    assert waiting.links()["Look again"] == path and not waiting.is_indexed()
    solve()
    shown = page_of(client, board, "?costs=shown&step=7")
    assert costs_of(shown).startswith("South to play. With all cards seen ")
    assert re.search("costs? nothing|no card costs a trick", costs_of(shown))
    assert shown.links()["Next"] == f"/boards/{board.pk}?costs=shown&step=8#next"
    for step in ("end", "3"):
        assert costs_of(page_of(client, board, f"?costs=shown&step={step}")) == ""
    first, *_ = CardCosts.objects.get().costs.split(".")
    marks = {query: page_of(client, board, query).texts("sup", **{"class": "cost"}) for query in ("?step=6", LEAD)}
    assert sorted(filter(None, marks[LEAD])) == sorted(f"−{cost}" for cost in first if cost != "0")
    assert marks["?step=6"] == []
    hidden = page_of(client, board, "?show=south&step=20&costs=shown")
    assert hidden.texts("div", id="costs") == [] and 'class="cost"' not in hidden.html
    assert "costs=" not in hidden.links()["Next"]


def test_costs_are_asked_for_once_and_again_after_a_failure(client: Client, board: Board, settings: Any) -> None:
    settings.EXPORT_RATE = "2/h"
    assert [ask(client, board).status_code for _ in range(4)] == [303] * 4
    assert CardCosts.objects.count() == 1
    CardCosts.objects.update(status=SolverStatus.FAILED, attempts=3)
    assert costs_of(page_of(client, board, "?step=7&costs=shown")) == "What each card costs could not be computed."
    assert ask(client, board).status_code == 303
    assert CardCosts.objects.values_list("status", "attempts").get() == (SolverStatus.PENDING, 0)
    refused = ask(client, factories.board(seed=6, number=1, calls=CALLS))
    assert refused.status_code == 429 and int(refused["Retry-After"]) >= 1
    assert CardCosts.objects.count() == 1
    COSTS.mark_unavailable()
    text = costs_of(page_of(client, board, "?step=7&costs=shown"))
    assert text == "Double dummy analysis is not available on this site."


def test_one_customer_and_all_together_ask_about_few_boards(client: Client, settings: Any) -> None:
    settings.EXPORT_RATE, settings.QUESTION_RATE_IN_TOTAL = "1/h", "6/h"
    addresses = [*(f"2001:db8:1:{number:x}::1" for number in range(6)), *(f"192.0.2.{n}" for n in range(4))]
    boards = [(factories.board(number=1, calls=CALLS), address) for address in addresses]
    statuses = [ask(client, board, REMOTE_ADDR=address).status_code for board, address in boards]
    assert statuses == [303] * 4 + [429] * 2 + [303] * 2 + [429] * 2, "four of one /48, and six in all"
    assert CardCosts.objects.count() == 6


def test_it_needs_no_token_and_another_site_cannot_send_it(board: Board) -> None:
    client = Client(enforce_csrf_checks=True)
    own, other = "http://testserver", "https://other.example"
    for headers, status in (
        *(({"Origin": origin}, status) for origin, status in ((other, 403), ("null", 403), (own, 303))),
        *(({"Sec-Fetch-Site": "cross-site", "Origin": own}, 403), ({"Sec-Fetch-Site": "same-site"}, 403)),
        *(({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 303), ({"Sec-Fetch-Site": "none"}, 303), ({}, 303)),
    ):
        response = ask(client, board, headers=headers)
        assert response.status_code == status and not response.cookies, headers
        assert CardCosts.objects.exists() is (status == 303), headers
        CardCosts.objects.all().delete()


def test_a_bad_step_and_a_board_that_is_not_played_ask_nothing(client: Client, board: Board) -> None:
    path, cards = f"/boards/{board.pk}/costs", factories.board(seed=9, number=1)
    wrong: list[dict[str, Any]] = [{"step": "x"}, {"costs": "y"}, {"step": ["1", "2"]}]
    assert [client.post(path, data).status_code for data in wrong] == [400] * 3
    ask(client, cards)
    assert costs_of(page_of(client, cards, "?step=0")) == ""
    assert client.get(path)["Location"] == f"/boards/{board.pk}"
    assert not CardCosts.objects.exists()
    assert client.post(path, {}).status_code == 303 and CardCosts.objects.exists()


def test_the_play_shows_which_card_cost_a_trick_and_the_review_says_it(client: Client, board: Board) -> None:
    page = page_of(client, board)
    assert "−1" not in page.html and not page.texts("sup", **{"class": "cost"})
    solve()
    page = page_of(client, board)
    assert PLAYS.rows.get().status == SolverStatus.DONE
    board = Board.objects.with_details().get(pk=board.pk)
    assert board.trace and board.final_contract and board.play
    costly = [each for each in board.trace.costs(board.final_contract, board.play) if each.cost]
    marked = [cell for row in rows(page, "play")[2:] for cell in row if "−" in cell]
    assert len(marked) == len(costly) > 0
    assert "What happened" in page.texts("h2")
    assert sorted(page.texts("sup", **{"class": "cost"})) == sorted(f"−{each.cost}" for each in costly)
    assert "With all cards seen, and both sides at their best:" in page.texts("p")
    assert not any("with all cards seen" in text.lower() for text in page.texts("li"))
    step = 7 + board.play.index(costly[0].card)
    (text,) = page_of(client, board, f"?step={step}").texts("p", id="moment")
    assert f"−{costly[0].cost}" in text and "with all cards seen" in text
