"""Everything under /api/deals is closed without the key, before anything else is said about it."""

import re
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.test import RequestFactory
from rest_framework.test import APIClient

from config.api.errors import InvalidApiKey
from deals.authentication import ApiKeyAuthentication
from deals.models import Deal
from tests import factories
from tests.routes import routes

KEY = "an-api-key-for-tests-0123456789abcdef"
BEFORE = "the-api-key-before-0123456789abcdef"
SOME_ID = "7e57ab1e-0000-4000-8000-000000000000"

PATHS = sorted(
    {re.sub(r"<[^>]+>", SOME_ID, route.path) for route in routes() if route.path.startswith("/api/deals")}
)
UNKNOWN = [
    "/api/deals/",
    "/api/deals/nothing",
    "/api/deals//",
    "/api/deals/../boards",
    "/api/deals/%2e%2e/boards",
    "/api/deals/%00",
    "/api/deals/%ff",
    "/api%2fdeals",
    f"/api/deals/{SOME_ID}/nothing/",
]
METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"]


def is_refused(response: Any, method: str = "GET") -> None:
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == 'ApiKey realm="deals"'
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "no-store"
    if method != "HEAD":
        assert response.json()["code"] == "invalid_api_key"
        assert response.json()["meta"] == {"requestId": response["X-Request-Id"]}


def test_the_routes_of_deals_are_known() -> None:
    assert len(PATHS) >= 6


@pytest.mark.parametrize("path", PATHS + UNKNOWN)
@pytest.mark.parametrize("method", METHODS)
def test_without_the_key_every_path_and_method_is_a_401(method: str, path: str) -> None:
    is_refused(APIClient().generic(method, path), method)


HOSTILE: dict[str, dict[str, Any]] = {
    "an Accept nothing can answer": {"HTTP_ACCEPT": "image/png"},
    "a body that is no JSON": {"data": "{", "content_type": "application/json"},
    "a body of another kind": {"data": "<x/>", "content_type": "application/xml"},
    "another charset": {"data": "{}", "content_type": "application/json; charset=punycode"},
    "a chunked body": {"HTTP_TRANSFER_ENCODING": "chunked"},
    "a length too large": {"CONTENT_LENGTH": "999999999999"},
    "a length that is no number": {"CONTENT_LENGTH": "many"},
    "a bearer token that is bad": {"HTTP_AUTHORIZATION": "Bearer nonsense"},
    "an impersonation": {"HTTP_X_IMPERSONATION_ID": SOME_ID},
}


@pytest.mark.parametrize("path", ["/api/deals", "/api/deals/import", "/api/deals/nothing"])
@pytest.mark.parametrize("name", HOSTILE)
def test_the_key_is_asked_for_before_anything_else(name: str, path: str) -> None:
    is_refused(APIClient().generic("POST", path, **HOSTILE[name]))


class UnreadBody:
    """A request's body that nobody may look at."""

    def read(self, *size: int) -> bytes:
        raise AssertionError("The body was read.")

    readline = read


@pytest.mark.parametrize("path", PATHS + UNKNOWN)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    "content_type", ["application/json", "application/x-pbn", "multipart/form-data; boundary=x"]
)
def test_without_the_key_not_a_byte_of_the_body_is_read(method: str, path: str, content_type: str) -> None:
    sent = {"wsgi.input": UnreadBody(), "CONTENT_LENGTH": "100", "CONTENT_TYPE": content_type}
    is_refused(APIClient().generic(method, path, **sent))


def test_an_address_too_long_is_a_401_too() -> None:
    is_refused(APIClient().get("/api/deals?" + "a" * 9000))


@pytest.mark.django_db
def test_nobodys_token_is_a_key(member: APIClient, support: APIClient, admin: APIClient) -> None:
    for caller in (member, support, admin):
        is_refused(caller.get("/api/deals"))
        is_refused(caller.post("/api/deals", {"cards": factories.layout(1).cards}))
    assert not Deal.objects.exists()


WRONG = [
    "",
    " ",
    "wrong",
    KEY[:-1],
    KEY + "x",
    KEY.upper(),
    f"{KEY},{KEY}",
    f"{KEY}, {BEFORE}",
    f"Bearer {KEY}",
    f'"{KEY}"',
    "ключ",
    "clé",
    "\xff\xfe",
    "key\x00",
    "k" * 100_000,
]


@pytest.mark.parametrize("offered", WRONG)
def test_another_key_is_a_401(offered: str) -> None:
    is_refused(APIClient().get("/api/deals", headers={"x-api-key": offered}))


@pytest.mark.parametrize("name", ["authorization", "api-key", "x-api-token", "cookie"])
def test_the_key_in_another_header_is_a_401(name: str) -> None:
    is_refused(APIClient().get("/api/deals", headers={name: KEY}))


def test_the_key_in_the_address_is_a_401() -> None:
    is_refused(APIClient().get(f"/api/deals?X-API-Key={KEY}&api_key={KEY}"))


@pytest.mark.django_db
@pytest.mark.parametrize("key", [KEY, BEFORE])
def test_the_key_and_the_one_before_open_the_door(key: str) -> None:
    client = APIClient(headers={"x-api-key": key})
    assert client.get("/api/deals").status_code == 200
    assert client.get("/api/deals/nothing").status_code == 404


@pytest.mark.parametrize("offered", ["", KEY, BEFORE, "None"])
def test_a_blank_setting_lets_nobody_in(offered: str, settings: Any) -> None:
    settings.API_KEY = settings.API_KEY_PREVIOUS = ""
    is_refused(APIClient().get("/api/deals", headers={"x-api-key": offered}))
    is_refused(APIClient().get("/api/deals"))


@pytest.mark.django_db
def test_a_blank_previous_key_lets_nobody_in(settings: Any) -> None:
    settings.API_KEY_PREVIOUS = ""
    is_refused(APIClient().get("/api/deals", headers={"x-api-key": ""}))
    is_refused(APIClient().get("/api/deals", headers={"x-api-key": BEFORE}))
    assert APIClient().get("/api/deals", headers={"x-api-key": KEY}).status_code == 200


def sent(raw: bytes) -> WSGIRequest:
    """A request as a WSGI server hands it on: each byte of a header as one character."""
    return RequestFactory().get("/api/deals", HTTP_X_API_KEY=raw.decode("latin-1"))


@pytest.mark.parametrize("key", ["schlüssel-mit-umlauten-0123456789", "ключ" * 8])
def test_a_key_beyond_ascii_is_compared_byte_by_byte(key: str, settings: Any) -> None:
    settings.API_KEY = key
    assert ApiKeyAuthentication().authenticate(sent(key.encode()))
    with pytest.raises(InvalidApiKey):
        ApiKeyAuthentication().authenticate(sent(key.encode("utf-16")))


def test_a_key_that_is_no_utf_8_in_the_environment_is_compared_too(settings: Any) -> None:
    raw = b"\xff\xfe-a-key-of-bytes-0123456789abcdef"
    settings.API_KEY = raw.decode("utf-8", "surrogateescape")
    assert ApiKeyAuthentication().authenticate(sent(raw))
    with pytest.raises(InvalidApiKey):
        ApiKeyAuthentication().authenticate(sent(b"wrong"))


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/deals", "/api/deals/", "/api/deals/import", f"/api/deals/{SOME_ID}"])
@pytest.mark.parametrize("headers", [{}, {"x-api-key": KEY}])
def test_no_origin_is_ever_let_in(path: str, headers: dict[str, str]) -> None:
    origin = {"origin": "https://app.example", **headers}
    asked = {**origin, "access-control-request-method": "GET", "access-control-request-headers": "x-api-key"}
    for response in (APIClient().get(path, headers=origin), APIClient().options(path, headers=asked)):
        assert not [name for name in response.headers if name.lower().startswith("access-control-")]


@pytest.mark.parametrize("path", ["/api/dealsx", "/api/deal", "/api", "/api/DEALS", "//api/deals"])
def test_a_path_that_only_looks_like_it_is_no_route(path: str) -> None:
    assert APIClient().generic("GET", path).status_code == 404


def test_a_refusal_leaves_the_store_as_it_was(db: None) -> None:
    deal = factories.deal(1)
    before = list(Deal.objects.values())
    client = APIClient()
    is_refused(client.delete(f"/api/deals/{deal.pk}"))
    is_refused(client.patch(f"/api/deals/{deal.pk}", {"source": {"name": "a file"}}))
    is_refused(client.post(f"/api/deals/{deal.pk}/double-dummy"))
    is_refused(client.post("/api/deals", {"cards": factories.layout(2).cards}))
    assert list(Deal.objects.values()) == before


@pytest.mark.django_db
def test_an_answer_to_a_service_is_kept_by_nobody(service: APIClient) -> None:
    response = service.get("/api/deals")
    assert response["Cache-Control"] == "private, no-store"
    assert "X-API-Key" in response["Vary"]


@pytest.mark.django_db
def test_with_the_key_a_path_behaves_as_any_other(service: APIClient) -> None:
    assert service.options("/api/deals").status_code == 204
    refused = service.put("/api/deals", {})
    assert (refused.status_code, refused["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")
    assert service.get("/api/deals", headers={"accept": "image/png"}).status_code == 406
