"""The analysis of plays: what is asked, when an answer is out of date, and who gets it."""

from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from boards.analysis import COSTS, PLAYS, ask_for_costs
from boards.models import Board, CardCosts, PlayAnalysis
from bridge.seats import Seat
from deals.models import FeedEvent, SolverStatus
from deals.solver.queues import QUEUES, TABLES, Order, claim_next
from tests import factories

pytestmark = pytest.mark.django_db


def led_board(**values: Any) -> Board:
    """Store a board of 1NT by North, with East's first spade as its lead."""
    layout = factories.layout(1)
    suit, ranks = next((suit, ranks) for suit, ranks in layout.suits(Seat.EAST).items() if ranks)
    lead = {"seed": 1, "number": 1, "calls": "1NT Pass Pass Pass", "tricks": 7, "opening_lead": suit + ranks[0]}
    return factories.board(**{**lead, **values})


def claim_play() -> Any:
    claim = PLAYS.claim(Order.NEWEST)
    assert claim
    return claim


def answers(claim: Any, trace: str = "77") -> dict[Any, dict[str, str]]:
    return {job.id: {"trace": trace} for job in claim.jobs}


def test_a_board_with_a_lead_waits_for_its_analysis_and_one_without_cards_has_none() -> None:
    led = led_board()
    factories.board(seed=2)
    factories.board(seed=3, calls="Pass Pass Pass Pass")
    assert (PlayAnalysis.objects.get().board, PlayAnalysis.objects.get().status) == (led, SolverStatus.PENDING)


def test_a_stored_trace_is_in_the_boards_json_the_feed_the_search_and_its_pbn(anonymous: APIClient) -> None:
    board = led_board()
    before = FeedEvent.objects.count()
    claim = claim_play()
    assert PLAYS.store(claim, answers(claim, "78")) == 1
    shown = anonymous.get(f"/api/boards/{board.pk}").json()
    cards = [{"trick": 1, "seat": "E", "card": board.opening_lead, "cost": 1}]
    costs = {"lead": 1, "cards": cards, "lostByDeclarer": 0, "lostByDefence": 1}
    assert shown["analysis"] == {"status": "done", **costs}
    assert "lead" in {each["code"] for each in shown["verdict"]}
    assert shown["updatedAt"] > f"{board.updated_at.isoformat()[:26]}Z"
    new = FeedEvent.objects.order_by("pk")[before:]
    assert [(event.type, event.board_id) for event in new] == [(FeedEvent.Type.BOARD_CHANGED, board.pk)]
    for query, found in (("leadcost>=1", 1), ("leadcost=0", 0), ("defencelost=1", 1), ("declarerlost=0", 1)):
        assert anonymous.get("/api/boards", {"q": query}).json()["pagination"]["totalCount"] == found
    assert '[DoubleDummyPlay "78"]' in anonymous.get(f"/api/boards/{board.pk}.pbn").content.decode()
    assert '[DoubleDummyPlay "78"]' in anonymous.get("/api/boards.pbn").getvalue().decode()


def test_a_change_of_the_play_asks_anew_and_a_change_of_a_text_does_not(service: APIClient) -> None:
    board = led_board()
    claim = claim_play()
    PLAYS.store(claim, answers(claim))
    ask_for_costs(board)
    path = f"/api/deals/{board.deal_id}/boards/{board.pk}"
    response = service.patch(path, {"title": "New"}, format="json")
    assert response.json()["analysis"]["status"] == "done"
    held = [suit + rank for suit, ranks in board.deal.layout.suits(Seat.EAST).items() for rank in ranks]
    other = next(card for card in held if card != board.opening_lead)
    response = service.patch(path, {"openingLead": other}, format="json")
    assert response.status_code == 200, response.json()
    nothing: dict[str, Any] = {"lead": None, "cards": [], "lostByDeclarer": None, "lostByDefence": None}
    assert response.json()["analysis"] == {"status": "pending", **nothing}
    assert service.get(path)["ETag"] == response["ETag"]
    assert not CardCosts.objects.exists()


def test_a_refreshed_board_is_asked_about_and_no_answer_about_a_play_that_has_changed_is_stored() -> None:
    board = led_board()
    PlayAnalysis.objects.all().delete()  # as of a board of an earlier version
    call_command("refresh_boards")
    assert PlayAnalysis.objects.get().status == SolverStatus.PENDING
    claim = claim_play()
    Board.objects.filter(pk=board.pk).update(opening_lead="")
    call_command("refresh_boards")
    assert PLAYS.store(claim, answers(claim)) == 0
    assert not PlayAnalysis.objects.exists()


def test_an_answer_that_is_none_is_refused() -> None:
    for queue, name in ((PLAYS, "trace"), (COSTS, "costs")):
        assert queue.read({name: "77"}) == {name: "77"}
        for answer in ({}, {name: ""}, {name: "xy"}, {name: 7}, {name: "7" * 54} if queue is PLAYS else {name: "7\n"}):
            with pytest.raises(ValueError, match=name):
                queue.read(answer)


def test_costs_come_first_then_wanted_tables_then_plays_then_the_tables_of_files() -> None:
    led_board()
    asked = led_board(tricks=8)
    ask_for_costs(asked)
    factories.deal(solver_priority=2)
    taken = []
    while claim := claim_next(Order.WANTED):
        taken.append(claim.queue)
    assert taken == [COSTS, TABLES, PLAYS, TABLES]
    assert QUEUES == [COSTS, PLAYS, TABLES]


def test_the_status_says_that_there_is_no_solver_or_that_a_play_has_failed_three_times(anonymous: APIClient) -> None:
    board = led_board()

    def status() -> str:
        return anonymous.get(f"/api/boards/{board.pk}").json()["analysis"]["status"]

    assert (PLAYS.mark_unavailable(), status()) == (1, "unavailable")
    assert (PLAYS.mark_available(), status()) == (1, "pending")
    claim = claim_play()
    job = claim.jobs[0]
    for _ in range(2):
        job = PLAYS.record_failure(claim, job)
        assert job
    assert (PLAYS.record_failure(claim, job), status()) == (None, "failed")
