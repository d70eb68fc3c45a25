"""What is refused before any view, the headers that every answer has, and who has a session: all but the API."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from pytest import MonkeyPatch
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.models.sessions import SessionStore
from config.edge.request_checks import MAX_URI_LENGTH
from config.values.request_id import request_id
from tests import factories
from tests.answers import assert_error
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

KEY = {"x-api-key": settings.API_KEY}
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def assert_refused(response: Any, status: int, code: str) -> dict[str, Any]:
    """Return the body of a refusal: JSON for programs, and {} for a page, which people get."""
    if not response.request["PATH_INFO"].startswith(("/api/", "/livez")):
        assert (response.status_code, response["Content-Type"]) == (status, "text/html; charset=utf-8")
        assert response["X-Request-Id"] in response.content.decode()
        return {}
    return assert_error(response, status, code)


def test_a_well_formed_request_id_is_kept(client: APIClient) -> None:
    for offered in ("a", "0", "A-Z_a.z-9", "x" * 128):
        for path in ("/livez", "/api/nothing", "/api/deals", "/nothing"):
            assert client.get(path, headers={"x-request-id": offered})["X-Request-Id"] == offered, (offered, path)


def test_another_request_id_is_replaced_by_one_that_no_other_request_has(client: APIClient) -> None:
    offered = ("", " ", "a b", "x" * 129, "é", "a\n", "a\r\nSet-Cookie: x", "<b>", "a,b", '"', "%00")
    answers = [client.get("/api/nothing", headers={"x-request-id": each}) for each in offered]
    given = [answer["X-Request-Id"] for answer in answers]
    assert all(UUID.fullmatch(each) for each in given) and len(set(given)) == len(offered)
    assert [answer.json()["meta"]["requestId"] for answer in answers] == given
    assert request_id.get() == ""


def test_a_body_too_large_is_a_413_and_changes_nothing(member: APIClient) -> None:
    response = member.patch("/api/accounts/member", {"displayName": "x" * settings.MAX_BODY_BYTES})
    body = assert_refused(response, 413, "payload_too_large")
    assert body["meta"]["maxBytes"] == 256 * 1024
    assert Account.objects.get(pk="member").display_name == ""


def test_a_length_too_large_is_refused_on_every_path_unread(service: APIClient) -> None:
    for path in ("/api/forms/contact", "/api/nothing", "/livez", "/admin/login/", "/api/deals/importx"):
        for length in (settings.MAX_BODY_BYTES + 1, 10**15, 10**30, "9" * 5000):
            assert_refused(service.generic("POST", path, CONTENT_LENGTH=str(length)), 413, "payload_too_large")


def test_an_import_may_be_larger(service: APIClient) -> None:
    over = 16 * 1024 * 1024 + 1
    for path in ("/api/deals/import", "/api/deals/import/"):
        body = assert_refused(service.generic("POST", path, CONTENT_LENGTH=str(over)), 413, "payload_too_large")
        assert body["meta"]["maxBytes"] == 16 * 1024 * 1024
        asked = service.generic("POST", path, "x" * (settings.MAX_BODY_BYTES + 1), content_type="application/json")
        assert_refused(asked, 415, "unsupported_media_type")


def test_a_length_that_is_no_number_is_a_400(client: APIClient) -> None:
    for length in ("many", "-1", "+5", "1_0", "٥", " 5", "1.0", "0x10", "5,5"):
        assert_refused(client.generic("POST", "/api/forms/contact", CONTENT_LENGTH=length), 400, "bad_request")


def test_an_address_too_long_is_a_414(client: APIClient) -> None:
    assert client.get("/livez?" + "a" * (MAX_URI_LENGTH - 7)).status_code == 200
    for path in ("/livez?" + "a" * MAX_URI_LENGTH, "/api/" + "a" * MAX_URI_LENGTH, "/" + "a" * MAX_URI_LENGTH):
        assert_refused(client.get(path), 414, "uri_too_long")


JSON = "application/json; "


def test_any_charset_but_utf_8_is_a_415_before_the_body_is_read(subtests: pytest.Subtests, client: APIClient) -> None:
    for kind in (
        *(JSON + f"charset={name}" for name in ("punycode", "idna", "utf-16", "latin-1", "utf-7", "utf-8-sig", "hex")),
        *(JSON + "charset=nosuch", JSON + "charset=é", JSON + "charset=" + "x" * 5000, JSON + "CHARSET=punycode"),
        *(JSON + 'charset="punycode"', JSON + "charset=utf-8; charset=punycode", JSON + "charset*=utf-8''punycode"),
        *(JSON + "charset=utf-8; charset*=utf-8''punycode", JSON + "charset*0=puny; charset*1=code"),
        *("multipart/form-data; boundary=x; charset=punycode", "application/x-www-form-urlencoded; charset=punycode"),
        "text/plain; charset=idna",
    ):
        with subtests.test(kind=kind):
            for path in ("/api/forms/contact", "/api/nothing", "/admin/login/", "/livez"):
                response = client.generic("POST", path, "x" * 100_000, content_type=kind)
                assert_refused(response, 415, "unsupported_media_type")


def test_utf_8_by_any_of_its_names_is_read(member: APIClient) -> None:
    names = ("utf-8", "UTF-8", "utf8", '"utf-8"', "")
    for kind in ("", *(f"charset={name}" for name in names), "charset*=utf-8''UTF-8", "q=1"):
        response = member.generic("PATCH", "/api/accounts/member", '{"displayName": "Ä"}', content_type=JSON + kind)
        assert (response.status_code, response.json().get("displayName")) == (200, "Ä"), kind


def test_a_trailing_slash_changes_nothing(client: APIClient, member: APIClient) -> None:
    for path in ("/api/boards", "/api/themes", "/api/auction-systems", "/api/openapi.json", "/api/forms"):
        plain, slashed = client.get(path), client.get(path + "/")
        assert (plain.status_code, slashed.status_code) == (200, 200), path
        assert (slashed.content, slashed.headers.get("Link")) == (plain.content, plain.headers.get("Link")), path
        assert client.get(path + "//").status_code == 404, path
    assert member.patch("/api/accounts/member/", {"displayName": "New"}).status_code == 200
    assert Account.objects.get(pk="member").display_name == "New"


def test_head_is_get_without_the_body(client: APIClient) -> None:
    for path in ("/livez", "/api/boards", "/api/themes", "/api/openapi.json", "/api/nothing", "/api/voting"):
        get, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (get.status_code, b""), path
        of_get, of_head = (
            {name: value for name, value in each.items() if name not in ("X-Request-Id", "Content-Length")}
            for each in (get, head)
        )
        assert of_head == of_get, path


def test_options_says_what_is_allowed_without_asking_who_calls(client: APIClient) -> None:
    for path, allowed in (
        *((path, "GET, HEAD, OPTIONS") for path in ("/api/boards", "/api/accounts/me", "/livez")),
        *(("/api/accounts/somebody", "GET, HEAD, OPTIONS, PATCH"), ("/api/impersonation/start", "OPTIONS, POST")),
    ):
        for headers in ({}, {"authorization": "Bearer nonsense"}):
            response = client.options(path, headers=headers)
            assert (response.status_code, response.content, "Content-Type" in response) == (204, b"", False), path
            assert sorted(response["Allow"].split(", ")) == allowed.split(", "), path


def test_every_answer_has_the_security_headers(client: APIClient) -> None:
    expected = ("nosniff", "DENY", "strict-origin-when-cross-origin")
    for path in ("/livez", "/api/nothing", "/nothing", "/api/docs", "/admin/login/"):
        response = client.get(path)
        names = ("X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy")
        assert tuple(response[name] for name in names) == expected, path
        for directive in ("frame-ancestors", "object-src", "base-uri"):
            assert f"{directive} 'none'" in response["Content-Security-Policy"], path


OURS, THEIRS = "https://app.example", "https://evil.example"


def cors(response: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items() if name.lower().startswith("access-")}


EXPOSED = (
    "Deprecation, ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Sunset, X-Impersonated-User-Id,"
    " X-Request-Id"
)


def test_an_allowed_origin_may_read_answers_and_errors_alike(client: APIClient) -> None:
    for path in ("/api/themes", "/api/nothing", "/api/accounts/me", "/api/boards/"):
        response = client.get(path, headers={"origin": OURS})
        said = cors(response)
        assert said["access-control-allow-origin"] == OURS, path
        assert sorted(said["access-control-expose-headers"].split(", ")) == sorted(EXPOSED.split(", ")), path
        assert "access-control-allow-credentials" not in said, path
        assert "origin" in response["Vary"].lower(), path


def test_another_origin_gets_no_cors_headers(client: APIClient, settings: Any) -> None:
    allowed = settings.CORS_ALLOWED_ORIGINS
    for origin, others in (
        *((THEIRS, allowed), ("http://app.example", allowed), (OURS + ".evil.example", allowed)),
        *((OURS + ":444", allowed), ("null", allowed), ("", allowed), ("*", allowed), ("http://[", allowed)),
        (OURS, []),  # as it is by default
    ):
        settings.CORS_ALLOWED_ORIGINS = others
        response = client.get("/api/themes", headers={"origin": origin})
        assert (response.status_code, cors(response)) == (200, {}), origin
        assert "origin" in response["Vary"].lower() or not others, origin


def test_nothing_outside_the_api_is_for_other_origins(client: APIClient) -> None:
    for path in ("/livez", "/readyz", "/metrics", "/admin/login/", "/nothing", "/api"):
        assert cors(client.get(path, headers={"origin": OURS})) == {}, path


def test_a_preflight_names_what_may_be_sent(client: APIClient) -> None:
    asked = {"origin": OURS, "access-control-request-method": "PATCH"}
    answer = cors(client.options("/api/accounts/me", headers=asked))
    allowed = set(answer["access-control-allow-headers"].split(", "))
    assert allowed >= {
        "authorization", "content-type", "if-match", "if-none-match", "x-impersonation-id", "x-request-id",
    }  # fmt: skip
    assert "x-api-key" not in allowed
    assert {"DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"} <= set(answer["access-control-allow-methods"].split(", "))
    assert cors(client.options("/api/accounts/me", headers={**asked, "origin": THEIRS})) == {}


def test_a_preflight_is_empty_whatever_has_its_path(client: APIClient) -> None:
    asked = {"origin": OURS, "access-control-request-method": "PUT"}
    for path in ("/api/boards", "/api/nothing", "/api/boards/", "/", "/boards", "/nothing", "/admin/", "/readyz"):
        answer = client.options(path, headers=asked)
        assert (answer.status_code, answer.content, answer.get("Content-Type")) == (204, b"", None), path
        assert bool(cors(answer)) == path.startswith("/api/"), path
    assert_error(client.options("/api/deals", headers=asked), 401, "invalid_api_key")
    assert client.options("/api/boards", headers={**asked, "host": "evil.example"}).status_code == 400
    assert client.options("/api/nothing").status_code == 404, "which is not a preflight"


def test_a_strange_port_in_the_host_is_no_error(client: APIClient) -> None:
    factories.board(1)
    assert client.get("/api/boards?page=2", headers={"host": "testserver:99999999"}).status_code == 200


def send(path: str, body: bytes, content_type: str, headers: dict[str, str]) -> tuple[int, int]:
    """Send a body where gunicorn does. Return the status, and how much of the body is left unread."""
    environ = RequestFactory().generic("POST", path, body, content_type=content_type, headers=headers).environ
    return ServiceClient().call_application(environ).status_code, len(environ["wsgi.input"].read())


def test_a_file_that_is_refused_is_read_to_its_end() -> None:
    """A connection with an unread body is closed, and the client that still sends loses the answer."""
    for path, status in (
        *(("/api/deals/import", 415), ("/api/deals/import/", 415)),
        *(("/account/boards/upload", 303), ("/account/boards/upload/", 303)),
    ):
        assert send(path, b"x" * 300_000, "application/json", KEY) == (status, 0), path


def test_no_other_body_is_read_for_a_refusal() -> None:
    """It may never come."""
    for path, status, size, headers in (
        *(("/livez", 413, settings.MAX_BODY_BYTES + 1, {}), ("/api/deals/import", 413, 16 * 2**20 + 1, KEY)),
        *(("/api/deals/import", 401, 9, {}), ("/livez", 405, 9, {}), ("/api/nothing", 404, 9, {})),
    ):
        assert send(path, b"x" * size, "text/plain", headers) == (status, size), path


def test_a_session_key_that_django_never_made_is_no_session() -> None:
    for key in ("\x00aaaaaaaaaaaa", "a" * 11 + "\x00", "é" * 12):
        client = Client()
        client.cookies["sessionid"] = key
        assert client.get("/admin/login/").status_code == 200, key


def test_the_api_opens_no_session_and_pages_do(monkeypatch: MonkeyPatch) -> None:
    opened: list[SessionStore] = []

    def load(store: SessionStore) -> dict[str, Any]:
        opened.append(store)
        return {}

    monkeypatch.setattr(SessionStore, "load", load)
    for path in (
        "/api",
        "/api/boards",
        "/api/nothing",
        "/api/docs",
        "/api/docs/tokens",
        "/apix",
        "/account",
        "/boards",
    ):
        for key in ("a" * 32, "x", ""):
            client = Client()
            client.cookies["sessionid"] = key
            answer = client.get(path)
            is_api = path.startswith("/api") and path != "/apix"
            assert not is_api or not (answer.cookies or "Cookie" in answer.get("Vary", "")), (path, key)
            assert bool(opened) is (len(key) == 32 and not is_api), (path, key)
            opened.clear()


def test_a_login_to_the_admin_is_none_to_the_api() -> None:
    client = Client()
    client.force_login(factories.account("staff", role="admin"))
    assert client.get("/admin/").status_code == 200
    assert client.get("/api/accounts/me").status_code == 401
