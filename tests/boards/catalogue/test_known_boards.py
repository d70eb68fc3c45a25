"""GET /api/boards?ids=… and ?collection=…: the boards that a program knows from elsewhere, and no others."""

import json
from collections.abc import Callable, Iterable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.collections import services
from boards.models import Board, Collection
from tests import factories
from tests.answers import field_errors
from tests.boards.collections.stored import store, url_of
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

NDJSON = {"accept": "application/x-ndjson"}


@pytest.fixture
def boards() -> list[Board]:
    """Return three boards, the newest last, of which the first has the votes."""
    theme = factories.theme("stayman")
    shared = {"event": "Pairs", "themes": (theme,)}
    return [
        factories.board(number=number, votes=(4 - number, 0), title=f"No. {number}", **shared) for number in (1, 2, 3)
    ]


@pytest.fixture
def anna() -> Account:
    return factories.account("anna")


@pytest.fixture
def owner(anna: Account, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(anna)


def numbers(client: APIClient, query: str) -> list[int]:
    """Return the numbers of the boards that are listed."""
    answer = client.get(f"/api/boards?{query}")
    assert answer.status_code == 200, answer.content
    return [board["boardNumber"] for board in answer.json()["boards"]]


def ids(boards: Iterable[Board]) -> str:
    return ",".join(str(board.pk) for board in boards)


def test_ids_and_a_collection_narrow_the_list_and_keep_its_order(
    anonymous: APIClient, anna: Account, boards: list[Board]
) -> None:
    one, two, three = boards
    draft, other = factories.board(published=False, owner=anna), factories.board(number=5, title="Other")
    chosen = (one, three, draft, two)
    collection = f"collection={store(anna, *chosen, visibility='public').pk}"
    given = f"ids={factories.NOBODYS_ID},{ids(chosen).upper()},{one.pk}"
    found = {
        "": [3, 2, 1],
        "sort=top": [1, 2, 3],
        "dealer=N": [1],
        "theme=stayman&q=board>=2": [3, 2],
        "dealer=W": [],
        "pageSize=2&page=2": [1],
        "after=&pageSize=1": [3],
    }
    for known in (collection, given):
        for query, expected in found.items():
            assert numbers(anonymous, f"{known}&{query}") == expected, (known, query)
        stream = b"".join(anonymous.get(f"/api/boards?{known}", headers=NDJSON).streaming_content)
        file = b"".join(anonymous.get(f"/api/boards.pbn?{known}").streaming_content)
        assert [json.loads(line)["boardNumber"] for line in stream.splitlines()] == [3, 2, 1]
        assert file.count(b"[Board ") == 3 and b"Other" not in file
        assert f"{known.partition('=')[0]}=" in anonymous.get(f"/api/boards?{known}&pageSize=1")["Link"]
    assert numbers(anonymous, f"{collection}&ids={other.pk},{two.pk}") == [2]
    for blank in ("ids=", "ids=,%20,", "collection="):
        assert numbers(anonymous, blank) == [5, 3, 2, 1], blank


def test_drafts_are_found_by_whoever_may_list_them(owner: APIClient, anna: Account, boards: list[Board]) -> None:
    own, other = factories.board(published=False, owner=anna), factories.board(published=False)
    collection = store(anna, boards[0], own)
    for known in (f"ids={ids([own, other, *boards])}", f"collection={collection.pk}"):
        answer = owner.get(f"/api/boards?{known}&published=false&userId=me")
        assert [board["id"] for board in answer.json()["boards"]] == [str(own.pk)]


def test_a_collection_that_one_may_not_read_is_like_none(
    owner: APIClient, anonymous: APIClient, member: APIClient, admin: APIClient, anna: Account, boards: list[Board]
) -> None:
    """Nothing tells a private one from an unknown one: neither the body nor a header."""
    empty = f"collection={factories.NOBODYS_ID}"
    for visibility in Collection.Visibility.values:
        collection = store(anna, *boards[:2], visibility=visibility)
        for client in (owner, anonymous, member, admin):
            is_readable = client is owner or visibility != "private"
            assert numbers(client, f"collection={collection.pk}") == ([2, 1] if is_readable else []), visibility
            answer, unknown = (client.get(f"/api/boards?{each}") for each in (f"collection={collection.pk}", empty))
            assert answer["Cache-Control"] == "private, no-store"
            if not is_readable:
                assert answer.content == unknown.content
                others = {"Link": "", "X-Request-Id": ""}  # they name the request
                assert dict(answer.items()) | others == dict(unknown.items()) | others
        file = anonymous.get(f"/api/boards.pbn?collection={collection.pk}")
        assert b"".join(file.streaming_content).count(b"[Board ") == (0 if visibility == "private" else 2)
        assert file["Cache-Control"] == "private, no-store"


def test_a_changed_collection_is_seen_at_once(owner: APIClient, anna: Account, boards: list[Board]) -> None:
    """No process keeps an answer, though those to other addresses of the list are answered in front of Django."""
    collection, client = store(anna, boards[0], visibility="link"), ServiceClient()
    address, etags = f"/api/boards?collection={collection.pk}", set()

    def seen() -> list[int]:
        for path in ("/api/boards", "/api/boards", address):
            answer = client.get(path)
        again = client.get(address, headers={"if-none-match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"") and answer["ETag"] not in etags
        etags.add(answer["ETag"])
        return [board["boardNumber"] for board in answer.json()["boards"]]

    assert seen() == [1]
    services.put_board(account=anna, collection_id=collection.pk, board_id=boards[2].pk)
    assert seen() == [3, 1]
    services.remove_board(account=anna, collection_id=collection.pk, board_id=boards[0].pk)
    assert seen() == [3]
    assert owner.patch(url_of(collection), {"visibility": "private"}).status_code == 200
    assert seen() == []


def test_what_is_no_id_is_refused(anonymous: APIClient, anna: Account, boards: list[Board]) -> None:
    one, many = ids(boards[:1]), ",".join([factories.NOBODYS_ID] * 100)
    refused = {
        "ids=x": {"ids": ["invalid"]},
        f"ids={one};{one}": {"ids": ["invalid"]},
        f"ids={many},{one}": {"ids": ["max_length"]},
        f"ids={one}&ids={one}": {"ids": ["repeated"]},
        "collection=me": {"collection": ["invalid"]},
        f"collection={one},{one}": {"collection": ["invalid"]},
    }
    for query, errors in refused.items():
        assert field_errors(anonymous.get(f"/api/boards?{query}")) == errors, query[:80]
    assert anonymous.get(f"/api/boards?ids={one}").json()["pagination"]["pageSize"] == 100
    full = anonymous.get(f"/api/boards?ids={many}&pageSize=1")
    assert (full.status_code, full.json()["boards"], full["Link"]) == (200, [], "")
    assert "collection" in anonymous.get(f"/api/boards/summary?collection={one}").json()["meta"]["fields"]


def test_a_larger_collection_takes_no_more_queries(anonymous: APIClient, anna: Account, boards: list[Board]) -> None:
    def count(*chosen: Board) -> int:
        collection = store(anna, *chosen, title=f"{len(chosen)} boards", visibility="public")
        with CaptureQueriesContext(connection) as queries:
            assert len(numbers(anonymous, f"collection={collection.pk}")) == len(chosen)
            whole = anonymous.get(f"{url_of(collection)}?boards=full").json()["boards"]
            assert len([entry["board"] for entry in whole]) == len(chosen)
        return len(queries)

    count(boards[0])  # the process reads the labels of all themes once
    assert count(boards[0]) == count(*boards)
