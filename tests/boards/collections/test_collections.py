"""/api/collections: who may read, make, change and delete a collection."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.collections import services
from boards.models import Board, Collection
from config.edge.limits import read_limit
from tests import factories
from tests.answers import assert_error, field_errors
from tests.boards.collections.stored import LIST, order, store

pytestmark = pytest.mark.django_db


def test_a_new_collection_is_private_and_has_its_boards_in_their_order(owner: APIClient, boards: list[Board]) -> None:
    places = [{"boardId": str(board.pk), "note": f"Note {board.title}"} for board in reversed(boards)]
    response = owner.post(LIST, {"title": "Tues\n\tday", "language": "en-gb", "boards": places})
    assert response.status_code == 201
    answer = response.json()
    assert (answer["title"], answer["language"], answer["visibility"]) == ("Tues day", "en-GB", "private")
    assert [(each["name"], each["note"]) for each in answer["boards"]] == [
        (f"Board {number}", f"Note Board {number}") for number in (4, 3, 2)
    ]
    assert answer["publishedAt"] is None
    assert response["Location"] == f"{settings.PUBLIC_BASE_URL}{LIST}/{answer['id']}"
    again = owner.get(f"{LIST}/{answer['id']}")
    assert (again.json(), again["ETag"]) == (answer, response["ETag"])


def test_a_request_that_is_repeated_makes_one_collection(owner: APIClient, boards: list[Board]) -> None:
    body = {"title": "Tuesday", "boards": [{"boardId": str(boards[0].pk)}]}
    first, second = (owner.post(LIST, body) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert owner.post(LIST, {**body, "boards": []}).status_code == 201
    assert Collection.objects.count() == 2


def test_who_may_read_it_and_no_cache_keeps_what_its_owner_may_take_back(
    anna: Account, owner: APIClient, anonymous: APIClient, member: APIClient, admin: APIClient
) -> None:
    for visibility, status in (("private", 404), ("link", 200), ("public", 200)):
        url = f"{LIST}/{store(anna, title=visibility, visibility=visibility).pk}"
        answers = [client.get(url) for client in (anonymous, member, admin)]
        assert [answer.status_code for answer in answers] == [status] * 3, visibility
        assert owner.get(url).status_code == 200
        kept = {"link": "private, no-store", "public": "public, max-age=0, must-revalidate"}
        assert answers[0]["Cache-Control"] == kept.get(visibility, "no-store")


def test_only_public_ones_are_listed_for_others_and_caches(
    anna: Account, owner: APIClient, anonymous: APIClient, member: APIClient, admin: APIClient
) -> None:
    for visibility in Collection.Visibility.values:
        store(anna, title=visibility, visibility=visibility)
    for client in (anonymous, member, admin, owner):
        for query in ("", "?owner=anna"):
            answer = client.get(f"{LIST}{query}").json()
            assert [each["title"] for each in answer["collections"]] == ["public"]
            assert answer["pagination"]["totalCount"] == 1
    mine = owner.get(f"{LIST}?owner=me")
    assert [each["title"] for each in mine.json()["collections"]] == ["public", "link", "private"]
    assert mine["Cache-Control"] == "private, no-store"
    assert member.get(f"{LIST}?owner=me").json()["collections"] == []
    assert_error(anonymous.get(f"{LIST}?owner=me"), 401, "not_authenticated")
    assert anonymous.get(f"{LIST}?owner=nobody").json()["collections"] == []
    assert field_errors(anonymous.get(f"{LIST}?owner=two%20words")) == {"owner": ["invalid"]}


def test_drafts_are_left_out_for_others_and_marked_for_their_owner(
    anna: Account, owner: APIClient, anonymous: APIClient, member: APIClient, boards: list[Board]
) -> None:
    draft = factories.board(owner=anna, published=False)
    collection = store(anna, boards[0], draft, visibility="public")
    seen = {
        name: [(each["boardId"], each["published"]) for each in client.get(url).json()["boards"]]
        for url in [f"{LIST}/{collection.pk}"]
        for name, client in (("owner", owner), ("member", member), ("anonymous", anonymous))
    }
    published = (str(boards[0].pk), True)
    assert seen == {"owner": [published, (str(draft.pk), False)], "member": [published], "anonymous": [published]}
    assert anonymous.get(LIST).json()["collections"][0]["boardCount"] == 1
    assert owner.get(f"{LIST}?owner=me").json()["collections"][0]["boardCount"] == 2


def test_a_board_that_one_may_not_see_cannot_be_added(owner: APIClient, anna: Account, boards: list[Board]) -> None:
    secret = factories.board(owner=factories.account(), published=False)
    collection = store(anna, boards[0])
    places = [{"boardId": str(boards[0].pk)}, {"boardId": str(secret.pk)}]
    refused = {"boards.1.boardId": ["does_not_exist"]}
    assert field_errors(owner.post(LIST, {"title": "Mine", "boards": places})) == refused
    assert field_errors(owner.patch(f"{LIST}/{collection.pk}", {"boards": places})) == refused
    assert_error(owner.put(f"{LIST}/{collection.pk}/boards/{secret.pk}", {}), 404, "not_found")
    assert order(collection) == [boards[0].pk] and Collection.objects.count() == 1


def test_a_board_that_somebody_unpublishes_comes_back_when_it_is_published_again(
    owner: APIClient, anna: Account, boards: list[Board]
) -> None:
    collection = store(anna, *boards)
    url = f"{LIST}/{collection.pk}"
    boards[0].unpublish()
    shown = [each["boardId"] for each in owner.get(url).json()["boards"]]
    assert shown == [str(boards[1].pk), str(boards[2].pk)]
    changed = owner.patch(url, {"boards": [{"boardId": pk} for pk in reversed(shown)]})
    assert [each["boardId"] for each in changed.json()["boards"]] == shown[::-1]
    boards[0].publish()
    assert order(collection) == [boards[2].pk, boards[1].pk, boards[0].pk]
    assert len(owner.get(url).json()["boards"]) == 3


def test_a_deleted_board_leaves_its_collections(anna: Account, boards: list[Board]) -> None:
    collection = store(anna, *boards)
    boards[1].delete()
    assert order(collection) == [boards[0].pk, boards[2].pk]


def test_a_change_by_others_is_refused_and_stores_nothing(
    anna: Account, member: APIClient, admin: APIClient, anonymous: APIClient, boards: list[Board]
) -> None:
    collection = store(anna, boards[0], visibility="link")
    url, other = f"{LIST}/{collection.pk}", f"{LIST}/{collection.pk}/boards/{boards[1].pk}"
    for visibility, status, code in (("link", 403, "permission_denied"), ("private", 404, "not_found")):
        Collection.objects.update(visibility=visibility)
        for client in (member, admin):
            assert_error(client.patch(url, {"title": "Mine now"}), status, code)
            assert_error(client.put(other, {}), status, code)
            assert_error(client.delete(f"{url}/boards/{boards[0].pk}"), status, code)
            assert_error(client.delete(url), status, code)
        for response in (anonymous.patch(url, {"title": "x"}), anonymous.put(other, {}), anonymous.delete(url)):
            assert_error(response, 401, "not_authenticated")
    collection.refresh_from_db()
    assert (collection.title, order(collection)) == ("Lesson", [boards[0].pk])


def test_a_patch_changes_what_it_names_and_a_repeated_one_nothing(
    anna: Account, owner: APIClient, boards: list[Board]
) -> None:
    collection = store(anna, *boards, description="About fits.")
    url = f"{LIST}/{collection.pk}"
    body = {"title": "Fits", "boards": [{"boardId": str(boards[2].pk), "note": "First"}]}
    first = owner.patch(url, body)
    assert (first.json()["title"], first.json()["description"]) == ("Fits", "About fits.")
    assert [(each["boardId"], each["note"]) for each in first.json()["boards"]] == [(str(boards[2].pk), "First")]
    second = owner.patch(url, body)
    assert (second.json(), second["ETag"]) == (first.json(), first["ETag"])
    assert owner.get(url)["ETag"] == first["ETag"]


def test_a_stale_etag_changes_and_deletes_nothing(anna: Account, owner: APIClient, boards: list[Board]) -> None:
    collection = store(anna, boards[0])
    url = f"{LIST}/{collection.pk}"
    old = owner.get(url)["ETag"]
    assert owner.put(f"{url}/boards/{boards[1].pk}", {}).status_code == 204
    assert_error(owner.patch(url, {"boards": []}, headers={"if-match": old}), 412, "precondition_failed")
    assert_error(owner.delete(url, headers={"if-match": old}), 412, "precondition_failed")
    assert order(collection) == [boards[0].pk, boards[1].pk]
    assert owner.delete(url, headers={"if-match": owner.get(url)["ETag"]}).status_code == 204
    assert_error(owner.delete(url), 404, "not_found")
    assert Board.objects.count() == 3


def test_what_is_not_valid_is_refused_by_name_and_stores_nothing(owner: APIClient) -> None:
    nobody = {"boardId": factories.NOBODYS_ID}
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"title": None}, "title", "null"),
        ({"title": " "}, "title", "blank"),
        ({"title": "x" * 201}, "title", "max_length"),
        ({"title": "\x01"}, "title", "blank"),
        ({"description": "y" * 4001}, "description", "max_length"),
        ({"language": "klingonian language"}, "language", "unknown"),
        ({"visibility": "secret"}, "visibility", "invalid_choice"),
        ({"userId": "bob"}, "userId", "unknown_field"),
        ({"boards": [{"note": "n"}]}, "boards.0.boardId", "required"),
        ({"boards": [nobody | {"note": "n" * 1001}]}, "boards.0.note", "max_length"),
        ({"boards": [nobody] * 2}, "boards.1.boardId", "repeated"),
        ({"boards": [nobody] * 301}, "boards", "max_length"),
        ({"fromSearch": "dealer=north"}, "fromSearch.dealer", "invalid_choice"),
        ({"fromSearch": "q=nonsense=="}, "fromSearch", "invalid"),
        ({"fromSearch": "published=false"}, "fromSearch", "invalid"),
        ({"fromSearch": "", "boards": []}, "fromSearch", "blank"),
        ({"fromSearch": "dealer=N", "boards": []}, "fromSearch", "invalid"),
    ]
    for body, name, code in cases:
        assert field_errors(owner.post(LIST, {"title": "x", **body})) == {name: [code]}, str(body)[:80]
    assert field_errors(owner.post(LIST, {})) == {"title": ["required"]}
    assert not Collection.objects.exists()


def test_limits_are_said_in_words(
    owner: APIClient, anna: Account, boards: list[Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_BOARDS", 2)
    monkeypatch.setattr(services, "MAX_COLLECTIONS", 2)
    collection = store(anna, *boards[:2])
    full = assert_error(owner.put(f"{LIST}/{collection.pk}/boards/{boards[2].pk}", {}), 409, "limit_reached")
    assert full["meta"]["limit"] == 2 and "2 boards at most" in full["message"]
    assert owner.put(f"{LIST}/{collection.pk}/boards/{boards[1].pk}", {"position": 1}).status_code == 204
    assert order(collection) == [boards[1].pk, boards[0].pk]
    assert owner.post(LIST, {"title": "Second"}).status_code == 201
    refused = assert_error(owner.post(LIST, {"title": "Third"}), 409, "limit_reached")
    assert refused["meta"]["limit"] == 2 and "2 collections" in refused["message"]
    assert owner.post(LIST, {"title": "Second"}).status_code == 200
    assert Collection.objects.count() == 2


def test_lists_and_collections_take_as_many_queries_with_many_boards_as_with_few(
    owner: APIClient, anna: Account, boards: list[Board]
) -> None:
    collection = store(anna, *boards, visibility="public")
    urls = [f"{LIST}/{collection.pk}", LIST, f"{LIST}?owner=me", f"{LIST}?after="]
    few = [queries(partial(owner.get, url)) for url in urls]
    put = {"position": 1}
    put_few = queries(partial(owner.put, f"{urls[0]}/boards/{boards[2].pk}", put))
    for number in range(3):
        store(anna, *boards, title=f"Lesson {number}", visibility="public")
        services.put_board(account=anna, collection_id=collection.pk, board_id=factories.board().pk)
    assert [queries(partial(owner.get, url)) for url in urls] == few
    assert queries(partial(owner.put, f"{urls[0]}/boards/{boards[1].pk}", put)) == put_few


def queries(send: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert send().status_code in (200, 204)
    return len(captured)


def test_the_list_is_paged_by_numbers_and_by_cursors(anna: Account, anonymous: APIClient) -> None:
    made = [str(store(anna, title=f"Lesson {number}", visibility="public").pk) for number in range(5)]
    newest = made[::-1]

    def read(query: str) -> tuple[list[str], dict[str, Any]]:
        answer = anonymous.get(f"{LIST}?{query}").json()
        return [each["id"] for each in answer["collections"]], answer["pagination"]

    assert read("pageSize=2")[0] + read("pageSize=2&page=2")[0] + read("pageSize=2&page=3")[0] == newest
    seen, pagination = read("pageSize=2&after=")
    newer = store(anna, title="Newer", visibility="public")  # neither repeats nor hides others
    while cursor := pagination["nextCursor"]:
        ids, pagination = read(f"pageSize=2&after={cursor}")
        seen += ids
    assert seen == newest and pagination["totalCount"] == 6
    assert read("pageSize=1")[0] == [str(newer.pk)]
    assert 'rel="next"' in anonymous.get(f"{LIST}?pageSize=2")["Link"]
    cursor = read("pageSize=2")[1]["nextCursor"]
    assert field_errors(anonymous.get(f"/api/boards?after={cursor}")) == {"after": ["invalid"]}


def test_an_impersonation_reads_and_changes_nothing(anna: Account, support: APIClient) -> None:
    collection = store(anna)
    running = factories.impersonation(Account.objects.get(pk="support"), anna)
    headers = {"x-impersonation-id": str(running.pk)}
    url = f"{LIST}/{collection.pk}"
    assert support.get(url, headers=headers).status_code == 200
    for response in (
        support.post(LIST, {"title": "x"}, headers=headers),
        support.patch(url, {"title": "x"}, headers=headers),
        support.delete(url, headers=headers),
        support.put(f"{url}/boards/{factories.NOBODYS_ID}", {}, headers=headers),
    ):
        assert_error(response, 403, "impersonation_read_only")


def test_making_collections_of_searches_counts_as_reading(
    settings: Any, client_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.READ_RATE = "2/h"
    monkeypatch.setattr(read_limit, "SECONDS_OF_A_READ", 3600)
    client = client_of(factories.account())
    body = {"title": "Lesson", "fromSearch": "sort=top"}
    answers = [client.post(LIST, body) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 200, 429]


def test_strangers_learn_what_the_owner_is_called_and_callers_with_a_token_who_it_is(
    owner: APIClient, member: APIClient, anonymous: APIClient, anna: Account
) -> None:
    store(anna, visibility="public")
    url = f"{LIST}/{Collection.objects.get().pk}"
    for names, expected in (
        ({}, ""),
        ({"organisation_name": "The club"}, "The club"),
        ({"display_name": "Anna", "organisation_name": "The club"}, "Anna"),
    ):
        Account.objects.filter(pk="anna").update(**names)
        for client, user_id in ((anonymous, ""), (member, "anna"), (owner, "anna")):
            single, listed = client.get(url), client.get(LIST)
            for answer in (single.json(), listed.json()["collections"][0]):
                assert (answer["userId"], answer["displayName"]) == (user_id, expected)
            kept = "private, no-store" if user_id else "public, max-age=0, must-revalidate"
            assert {single["Cache-Control"], listed["Cache-Control"]} == {kept}
            assert "Authorization" in single["Vary"] and "Authorization" in listed["Vary"]
    old = owner.get(url)["ETag"]
    assert anonymous.get(url)["ETag"] not in (old, "")
    assert owner.patch(url, {"title": "Fits"}, headers={"if-match": old}).status_code == 200


def test_the_owner_finds_boards_that_others_have_unpublished_and_takes_them_out(
    owner: APIClient, member: APIClient, anonymous: APIClient, anna: Account, boards: list[Board]
) -> None:
    collection = store(anna, *boards, visibility="public")
    url = f"{LIST}/{collection.pk}"
    assert owner.put(f"{url}/boards/{boards[0].pk}", {"note": "Mine"}).status_code == 204
    assert owner.get(url).json()["hiddenBoards"] == []
    boards[0].unpublish()
    hidden = owner.get(url).json()["hiddenBoards"]
    assert hidden == [{"boardId": str(boards[0].pk), "note": "Mine"}]
    for client in (member, anonymous):
        assert client.get(url).json()["hiddenBoards"] == []
        assert str(boards[0].pk) not in client.get(url).content.decode()
    assert owner.delete(f"{url}/boards/{hidden[0]['boardId']}").status_code == 204
    assert owner.get(url).json()["hiddenBoards"] == []
    assert order(collection) == [boards[1].pk, boards[2].pk]
