"""One board of a deal, as services read, publish and unpublish it."""

import pytest
from rest_framework.test import APIClient

from boards.models import Board
from tests import factories
from tests.answers import field_errors
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say

pytestmark = pytest.mark.django_db


def path(board: Board) -> str:
    return f"/api/deals/{board.deal_id}/boards/{board.pk}"


def publish(service: APIClient, board: Board, published: bool) -> dict[str, object]:
    response = service.patch(path(board), {"published": published})
    assert response.status_code == 200, response.json()
    assert_readers_get_what_the_boards_say()
    return response.json()


@pytest.mark.parametrize("published", [True, False])
def test_a_board_is_read_with_the_etag_that_a_change_expects(service: APIClient, published: bool) -> None:
    board = factories.board(published=published, themes=(factories.theme(),))
    read = service.get(path(board))
    assert (read.status_code, read.json()["id"]) == (200, str(board.pk))
    assert read.json() == service.get(f"/api/deals/{board.deal_id}/boards").json()[0]
    assert read["Cache-Control"] == "private, no-store"
    unchanged = service.get(path(board), headers={"if-none-match": read["ETag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    for status in (200, 412):
        change = service.patch(path(board), {"title": "New"}, headers={"if-match": read["ETag"]})
        assert change.status_code == status
    assert service.get(path(board))["ETag"] == change.json()["meta"]["etag"] != read["ETag"]


def test_a_draft_is_published_without_another_import(service: APIClient, anonymous: APIClient) -> None:
    draft = factories.board(published=False)
    shown = publish(service, draft, True)
    assert shown["publishedAt"] is not None
    assert anonymous.get(f"/api/boards/{draft.pk}").json() == shown
    assert publish(service, draft, True)["publishedAt"] == shown["publishedAt"]


def test_an_unpublished_board_is_a_draft_again_and_keeps_its_votes(
    service: APIClient, member: APIClient, anonymous: APIClient
) -> None:
    board = factories.board()
    assert member.put(f"/api/voting/{board.pk}", {"vote": "up"}).status_code == 204
    first = service.get(path(board)).json()["publishedAt"]
    shown = publish(service, board, False)
    assert (shown["publishedAt"], shown["votes"]) == (None, {"up": 1, "down": 0})
    assert anonymous.get(f"/api/boards/{board.pk}").status_code == 404
    assert anonymous.get("/api/boards").json()["boards"] == []
    again = publish(service, board, True)
    assert again["publishedAt"] == first
    assert again["votes"] == {"up": 1, "down": 0}


def test_a_change_without_published_leaves_a_draft_a_draft(service: APIClient) -> None:
    draft = factories.board(published=False)
    assert service.patch(path(draft), {"title": "New"}).json()["publishedAt"] is None
    shown = service.patch(path(draft), {"title": "Newer", "published": True}).json()
    assert (shown["title"], shown["publishedAt"] is None) == ("Newer", False)


def test_published_is_a_boolean_that_only_a_change_knows(service: APIClient) -> None:
    draft = factories.board(published=False)
    for value, code in ((None, "null"), ("true", "invalid"), (1, "invalid")):
        response = service.patch(path(draft), {"published": value})
        assert field_errors(response) == {"published": [code]}
    response = service.post(f"/api/deals/{draft.deal_id}/boards", {"boardNumber": 1, "published": False})
    assert field_errors(response) == {"published": ["unknown_field"]}
    assert Board.objects.get().published_at is None
