"""With MEMBER_PUBLISHING=off a public collection says nothing new, and may be taken back."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board, Collection
from tests import factories
from tests.answers import assert_error
from tests.boards.collections.stored import LIST, sent, store, url_of

pytestmark = pytest.mark.django_db


def test_a_public_one_says_nothing_new(owner: APIClient, anna: Account, boards: list[Board], settings: Any) -> None:
    collection = store(anna, *boards, visibility="public", description="Before", language="en")
    before, url, kept = owner.get(url_of(collection)), url_of(collection), sent(boards)
    settings.MEMBER_PUBLISHING = "off"
    draft = factories.board(owner=anna, published=False)
    texts = (
        {"title": "After"},
        {"title": "After", "visibility": "public"},
        {"description": "After"},
        {"language": "nl"},
    )
    places = (sent(boards, note="After"), kept[::-1], [*kept, *sent([factories.board()])], [*kept, *sent([draft])])
    for changes in (*texts, *({"boards": each} for each in places)):
        refused = assert_error(owner.patch(url, changes), 403, "permission_denied")
        assert "members do not publish here" in refused["message"], changes
    for board, place in ((boards[0], {"note": "After"}), (boards[0], {"position": 2}), (draft, {})):
        assert_error(owner.put(url_of(collection, board), place), 403, "permission_denied")
    assert owner.get(url)["ETag"] == before["ETag"]
    assert owner.patch(url, {"title": "Lesson", "boards": kept}).json() == before.json()
    assert_error(owner.post(LIST, {"title": "Another", "visibility": "public"}), 403, "permission_denied")
    assert Collection.objects.count() == 1


def test_a_public_one_is_taken_back(owner: APIClient, anna: Account, boards: list[Board], settings: Any) -> None:
    one, two, three = (store(anna, *boards, title=title, visibility="public") for title in "abc")
    settings.MEMBER_PUBLISHING = "off"
    fewer = sent(boards[:2])
    assert owner.patch(url_of(one), {"boards": fewer}).json()["boardCount"] == 2
    assert owner.delete(url_of(one, boards[0])).status_code == 204
    assert owner.delete(url_of(one)).status_code == 204
    for collection, visibility in ((two, "private"), (three, "link")):
        url = url_of(collection)
        assert owner.patch(url, {"visibility": visibility, "title": "After"}).json()["title"] == "After"
        assert owner.patch(url, {"boards": fewer[::-1]}).status_code == 200
        assert_error(owner.patch(url, {"visibility": "public"}), 403, "permission_denied")
