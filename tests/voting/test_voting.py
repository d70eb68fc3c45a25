"""PUT /api/voting/{boardId} and GET /api/voting."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board
from tests import factories
from voting.models import Vote

pytestmark = pytest.mark.django_db


def counters(board: Board) -> tuple[int, int]:
    board.refresh_from_db()
    return board.up_votes, board.down_votes


def test_a_vote_is_set_changed_and_taken_back(member: APIClient) -> None:
    board = factories.board()
    for choice, expected in (("up", (1, 0)), ("up", (1, 0)), ("down", (0, 1)), ("none", (0, 0)), ("none", (0, 0))):
        response = member.put(f"/api/voting/{board.pk}", {"vote": choice})
        assert (response.status_code, response.content) == (204, b"")
        assert counters(board) == expected
    assert not Vote.objects.exists()


def test_a_vote_changes_nothing_else_of_the_board(member: APIClient) -> None:
    board = factories.board()
    before = board.updated_at
    member.put(f"/api/voting/{board.pk}", {"vote": "up"})
    board.refresh_from_db()
    assert board.updated_at == before


@pytest.mark.parametrize("published", [True, False])
def test_it_rejects_a_vote_on_a_board_nobody_sees_and_stores_nothing(published: bool, member: APIClient) -> None:
    board_id = factories.NOBODYS_ID if published else factories.board(published=False).pk
    assert member.put(f"/api/voting/{board_id}", {"vote": "up"}).status_code == 404
    assert not Vote.objects.exists()


@pytest.mark.parametrize(
    "body", ["", "[]", "null", "5", '"up"', "{}", '{"vote": null}', '{"vote": true}', '{"vote": "UP"}', '{"vote": ["up"]}']
)
def test_a_malformed_body_is_refused_and_stores_nothing(body: str, member: APIClient) -> None:
    board = factories.board()
    response = member.put(f"/api/voting/{board.pk}", body, content_type="application/json")
    assert response.status_code == 400
    assert response.json()["code"] in ("validation_error", "bad_request")
    assert counters(board) == (0, 0)


def test_an_unknown_field_is_named(member: APIClient) -> None:
    board = factories.board()
    response = member.put(f"/api/voting/{board.pk}", {"vote": "up", "weight": 2})
    assert response.json()["meta"]["fields"]["weight"][0]["code"] == "unknown_field"
    assert counters(board) == (0, 0)


def test_one_sees_ones_own_votes_on_the_boards_asked_for(
    member: APIClient, client_of: Callable[[Account], APIClient]
) -> None:
    up, down, other = factories.board(), factories.board(), factories.board()
    member.put(f"/api/voting/{up.pk}", {"vote": "up"})
    member.put(f"/api/voting/{down.pk}", {"vote": "down"})
    client_of(factories.account()).put(f"/api/voting/{other.pk}", {"vote": "up"})
    response = member.get("/api/voting", {"boardIds": f"{up.pk},{down.pk},{other.pk},{factories.NOBODYS_ID}"})
    assert response.json() == {"votes": {str(up.pk): "up", str(down.pk): "down"}}
    assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("ids", [None, "", "x", f"{factories.NOBODYS_ID},5", ",".join([factories.NOBODYS_ID] * 101)])
def test_missing_malformed_or_too_many_ids_are_refused(ids: str | None, member: APIClient) -> None:
    response = member.get("/api/voting", {} if ids is None else {"boardIds": ids})
    assert response.status_code == 400
    assert response.json()["meta"]["fields"].keys() == {"boardIds"}


def test_a_hundred_ids_are_answered_with_as_many_queries_as_one(
    member: APIClient, django_assert_num_queries: Any
) -> None:
    boards = [factories.board() for _ in range(3)]
    for asked in (boards[:1], boards):
        ids = ",".join(str(board.pk) for board in asked)
        with django_assert_num_queries(2):  # the account, the votes
            member.get("/api/voting", {"boardIds": ids})


def test_a_vote_takes_as_many_queries_on_an_old_board_as_on_a_new_one(
    member: APIClient, client_of: Callable[[Account], APIClient], django_assert_max_num_queries: Any
) -> None:
    board = factories.board()
    for _ in range(5):
        client_of(factories.account()).put(f"/api/voting/{board.pk}", {"vote": "up"})
    with django_assert_max_num_queries(12):
        member.put(f"/api/voting/{board.pk}", {"vote": "up"})
    assert counters(board) == (6, 0)
