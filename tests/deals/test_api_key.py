"""Without the API key everything under /api/deals is refused, before anything else is checked.

tests/test_access.py tries the token of each role in its place. A short key stops the start.
"""

import re
from itertools import cycle, product
from typing import Any

import pytest
from django.core import checks
from django.core.management import BaseCommand
from django.core.management.base import SystemCheckError
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
    *("/api/deals/", "/api/deals/nothing", "/api/deals//", "/api/deals/../boards", "/api/deals/%2e%2e/boards"),
    *("/api/deals/%00", "/api/deals/%ff", "/api%2fdeals", f"/api/deals/{SOME_ID}/nothing/"),
    "/api/deals?" + "a" * 9000,
]
METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"]


def assert_refused(response: Any) -> None:
    assert response.status_code == 401, response.request
    assert response["WWW-Authenticate"] == 'ApiKey realm="deals"'
    assert (response["Content-Type"], response["Cache-Control"]) == ("application/json", "no-store")
    if response.request["REQUEST_METHOD"] != "HEAD":
        assert response.json()["code"] == "invalid_api_key"
        assert response.json()["meta"] == {"requestId": response["X-Request-Id"]}


class UnreadBody:
    """A request body that raises when it is read."""

    def read(self, *size: int) -> bytes:
        raise AssertionError("The body was read.")

    readline = read


def test_every_path_and_method_without_the_key_is_a_401_and_no_byte_of_a_body_is_read() -> None:
    assert len(PATHS) >= 6
    kinds = cycle(["application/json", "application/x-pbn", "multipart/form-data; boundary=x"])
    for path, method in product(PATHS + UNKNOWN, METHODS):
        environ = {"wsgi.input": UnreadBody(), "CONTENT_LENGTH": "100", "CONTENT_TYPE": next(kinds)}
        assert_refused(APIClient().generic(method, path, **environ))


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


def test_the_key_is_checked_before_anything_else() -> None:
    for path, fault in product(["/api/deals", "/api/deals/import", "/api/deals/nothing"], HOSTILE.values()):
        assert_refused(APIClient().generic("POST", path, **fault))


WRONG = [
    *("", " ", "wrong", KEY[:-1], KEY + "x", KEY.upper(), f"{KEY},{KEY}", f"{KEY}, {PREVIOUS_KEY}", f"Bearer {KEY}"),
    *(f'"{KEY}"', "ключ", "clé", "\xff\xfe", "key\x00", "k" * 100_000),
]


def test_a_wrong_key_or_the_key_in_another_place_is_a_401() -> None:
    for sent_key in WRONG:
        assert_refused(APIClient().get("/api/deals", headers={"x-api-key": sent_key}))
    for name in ("authorization", "api-key", "x-api-token", "cookie"):
        assert_refused(APIClient().get("/api/deals", headers={name: KEY}))
    assert_refused(APIClient().get(f"/api/deals?X-API-Key={KEY}&api_key={KEY}"))


@pytest.mark.django_db
def test_the_key_and_the_previous_key_are_accepted() -> None:
    for key in (KEY, PREVIOUS_KEY):
        client = APIClient(headers={"x-api-key": key})
        assert client.get("/api/deals").status_code == 200
        assert client.get("/api/deals/nothing").status_code == 404


@pytest.mark.django_db
def test_a_blank_setting_lets_nobody_in(settings: Any) -> None:
    settings.API_KEY_PREVIOUS = ""
    for sent_key in ("", PREVIOUS_KEY):
        assert_refused(APIClient().get("/api/deals", headers={"x-api-key": sent_key}))
    assert APIClient().get("/api/deals", headers={"x-api-key": KEY}).status_code == 200
    settings.API_KEY = ""
    assert_refused(APIClient().get("/api/deals"))
    for sent_key in ("", KEY, PREVIOUS_KEY, "None"):
        assert_refused(APIClient().get("/api/deals", headers={"x-api-key": sent_key}))


def test_a_key_beyond_ascii_is_compared_byte_by_byte(settings: Any) -> None:
    """A WSGI server passes each byte of a header on as one character."""
    keys = ("schlüssel-mit-umlauten-0123456789".encode(), ("ключ" * 8).encode(), b"\xff\xfe-no-utf-8-0123456789abcdef")
    for key in keys:
        settings.API_KEY = key.decode("utf-8", "surrogateescape")
        request, *wrong = (
            RequestFactory().get("/api/deals", HTTP_X_API_KEY=sent.decode("latin-1"))
            for sent in (key, key.decode("utf-8", "replace").encode("utf-16"), b"wrong")
        )
        assert ApiKeyAuthentication().authenticate(request)
        for each in wrong:
            with pytest.raises(InvalidApiKey):
                ApiKeyAuthentication().authenticate(each)


@pytest.mark.django_db
def test_cors_never_allows_an_origin() -> None:
    paths = ["/api/deals", "/api/deals/", "/api/deals/import", f"/api/deals/{SOME_ID}"]
    asked = {"access-control-request-method": "GET", "access-control-request-headers": "x-api-key"}
    for path, key in product(paths, [{}, {"x-api-key": KEY}]):
        origin = {"origin": "https://app.example", **key}
        for answer in (APIClient().get(path, headers=origin), APIClient().options(path, headers=origin | asked)):
            assert not [name for name in answer.headers if name.lower().startswith("access-control-")], path


def test_a_path_that_only_looks_like_deals_is_a_404() -> None:
    for path in ("/api/dealsx", "/api/deal", "/api", "/api/DEALS", "//api/deals"):
        assert APIClient().generic("GET", path).status_code == 404, path


def test_a_refused_request_changes_nothing(db: None) -> None:
    deal, client = factories.deal(1), APIClient()
    before = Deal.objects.values().get()
    assert_refused(client.delete(f"/api/deals/{deal.pk}"))
    assert_refused(client.patch(f"/api/deals/{deal.pk}", {"source": {"name": "a file"}}))
    assert_refused(client.post(f"/api/deals/{deal.pk}/double-dummy"))
    assert_refused(client.post("/api/deals", {"cards": factories.layout(2).cards}))
    assert Deal.objects.values().get() == before


@pytest.mark.django_db
def test_with_the_key_methods_and_negotiation_work_as_elsewhere_and_no_answer_is_cached(service: APIClient) -> None:
    response = service.get("/api/deals")
    assert response["Cache-Control"] == "private, no-store" and "X-API-Key" in response["Vary"]
    assert service.options("/api/deals").status_code == 204
    refused = service.put("/api/deals", {})
    assert (refused.status_code, refused["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")
    assert service.get("/api/deals", headers={"accept": "image/png"}).status_code == 406


def ids_of_problems(*, deployment: bool) -> list[str]:
    messages = checks.run_checks(tags=[checks.Tags.security], include_deployment_checks=deployment)
    return [message.id for message in messages if message.id and message.id.startswith("deals.")]


def test_a_short_api_key_is_an_error_and_a_blank_one_a_warning_before_a_deployment(settings: Any) -> None:
    for key, previous, errors in (
        *(("k" * 32, "", []), ("k" * 32, "p" * 32, []), ("k" * 31, "", ["deals.E001"])),
        *(("k" * 32, "p" * 31, ["deals.E001"]), ("k", "p", ["deals.E001", "deals.E001"]), ("", "", [])),
    ):
        settings.API_KEY, settings.API_KEY_PREVIOUS = key, previous
        assert ids_of_problems(deployment=False) == errors
        assert ids_of_problems(deployment=True) == [*errors, *["deals.W001"] * (not key)]


def test_the_service_does_not_start_with_a_short_api_key_and_does_not_show_it(settings: Any) -> None:
    settings.API_KEY = "xyzzy-plugh"
    with pytest.raises(SystemCheckError, match="API_KEY is shorter than 32 characters") as refusal:
        BaseCommand().check()  # as config/wsgi.py does
    assert settings.API_KEY not in str(refusal.value)
