"""Whether the service lives, whether it is ready, and its metrics."""

from typing import Any

import pytest
from django.core.cache import caches
from django.db import DatabaseError, connections
from django.db.backends.postgresql.base import DatabaseWrapper
from rest_framework.test import APIClient

from config.edge import health
from config.edge.client_address import trusted_proxies
from tests.answers import assert_error


def unreachable() -> DatabaseWrapper:
    """Return a real connection to a port where nobody listens."""
    there = {
        "ENGINE": "",
        "NAME": "x",
        "USER": "x",
        "PASSWORD": "",
        "HOST": "127.0.0.1",
        "PORT": "1",
        "OPTIONS": {},
    }
    return DatabaseWrapper({**connections.settings["default"], **there}, "unreachable")


def test_livez_needs_no_database(client: APIClient) -> None:
    """Show that no query is made: without the `db` fixture any would fail."""
    assert client.get("/livez").json() == {"status": "ok"}


@pytest.mark.django_db
def test_the_service_is_ready_when_database_and_cache_answer(client: APIClient) -> None:
    assert client.get("/readyz").json() == {"status": "ok", "database": "ok", "cache": "ok"}


@pytest.mark.django_db
def test_the_service_is_not_ready_without_the_database(
    client: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "connection", unreachable())
    response = client.get("/readyz")
    assert_error(response, 503, "service_unavailable")
    assert int(response["Retry-After"]) >= 1
    assert b"127.0.0.1" not in response.content
    assert client.get("/livez").status_code == 200


@pytest.mark.django_db
def test_the_service_is_not_ready_without_the_cache(client: APIClient, settings: Any) -> None:
    before = settings.CACHES
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1",
        }
    }
    response = client.get("/readyz")
    settings.CACHES = before
    assert_error(response, 503, "service_unavailable")
    assert int(response["Retry-After"]) >= 1
    assert caches["default"].get("x") is None


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/livez", "/readyz"])
@pytest.mark.parametrize(
    "headers", [{}, {"authorization": "Bearer nonsense"}, {"x-impersonation-id": "nonsense"}]
)
def test_health_takes_no_notice_of_credentials(path: str, headers: dict[str, str], client: APIClient) -> None:
    response = client.get(path, headers=headers)
    assert response.status_code == 200
    assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/metrics"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_health_takes_no_method_but_reads(path: str, method: str, client: APIClient) -> None:
    response = client.generic(method, path)
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")


# --- Metrics -------------------------------------------------------------------------------------------------

TOKEN = "a token for metrics"


def metrics(remote: str = "192.0.2.1", **headers: str) -> Any:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return APIClient(raise_request_exception=False).get("/metrics", headers=sent, REMOTE_ADDR=remote)


@pytest.mark.parametrize("remote", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_metrics_are_answered_to_this_machine(remote: str) -> None:
    response = metrics(remote)
    assert (response.status_code, response["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert b"bridge_boards_requests_total" in response.content


def test_metrics_are_answered_with_the_token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    assert metrics(authorization=f"Bearer {TOKEN}").status_code == 200


@pytest.mark.parametrize("token", ["", TOKEN])
@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer wrong", "Basic x", TOKEN, "Bearer é", "Bearer None"]
)
def test_metrics_are_refused_without_the_token_from_elsewhere(token: str, header: str, settings: Any) -> None:
    settings.METRICS_TOKEN = token
    for remote in ("192.0.2.1", "", "10.0.0.1", "2001:db8::1"):
        response = metrics(remote, authorization=header)
        assert_error(response, 401, "not_authenticated")
        assert response["WWW-Authenticate"]
        assert b"bridge_boards" not in response.content


@pytest.mark.parametrize(
    "headers", [{"x_forwarded_for": "127.0.0.1"}, {"x_forwarded_for": "::1"}, {"forwarded": "for=127.0.0.1"}]
)
@pytest.mark.parametrize("proxies", [[], ["127.0.0.1"]])
def test_a_forwarded_request_is_never_local(
    headers: dict[str, str], proxies: list[str], settings: Any
) -> None:
    settings.TRUSTED_PROXIES = proxies
    trusted_proxies.cache_clear()
    assert metrics("127.0.0.1", **headers).status_code == 401


def test_metrics_count_by_route_and_never_by_path(client: APIClient) -> None:
    for number in range(3):
        client.get(f"/api/nothing-{number}")
        client.generic("BREW", f"/livez?secret-{number}")
    text = metrics("127.0.0.1").content.decode()
    assert "nothing-" not in text
    assert "secret-" not in text
    assert 'method="other",route="livez",status="405"' in text
    assert 'route="unknown",status="404"' in text


@pytest.mark.django_db
def test_a_database_error_nobody_foresaw_is_a_500_in_the_shape_of_errors(
    client: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def cursor(self) -> None:
            raise DatabaseError("a secret")

    monkeypatch.setattr(health, "connection", Broken())
    response = client.get("/readyz")
    assert_error(response, 500, "internal_error")
    assert b"secret" not in response.content
