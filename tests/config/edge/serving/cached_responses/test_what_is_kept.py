"""What is kept, and for whom: the answer that Django would give now, to the byte."""

from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest import MonkeyPatch
from rest_framework.test import APIClient

from boards.models import Board
from boards.services.bulk import unpublish_boards
from config.edge.serving import cached_responses
from config.edge.serving.cached_responses import CachedResponses
from tests import factories
from tests.answers import assert_error
from tests.config.edge.serving.cached_responses.conftest import paths_of, postgresql_only, queries_of
from tests.config.edge.serving.test_public_reads import KINDS, PAGES, READS, head_and_body, served
from tests.conftest import token_of
from tests.log_lines import Lines
from tests.service_client import ServiceClient

__all__ = ["served"]  # a fixture
pytestmark = postgresql_only


def test_a_reader_who_has_a_kept_answer_gets_a_304_even_if_nobody_ever_asked_for_the_whole(
    board: Board, states: list[str], anonymous: ServiceClient, lines: Lines, settings: Any
) -> None:
    settings.ACCESS_LOG_SUCCESSES = 1
    for path in paths_of(board):
        lines.raw.clear()
        etag = ServiceClient().get(path)["ETag"]
        for _ in range(2):
            assert anonymous.get(path, headers={"if-none-match": etag}).status_code == 304
        with CaptureQueriesContext(connection) as queries:
            known = anonymous.get(path, headers={"if-none-match": etag})
            whole = anonymous.get(path)
        assert (known.status_code, known.content, known["ETag"]) == (304, b"", etag)
        assert (whole.status_code, whole["ETag"], bool(whole.content)) == (200, etag, True)
        assert queries.captured_queries == []
        (route,) = {line["route"] for line in lines.of("access")}
        assert route != "unknown", "the log names the route of a kept answer"


def test_answers_of_different_addresses_and_those_that_headers_choose_are_kept_apart(
    board: Board, states: list[str], anonymous: ServiceClient
) -> None:
    """The path "/api/boards%3Fpage=2" has a question mark, and is not a query of /api/boards."""
    theme = board.themes.get()
    for _ in range(3):
        for language in ("en", "nl"):
            page = anonymous.get("/themes", headers={"accept-language": language}).content.decode()
            assert theme.labels[language] in page
        assert anonymous.get("/api/boards?page=2").json()["boards"] == []
        assert len(anonymous.get("/api/boards", headers={"accept": "application/json"}).json()["boards"]) == 1
        assert_error(anonymous.get("/api/boards", headers={"accept": "text/html"}), 406, "not_acceptable")
        assert anonymous.get("/api/boards%3Fpage=2").status_code == 404


def test_the_first_request_of_an_address_does_not_ask_for_the_state_nor_does_one_that_is_private_by_now(
    board: Board, states: list[str], anonymous: ServiceClient
) -> None:
    paths = [f"/api/boards/{board.pk}", *(f"/api/boards?page={page}" for page in range(1, 10))]
    assert [anonymous.get(path).status_code for path in paths] == [200] * 10
    assert states == []
    anonymous.get("/api/boards?page=1")
    assert states == ["unchanged"]
    unpublish_boards([board.pk])
    assert [anonymous.get(paths[0]).status_code for _ in range(3)] == [404] * 3
    assert len(states) == 2, "it is forgotten with the first of them"


def test_what_is_no_public_answer_is_never_kept(board: Board, states: list[str]) -> None:
    owner = factories.account("owner")
    draft = factories.board(owner=owner, published=False)
    client, session = ServiceClient(), ServiceClient()
    session.force_login(factories.account("staff", role="admin"))
    bearer, basic = {"authorization": f"Bearer {token_of(owner)}"}, {"authorization": "Basic x"}
    page, read = f"/boards/{draft.pk}", f"/api/boards/{draft.pk}"
    for reader, path, headers, status in (
        *((session, page, {}, 200), (session, "/admin/", {}, 200), (client, page, {}, 404), (client, read, {}, 404)),
        *((client, "/boards?page=0", {}, 400), (client, "/api/boards?page=0", {}, 400), (client, "/livez", {}, 200)),
        *((client, read, bearer, 200), (client, "/api/boards", bearer, 200), (client, "/api/boards", basic, 200)),
        *((client, "/api/boards.pbn", {}, 200), (client, "/api/forms", {}, 200)),
    ):
        for _ in range(3):
            assert reader.get(path, headers=headers).status_code == status, path
    assert "RateLimit" in client.get("/api/forms")
    assert len({client.get("/forms/contact").content for _ in range(4)}) == 4, "each has a token of its own"
    assert states == []


def test_an_answer_that_is_made_as_fast_as_it_is_checked_is_never_kept(
    board: Board, states: list[str], anonymous: ServiceClient, monkeypatch: MonkeyPatch
) -> None:
    size = len(anonymous.get(f"/api/boards/{board.pk}?utm_source=another").content)
    monkeypatch.setattr(cached_responses, "MIN_BYTES", size + 1)
    for path in (f"/api/boards/{board.pk}", "/boards"):
        for _ in range(3):
            anonymous.get(path)
    assert len(states) == 2  # of the page, which is longer


def test_looks_in_vain_become_rarer_and_come_back_with_the_first_hit(
    board: Board, anonymous: ServiceClient, monkeypatch: MonkeyPatch
) -> None:
    looks: list[str] = []
    busy = True

    def database_state(kept: CachedResponses) -> str:
        looks.append(f"commit {len(looks)}" if busy else "unchanged")
        return looks[-1]

    monkeypatch.setattr(CachedResponses, "database_state", database_state)
    for _ in range(300):
        anonymous.get("/api/boards")
    assert 6 <= len(looks) <= 12
    busy = False
    for _ in range(2 * cached_responses.MAX_PAUSE + 2):
        anonymous.get("/api/boards")
    looks.clear()
    for _ in range(10):
        anonymous.get("/api/boards")
    assert looks == ["unchanged"] * 10


@pytest.mark.django_db(transaction=False)
def test_nothing_is_kept_inside_a_transaction(board: Board, states: list[str], anonymous: ServiceClient) -> None:
    for _ in range(3):
        assert queries_of(anonymous, "/api/boards")
    assert states == []


def test_a_kept_answer_is_that_of_django(
    subtests: pytest.Subtests, board: Board, served: list[str], states: list[str], settings: Any
) -> None:
    settings.CORS_ALLOWED_ORIGINS = ["https://app.example"]
    of_each_kind = ("/api/boards/{}", "/boards", "/api/boards/{}.svg")  # in front of Django, a page, no JSON
    pairs = [*product(KINDS, of_each_kind), *product(({}, {"if-none-match": "{etag}"}), READS + PAGES)]
    for headers, path in [(headers, path.format(board.pk)) for headers, path in pairs]:
        with subtests.test(headers=headers, path=path):
            in_front = ServiceClient()
            etag = APIClient().get(path, headers={"accept-language": headers.get("accept-language", "")})["ETag"]
            sent = {name: value.replace("{etag}", etag) for name, value in headers.items()}
            sent["x-request-id"] = "same"
            before = [in_front.get(path, headers=sent) for _ in range(2)]
            served.clear()
            kept = in_front.get(path, headers=sent)
            if "sessionid" in headers.get("cookie", "") and not path.startswith("/api/"):
                assert (served, kept["Cache-Control"]) == ([path], "private, no-store"), "It is its reader's."
                continue
            assert served == [] or kept.status_code == 406  # a picture is not JSON
            expected = head_and_body(APIClient().get(path, headers=sent))
            assert [head_and_body(answer) for answer in (*before, kept)] == [expected] * 3


def test_a_connection_that_the_server_has_ended_costs_no_answer(board: Board) -> None:
    client = ServiceClient()
    for path in ("/api/boards", "/api/themes", f"/api/boards/{board.pk}") * 2:
        expected = client.get(path).content
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (pid,) = cursor.fetchone()
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
        other.close()
        answer = client.get(path)
        assert (answer.status_code, answer.content) == (200, expected)
