"""Which boards a collection gets, and in which order."""

from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.collections.services import Place, arrange
from boards.models import Board
from tests import factories
from tests.answers import assert_error, field_errors
from tests.boards.collections.stored import LIST, order, store
from tests.linear import assert_linear

pytestmark = pytest.mark.django_db


def test_a_collection_of_a_search_has_its_boards_in_its_order_and_that_of_an_event_by_numbers(owner: APIClient) -> None:
    boards = [factories.board(number=number, votes=(number, 0), event="Pairs") for number in (5, 1, 9)]
    factories.board(number=2)
    searches = {"dealer=N&sort=top": [9, 5, 1], f"event={boards[0].event_slug}": [1, 5, 9]}
    for number, (search, expected) in enumerate(searches.items()):
        answer = owner.post(LIST, {"title": str(number), "fromSearch": search}).json()
        assert [int(each["name"].split()[1]) for each in answer["boards"]] == expected, search


def test_a_member_may_collect_own_drafts_by_a_search(owner: APIClient, anna: Account) -> None:
    draft = factories.board(owner=anna, published=False)
    factories.board(owner=factories.account(), published=False)
    body = {"title": "Drafts", "fromSearch": "published=false&userId=me"}
    assert [each["boardId"] for each in owner.post(LIST, body).json()["boards"]] == [str(draft.pk)]


def test_a_board_is_put_where_it_is_wanted(owner: APIClient, anna: Account, boards: list[Board]) -> None:
    named = dict(zip("abcd", [*boards, factories.board()], strict=True))
    for position, expected in ((None, "abcd"), (1, "dabc"), (2, "adbc"), (300, "abcd")):
        collection = store(anna, *boards, title=f"At {position}")
        body = {"position": position} if position else {}
        assert owner.put(f"{LIST}/{collection.pk}/boards/{named['d'].pk}", body).status_code == 204
        assert order(collection) == [named[letter].pk for letter in expected], position


def test_a_board_is_not_put_without_a_body(owner: APIClient, anna: Account, boards: list[Board]) -> None:
    collection, board = store(anna, *boards), factories.board()
    assert_error(owner.generic("PUT", f"{LIST}/{collection.pk}/boards/{board.pk}"), 400, "bad_request")
    assert order(collection) == [each.pk for each in boards]


def test_putting_a_board_again_moves_it_and_keeps_its_note(
    owner: APIClient, anna: Account, boards: list[Board]
) -> None:
    collection = store(anna, *boards)
    url = f"{LIST}/{collection.pk}/boards/{boards[2].pk}"
    assert owner.put(url, {"note": "The last"}).status_code == 204
    for _ in range(2):
        assert owner.put(url, {"position": 1}).status_code == 204
    assert collection.entries.values_list("board_id", "note")[0] == (boards[2].pk, "The last")
    assert order(collection) == [boards[2].pk, boards[0].pk, boards[1].pk]
    assert owner.delete(url).status_code == 204
    assert_error(owner.delete(url), 404, "not_found")
    assert order(collection) == [boards[0].pk, boards[1].pk]
    assert field_errors(owner.put(url, {"position": 0, "x": 1})) == {"position": ["min_value"], "x": ["unknown_field"]}


def test_boards_stand_at_the_positions_that_are_asked_for_and_the_others_around_them() -> None:
    board_ids = {letter: uuid4() for letter in "abcde"}
    places = [Place(pk, letter) for letter, pk in board_ids.items()]
    for positions, expected in (
        ({}, "abcde"),
        ({"c": 2, "a": 5}, "bcdea"),
        ({"e": 2, "d": 2}, "aedbc"),
        ({"a": 300, "b": 299}, "cdeba"),
        ({"b": 0}, "bacde"),
        ({"a": 5, "b": 4, "c": 3, "d": 2, "e": 1}, "edcba"),
    ):
        arranged = arrange(places, {board_ids[letter]: at for letter, at in positions.items()})
        assert "".join(place.note for place in arranged) == expected, positions
    assert arrange(places, {uuid4(): 1}) == places


def test_twice_as_many_positions_take_twice_as_long() -> None:
    def make(size: int) -> list[Place]:
        return [Place(uuid4()) for _ in range(size)]

    assert_linear(
        make, lambda places: arrange(places, {place.board_id: 300 - at for at, place in enumerate(places)}), 300
    )
