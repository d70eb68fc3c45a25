"""/api/collections: who may read, make, publish, change and delete a collection."""

from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from accounts.personal_data.export import export
from boards.collections import services
from boards.models import Board, Collection, CollectionBoard
from config.edge.limits import read_limit
from tests import factories
from tests.answers import assert_error, field_errors
from tests.boards.collections.stored import LIST, order, sent, shown, store, url_of
from tests.deals.events.following import Follower

pytestmark = pytest.mark.django_db

PUBLIC = "public, max-age=0, must-revalidate"


def test_a_new_collection_is_private_and_made_once(owner: APIClient, boards: list[Board]) -> None:
    body = {"title": "Tues\n\tday", "language": "en-gb", "boards": sent(reversed(boards), note="Note")}
    response, again = owner.post(LIST, body), owner.post(LIST, body)
    assert (response.status_code, again.status_code, again.json()) == (201, 200, response.json())
    answer = response.json()
    expected = {"title": "Tues day", "language": "en-GB", "visibility": "private", "publishedAt": None}
    assert answer.items() >= expected.items()
    assert [(each["name"], each["note"]) for each in answer["boards"]] == [(f"Board {n}", "Note") for n in (4, 3, 2)]
    assert response["Location"] == f"{settings.PUBLIC_BASE_URL}{LIST}/{answer['id']}"
    read = owner.get(f"{LIST}/{answer['id']}")
    assert (read.json(), read["ETag"]) == (answer, response["ETag"])
    assert owner.post(LIST, {**body, "boards": []}).status_code == 201
    assert Collection.objects.count() == 2


def test_no_cache_keeps_what_its_owner_may_take_back(anna: Account, owner: APIClient, others: list[APIClient]) -> None:
    expected = {"private": (404, "no-store"), "link": (200, "private, no-store"), "public": (200, PUBLIC)}
    for visibility, (status, kept) in expected.items():
        url = url_of(store(anna, title=visibility, visibility=visibility))
        answers = [client.get(url) for client in others]
        assert [answer.status_code for answer in answers] == [status] * 3, visibility
        assert (owner.get(url).status_code, answers[0]["Cache-Control"]) == (200, kept)


def test_only_public_ones_are_listed_for_others(anna: Account, owner: APIClient, others: list[APIClient]) -> None:
    def titles(client: APIClient, query: str = "") -> list[str]:
        return [each["title"] for each in client.get(f"{LIST}{query}").json()["collections"]]

    for visibility in Collection.Visibility.values:
        store(anna, title=visibility, visibility=visibility)
    for client in (*others, owner):
        assert titles(client) == titles(client, "?owner=anna") == ["public"]
        assert client.get(LIST).json()["pagination"]["totalCount"] == 1
    anonymous, member, _ = others
    assert titles(owner, "?owner=me") == ["public", "link", "private"]
    assert owner.get(f"{LIST}?owner=me")["Cache-Control"] == "private, no-store"
    assert titles(member, "?owner=me") == titles(anonymous, "?owner=nobody") == []
    assert_error(anonymous.get(f"{LIST}?owner=me"), 401, "not_authenticated")
    assert field_errors(anonymous.get(f"{LIST}?owner=two%20words")) == {"owner": ["invalid"]}


def test_drafts_are_left_out_for_others(anna: Account, owner: APIClient, others: list[APIClient]) -> None:
    board, draft = factories.board(), factories.board(owner=anna, published=False)
    url, published = url_of(store(anna, board, draft, visibility="public")), (str(board.pk), True)
    for client in (*others[:2], owner):
        expected = [published, (str(draft.pk), False)] if client is owner else [published]
        assert [(each["boardId"], each["published"]) for each in client.get(url).json()["boards"]] == expected
        listed = client.get(LIST, {"owner": "me"} if client is owner else {}).json()["collections"]
        assert [each["boardCount"] for each in listed] == [len(expected)]


def test_a_board_that_one_may_not_see_cannot_be_added(owner: APIClient, anna: Account, boards: list[Board]) -> None:
    secret = factories.board(owner=factories.account(), published=False)
    collection, places = store(anna, boards[0]), sent([boards[0], secret])
    refused = {"boards.1.boardId": ["does_not_exist"]}
    assert field_errors(owner.post(LIST, {"title": "Mine", "boards": places})) == refused
    assert field_errors(owner.patch(url_of(collection), {"boards": places})) == refused
    assert_error(owner.put(url_of(collection, secret), {}), 404, "not_found")
    assert order(collection) == [boards[0].pk] and Collection.objects.count() == 1


def test_an_unpublished_board_is_hidden_until_it_is_published_again(
    owner: APIClient, others: list[APIClient], lesson: Collection, boards: list[Board]
) -> None:
    url, (one, two, three) = url_of(lesson), boards
    assert owner.patch(url, {"visibility": "link"}).status_code == 200
    assert owner.put(url_of(lesson, one), {"note": "Mine"}).status_code == 204
    assert owner.get(url).json()["hiddenBoards"] == []
    one.unpublish()
    assert shown(owner.get(url)) == [str(two.pk), str(three.pk)]
    assert owner.get(url).json()["hiddenBoards"] == sent([one], note="Mine", seat="", step=None)
    for client in others[:2]:
        assert str(one.pk) not in client.get(url).content.decode()
    assert shown(owner.patch(url, {"boards": sent([three, two])})) == [str(three.pk), str(two.pk)]
    one.publish()
    assert shown(owner.get(url)) == [str(board.pk) for board in (three, two, one)]
    one.unpublish()
    assert owner.delete(url_of(lesson, one)).status_code == 204
    assert owner.get(url).json()["hiddenBoards"] == []
    two.delete()
    assert order(lesson) == [three.pk]


def test_readers_change_nothing(lesson: Collection, others: list[APIClient], boards: list[Board]) -> None:
    """Those who cannot read it get a 404, and strangers a 401 (tests/test_access.py)."""
    url, added = url_of(lesson), url_of(lesson, factories.board())
    Collection.objects.update(visibility="link")
    for client in others[1:]:
        changes = (client.patch(url, {"title": "Mine now"}), client.put(added, {}))
        for answer in (*changes, client.delete(url_of(lesson, boards[0])), client.delete(url)):
            assert_error(answer, 403, "permission_denied")
    lesson.refresh_from_db()
    assert (lesson.title, order(lesson)) == ("Lesson", [board.pk for board in boards])


def test_a_patch_changes_what_it_names(lesson: Collection, owner: APIClient, boards: list[Board]) -> None:
    body = {"title": "Fits", "boards": sent(boards[2:], note="First")}
    first, second = owner.patch(url_of(lesson), body), owner.patch(url_of(lesson), body)
    answer = first.json()
    assert (answer["title"], answer["description"]) == ("Fits", "About fits.")
    assert [(each["boardId"], each["note"]) for each in answer["boards"]] == [(str(boards[2].pk), "First")]
    assert (second.json(), second["ETag"]) == (answer, first["ETag"])
    assert owner.get(url_of(lesson))["ETag"] == first["ETag"]


def test_a_stale_etag_changes_and_deletes_nothing(lesson: Collection, owner: APIClient, boards: list[Board]) -> None:
    url, board = url_of(lesson), factories.board()
    old = owner.get(url)["ETag"]
    assert owner.put(url_of(lesson, board), {}).status_code == 204
    assert_error(owner.patch(url, {"boards": []}, headers={"if-match": old}), 412, "precondition_failed")
    assert_error(owner.delete(url, headers={"if-match": old}), 412, "precondition_failed")
    for answer in (owner.put(url_of(lesson, factories.board()), {}, headers={"if-match": old}),
                   owner.put(url_of(lesson, board), {"position": 1}, headers={"if-match": f"W/{old}"}),
                   owner.delete(url_of(lesson, board), headers={"if-match": old})):  # fmt: skip
        meta = assert_error(answer, 412, "precondition_failed")["meta"]
        assert meta["etag"] == owner.get(url)["ETag"]
    assert order(lesson) == [each.pk for each in (*boards, board)]
    assert owner.delete(url, headers={"if-match": owner.get(url)["ETag"]}).status_code == 204
    assert_error(owner.delete(url), 404, "not_found")
    assert Board.objects.count() == 5


def test_a_board_is_put_and_taken_out_with_the_etag_of_the_collection(
    lesson: Collection, owner: APIClient, boards: list[Board]
) -> None:
    url, board = url_of(lesson), url_of(lesson, boards[2])
    for position, sent_etag in ((1, "{etag}"), (2, '"other", {etag}'), (3, "*")):
        etag = owner.get(url)["ETag"]
        headers = {"if-match": sent_etag.format(etag=etag)}
        assert owner.put(board, {"position": position}, headers=headers).status_code == 204
        assert order(lesson).index(boards[2].pk) == position - 1
    assert owner.delete(board, headers={"if-match": owner.get(url)["ETag"]}).status_code == 204
    assert order(lesson) == [each.pk for each in boards[:2]]


def test_what_is_not_valid_is_refused_by_name_and_stores_nothing(owner: APIClient) -> None:
    nobody = {"boardId": factories.NOBODYS_ID}
    cases: list[tuple[dict[str, Any], str, str]] = [
        *(({"title": title}, "title", code) for title, code in ((None, "null"), (" ", "blank"), ("\x01", "blank"))),
        *(({"title": "x" * 201}, "title", "max_length"), ({"description": "y" * 4001}, "description", "max_length")),
        ({"language": "klingonian language"}, "language", "unknown"),
        ({"visibility": "secret"}, "visibility", "invalid_choice"),
        ({"userId": "bob"}, "userId", "unknown_field"),
        ({"boards": [{"note": "n"}]}, "boards.0.boardId", "required"),
        ({"boards": [nobody | {"note": "n" * 1001}]}, "boards.0.note", "max_length"),
        *(
            ({"boards": [nobody] * 2}, "boards.1.boardId", "repeated"),
            ({"boards": [nobody] * 301}, "boards", "max_length"),
        ),
        ({"fromSearch": "dealer=north"}, "fromSearch.dealer", "invalid_choice"),
        *(({"fromSearch": each}, "fromSearch", "invalid") for each in ("q=nonsense==", "published=false")),
        ({"fromSearch": "", "boards": []}, "fromSearch", "blank"),
        ({"fromSearch": "dealer=N", "boards": []}, "fromSearch", "invalid"),
    ]
    for body, name, code in cases:
        assert field_errors(owner.post(LIST, {"title": "x", **body})) == {name: [code]}, str(body)[:80]
    assert field_errors(owner.post(LIST, {})) == {"title": ["required"]}
    assert not Collection.objects.exists()


def test_limits_are_said_in_words(owner: APIClient, lesson: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = order(lesson)
    monkeypatch.setattr(services, "MAX_BOARDS", 3)
    monkeypatch.setattr(services, "MAX_COLLECTIONS", 2)
    full = assert_error(owner.put(url_of(lesson, factories.board()), {}), 409, "limit_reached")
    assert full["meta"]["limit"] == 3 and "can have 3 boards" in full["message"]
    assert owner.put(f"{url_of(lesson)}/boards/{three}", {"position": 1}).status_code == 204
    assert order(lesson) == [three, one, two]
    assert owner.post(LIST, {"title": "Second"}).status_code == 201
    refused = assert_error(owner.post(LIST, {"title": "Third"}), 409, "limit_reached")
    assert refused["meta"]["limit"] == 2 and "2 collections" in refused["message"]
    assert owner.post(LIST, {"title": "Second"}).status_code == 200
    assert Collection.objects.count() == 2


def test_more_boards_and_collections_take_no_more_queries(owner: APIClient, anna: Account, boards: list[Board]) -> None:
    collection = store(anna, *boards, visibility="public")

    def counts(moved: Board) -> list[int]:
        reads = [partial(owner.get, url) for url in (url_of(collection), LIST, f"{LIST}?owner=me", f"{LIST}?after=")]
        found = []
        for send in (*reads, partial(owner.put, url_of(collection, moved), {"position": 1})):
            with CaptureQueriesContext(connection) as captured:
                assert send().status_code in (200, 204)
            found.append(len(captured))
        return found

    few = counts(boards[2])
    for number in range(3):
        store(anna, *boards, title=f"Lesson {number}", visibility="public")
        services.put_board(account=anna, collection_id=collection.pk, board_id=factories.board(event="Friday pairs").pk)
    assert counts(boards[1]) == few


def test_the_list_is_paged_by_numbers_and_by_cursors_of_its_own(anna: Account, anonymous: APIClient) -> None:
    newest = [str(store(anna, title=f"Lesson {number}", visibility="public").pk) for number in range(5)][::-1]

    def read(query: str) -> tuple[list[str], str]:
        answer = anonymous.get(f"{LIST}?pageSize=2&{query}").json()
        return [each["id"] for each in answer["collections"]], answer["pagination"]["nextCursor"]

    assert [pk for page in (1, 2, 3) for pk in read(f"page={page}")[0]] == newest
    seen, cursor = read("after=")
    store(anna, title="Newer", visibility="public")  # neither repeats nor hides others
    while cursor:
        assert field_errors(anonymous.get(f"/api/boards?after={cursor}")) == {"after": ["invalid"]}
        ids, cursor = read(f"after={cursor}")
        seen += ids
    assert seen == newest
    assert 'rel="next"' in anonymous.get(f"{LIST}?pageSize=2")["Link"]


def test_a_search_counts_as_a_read(settings: Any, owner: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.READ_RATE = "2/h"
    monkeypatch.setattr(read_limit, "SECONDS_OF_A_READ", 3600)
    answers = [owner.post(LIST, {"title": "Lesson", "fromSearch": "sort=top"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 200, 429]


def test_strangers_learn_what_the_owner_is_called_and_callers_with_a_token_who_it_is(
    owner: APIClient, others: list[APIClient], anna: Account
) -> None:
    url = url_of(store(anna, visibility="public"))
    club = {"organisation_name": "The club"}
    for names, expected in (({}, ""), (club, "The club"), ({"display_name": "Anna", **club}, "Anna")):
        Account.objects.filter(pk="anna").update(**names)
        for client, user_id in zip((*others, owner), ("", *["anna"] * 3), strict=True):
            single, listed = client.get(url), client.get(LIST)
            for answer in (single.json(), listed.json()["collections"][0]):
                assert (answer["userId"], answer["displayName"]) == (user_id, expected)
            for answer in (single, listed):
                assert answer["Cache-Control"] == ("private, no-store" if user_id else PUBLIC)
                assert "Authorization" in answer["Vary"]
    old = owner.get(url)["ETag"]
    assert others[0].get(url)["ETag"] not in (old, "")
    assert owner.patch(url, {"title": "Fits"}, headers={"if-match": old}).status_code == 200


# --- Where members do not publish ----------------------------------------------------------------------------


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


# --- What others learn of a collection, and what an erasure leaves of it -------------------------------------


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
