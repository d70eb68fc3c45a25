"""The caller's own vote with each board: for callers with a token alone."""

from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.catalogue.refreshing import refresh
from boards.models import Board, PublishedBoard
from tests import factories
from tests.conformance.document import document

pytestmark = pytest.mark.django_db


def vote(client: APIClient, board: Board, value: str) -> None:
    assert client.put(f"/api/voting/{board.pk}", {"vote": value}).status_code == 204


def own_votes(client: APIClient, query: str = "", **headers: str) -> dict[str, Any]:
    response = client.get(f"/api/boards{query}", headers=headers)
    assert response["Cache-Control"] == "private, no-store"
    return {board["id"]: board["ownVote"] for board in response.json()["boards"]}


@pytest.fixture
def boards(member: APIClient) -> list[Board]:
    """Return boards that the member voted up, down and not at all."""
    boards = [factories.board() for _ in range(3)]
    vote(member, boards[0], "up")
    vote(member, boards[1], "down")
    return boards


def test_each_caller_with_a_token_sees_its_own_votes_or_those_of_whom_it_impersonates(
    member: APIClient, support: APIClient, boards: list[Board]
) -> None:
    up, down, none = (str(board.pk) for board in boards)
    vote(support, boards[2], "up")
    for query in ("", "?sort=top", "?dealer=N"):
        assert own_votes(member, query) == {up: "up", down: "down", none: None}
        assert own_votes(support, query) == {up: None, down: None, none: "up"}
    actor, subject = (Account.objects.get(pk=pk) for pk in ("support", "member"))
    header = {"x-impersonation-id": str(factories.impersonation(actor, subject).pk)}
    assert own_votes(support, **header) == own_votes(member)
    for client, headers in ((member, {}), (support, header)):
        shown = {pk: client.get(f"/api/boards/{pk}", headers=headers).json()["ownVote"] for pk in (up, down, none)}
        assert shown == own_votes(member)


def test_an_answer_without_a_token_has_no_such_field_as_the_document_says(
    anonymous: APIClient, service: APIClient, member: APIClient, boards: list[Board]
) -> None:
    board = boards[0]
    alone = anonymous.get(f"/api/boards/{board.pk}").json()
    assert "ownVote" not in alone
    assert all("ownVote" not in each for each in anonymous.get("/api/boards").json()["boards"])
    assert service.get(f"/api/deals/{board.deal_id}/boards").json() == [alone]
    with_vote = member.get(f"/api/boards/{board.pk}").json()
    assert with_vote == {**alone, "ownVote": "up"}
    place = list(with_vote).index("ownVote")
    assert list(with_vote)[place - 1 : place + 2] == ["votes", "ownVote", "links"]
    said = document()["components"]["schemas"]["Board"]
    assert "ownVote" in said["properties"] and "ownVote" not in said["required"] and "votes" in said["required"]


def test_a_board_with_a_text_of_another_format_and_a_draft_have_it_too(member: APIClient, boards: list[Board]) -> None:
    stored = member.get("/api/boards").content
    PublishedBoard.objects.update(json="", json_format=0)
    assert member.get("/api/boards").content == stored
    draft = factories.board(owner=Account.objects.get(pk="member"))
    vote(member, draft, "down")
    draft.unpublish()
    refresh([draft.pk])
    assert member.get(f"/api/boards/{draft.pk}").json()["ownVote"] == "down"
    assert own_votes(member, "?published=false&userId=me") == {str(draft.pk): "down"}


def test_it_takes_one_query_for_a_page_of_any_length(member: APIClient) -> None:
    owner = Account.objects.get(pk="member")
    for number in range(6):
        factories.board(owner=owner, published=bool(number % 2))
    own_votes(member)  # The process reads the labels of all themes once.
    for query, size in product(("?", "?published=false&userId=me&"), (1, 3)):
        with CaptureQueriesContext(connection) as queries:
            assert len(own_votes(member, f"{query}pageSize={size}")) == size
        assert sum("voting_vote" in str(each["sql"]) for each in queries) == 1, query
    with CaptureQueriesContext(connection) as queries:
        APIClient().get("/api/boards")
    assert not any("voting_vote" in str(each["sql"]) for each in queries)
