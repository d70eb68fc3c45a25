"""The whole list as NDJSON: one board a line, as the list in pages shows it."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.catalogue import answers
from boards.models import Board
from tests import factories
from tests.answers import assert_error, field_errors
from tests.conformance.document import dereference, document
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

NDJSON = {"accept": "application/x-ndjson"}
PUBLIC = "public, max-age=0, must-revalidate"


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "CHUNK_SIZE", 3)


def lines(client: APIClient, query: str = "", cache_control: str = PUBLIC) -> list[dict[str, Any]]:
    response = client.get(f"/api/boards?{query}", headers=NDJSON)
    assert (response.status_code, response["Content-Type"]) == (200, "application/x-ndjson")
    assert (response["Cache-Control"], response.streaming, "ETag" in response) == (cache_control, True, False)
    body = b"".join(response.streaming_content)
    assert body.endswith(b"\n") or body == b""
    return [json.loads(line) for line in body.splitlines()]


def listed(client: APIClient, query: str = "") -> list[dict[str, Any]]:
    return client.get(f"/api/boards?pageSize=100&{query}").json()["boards"]


def test_all_boards_of_the_list_are_streamed_in_its_order(anonymous: APIClient) -> None:
    """Chunks have three boards: try none, three, four and eight."""
    moment = factories.board(published=False).created_at
    assert lines(anonymous) == []
    for total in (3, 4, 8):
        for number in range(Board.objects.published().count(), total):
            factories.board(published_at=moment, themes=(factories.theme(),), number=1 + number % 2)
        streamed = lines(anonymous)
        assert streamed == listed(anonymous) and len(streamed) == total
        assert len(lines(anonymous, "page=2&pageSize=1")) == total
    for query in ("dealer=N", "themeType=convention&dealer=E&vulnerability=NS"):
        assert lines(anonymous, query) == listed(anonymous, query) != []
    assert len(lines(anonymous, "updatedSince=2000-01-01T00:00:00Z&dealer=N")) == 4
    assert lines(anonymous, "updatedSince=2100-01-01T00:00:00Z") == []


def test_a_caller_s_own_votes_and_drafts_are_private(
    member: APIClient, anonymous: APIClient, support: APIClient
) -> None:
    owner = Account.objects.get(pk="member")
    boards = [factories.board(owner=owner, published=bool(place % 2)) for place in range(8)]
    assert member.put(f"/api/voting/{boards[1].pk}", {"vote": "up"}).status_code == 204
    for query, votes in (("", {"up", None}), ("userId=me", {"up", None}), ("published=false&userId=me", {None})):
        shown = lines(member, query, "private, no-store")
        assert shown == listed(member, query) and len(shown) == 4
        assert {board["ownVote"] for board in shown} == votes, query
    assert all("ownVote" not in board for board in lines(anonymous))
    assert len(lines(support, "published=false", "private, no-store")) == 4


def test_what_a_list_refuses_is_refused_before_the_first_line(anonymous: APIClient, member: APIClient) -> None:
    board = factories.board()
    for name, value, code in (("sort", "top", "invalid"), ("dealer", "a b", "invalid_choice")):
        assert field_errors(anonymous.get(f"/api/boards?{name}={value}", headers=NDJSON)) == {name: [code]}
    assert_error(anonymous.get("/api/boards?published=false", headers=NDJSON), 401, "not_authenticated")
    assert_error(member.get("/api/boards?published=false", headers=NDJSON), 403, "permission_denied")
    for path in ("/api/themes", f"/api/boards/{board.pk}"):
        assert_error(anonymous.get(path, headers=NDJSON), 406, "not_acceptable")


def test_caches_tell_the_two_types_apart() -> None:
    factories.board()
    client = ServiceClient()
    for _ in range(3):
        page, stream = client.get("/api/boards"), client.get("/api/boards", headers=NDJSON)
        for answer, kind in ((page, "application/json"), (stream, "application/x-ndjson")):
            assert (answer["Content-Type"], answer["Cache-Control"]) == (kind, PUBLIC)
            assert "Accept" in answer["Vary"].split(", ")
        assert [json.loads(line) for line in stream.content.splitlines()] == page.json()["boards"]
    for accept in ("*/*", "application/*", "application/json", "application/json, application/x-ndjson"):
        assert client.get("/api/boards", headers={"accept": accept})["Content-Type"] == "application/json"


def test_a_chunk_is_read_when_the_reader_has_come_to_it(anonymous: APIClient) -> None:
    for _ in range(7):
        factories.board()
    anonymous.get("/api/boards")  # a process reads the labels of themes and systems once
    with CaptureQueriesContext(connection) as queries:
        chunks = iter(anonymous.get("/api/boards", headers=NDJSON).streaming_content)
    assert len(queries) == 1  # the first one, before the head says that all is well
    for count, queries_of_chunk in ((3, 0), (3, 1), (1, 1)):
        with CaptureQueriesContext(connection) as queries:
            assert next(chunks).count(b"\n") == count
        assert len(queries) == queries_of_chunk


def test_the_document_names_both_types() -> None:
    answers = document()["paths"]["/api/boards"]["get"]["responses"]
    shapes = {kind: content["schema"]["$ref"].rpartition("/")[2] for kind, content in answers["200"]["content"].items()}
    assert shapes == {"application/json": "BoardPage", "application/x-ndjson": "Board"}
    others = [dereference(answer) for code, answer in answers.items() if code not in ("200", "304")]
    assert {tuple(answer["content"]) for answer in others} == {("application/json",)}
