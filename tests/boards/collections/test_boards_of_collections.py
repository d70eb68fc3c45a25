"""The boards of a collection: in which order, whom practice asks at each, and each as it is answered alone."""

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.collections.services import CollectionEntry, arrange
from boards.models import Board, Collection, PublishedBoard
from tests import factories
from tests.answers import assert_error, field_errors
from tests.boards.collections.stored import LIST, order, sent, shown, store, url_of
from tests.linear import assert_linear

pytestmark = pytest.mark.django_db

PUBLIC = "public, max-age=0, must-revalidate"


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


def test_a_collection_is_made_of_the_address_that_a_browser_shows(owner: APIClient, settings: Any) -> None:
    settings.PUBLIC_BASE_URL = "https://club.example"
    five, one = (factories.board(number=number, votes=(number, 0)) for number in (5, 1))
    factories.board(number=2)
    query = "dealer=N&sort=top"
    for address in (
        *(f"https://club.example/boards?{query}", f"http://Club.example/boards/?{query}#results", f"?{query}"),
        *(f"HTTP://localhost:8000/boards?{query}&filters=open#filters", f"/api/boards?{query}&fields=id&after="),
        *(f"/boards?{query}&view=compact&start=13", f"/boards?q=&page=2&pageSize=12&utm_source=x&{query}"),
    ):
        assert shown(owner.post(LIST, {"title": address[:200], "fromSearch": address})) == [str(five.pk), str(one.pk)]
    Collection.objects.all().delete()
    for address, reason in {
        **dict.fromkeys(
            (f"https://evil.example/boards?{query}", f"//evil.example/boards?{query}"), "club.example/boards?"
        ),
        **dict.fromkeys(
            ("/", "/events/friday", "https://club.example", "http://", "http:///boards", "//", "//?"),
            "club.example/boards?",
        ),
        "http://[/boards?q=x": "not a valid address",
        "?" + "&a=1" * 1_100: "Too many parameters",
        "/boards?delaer=N": "Did you mean dealer?",
    }.items():
        answer = owner.post(LIST, {"title": "Lesson", "fromSearch": address})
        assert reason in assert_error(answer, 400, "validation_error")["meta"]["fields"]["fromSearch"][0]["message"]
    assert not Collection.objects.exists()


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
    places = [CollectionEntry(pk, letter) for letter, pk in board_ids.items()]
    for positions, expected in (
        *(({}, "abcde"), ({"c": 2, "a": 5}, "bcdea"), ({"e": 2, "d": 2}, "aedbc"), ({"b": 0}, "bacde")),
        *(({"a": 300, "b": 299}, "cdeba"), ({"a": 5, "b": 4, "c": 3, "d": 2, "e": 1}, "edcba")),
    ):
        arranged = arrange(places, {board_ids[letter]: at for letter, at in positions.items()})
        assert "".join(place.note for place in arranged) == expected, positions
    assert arrange(places, {uuid4(): 1}) == places


def test_twice_as_many_positions_take_twice_as_long() -> None:
    def make(size: int) -> list[CollectionEntry]:
        return [CollectionEntry(uuid4()) for _ in range(size)]

    def reverse(places: list[CollectionEntry]) -> list[CollectionEntry]:
        return arrange(places, {place.board_id: 300 - at for at, place in enumerate(places)})

    assert_linear(make, reverse, 300)


def test_a_collection_names_whom_practice_asks_from_which_call_on(owner: APIClient, boards: list[Board]) -> None:
    one, two, _ = boards
    asked = [sent([one], seat="W", step=3)[0], sent([two])[0]]
    made = owner.post(LIST, {"title": "Lesson", "boards": asked}).json()
    url = f"{LIST}/{made['id']}"

    def places() -> list[tuple[str, int | None]]:
        return [(each["seat"], each["step"]) for each in owner.get(url).json()["boards"]]

    assert places() == [("W", 3), ("", None)]
    changes: list[tuple[dict[str, Any], tuple[str, int | None]]] = [
        *(({"note": "n"}, ("W", 3)), ({"seat": "", "step": 0}, ("", 0)), ({"step": None}, ("", None))),
    ]
    for body, expected in changes:
        assert owner.put(f"{url}/boards/{one.pk}", body).status_code == 204
        assert places()[0] == expected, body
    for body, code in (
        ({"seat": "south"}, "invalid_choice"),
        ({"step": 320}, "max_value"),
        ({"step": -1}, "min_value"),
    ):
        (name,) = body
        assert field_errors(owner.put(f"{url}/boards/{one.pk}", body)) == {name: [code]}
        assert field_errors(owner.patch(url, {"boards": sent([one], **body)})) == {f"boards.0.{name}": [code]}


def test_boards_are_in_their_order_as_each_is_answered_alone(
    owner: APIClient, others: list[APIClient], anna: Account, boards: list[Board]
) -> None:
    draft, secret = factories.board(owner=anna, published=False), factories.board(title="Secret", published=False)
    one, two, three = boards
    collection = store(anna, three, draft, one, two, visibility="public", note="Note")
    collection.entries.create(board=secret, position=9)
    PublishedBoard.objects.filter(pk=one.pk).update(json_format=0)  # stored by an earlier version of the program
    for client in (owner, *others):
        plain, full = client.get(url_of(collection)), client.get(f"{url_of(collection)}?boards=full")
        entries = full.json()["boards"]
        whole = [entry.pop("board") for entry in entries]
        assert whole == [client.get(f"/api/boards/{entry['boardId']}").json() for entry in entries]
        assert full.json() | {"boards": entries} == plain.json()
        assert (full["ETag"] != plain["ETag"], full["Cache-Control"]) == (True, plain["Cache-Control"])
        again = client.get(f"{url_of(collection)}?boards=full", headers={"if-none-match": full["ETag"]})
        assert again.status_code == 304
        assert ("Secret" in str(whole)) is (client is others[2]), "staff see all drafts"
        assert client.get(f"{url_of(collection)}?boards=").json() == plain.json()
    assert shown(others[0].get(f"{url_of(collection)}?boards=full")) == [str(each.pk) for each in (three, one, two)]
    empty = store(anna, title="Empty", visibility="public")
    assert others[0].get(f"{url_of(empty)}?boards=full").json()["boards"] == []


def test_whole_boards_of_a_private_one_are_for_its_owner(others: list[APIClient], lesson: Collection) -> None:
    for client in others:
        assert_error(client.get(f"{url_of(lesson)}?boards=full"), 404, "not_found")
    assert field_errors(others[0].get(f"{url_of(lesson)}?boards=some")) == {"boards": ["invalid_choice"]}
