"""PUT /api/voting/{boardId} and GET /api/voting."""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board
from tests import factories
from tests.answers import assert_error, field_errors
from tests.undone import undone
from voting.models import Vote

pytestmark = pytest.mark.django_db


@pytest.fixture
def board(db: None) -> Board:
    return factories.board(seed=1)


@pytest.fixture
def url(board: Board) -> str:
    return f"/api/voting/{board.pk}"


def counts(client: APIClient, board: Board) -> tuple[int, int]:
    votes = client.get(f"/api/boards/{board.pk}").json()["votes"]
    stored = [Vote.objects.filter(board=board, value=value).count() for value in ("up", "down")]
    assert [votes["up"], votes["down"]] == stored, "The counters are not the sum of the votes."
    return votes["up"], votes["down"]


def test_the_last_choice_counts_once(member: APIClient, board: Board, url: str, subtests: pytest.Subtests) -> None:
    for choices, expected in [
        (["up"], (1, 0)), (["down"], (0, 1)), (["none"], (0, 0)), (["up", "up", "up"], (1, 0)),
        (["up", "down"], (0, 1)), (["down", "up", "up"], (1, 0)), (["up", "none"], (0, 0)),
        (["down", "none", "none"], (0, 0)), (["up", "none", "down", "up"], (1, 0)),
    ]:  # fmt: skip
        with subtests.test(repr((choices, expected))), undone():
            for choice in choices:
                response = member.put(url, {"vote": choice})
                assert (response.status_code, response.content) == (204, b"")
            assert counts(member, board) == expected
            last = {} if choices[-1] == "none" else {str(board.pk): choices[-1]}
            assert member.get(f"/api/voting?boardIds={board.pk}").json() == {"votes": last}


def test_a_vote_changes_counters_and_etag_alone_and_once(member: APIClient, board: Board, url: str) -> None:
    before, etag = Board.objects.values().get(), member.get(f"/api/boards/{board.pk}")["ETag"]
    member.put(url, {"vote": "up"})
    assert Board.objects.values().get() == {**before, "up_votes": 1}
    assert member.get(f"/api/boards/{board.pk}", headers={"if-none-match": etag}).status_code == 200
    stored = list(Vote.objects.values()), list(Board.objects.values())
    member.put(url, {"vote": "up"})
    assert (list(Vote.objects.values()), list(Board.objects.values())) == stored


def test_neither_an_unknown_board_nor_a_draft_is_voted_on_even_by_its_owner_or_an_admin(
    member: APIClient, admin: APIClient, client_of: Callable[[Account], APIClient]
) -> None:
    owner = factories.account("owner")
    draft = factories.board(owner=owner, published=False)
    refused = [(member, missing) for missing in (factories.NOBODYS_ID, "5", "me", "%00", "%ff", "é")]
    for client, missing in (*refused, *((each, draft.pk) for each in (member, admin, client_of(owner)))):
        assert_error(client.put(f"/api/voting/{missing}", {"vote": "up"}), 404, "not_found")
        assert not Vote.objects.exists(), missing


def test_votes_stay_while_a_board_is_unpublished(member: APIClient, board: Board, url: str) -> None:
    member.put(url, {"vote": "up"})
    board.unpublish()
    assert member.put(url, {"vote": "none"}).status_code == 404
    board.publish()
    assert counts(member, board) == (1, 0)


def test_a_malformed_vote_is_refused_and_the_earlier_one_stays(member: APIClient, board: Board, url: str) -> None:
    member.put(url, {"vote": "down"})
    malformed: list[tuple[Any, dict[str, list[str]]]] = [
        ({}, {"vote": ["required"]}), ({"vote": None}, {"vote": ["null"]}),
        *(({"vote": value}, {"vote": ["invalid_choice"]}) for value in ("", "UP", " up", 1, True, ["up"], {"up": 1})),
        ({"vote": "up", "account": "admin"}, {"account": ["unknown_field"]}),
        *((body, {"nonFieldErrors": ["invalid"]}) for body in ("up", [{"vote": "up"}], 5)),
        (None, {"nonFieldErrors": ["null"]}),
    ]  # fmt: skip
    for body, expected in malformed:
        response = member.generic("PUT", url, json.dumps(body), content_type="application/json")
        assert field_errors(response) == expected, body
        assert counts(member, board) == (0, 1), body


def test_the_caller_gets_its_own_votes_and_no_others(member: APIClient, admin: APIClient, board: Board) -> None:
    boards = [board, factories.board(), factories.board()]
    for client, voted, choice in (
        (member, board, "up"), (member, boards[1], "down"), (admin, board, "down"), (admin, boards[2], "up")
    ):  # fmt: skip
        client.put(f"/api/voting/{voted.pk}", {"vote": choice})
    assert counts(member, board) == (1, 1)
    ids = [str(board.pk), str(boards[1].pk).upper(), str(boards[2].pk), factories.NOBODYS_ID]
    response = member.get(f"/api/voting?boardIds={','.join(ids)}")
    assert response.json() == {"votes": {str(board.pk): "up", str(boards[1].pk): "down"}}
    admin.put(f"/api/voting/{board.pk}", {"vote": "none"})
    assert counts(member, board) == (1, 0)


def test_one_request_asks_about_a_hundred_boards_at_most(member: APIClient, board: Board) -> None:
    member.put(f"/api/voting/{board.pk}", {"vote": "up"})
    ids = [str(board.pk), *(str(uuid.UUID(int=n)) for n in range(99))]
    assert member.get(f"/api/voting?boardIds={','.join(ids)}").json() == {"votes": {str(board.pk): "up"}}
    repeated = "&".join(f"boardIds={each}" for each in ids)
    assert member.get(f"/api/voting?{repeated}").json() == {"votes": {str(board.pk): "up"}}
    for more in (f"boardIds={','.join([*ids, factories.NOBODYS_ID])}", f"{repeated}&boardIds={ids[0]}"):
        assert field_errors(member.get(f"/api/voting?{more}")) == {"boardIds": ["max_length"]}


def test_asking_about_no_board_gets_no_votes_and_bad_ids_are_refused(member: APIClient, board: Board, url: str) -> None:
    member.put(url, {"vote": "up"})
    for query in ("", "?boardIds=", "?boardIds=,%20,", "?boardIds=&boardIds="):
        assert member.get(f"/api/voting{query}").json() == {"votes": {}}, query
    known = factories.NOBODYS_ID
    for ids in (
        "5", f"{known}&boardIds=5", f"{known},abc", known.replace("-", ""), f"{{{known}}}", f"urn:uuid:{known}", "%00",
        "%ff",
    ):  # fmt: skip
        assert field_errors(member.get(f"/api/voting?boardIds={ids}")) == {"boardIds": ["invalid"]}, ids
