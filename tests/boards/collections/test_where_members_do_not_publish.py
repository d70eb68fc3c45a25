"""With MEMBER_PUBLISHING=off a public collection says nothing new, and may be taken back."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board, Collection
from tests import factories
from tests.answers import assert_error
from tests.boards.collections.stored import LIST, store

pytestmark = pytest.mark.django_db


def test_where_members_do_not_publish_a_public_one_is_refused(settings: Any, client_of: Any) -> None:
    settings.MEMBER_PUBLISHING = "off"
    answer = client_of(factories.account()).post(LIST, {"title": "Lesson", "visibility": "public"})
    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    assert not Collection.objects.exists()


def test_where_members_do_not_publish_a_public_one_says_nothing_new(
    owner: APIClient, anna: Account, boards: list[Board], settings: Any
) -> None:
    collection = store(anna, *boards, visibility="public", description="Before", language="en")
    url = f"{LIST}/{collection.pk}"
    before = owner.get(url)
    settings.MEMBER_PUBLISHING = "off"
    ids = [str(board.pk) for board in boards]
    kept = [{"boardId": pk} for pk in ids]
    draft = factories.board(owner=anna, published=False)
    for changes in (
        {"title": "After"},
        {"title": "After", "visibility": "public"},
        {"description": "After"},
        {"language": "nl"},
        {"boards": [{"boardId": pk, "note": "After"} for pk in ids]},
        {"boards": kept[::-1]},
        {"boards": [*kept, {"boardId": str(factories.board().pk)}]},
        {"boards": [*kept, {"boardId": str(draft.pk)}]},
    ):
        refused = assert_error(owner.patch(url, changes), 403, "permission_denied")
        assert "members do not publish here" in refused["message"], changes
    for board, place in ((boards[0], {"note": "After"}), (boards[0], {"position": 2}), (draft, {})):
        assert_error(owner.put(f"{url}/boards/{board.pk}", place), 403, "permission_denied")
    assert owner.get(url)["ETag"] == before["ETag"]
    assert owner.patch(url, {"title": "Lesson", "boards": kept}).json() == before.json()


def test_where_members_do_not_publish_a_public_one_may_be_taken_back(
    owner: APIClient, anna: Account, boards: list[Board], settings: Any
) -> None:
    collections = [store(anna, *boards, title=title, visibility="public") for title in "abc"]
    settings.MEMBER_PUBLISHING = "off"
    urls = [f"{LIST}/{collection.pk}" for collection in collections]
    fewer = [{"boardId": str(board.pk)} for board in boards[:2]]
    assert owner.patch(urls[0], {"boards": fewer}).json()["boardCount"] == 2
    assert owner.delete(f"{urls[0]}/boards/{boards[0].pk}").status_code == 204
    assert owner.delete(urls[0]).status_code == 204
    for url, visibility in zip(urls[1:], ("private", "link"), strict=True):
        assert owner.patch(url, {"visibility": visibility, "title": "After"}).json()["title"] == "After"
        assert owner.patch(url, {"boards": fewer[::-1]}).status_code == 200
        assert_error(owner.patch(url, {"visibility": "public"}), 403, "permission_denied")
