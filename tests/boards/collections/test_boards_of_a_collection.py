"""Which boards a collection gets, and in which order."""

from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.collections.services import Place, arrange
from boards.models import Board, Collection
from tests import factories
from tests.answers import assert_error, field_errors
from tests.boards.collections.stored import LIST, order, shown, store, url_of
from tests.linear import assert_linear

pytestmark = pytest.mark.django_db


def test_a_collection_of_a_search_has_its_order_and_of_an_event_numbers(owner: APIClient, anna: Account) -> None:
    five, one, nine = (factories.board(number=number, votes=(number, 0), event="Pairs") for number in (5, 1, 9))
    draft = factories.board(owner=anna, published=False)
    factories.board(owner=factories.account(), published=False)
    searches = {
        "dealer=N&sort=top": [nine, five, one],
        f"event={one.event_slug}": [one, five, nine],
        "published=false&userId=me": [draft],
    }
    for search, expected in searches.items():
        answer = owner.post(LIST, {"title": search, "fromSearch": search})
        assert shown(answer) == [str(board.pk) for board in expected], search


def test_a_board_is_put_where_it_is_wanted(owner: APIClient, anna: Account, boards: list[Board]) -> None:
    named = dict(zip("abcd", [*boards, factories.board()], strict=True))
    for position, expected in ((None, "abcd"), (1, "dabc"), (2, "adbc"), (300, "abcd")):
        collection = store(anna, *boards, title=f"At {position}")
        body = {"position": position} if position else {}
        assert owner.put(url_of(collection, named["d"]), body).status_code == 204
        assert order(collection) == [named[letter].pk for letter in expected], position
    assert_error(owner.generic("PUT", url_of(collection, factories.board())), 400, "bad_request")
    assert len(order(collection)) == 4


def test_putting_a_board_again_moves_it(owner: APIClient, lesson: Collection, boards: list[Board]) -> None:
    url = url_of(lesson, boards[2])
    for body in ({"note": "The last"}, {"position": 1}, {"position": 1}):
        assert owner.put(url, body).status_code == 204
    assert lesson.entries.values_list("board_id", "note")[0] == (boards[2].pk, "The last")
    assert order(lesson) == [boards[2].pk, boards[0].pk, boards[1].pk]
    assert field_errors(owner.put(url, {"position": 0, "x": 1})) == {"position": ["min_value"], "x": ["unknown_field"]}
    assert owner.delete(url).status_code == 204
    assert_error(owner.delete(url), 404, "not_found")
    assert order(lesson) == [boards[0].pk, boards[1].pk]


def test_boards_stand_at_the_positions_that_are_asked_for_and_the_others_around_them() -> None:
    board_ids = {letter: uuid4() for letter in "abcde"}
    places = [Place(pk, letter) for letter, pk in board_ids.items()]
    for positions, expected in (
        *(({}, "abcde"), ({"c": 2, "a": 5}, "bcdea"), ({"e": 2, "d": 2}, "aedbc"), ({"b": 0}, "bacde")),
        *(({"a": 300, "b": 299}, "cdeba"), ({"a": 5, "b": 4, "c": 3, "d": 2, "e": 1}, "edcba")),
    ):
        arranged = arrange(places, {board_ids[letter]: at for letter, at in positions.items()})
        assert "".join(place.note for place in arranged) == expected, positions
    assert arrange(places, {uuid4(): 1}) == places


def test_twice_as_many_positions_take_twice_as_long() -> None:
    def make(size: int) -> list[Place]:
        return [Place(uuid4()) for _ in range(size)]

    def reverse(places: list[Place]) -> list[Place]:
        return arrange(places, {place.board_id: 300 - at for at, place in enumerate(places)})

    assert_linear(make, reverse, 300)
