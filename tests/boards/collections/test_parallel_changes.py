"""Changes of one collection that arrive at once: nothing is lost, on either database."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.http import Http404
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from boards.collections import services
from boards.collections.services import Texts
from boards.models import Board, Collection
from tests import factories
from tests.boards.collections.stored import LIST, order, sent, store, url_of
from tests.boards.test_races import at_once
from tests.conftest import token_of
from tests.meetings import during

pytestmark = pytest.mark.django_db(transaction=True)
only_where_rows_are_locked = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite locks the whole database"
)


@pytest.fixture
def anna(transactional_db: None) -> Account:
    return factories.account("anna")


@pytest.fixture
def boards(anna: Account) -> list[Board]:
    return [factories.board() for _ in range(8)]


def send(method: str, path: str, body: object = None, etag: str = "") -> int:
    """Send one request through the whole stack."""
    token = token_of(Account(pk="anna"))
    client = APIClient(headers={"authorization": f"Bearer {token}"} | ({"if-match": etag} if etag else {}))
    status: int = getattr(client, method)(path, body).status_code
    return status


def put(collection: Collection, board: Board, position: int) -> Callable[[], int]:
    return partial(send, "put", url_of(collection, board), {"position": position})


def test_boards_that_are_added_and_moved_at_once_are_all_there_in_one_order(anna: Account, boards: list[Board]) -> None:
    collection = store(anna, *boards[:3])
    puts = [put(collection, board, number % 5 + 1) for number, board in enumerate(boards)]
    assert at_once(*puts) == [204] * 8
    assert {*order(collection)} == {board.pk for board in boards}
    assert list(collection.entries.values_list("position", flat=True)) == list(range(1, 9))
    deletes = [partial(send, "delete", url_of(collection, board)) for board in boards[:4]]
    assert at_once(*deletes, *(put(collection, board, 1) for board in boards[4:])) == [204] * 8
    assert len(order(collection)) == 4


def test_of_reorderings_with_one_etag_at_once_one_is_stored(anna: Account, boards: list[Board]) -> None:
    collection = store(anna, *boards)
    etag = APIClient(headers={"authorization": f"Bearer {token_of(anna)}"}).get(url_of(collection))["ETag"]
    orders = [boards[turn:] + boards[:turn] for turn in range(1, 5)]
    bodies = [{"boards": sent(order)} for order in orders]
    statuses = at_once(*(partial(send, "patch", url_of(collection), body, etag) for body in bodies))
    assert sorted(statuses) == [200] + [412] * 3
    assert order(collection) == [board.pk for board in orders[statuses.index(200)]]


def test_the_limit_holds_at_once_and_a_repeated_request_makes_one(
    anna: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_COLLECTIONS", 3)
    assert sorted(at_once(*[partial(send, "post", LIST, {"title": "Same"})] * 6)) == [200] * 5 + [201]
    others = [partial(send, "post", LIST, {"title": f"Lesson {number}"}) for number in range(6)]
    assert sorted(at_once(*others)) == [201] * 2 + [409] * 4
    assert Collection.objects.count() == 3


def test_boards_that_are_deleted_while_a_collection_is_reordered_are_gone(anna: Account, boards: list[Board]) -> None:
    collection, deleted, kept = store(anna, *boards), boards[:3], boards[3:6]
    moves = [put(collection, board, 1) for board in kept] * 2
    statuses = at_once(*moves, *(board.delete for board in deleted))
    assert statuses[: len(moves)] == [204] * len(moves)
    assert {*order(collection)} == {board.pk for board in boards[3:]}


@only_where_rows_are_locked
def test_a_board_that_is_being_deleted_is_not_added_and_one_beside_it_is_moved(
    anna: Account, boards: list[Board]
) -> None:
    """Either waits before it reads the places, so that it does not put the other board back."""
    one, two, three, other, *_ = boards
    collection = store(anna, one, two, three)
    put = partial(services.put_board, account=anna, collection_id=collection.pk)
    assert during(one.delete, partial(put, board_id=three.pk, position=1)) is None
    assert isinstance(during(other.delete, partial(put, board_id=other.pk)), Http404)
    assert order(collection) == [three.pk, two.pk]


@only_where_rows_are_locked
def test_an_erasure_that_is_under_way_is_waited_for_and_nothing_is_stored_after_it(
    anna: Account, boards: list[Board]
) -> None:
    add = partial(services.put_board, account=anna, collection_id=store(anna).pk, board_id=boards[0].pk)
    assert isinstance(during(partial(erase, account_id="anna", by=None), add), services.InvalidToken)
    make = partial(services.create_collection, owner=factories.account("bob"), texts=Texts("B"))
    assert isinstance(during(make, partial(erase, account_id="bob", by=None)), dict)
    assert not Collection.objects.exists()
