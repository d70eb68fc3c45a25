"""PUT /api/voting/{boardId} and GET /api/voting."""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board
from tests import factories
from tests.answers import assert_error, field_errors
from voting.models import Vote

pytestmark = pytest.mark.django_db


@pytest.fixture
def board(db: None) -> Board:
    return factories.board(seed=1)


@pytest.fixture
def url(board: Board) -> str:
    return f"/api/voting/{board.pk}"


@pytest.fixture
def other(db: None, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(factories.account("other-member"))


def counts(client: APIClient, board: Board) -> tuple[int, int]:
    votes = client.get(f"/api/boards/{board.pk}").json()["votes"]
    stored = [Vote.objects.filter(board=board, value=value).count() for value in ("up", "down")]
    assert [votes["up"], votes["down"]] == stored, "The counters are not the sum of the votes."
    return votes["up"], votes["down"]


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        (["up"], (1, 0)),
        (["down"], (0, 1)),
        (["none"], (0, 0)),
        (["up", "up", "up"], (1, 0)),
        (["up", "down"], (0, 1)),
        (["down", "up", "up"], (1, 0)),
        (["up", "none"], (0, 0)),
        (["down", "none", "none"], (0, 0)),
        (["up", "none", "down", "up"], (1, 0)),
    ],
    ids=str,
)
def test_the_last_choice_counts_once(
    choices: list[str], expected: tuple[int, int], member: APIClient, board: Board, url: str
) -> None:
    for choice in choices:
        response = member.put(url, {"vote": choice})
        assert (response.status_code, response.content) == (204, b"")
    assert counts(member, board) == expected
    last = {} if choices[-1] == "none" else {str(board.pk): choices[-1]}
    assert member.get(f"/api/voting?boardIds={board.pk}").json() == {"votes": last}


def test_a_repeated_vote_writes_nothing(member: APIClient, url: str) -> None:
    member.put(url, {"vote": "up"})
    before = list(Vote.objects.values()), list(Board.objects.values())
    member.put(url, {"vote": "up"})
    assert (list(Vote.objects.values()), list(Board.objects.values())) == before


def test_a_vote_changes_nothing_of_a_board_but_its_counters(
    member: APIClient, board: Board, url: str
) -> None:
    before = Board.objects.values().get()
    member.put(url, {"vote": "up"})
    assert Board.objects.values().get() == {**before, "up_votes": 1}


def test_each_account_has_its_own_vote(member: APIClient, other: APIClient, board: Board, url: str) -> None:
    member.put(url, {"vote": "up"})
    other.put(url, {"vote": "down"})
    assert counts(member, board) == (1, 1)
    other.put(url, {"vote": "none"})
    assert counts(member, board) == (1, 0)


def test_a_vote_changes_the_etag_of_the_board(member: APIClient, board: Board, url: str) -> None:
    etag = member.get(f"/api/boards/{board.pk}")["ETag"]
    member.put(url, {"vote": "up"})
    assert member.get(f"/api/boards/{board.pk}", headers={"if-none-match": etag}).status_code == 200


@pytest.mark.parametrize("missing", [factories.NOBODYS_ID, "5", "me", "%00", "%ff", "é"])
def test_an_unknown_board_cannot_be_voted_on(missing: str, member: APIClient) -> None:
    response = member.put(f"/api/voting/{missing}", {"vote": "up"})
    assert_error(response, 404, "not_found")
    assert not Vote.objects.exists()


@pytest.mark.parametrize("caller", ["member", "admin"])
def test_it_rejects_a_vote_on_an_unpublished_board_and_stores_nothing(
    caller: str, request: pytest.FixtureRequest
) -> None:
    draft = factories.board(published=False)
    response = request.getfixturevalue(caller).put(f"/api/voting/{draft.pk}", {"vote": "up"})
    assert_error(response, 404, "not_found")
    assert not Vote.objects.exists()


def test_not_even_the_owner_votes_on_a_draft(client_of: Callable[[Account], APIClient]) -> None:
    owner = factories.account("owner")
    draft = factories.board(owner=owner, published=False)
    assert client_of(owner).put(f"/api/voting/{draft.pk}", {"vote": "up"}).status_code == 404
    assert not Vote.objects.exists()


def test_votes_stay_while_a_board_is_unpublished(member: APIClient, board: Board, url: str) -> None:
    member.put(url, {"vote": "up"})
    board.unpublish()
    assert member.put(url, {"vote": "none"}).status_code == 404
    board.publish()
    assert counts(member, board) == (1, 0)


@pytest.mark.parametrize("method", ["get", "put"])
def test_an_anonymous_caller_is_asked_for_a_token(method: str, anonymous: APIClient, url: str) -> None:
    response = getattr(anonymous, method)(url if method == "put" else "/api/voting", {"vote": "up"})
    assert_error(response, 401, "not_authenticated")
    assert not Vote.objects.exists()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, {"vote": ["required"]}),
        ({"vote": None}, {"vote": ["null"]}),
        ({"vote": ""}, {"vote": ["invalid_choice"]}),
        ({"vote": "UP"}, {"vote": ["invalid_choice"]}),
        ({"vote": " up"}, {"vote": ["invalid_choice"]}),
        ({"vote": "sideways"}, {"vote": ["invalid_choice"]}),
        ({"vote": 1}, {"vote": ["invalid_choice"]}),
        ({"vote": True}, {"vote": ["invalid_choice"]}),
        ({"vote": ["up"]}, {"vote": ["invalid_choice"]}),
        ({"vote": {"up": 1}}, {"vote": ["invalid_choice"]}),
        ({"vote": "up", "account": "admin"}, {"account": ["unknown_field"]}),
        ("", {"nonFieldErrors": ["invalid"]}),
        ("up", {"nonFieldErrors": ["invalid"]}),
        ([], {"nonFieldErrors": ["invalid"]}),
        ([{"vote": "up"}], {"nonFieldErrors": ["invalid"]}),
        (5, {"nonFieldErrors": ["invalid"]}),
        (True, {"nonFieldErrors": ["invalid"]}),
        (None, {"nonFieldErrors": ["null"]}),
    ],
    ids=repr,
)
def test_a_malformed_vote_is_refused_and_the_earlier_one_stays(
    body: Any, expected: dict[str, list[str]], member: APIClient, board: Board, url: str
) -> None:
    member.put(url, {"vote": "down"})
    response = member.generic("PUT", url, json.dumps(body), content_type="application/json")
    assert field_errors(response) == expected
    assert counts(member, board) == (0, 1)


@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
        ("", "application/json", 400, "validation_error"),
        ("up", "application/json", 400, "bad_request"),
        ('{"vote": "up"', "application/json", 400, "bad_request"),
        ('{"vote": "none", "vote": "up"}', "application/json", 400, "bad_request"),
        ('{"vote": "up\\u0000"}', "application/json", 400, "bad_request"),
        (b"\xff", "application/json", 400, "bad_request"),
        ("vote=up", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        ('{"vote": "up"}', "text/plain", 415, "unsupported_media_type"),
        ('{"vote": "up"}', "application/json; charset=latin-1", 415, "unsupported_media_type"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(
    body: Any, content_type: str, status: int, code: str, member: APIClient, url: str
) -> None:
    response = member.generic("PUT", url, body, content_type=content_type)
    assert_error(response, status, code)
    assert not Vote.objects.exists()


def test_the_caller_gets_its_own_votes_and_no_others(
    member: APIClient, other: APIClient, board: Board
) -> None:
    boards = [board, factories.board(), factories.board(), factories.board()]
    for voted, choice in zip(boards, ("up", "down", "up"), strict=False):
        member.put(f"/api/voting/{voted.pk}", {"vote": choice})
    other.put(f"/api/voting/{boards[3].pk}", {"vote": "up"})
    ids = [str(boards[0].pk), str(boards[1].pk).upper(), str(boards[3].pk), factories.NOBODYS_ID]
    response = member.get(f"/api/voting?boardIds={','.join(ids)}")
    assert response.json() == {"votes": {str(boards[0].pk): "up", str(boards[1].pk): "down"}}
    assert response["Cache-Control"] == "private, no-store"


def test_one_request_asks_about_a_hundred_boards_at_most(member: APIClient, board: Board) -> None:
    member.put(f"/api/voting/{board.pk}", {"vote": "up"})
    ids = [str(board.pk), *(str(uuid.UUID(int=n)) for n in range(99))]
    assert member.get(f"/api/voting?boardIds={','.join(ids)}").json() == {"votes": {str(board.pk): "up"}}
    repeated = "&".join(f"boardIds={each}" for each in ids)
    assert member.get(f"/api/voting?{repeated}").json() == {"votes": {str(board.pk): "up"}}
    for more in (f"boardIds={','.join([*ids, factories.NOBODYS_ID])}", f"{repeated}&boardIds={ids[0]}"):
        assert field_errors(member.get(f"/api/voting?{more}")) == {"boardIds": ["max_length"]}


@pytest.mark.parametrize("query", ["", "?boardIds=", "?boardIds=,%20,", "?boardIds=&boardIds="])
def test_whoever_asks_about_no_board_gets_no_votes(query: str, member: APIClient, board: Board) -> None:
    member.put(f"/api/voting/{board.pk}", {"vote": "up"})
    assert member.get(f"/api/voting{query}").json() == {"votes": {}}


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("?boardIds=5", "invalid"),
        (f"?boardIds={factories.NOBODYS_ID}&boardIds=5", "invalid"),
        (f"?boardIds={factories.NOBODYS_ID},abc", "invalid"),
        (f"?boardIds={factories.NOBODYS_ID.replace('-', '')}", "invalid"),
        (f"?boardIds={{{factories.NOBODYS_ID}}}", "invalid"),
        (f"?boardIds=urn:uuid:{factories.NOBODYS_ID}", "invalid"),
        ("?boardIds=%00", "invalid"),
        ("?boardIds=%ff", "invalid"),
    ],
)
def test_malformed_ids_are_refused(query: str, code: str, member: APIClient) -> None:
    assert field_errors(member.get(f"/api/voting{query}")) == {"boardIds": [code]}


def test_the_number_of_queries_does_not_grow_with_the_votes(member: APIClient, other: APIClient) -> None:
    voted: list[str] = []
    reading, writing = [], []
    for _ in range(2):
        for _ in range(5):
            board = factories.board()
            voted.append(str(board.pk))
            member.put(f"/api/voting/{board.pk}", {"vote": "up"})
            other.put(f"/api/voting/{voted[0]}", {"vote": "down"})
        with CaptureQueriesContext(connection) as read:
            assert len(member.get(f"/api/voting?boardIds={','.join(voted)}").json()["votes"]) == len(voted)
        with CaptureQueriesContext(connection) as wrote:
            member.put(f"/api/voting/{voted[-1]}", {"vote": "down"})
        reading.append(len(read))
        writing.append(len(wrote))
    assert reading == [2, 2]
    assert writing[0] == writing[1]
