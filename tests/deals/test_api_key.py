"""Without the API key everything under /api/deals is refused, before anything else is checked."""

import re
from itertools import cycle, product
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
PREVIOUS_KEY = "the-api-key-before-0123456789abcdef"
SOME_ID = "7e57ab1e-0000-4000-8000-000000000000"

PATHS = sorted({re.sub(r"<[^>]+>", SOME_ID, route.path) for route in routes() if route.path.startswith("/api/deals")})
UNKNOWN = [
    "/api/deals/", "/api/deals/nothing", "/api/deals//", "/api/deals/../boards", "/api/deals/%2e%2e/boards",
    "/api/deals/%00", "/api/deals/%ff", "/api%2fdeals", f"/api/deals/{SOME_ID}/nothing/",
]  # fmt: skip
METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"]


def assert_refused(response: Any, method: str = "GET") -> None:
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == 'ApiKey realm="deals"'
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "no-store"
    if method != "HEAD":
        assert response.json()["code"] == "invalid_api_key"
        assert response.json()["meta"] == {"requestId": response["X-Request-Id"]}


def test_the_list_of_routes_under_deals_is_not_empty() -> None:
    assert len(PATHS) >= 6


def test_every_path_and_method_without_the_key_is_a_401(subtests: pytest.Subtests) -> None:
    for path, method in product(PATHS + UNKNOWN, METHODS):
        with subtests.test(path=path, method=method):
            assert_refused(APIClient().generic(method, path), method)


HOSTILE: dict[str, dict[str, Any]] = {
    "an Accept that nothing can answer": {"HTTP_ACCEPT": "image/png"},
    "a body that is not JSON": {"data": "{", "content_type": "application/json"},
    "a body of another kind": {"data": "<x/>", "content_type": "application/xml"},
    "another charset": {"data": "{}", "content_type": "application/json; charset=punycode"},
    "a chunked body": {"HTTP_TRANSFER_ENCODING": "chunked"},
    "a length that is too large": {"CONTENT_LENGTH": "999999999999"},
    "a length that is not a number": {"CONTENT_LENGTH": "many"},
    "a bad bearer token": {"HTTP_AUTHORIZATION": "Bearer nonsense"},
    "an impersonation": {"HTTP_X_IMPERSONATION_ID": SOME_ID},
}


def test_the_key_is_checked_before_anything_else(subtests: pytest.Subtests) -> None:
    for path, name in product(["/api/deals", "/api/deals/import", "/api/deals/nothing"], HOSTILE):
        with subtests.test(path=path, name=name):
            assert_refused(APIClient().generic("POST", path, **HOSTILE[name]))


class UnreadBody:
    """A request body that raises when it is read."""

    def read(self, *size: int) -> bytes:
        raise AssertionError("The body was read.")

    readline = read


def test_no_byte_of_a_body_without_the_key_is_read(subtests: pytest.Subtests) -> None:
    kinds = cycle(["application/json", "application/x-pbn", "multipart/form-data; boundary=x"])
    for (path, method), kind in zip(product(PATHS + UNKNOWN, ["POST", "PUT", "PATCH", "DELETE"]), kinds):  # noqa: B905
        with subtests.test(path=path, method=method, kind=kind):
            environ = {"wsgi.input": UnreadBody(), "CONTENT_LENGTH": "100", "CONTENT_TYPE": kind}
            assert_refused(APIClient().generic(method, path, **environ))


def test_a_uri_that_is_too_long_is_a_401_too() -> None:
    assert_refused(APIClient().get("/api/deals?" + "a" * 9000))


@pytest.mark.django_db
def test_a_bearer_token_of_any_role_does_not_replace_the_key(
    member: APIClient, support: APIClient, admin: APIClient
) -> None:
    for caller in (member, support, admin):
        assert_refused(caller.get("/api/deals"))
        assert_refused(caller.post("/api/deals", {"cards": factories.layout(1).cards}))
    assert not Deal.objects.exists()


WRONG = [
    "", " ", "wrong", KEY[:-1], KEY + "x", KEY.upper(), f"{KEY},{KEY}", f"{KEY}, {PREVIOUS_KEY}",
    f"Bearer {KEY}", f'"{KEY}"', "ключ", "clé", "\xff\xfe", "key\x00", "k" * 100_000,
]  # fmt: skip


def test_a_wrong_key_is_a_401(subtests: pytest.Subtests) -> None:
    for sent_key in WRONG:
        with subtests.test(sent_key=sent_key):
            assert_refused(APIClient().get("/api/deals", headers={"x-api-key": sent_key}))


def test_the_key_in_another_header_is_a_401(subtests: pytest.Subtests) -> None:
    for name in ["authorization", "api-key", "x-api-token", "cookie"]:
        with subtests.test(name=name):
            assert_refused(APIClient().get("/api/deals", headers={name: KEY}))


def test_the_key_in_the_query_is_a_401() -> None:
    assert_refused(APIClient().get(f"/api/deals?X-API-Key={KEY}&api_key={KEY}"))


@pytest.mark.django_db
@pytest.mark.parametrize("key", [KEY, PREVIOUS_KEY])
def test_the_key_and_the_previous_key_are_accepted(key: str) -> None:
    client = APIClient(headers={"x-api-key": key})
    assert client.get("/api/deals").status_code == 200
    assert client.get("/api/deals/nothing").status_code == 404


def test_a_blank_setting_lets_nobody_in(subtests: pytest.Subtests, settings: Any) -> None:
    settings.API_KEY = settings.API_KEY_PREVIOUS = ""
    assert_refused(APIClient().get("/api/deals"))
    for sent_key in ["", KEY, PREVIOUS_KEY, "None"]:
        with subtests.test(sent_key=sent_key):
            assert_refused(APIClient().get("/api/deals", headers={"x-api-key": sent_key}))


@pytest.mark.django_db
def test_a_blank_previous_key_lets_nobody_in(settings: Any) -> None:
    settings.API_KEY_PREVIOUS = ""
    assert_refused(APIClient().get("/api/deals", headers={"x-api-key": ""}))
    assert_refused(APIClient().get("/api/deals", headers={"x-api-key": PREVIOUS_KEY}))
    assert APIClient().get("/api/deals", headers={"x-api-key": KEY}).status_code == 200


def request_with_key(raw: bytes) -> WSGIRequest:
    """Build a request as a WSGI server passes it on: each byte of a header as one character."""
    return RequestFactory().get("/api/deals", HTTP_X_API_KEY=raw.decode("latin-1"))


@pytest.mark.parametrize("key", ["schlüssel-mit-umlauten-0123456789", "ключ" * 8])
def test_a_key_with_characters_beyond_ascii_is_compared_byte_by_byte(key: str, settings: Any) -> None:
    settings.API_KEY = key
    assert ApiKeyAuthentication().authenticate(request_with_key(key.encode()))
    with pytest.raises(InvalidApiKey):
        ApiKeyAuthentication().authenticate(request_with_key(key.encode("utf-16")))


def test_a_key_that_is_not_utf_8_in_the_environment_is_compared_too(settings: Any) -> None:
    raw = b"\xff\xfe-a-key-of-bytes-0123456789abcdef"
    settings.API_KEY = raw.decode("utf-8", "surrogateescape")
    assert ApiKeyAuthentication().authenticate(request_with_key(raw))
    with pytest.raises(InvalidApiKey):
        ApiKeyAuthentication().authenticate(request_with_key(b"wrong"))


@pytest.mark.django_db
def test_cors_never_allows_an_origin(subtests: pytest.Subtests) -> None:
    paths = ["/api/deals", "/api/deals/", "/api/deals/import", f"/api/deals/{SOME_ID}"]
    asked = {"access-control-request-method": "GET", "access-control-request-headers": "x-api-key"}
    for path, key in product(paths, [{}, {"x-api-key": KEY}]):
        with subtests.test(path=path, key=key):
            origin = {"origin": "https://app.example", **key}
            answers = APIClient().get(path, headers=origin), APIClient().options(path, headers=origin | asked)
            names = [name.lower() for answer in answers for name in answer.headers]
            assert not [name for name in names if name.startswith("access-control-")]


def test_a_path_that_only_looks_like_deals_is_a_404() -> None:
    cases = ["/api/dealsx", "/api/deal", "/api", "/api/DEALS", "//api/deals"]
    wrong = [(path, got) for path in cases if (got := APIClient().generic("GET", path).status_code) != 404]
    assert wrong == []


def test_a_refused_request_changes_nothing(db: None) -> None:
    deal = factories.deal(1)
    before = list(Deal.objects.values())
    client = APIClient()
    assert_refused(client.delete(f"/api/deals/{deal.pk}"))
    assert_refused(client.patch(f"/api/deals/{deal.pk}", {"source": {"name": "a file"}}))
    assert_refused(client.post(f"/api/deals/{deal.pk}/double-dummy"))
    assert_refused(client.post("/api/deals", {"cards": factories.layout(2).cards}))
    assert list(Deal.objects.values()) == before


@pytest.mark.django_db
def test_an_answer_to_a_service_is_not_cached(service: APIClient) -> None:
    response = service.get("/api/deals")
    assert response["Cache-Control"] == "private, no-store"
    assert "X-API-Key" in response["Vary"]


@pytest.mark.django_db
def test_with_the_key_methods_and_negotiation_work_as_elsewhere(service: APIClient) -> None:
    assert service.options("/api/deals").status_code == 204
    refused = service.put("/api/deals", {})
    assert (refused.status_code, refused["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")
    assert service.get("/api/deals", headers={"accept": "image/png"}).status_code == 406
