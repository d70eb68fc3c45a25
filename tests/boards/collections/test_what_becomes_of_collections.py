"""What others learn of a collection, and what an erasure leaves of it."""

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from accounts.personal_data.export import export
from boards.collections import services
from boards.models import Board, Collection, CollectionBoard
from tests import factories
from tests.boards.collections.stored import LIST, order, store, url_of
from tests.deals.events.following import Follower

pytestmark = pytest.mark.django_db


def test_the_feed_tells_when_a_collection_becomes_public_with_its_first_date_and_when_it_ceases_to_be(
    owner: APIClient, lesson: Collection, service: APIClient
) -> None:
    follower, dates = Follower(service), []
    for visibility in ("public", "public", "link", "private", "public"):
        answer = owner.patch(url_of(lesson), {"visibility": visibility}).json()
        assert answer["visibility"] == visibility
        dates.append(answer["publishedAt"])
    assert dates[0] and len({*dates}) == 1
    assert follower.types() == ["collection.published", "collection.unpublished", "collection.published"]
    assert owner.delete(url_of(lesson)).status_code == 204
    assert follower.types() == ["collection.unpublished"]
    body = {"title": "Another", "visibility": "public"}
    made = owner.post(LIST, body).json()["id"]
    assert owner.post(LIST, body).status_code == 200
    event = service.get("/api/deals/events?limit=500").json()["events"][-1]
    links = {"deal": None, "board": None, "collection": f"{settings.PUBLIC_BASE_URL}{LIST}/{made}"}
    expected = {"collectionId": made, "dealId": None, "boardId": None, "links": links}
    assert event["type"] == "collection.published" and event["data"].items() >= expected.items()


def test_an_erasure_deletes_collections_and_tells_the_feed(anna: Account, service: APIClient) -> None:
    store(anna, factories.board(), visibility="public")
    store(anna, title="Private")
    other = store(factories.account(), factories.board())
    data = b"".join(export(anna))
    assert data.count(b'"title":"Lesson"') == 1 and b'"collectionBoards":[{' in data
    follower = Follower(service)
    erased = erase(account_id="anna", by=None)
    assert (erased["collections"], erased["collectionBoards"]) == (2, 1)
    assert follower.types() == ["collection.unpublished"]
    assert list(Collection.objects.all()) == [other] and CollectionBoard.objects.count() == 1


def test_an_account_that_was_switched_off_since_it_signed_in_stores_nothing(
    anna: Account, lesson: Collection, boards: list[Board]
) -> None:
    added = factories.board()
    Account.objects.filter(pk="anna").update(is_active=False)
    with pytest.raises(services.InvalidToken):
        store(anna, title="Late")
    with pytest.raises(services.InvalidToken):
        services.put_board(account=anna, collection_id=lesson.pk, board_id=added.pk)
    assert order(lesson) == [board.pk for board in boards] and Collection.objects.count() == 1
