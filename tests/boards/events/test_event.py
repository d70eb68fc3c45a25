"""GET /api/events/{slug}: one event, its stages, and where its boards and rankings are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from boards.models import Board
from boards.services.bulk import unpublish_boards
from tests import factories
from tests.answers import assert_error
from tests.boards.events.evenings import SLUG, board, table
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

EVENT = f"/api/events/{SLUG}"


def test_an_event_is_what_the_list_has_of_it_and_its_stages(anonymous: APIClient) -> None:
    for seed, stage in ((1, "Final, Segment 1"), (2, "Final, Segment 2"), (3, "Qualifying")):
        for tricks in (7, 8):
            table(seed, seed, "1NT", "S", tricks, stage=stage, pair_ns=f"{tricks}", pair_ew=f"{tricks + 10}")
    board(4, stage="Qualifying"), board(5, published=False, stage="Draft"), factories.board()
    (listed,) = anonymous.get("/api/events").json()["events"]
    stages = [{"name": "Final", "deals": 2, "tables": 4}, {"name": "Qualifying", "deals": 2, "tables": 2}]
    response = anonymous.get(EVENT)
    assert response.json() == {**listed, "stages": stages}
    assert (listed["boards"], listed["deals"]) == (7, 4)
    assert listed["links"]["event"] == f"http://testserver{EVENT}"
    assert listed["links"]["ranking"] == f"http://testserver{EVENT}/ranking"
    ranked = anonymous.get(listed["links"]["ranking"]).json()["rankings"]
    assert {each["stage"] for each in ranked} == {"Final", "Qualifying"}
    assert anonymous.get(EVENT, headers={"if-none-match": response["ETag"]}).status_code == 304
    assert response["Cache-Control"].startswith("public")


def test_what_two_accounts_hold_counts_once_at_the_tables(anonymous: APIClient) -> None:
    for owner in (factories.account("a"), factories.account("b")):
        table(1, 1, "1NT", "S", 7, owner=owner, pair_ns="1", pair_ew="2")
    event = anonymous.get(EVENT).json()
    assert event["boards"] == 2
    assert event["stages"] == [{"name": "", "deals": 1, "tables": 1}]


def test_an_event_is_there_as_long_as_a_board_of_it_is_published() -> None:
    only = board(1)
    client = ServiceClient()
    for _ in range(3):
        assert client.get(EVENT).json()["boards"] == 1
    unpublish_boards([only.pk])
    assert_error(client.get(EVENT), 404, "not_found")
    assert_error(client.get("/api/events/nothing"), 404, "not_found")


def test_an_event_that_is_too_large_has_no_stages(anonymous: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.events.counting.MAX_EVENT_TABLES", 1)
    board(1), board(2)
    event = anonymous.get(EVENT).json()
    assert (event["boards"], event["deals"], event["stages"]) == (2, 2, None)


def test_the_number_of_statements_does_not_grow_with_the_boards(anonymous: APIClient) -> None:
    counts = []
    for first, last in ((1, 3), (3, 12)):
        for number in range(first, last):
            board(number, stage=f"Round {number}")
        with CaptureQueriesContext(connection) as queries:
            assert anonymous.get(EVENT).json()["boards"] == Board.objects.count()
        counts.append(len(queries))
    assert counts[0] == counts[1]
