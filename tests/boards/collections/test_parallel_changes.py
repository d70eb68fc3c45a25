"""Changes of one collection that arrive at once: nothing is lost, on either database."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection, connections
from django.http import Http404
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from boards.collections import services
from boards.collections.services import Place, Texts
from boards.models import Board, Collection, CollectionBoard
from tests import factories
from tests.conftest import token_of
from tests.meetings import during

pytestmark = pytest.mark.django_db(transaction=True)

LIST = "/api/collections"


def send(token: str, method: str, path: str, body: object = None, etag: str = "") -> int:
    """Send one request through the whole stack, on a database connection of this thread's own."""
    client = APIClient(headers={"authorization": f"Bearer {token}"} | ({"if-match": etag} if etag else {}))
    try:
        return getattr(client, method)(path, body).status_code
    finally:
        connections.close_all()


def at_once(calls: Sequence[Callable[[], int]]) -> list[int]:
    with ThreadPoolExecutor(8) as pool:
        return [running.result() for running in [pool.submit(call) for call in calls]]


def make(owner: Account, boards: Sequence[Board] = ()) -> Collection:
    places = [Place(board.pk) for board in boards]
    return services.create_collection(owner=owner, texts=Texts("Lesson"), places=places)[0]


def positions(collection: Collection) -> list[int]:
    return list(collection.entries.values_list("position", flat=True))


def test_boards_that_are_added_and_moved_at_once_are_all_there_in_one_order() -> None:
    anna, boards = factories.account("anna"), [factories.board() for _ in range(8)]
    collection, token = make(anna, boards[:3]), token_of(anna)
    urls = {board.pk: f"{LIST}/{collection.pk}/boards/{board.pk}" for board in boards}
    puts = [partial(send, token, "put", url, {"position": number % 5 + 1}) for number, url in enumerate(urls.values())]
    assert at_once(puts) == [204] * 8
    assert set(collection.entries.values_list("board_id", flat=True)) == {*urls}
    assert positions(collection) == list(range(1, 9))
    deletes = [partial(send, token, "delete", urls[board.pk]) for board in boards[:4]]
    moves = [partial(send, token, "put", urls[board.pk], {"position": 1}) for board in boards[4:]]
    assert at_once(deletes + moves) == [204] * 8
    assert collection.entries.count() == 4


def test_of_reorderings_with_one_etag_at_once_one_is_stored() -> None:
    anna, boards = factories.account("anna"), [factories.board() for _ in range(5)]
    collection, token = make(anna, boards), token_of(anna)
    url = f"{LIST}/{collection.pk}"
    etag = APIClient(headers={"authorization": f"Bearer {token}"}).get(url)["ETag"]
    orders = [[board.pk for board in boards[turn:] + boards[:turn]] for turn in range(1, 5)]
    bodies = [{"boards": [{"boardId": str(pk)} for pk in order]} for order in orders]
    statuses = at_once([partial(send, token, "patch", url, body, etag) for body in bodies])
    assert sorted(statuses) == [200] + [412] * 3
    stored = list(collection.entries.values_list("board_id", flat=True))
    assert stored == orders[statuses.index(200)]


def test_the_limit_holds_at_once_and_a_repeated_request_makes_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_COLLECTIONS", 3)
    token = token_of(factories.account("anna"))
    assert sorted(at_once([partial(send, token, "post", LIST, {"title": "Same"})] * 6)) == [200] * 5 + [201]
    others = [partial(send, token, "post", LIST, {"title": f"Lesson {number}"}) for number in range(6)]
    assert sorted(at_once(others)) == [201] * 2 + [409] * 4
    assert Collection.objects.count() == 3


def test_boards_that_are_deleted_while_a_collection_is_reordered_are_gone() -> None:
    anna, boards = factories.account("anna"), [factories.board() for _ in range(6)]
    collection, token = make(anna, boards), token_of(anna)
    url = f"{LIST}/{collection.pk}"

    def delete(board: Board) -> int:
        try:
            board.delete()
            return 204
        finally:
            connections.close_all()

    moves = [partial(send, token, "put", f"{url}/boards/{board.pk}", {"position": 1}) for board in boards[3:]] * 2
    statuses = at_once([*moves, *(partial(delete, board) for board in boards[:3])])
    assert statuses == [204] * 9
    assert set(collection.entries.values_list("board_id", flat=True)) == {board.pk for board in boards[3:]}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks the whole database")
def test_a_board_is_moved_beside_one_that_is_being_deleted() -> None:
    """The move waits before it reads the places, so that it does not put the other board back."""
    anna, boards = factories.account("anna"), [factories.board() for _ in range(3)]
    collection = make(anna, boards)
    move = partial(services.put_board, account=anna, collection_id=collection.pk, board_id=boards[2].pk, position=1)
    assert during(boards[0].delete, move) is None
    assert [place.board_id for place in services.places_of(collection.entries.all())] == [boards[2].pk, boards[1].pk]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks the whole database")
def test_a_board_that_is_being_deleted_is_not_added() -> None:
    anna, board = factories.account("anna"), factories.board()
    collection = make(anna)
    added = during(
        board.delete, partial(services.put_board, account=anna, collection_id=collection.pk, board_id=board.pk)
    )
    assert isinstance(added, Http404)
    assert not CollectionBoard.objects.exists()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks the whole database")
def test_an_erasure_that_is_under_way_is_waited_for_and_nothing_is_stored_after_it() -> None:
    anna, board = factories.account("anna"), factories.board()
    collection = make(anna)
    late = during(
        partial(erase, account_id="anna", by=None),
        partial(services.put_board, account=anna, collection_id=collection.pk, board_id=board.pk),
    )
    assert isinstance(late, services.InvalidToken)
    assert isinstance(
        during(
            partial(services.create_collection, owner=factories.account("bob"), texts=Texts("B")),
            partial(erase, account_id="bob", by=None),
        ),
        dict,
    )
    assert not Collection.objects.exists()
