"""What is answered in front of Django is what Django answers, to the byte, and nothing else is answered there."""

import uuid
from typing import Any

import pytest
from django.conf import settings
from django.utils.module_loading import import_string
from pytest import MonkeyPatch
from rest_framework.test import APIClient

from boards.models import Board
from config.edge.limits import read_limit
from config.edge.observability.metrics import LEFT_OUT, ROUTE
from config.edge.serving import public_reads
from config.edge.serving.cached_responses import ADDRESS
from config.edge.serving.public_reads import KIND, NOT_PLAIN
from config.edge.serving.wsgi import Handler, Request
from tests import factories
from tests.answers import assert_error
from tests.conftest import token_of
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

READS = (
    *("/api/boards", "/api/boards?utm_z=1&page=2&pageSize=1&_=é&_=2", "/api/themes", "/api/themes?types=convention"),
    *("/api/boards/{}", "/api/boards?ids={}&pageSize=1"),
)
PAGES = ("/", "/boards", "/themes", "/boards/{}", "/api/boards/{}.svg", "/api/auction-systems")
KINDS: tuple[dict[str, str], ...] = (
    *({}, {"accept": "application/json"}, {"accept": "text/html, */*;q=0.1", "accept-language": "nl, en;q=0.5"}),
    *({"origin": "https://app.example"}, {"origin": "https://stranger.example"}, {"x-forwarded-proto": "https"}),
    *({"cookie": f"sessionid={'b' * 32}; csrftoken={'a' * 32}"}, {"if-none-match": '"another"'}),
    *({"if-none-match": 'W/"another", {etag}'}, {"if-none-match": "W/{etag}"}, {"if-none-match": "*"}),
    *({"if-none-match": "{etag"}, {"if-modified-since": "Sat, 01 Jan 2028 00:00:00 GMT"}, {"range": "bytes=0-9"}),
    {"if-none-match": "{etag}", "if-unmodified-since": "Sat, 01 Jan 2000 00:00:00 GMT"},
)


@pytest.fixture
def board() -> Board:
    themes = [factories.theme(name, labels={"en": name, "nl": f"{name} (nl)"}) for name in ("one", "two")]
    factories.board(themes=themes, auction_system=factories.auction_system("acol"))
    return factories.board(themes=themes[1:], commentary="♠ \x7f é \u2028 😀")


@pytest.fixture
def served(monkeypatch: MonkeyPatch) -> list[str]:
    """Return the paths that Django was asked for."""
    asked: list[str] = []

    def call(handler: Handler, environ: dict[str, Any], start_response: Any) -> Any:
        asked.append(environ["PATH_INFO"])
        return super(Handler, handler).__call__(environ, start_response)

    monkeypatch.setattr(Handler, "__call__", call)
    return asked


def head_and_body(response: Any) -> tuple[int, dict[str, str], bytes]:
    return response.status_code, dict(response.items()), response.content


def test_an_answer_in_front_of_django_is_that_of_django(
    subtests: pytest.Subtests, board: Board, served: list[str], settings: Any
) -> None:
    settings.CORS_ALLOWED_ORIGINS = ["https://app.example"]
    for path in (each.format(board.pk) for each in READS):
        etag, in_front = APIClient().get(path)["ETag"], ServiceClient()
        for headers in KINDS:
            with subtests.test(headers=headers, path=path):
                sent = {name: value.replace("{etag}", etag) for name, value in headers.items()}
                sent["x-request-id"] = "same"
                in_front.get(path, headers={name: sent[name] for name in sent if name != "if-none-match"})
                served.clear()
                answer = head_and_body(in_front.get(path, headers=sent))
                assert (answer, served) == (head_and_body(APIClient().get(path, headers=sent)), [])


class WatchedMeta(dict[str, Any]):
    """The environment of a request, which notes what is looked at."""

    read: set[str]

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.read.add(name)
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        self.read.add(str(name))
        return super().__contains__(name)


OF_DJANGO = {"REQUEST_METHOD", "SCRIPT_NAME", "SCRIPT_URL", "REDIRECT_URL", "wsgi.input"}
OF_NO_ANSWER = {
    *("HTTP_USER_AGENT", "CSRF_COOKIE_NEEDS_UPDATE", "SERVER_PORT", "HTTP_COOKIE", "HTTP_X_REQUEST_ID"),
    *("HTTP_IF_NONE_MATCH", "REMOTE_ADDR", "HTTP_X_FORWARDED_FOR"),
}
OF_PREFLIGHTS = {"HTTP_ACCESS_CONTROL_REQUEST_METHOD", "HTTP_ACCESS_CONTROL_REQUEST_PRIVATE_NETWORK"}
# LEFT_OUT and ROUTE are not headers: we set them ourselves.
KNOWN = {*ADDRESS, *NOT_PLAIN, LEFT_OUT, ROUTE, *OF_DJANGO, *OF_NO_ANSWER, *OF_PREFLIGHTS}


def test_django_looks_at_nothing_of_a_plain_request_that_we_do_not_know_of(
    board: Board, monkeypatch: MonkeyPatch, subtests: pytest.Subtests
) -> None:
    """A header that begins to matter must become part of the kind of a request, or make it Django's."""
    make_request = Request.__init__
    monkeypatch.setattr(Request, "__init__", lambda request, environ: make_request(request, WatchedMeta(environ)))
    for path in READS + PAGES:
        with subtests.test(path=path):
            WatchedMeta.read = set()
            response = APIClientThroughHandler().get(path.format(board.pk), headers={"host": "testserver"})
            assert response.status_code == 200
            varies = {f"HTTP_{name.strip().upper().replace('-', '_')}" for name in response["Vary"].split(",")}
            kind = set(KIND) if path in READS else {"HTTP_ACCEPT", "HTTP_ORIGIN", *varies}
            assert WatchedMeta.read and WatchedMeta.read - KNOWN - kind == set()


class APIClientThroughHandler(ServiceClient):
    """A client that enters where a request enters Django."""

    def __init__(self, **defaults: Any) -> None:
        super().__init__(**defaults)
        self.application = Handler()  # type: ignore[assignment]  # it is called the same way


def test_a_caller_s_own_answer_is_never_anybody_else_s(board: Board, served: list[str]) -> None:
    member = {"authorization": f"Bearer {token_of(factories.account('member'))}"}
    client = ServiceClient()
    for _ in range(3):
        assert client.get("/api/boards", headers=member)["Cache-Control"] == "private, no-store"
        assert client.get("/api/boards")["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert len(served) == 4, "one without a token, for its headers"


def test_each_answer_has_an_id_of_its_own_or_that_of_the_request(board: Board) -> None:
    client = ServiceClient()
    ids = [client.get("/api/boards", headers={"x-request-id": "not mine"})["X-Request-Id"] for _ in range(5)]
    assert len(set(ids)) == 5 and {uuid.UUID(each).version for each in ids} == {4}
    assert client.get("/api/boards", headers={"x-request-id": "mine"})["X-Request-Id"] == "mine"


def test_a_read_counts_once_whoever_answers_it(board: Board, settings: Any, monkeypatch: MonkeyPatch) -> None:
    settings.READ_RATE = "6/h"
    monkeypatch.setattr(read_limit, "SECONDS_OF_A_READ", 3600)  # what a read costs is for test_exports.py
    client = ServiceClient()
    reads = ["/api/boards", "/themes", "/api/boards", f"/api/boards/{board.pk}", "/api/boards", "/api/boards"]
    assert [client.get(path).status_code for path in reads] == [200] * 6
    refused = [client.get(path) for path in reads]
    assert [each.status_code for each in refused] == [429] * 6
    assert all(int(each["Retry-After"]) > 0 for each in refused)
    assert_error(refused[0], 429, "rate_limited")
    assert client.get("/api/boards", REMOTE_ADDR="192.0.2.1").status_code == 200


def test_what_all_get_gives_nobody_a_cookie(board: Board) -> None:
    """Django answers a cookie that is not a token with a new one, which a cache would give to all."""
    for headers in ({}, {"if-match": '"x"'}):
        for path in ("/", "/boards", "/collections", "/api/themes"):
            answer = ServiceClient().get(path, headers={"cookie": "csrftoken=nonsense", **headers})
            is_public = answer["Cache-Control"].startswith("public")
            assert is_public is not bool(headers), (path, headers)
            assert not answer.cookies or not (is_public or path.startswith("/api")), (path, headers)


def test_the_kinds_of_requests_that_are_remembered_have_a_limit(board: Board, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(public_reads, "MAX_TEMPLATES", 5)
    client = ServiceClient()
    for number in range(20):
        assert client.get("/api/boards", headers={"origin": f"https://{number}.example"}).status_code == 200
    assert 1 <= len(client.application.templates) <= 5


def test_each_public_read_is_a_route_whose_view_is_public(board: Board, served: list[str]) -> None:
    assert len(settings.PUBLIC_READS) == len(set(settings.PUBLIC_READS))
    for name in settings.PUBLIC_READS:
        path = import_string(name).path
        assert any(path.fullmatch(each.format(board.pk).partition("?")[0]) for each in READS)
