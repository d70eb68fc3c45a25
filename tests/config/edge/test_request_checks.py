"""The order of the request checks, and what each answer is finished with."""

import json
import logging
from typing import Any

import pytest
import time_machine
from django.conf import settings as configured
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory
from prometheus_client import generate_latest
from rest_framework.test import APIClient

from config.api.errors import Conflict
from config.edge.middleware import EdgeMiddleware
from config.edge.observability.metrics import MetricsMiddleware
from config.edge.request_checks import RequestCheck

EVENTS: list[str] = []
"""What the request checks below were called for, in order."""


class First(RequestCheck):
    def check(self, request: HttpRequest) -> None:
        EVENTS.append("First.check")

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        EVENTS.append(f"First.finish {response.status_code}")


class Second(First):
    def check(self, request: HttpRequest) -> None:
        EVENTS.append("Second.check")
        if "refuse" in request.GET:
            raise Conflict

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        EVENTS.append(f"Second.finish {response.status_code}")


class Third(First):
    def check(self, request: HttpRequest) -> None:
        EVENTS.append("Third.check")

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        EVENTS.append(f"Third.finish {response.status_code}")
        if "lose-the-database" in request.GET:
            raise OperationalError


def answer(settings: Any, view: Any, path: str = "/api/x") -> tuple[HttpResponseBase, list[str]]:
    """Send a request through the edge with the checks above. Return the answer and what they saw."""
    settings.REQUEST_CHECKS = [f"{__name__}.{check.__name__}" for check in (First, Second, Third)]
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    EVENTS.clear()
    response = EdgeMiddleware(view)(RequestFactory().get(path))
    return response, [*EVENTS]


def succeed(request: HttpRequest) -> HttpResponse:
    EVENTS.append("view")
    return HttpResponse()


def finished(status: int) -> list[str]:
    return [f"{name}.finish {status}" for name in ("Third", "Second", "First")]


def test_guards_check_in_their_order_and_finish_in_the_reverse(settings: Any) -> None:
    _, events = answer(settings, succeed)
    assert events == ["First.check", "Second.check", "Third.check", "view", *finished(200)]


def test_the_first_refusal_is_the_answer_and_every_guard_finishes_it(settings: Any) -> None:
    response, events = answer(settings, succeed, "/api/x?refuse=1")
    assert events == ["First.check", "Second.check", *finished(409)]
    assert json.loads(response.content)["code"] == "conflict"


@pytest.mark.parametrize(("error", "status"), [(KeyError("a bug"), 500), (Http404(), 404), (PermissionDenied(), 403)])
def test_guards_finish_a_crash_and_djangos_own_errors_too(error: Exception, status: int, settings: Any) -> None:
    def fail(request: HttpRequest) -> HttpResponse:
        raise error

    response, events = answer(settings, fail)
    assert events == ["First.check", "Second.check", "Third.check", *finished(status)]
    assert response.status_code == status


def test_an_answer_that_a_guard_cannot_finish_is_not_given_and_the_other_guards_finish_the_error(settings: Any) -> None:
    response, events = answer(settings, succeed, "/api/x?lose-the-database=1")
    assert events[-3:] == ["Third.finish 200", "Second.finish 503", "First.finish 503"]
    assert json.loads(response.content)["code"] == "service_unavailable"


def test_two_requests_in_turn_are_answered_alike(settings: Any) -> None:
    """Check that request checks keep nothing of a request: one instance serves all requests of a process."""
    assert answer(settings, succeed)[1] == answer(settings, succeed)[1]


@pytest.mark.django_db
@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_the_services_own_guards_keep_nothing_of_a_request_for_the_next(settings: Any) -> None:
    settings.READ_RATE = ""
    edge = EdgeMiddleware(succeed)
    requests = [
        {"path": "/api/deals"},
        {"path": "/api/forms/contact"},
        {"path": "/api/boards", "HTTP_TRANSFER_ENCODING": "chunked"},
        {"path": "/api/boards", "HTTP_X_IMPERSONATION_ID": "nonsense"},
        {"path": "/api/boards"},
    ]
    rounds = [[edge(RequestFactory().get(**request)) for request in requests] for _ in range(2)]
    statuses = [[response.status_code for response in responses] for responses in rounds]
    assert statuses[0] == [401, 200, 411, 401, 200]
    assert statuses[1] == statuses[0]
    assert [dict(response.headers) for response in rounds[0]] == [dict(response.headers) for response in rounds[1]]


@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_a_guard_adds_its_headers_once(settings: Any) -> None:
    edge = EdgeMiddleware(succeed)
    request = RequestFactory().get("/api/forms/contact")
    response = edge(request)
    before = dict(response.headers)
    for check in reversed(edge.checks):
        check.finish(request, response)
    assert dict(response.headers) == before
    assert "RateLimit-Policy" in before


def test_every_guard_of_the_settings_is_one() -> None:
    checks = EdgeMiddleware(succeed).checks
    assert all(isinstance(check, RequestCheck) for check in checks)
    assert len(checks) == len(configured.REQUEST_CHECKS) == len(set(configured.REQUEST_CHECKS))


# --- The route of what never reached one ---------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "route"),
    [
        (
            "POST",
            "/api/forms/contact",
            {"content-length": str(configured.MAX_BODY_BYTES + 1)},
            413,
            "api/forms/contact",
        ),
        ("POST", "/api/forms/contact/", {"transfer-encoding": "chunked"}, 411, "api/forms/contact"),
        ("GET", "/api/deals/7e57ab1e-0000-4000-8000-000000000000", {}, 401, "api/deals/<any_uuid:pk>"),
        ("GET", "/api/boards", {"x-impersonation-id": "nonsense"}, 401, "api/boards"),
        ("GET", "/api/deals/nothing", {}, 401, "unknown"),
        ("GET", "/api/nothing", {}, 404, "unknown"),
    ],
)
def test_a_refusal_before_routing_is_logged_and_counted_under_its_route(
    method: str, path: str, headers: dict[str, str], status: int, route: str, client: APIClient,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    response = client.generic(method, path, headers=headers)
    assert response.status_code == status
    (line,) = [record.getMessage() for record in caplog.records if record.name == "access"]
    assert line == f"{method} /{route} {status}"
    metrics = generate_latest().decode()
    assert f'bridge_boards_requests_total{{method="{method}",route="{route}",status="{status}"}}' in metrics


def test_a_limited_read_is_logged_under_its_route(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.READ_RATE = "1/h"
    service = MetricsMiddleware(EdgeMiddleware(succeed))
    caplog.set_level(logging.INFO, logger="access")
    path = "/boards/7e57ab1e-0000-4000-8000-000000000000"
    statuses = [service(RequestFactory().get(path)).status_code for _ in range(2)]
    assert statuses == [200, 429]
    assert caplog.messages == ["GET /boards/<any_uuid:pk> 429"]


@pytest.mark.django_db
def test_every_answer_that_is_not_streamed_says_its_length(subtests: pytest.Subtests) -> None:
    for method in ["GET", "HEAD"]:
        for path in ["/api/deals", "/api/boards", "/api/nothing", "/nothing"]:
            with subtests.test(method=method, path=path):
                response = APIClient().generic(method, path)
                whole = APIClient().get(path)
                assert int(response["Content-Length"]) == len(whole.content)
