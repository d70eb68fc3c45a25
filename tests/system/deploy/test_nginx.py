"""deploy/nginx/nginx.conf keeps its promises in front of the real service."""

import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import requests

from tests.answers import board_without_votes
from tests.system import deployment
from tests.system.guides.service import API_KEY, deploy, filled_database, token_of
from tests.system.nginx import Proxy, needs_nginx, nginx

BEHIND_PROXY = {"ALLOWED_HOSTS": "127.0.0.1", "TRUSTED_PROXIES": "127.0.0.1", "READ_RATE": "", "WRITE_RATE": ""}
KEY = {"X-API-Key": API_KEY}
PBN = {**KEY, "Content-Type": "application/x-pbn"}
pytestmark = [needs_nginx, pytest.mark.filterwarnings("ignore:Unverified HTTPS request")]


@pytest.fixture(scope="module")
def database(django_db_blocker: Any) -> Iterator[str]:
    with django_db_blocker.unblock(), filled_database() as url:
        yield url


@pytest.fixture(scope="module")
def proxy(database: str) -> Iterator[Proxy]:
    limited = {**deploy(database), **BEHIND_PROXY, "FORM_RATE_PER_CLIENT": "3/d"}
    with deployment.gunicorn(limited) as port, nginx(port) as running:
        yield running


def call(proxy: Proxy, method: str, path: str, **options: Any) -> requests.Response:
    return requests.request(method, proxy.url + path, verify=False, timeout=60, **options)


def test_plain_http_is_sent_to_https(proxy: Proxy) -> None:
    answer = requests.get(f"http://127.0.0.1:{proxy.http}/boards?a=1", allow_redirects=False, timeout=60)
    assert (answer.status_code, answer.headers["Location"]) == (301, "https://127.0.0.1/boards?a=1")


def test_answers_are_compressed_and_edits_still_fit_what_was_read(proxy: Proxy) -> None:
    """nginx weakens the ETag of what it compresses, and a weak one fits no If-Match."""
    board = call(proxy, "GET", "/api/boards").json()["boards"][0]["id"]
    deal = call(proxy, "GET", f"/api/boards/{board}").json()["dealId"]
    path = f"/api/deals/{deal}/boards/{board}"
    read = call(proxy, "GET", path, headers=KEY)
    assert (read.headers["Content-Encoding"], read.headers["ETag"][:2]) == ("gzip", "W/")
    assert call(proxy, "GET", path, headers={**KEY, "If-None-Match": read.headers["ETag"]}).status_code == 304
    edit = {"json": {"title": "Compressed"}, "headers": {**KEY, "If-Match": read.headers["ETag"]}}
    assert call(proxy, "PATCH", path, **edit).status_code == 200
    assert call(proxy, "PATCH", path, **edit).status_code == 412, "somebody was faster"


def test_a_body_that_is_too_large_gets_the_service_s_words(proxy: Proxy) -> None:
    for path, kib in (("/api/forms/contact", 300), ("/api/deals/import", 17 * 1024)):
        answer = call(proxy, "POST", path, data=b" " * kib * 1024, headers={**PBN, "Expect": ""})
        assert (answer.status_code, answer.json()["code"]) == (413, "payload_too_large"), path
        assert answer.json()["meta"]["requestId"]


def test_an_import_and_an_upload_of_more_than_other_bodies_get_through(proxy: Proxy) -> None:
    """A stranger is led to log in by the service, and not refused by the proxy."""
    body = b"% \n" * 2**20
    answer = call(proxy, "POST", "/api/deals/import", data=body, headers=PBN)
    assert answer.json().get("code") != "payload_too_large"
    for path in ("/admin/boards/board/upload/", "/account/boards/upload"):
        answer = call(proxy, "POST", path, data=body, headers={"Expect": ""}, allow_redirects=False)
        assert answer.status_code in (302, 303, 404), path


def test_nobody_chooses_the_address_that_limits_count(proxy: Proxy) -> None:
    form = {"name": "A", "email": "ann@example.org", "subject": "A question", "message": "How?"}
    statuses = [
        call(proxy, "POST", "/api/forms/contact", json=form, headers={name: f"192.0.2.{number}"}).status_code
        for number, name in enumerate(["X-Forwarded-For"] * 3 + ["Forwarded", "X-Real-IP", "X-Forwarded-For"])
    ]
    assert statuses == [201] * 3 + [429] * 3


def test_what_is_for_the_operator_is_not_for_the_world(proxy: Proxy) -> None:
    for path in ("/metrics", "/readyz"):
        answer = call(proxy, "GET", path)
        assert (answer.status_code, b"bridge_boards" in answer.content) == (404, False), path


def test_slow_clients_hold_no_thread_of_the_service(proxy: Proxy) -> None:
    """Forty clients send half of a request each. The service has eight threads."""
    context = ssl._create_unverified_context()
    head = b"POST /api/forms/contact HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    halves = [b"GET /api/boards HTTP/1.1\r\nHost: 127", head + b"Content-Length: 100\r\n\r\n{"]
    with ExitStack() as slow:
        for number in range(40):
            plain = socket.create_connection(("127.0.0.1", proxy.https), timeout=60)
            slow.enter_context(context.wrap_socket(plain)).sendall(halves[number % 2])
        assert {call(proxy, "GET", path).status_code for path in ("/livez", "/api/boards", "/") * 5} == {200}


# --- Public answers for a while ----------------------------------------------------------------------------------


def test_a_cache_may_keep_public_answers_for_public_max_age_and_nothing_else(database: str) -> None:
    """Let the service be gone in the end: what is not kept is a 503 that says when to try again."""
    environment = {**deploy(database), **BEHIND_PROXY, "PUBLIC_MAX_AGE": "600"}
    api, page = "max-age=600", "max-age=0, s-maxage=600"  # Browsers keep no page: its reader may sign in.
    public = {"/api/boards": api, "/api/themes": api, "/": page, "/boards": page}
    service = ExitStack()
    port = service.enter_context(deployment.gunicorn(environment))
    with nginx(port, cache="boards") as proxy, service:
        member = {"Authorization": f"Bearer {token_of('zia')}"}
        board = board_without_votes(call(proxy, "GET", "/api/boards").json()["boards"])
        for path, age in public.items():
            for _ in range(3):
                answer = call(proxy, "GET", path)
                again = call(proxy, "GET", path, headers={"If-None-Match": answer.headers["ETag"]})
                assert again.status_code == 304
                assert answer.headers["Cache-Control"] == f"public, {age}, must-revalidate"
        call(proxy, "PUT", f"/api/voting/{board}", json={"vote": "up"}, headers=member).raise_for_status()
        own = call(proxy, "GET", "/api/boards", headers=member)
        assert own.headers["Cache-Control"] == "private, no-store"
        (seen,) = [each for each in own.json()["boards"] if each["id"] == board]
        assert seen["votes"]["up"] == 1, "a caller reads what it wrote"
        assert call(proxy, "GET", "/api/boards/x").headers["Cache-Control"] == "no-store"
        service.close()
        assert {path: call(proxy, "GET", path).status_code for path in public} == dict.fromkeys(public, 200)
        gone = call(proxy, "GET", "/api/boards", headers=member)
    assert (gone.status_code, gone.json()["code"]) == (503, "service_unavailable")
    assert gone.headers["Retry-After"] == "2"


def test_without_it_every_read_asks_the_service_and_only_what_changed_is_sent(proxy: Proxy) -> None:
    for _ in range(3):
        answer = call(proxy, "GET", "/api/themes")
        assert answer.headers["Cache-Control"] == "public, max-age=0, must-revalidate"
        again = call(proxy, "GET", "/api/themes", headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    lines = [json.loads(line) for line in (proxy.folder / "access.log").read_text().splitlines()]
    assert [(line["status"], line["cache"]) for line in lines[-6:]] == [(200, ""), (304, "")] * 3
