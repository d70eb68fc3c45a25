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
from tests.boards.collections.stored import LIST, order, store
from tests.deals.events.following import Follower

pytestmark = pytest.mark.django_db


def test_the_feed_tells_when_a_collection_becomes_public_and_when_it_ceases_to_be(
    owner: APIClient, anna: Account, service: APIClient
) -> None:
    follower = Follower(service)
    url = f"{LIST}/{owner.post(LIST, {'title': 'Lesson'}).json()['id']}"
    assert follower.types() == []
    for visibility in ("public", "public", "link", "private", "public"):
        assert owner.patch(url, {"visibility": visibility}).json()["visibility"] == visibility
    assert follower.types() == ["collection.published", "collection.unpublished", "collection.published"]
    assert owner.delete(url).status_code == 204
    assert follower.types() == ["collection.unpublished"]
    body = {"title": "Another", "visibility": "public"}
    made = owner.post(LIST, body).json()["id"]
    assert owner.post(LIST, body).status_code == 200
    event = service.get("/api/deals/events?limit=500").json()["events"][-1]
    assert (event["type"], event["data"]["collectionId"]) == ("collection.published", made)
    links = {"deal": None, "board": None, "collection": f"{settings.PUBLIC_BASE_URL}{LIST}/{made}"}
    assert (event["data"]["dealId"], event["data"]["boardId"], event["data"]["links"]) == (None, None, links)


def test_a_collection_that_is_made_public_again_has_its_first_date(owner: APIClient, anna: Account) -> None:
    url = f"{LIST}/{store(anna).pk}"
    dates = [
        owner.patch(url, {"visibility": visibility}).json()["publishedAt"]
        for visibility in ("public", "private", "public")
    ]
    assert dates[0] and len(set(dates)) == 1


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


def test_an_account_that_was_switched_off_since_it_signed_in_stores_nothing(anna: Account, boards: list[Board]) -> None:
    collection = store(anna, boards[0])
    Account.objects.filter(pk="anna").update(is_active=False)
    with pytest.raises(services.InvalidToken):
        store(anna, title="Late")
    with pytest.raises(services.InvalidToken):
        services.put_board(account=anna, collection_id=collection.pk, board_id=boards[1].pk)
    assert order(collection) == [boards[0].pk] and Collection.objects.count() == 1
