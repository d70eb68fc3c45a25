"""The order of the request checks, and what each answer is finished with."""

import json
from typing import Any

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.test import RequestFactory
from prometheus_client import generate_latest
from rest_framework.test import APIClient

from config.api.errors import Conflict
from config.edge.middleware import EdgeMiddleware, shorten_redirect
from config.edge.request_checks import RequestCheck
from tests import process_state
from tests.factories import NOBODYS_ID

pytestmark = pytest.mark.django_db

EVENTS: list[str] = []
"""What the request checks below were called for, in order."""


class First(RequestCheck):
    def check(self, request: HttpRequest) -> None:
        EVENTS.append(f"{type(self).__name__}.check")

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        EVENTS.append(f"{type(self).__name__}.finish {response.status_code}")


class Second(First):
    def check(self, request: HttpRequest) -> None:
        super().check(request)
        if "refuse" in request.GET:
            raise Conflict


class Third(First):
    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        super().finish(request, response)
        if "lose-the-database" in request.GET:
            raise OperationalError


def succeed(request: HttpRequest) -> HttpResponse:
    EVENTS.append("view")
    return HttpResponse("{}")


def finished(status: int) -> list[str]:
    return [f"{name}.finish {status}" for name in ("Third", "Second", "First")]


CHECKED = ["First.check", "Second.check", "Third.check"]
ERRORS = {"bug": KeyError("a bug"), "gone": Http404(), "forbidden": PermissionDenied()}


def test_checks_run_in_their_order_and_each_finishes_every_answer_in_the_reverse(settings: Any) -> None:
    """Ask one instance all of it twice, since it serves all requests of a process and keeps nothing of them."""
    settings.REQUEST_CHECKS = [f"{__name__}.{check.__name__}" for check in (First, Second, Third)]
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False

    def view(request: HttpRequest) -> HttpResponse:
        for name in request.GET.keys() & ERRORS:
            raise ERRORS[name]
        return succeed(request)

    edge = EdgeMiddleware(view)
    lost = ["Third.finish 200", "Second.finish 503", "First.finish 503"]
    for query, code, events in [
        ("", None, [*CHECKED, "view", *finished(200)]),
        ("refuse", "conflict", [*CHECKED[:2], *finished(409)]),
        ("bug", "internal_error", [*CHECKED, *finished(500)]),
        ("gone", "not_found", [*CHECKED, *finished(404)]),
        ("forbidden", "permission_denied", [*CHECKED, *finished(403)]),
        ("lose-the-database", "service_unavailable", [*CHECKED, "view", *lost]),
    ] * 2:
        EVENTS.clear()
        response = edge(RequestFactory().get(f"/api/x?{query}"))
        assert (json.loads(response.content).get("code"), EVENTS) == (code, events), query


@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_the_services_own_checks_keep_nothing_of_a_request_for_the_next(settings: Any) -> None:
    settings.READ_RATE = ""
    edge = EdgeMiddleware(succeed)
    requests = [
        *({"path": "/api/deals"}, {"path": "/api/forms/contact"}, {"path": "/api/boards"}),
        {"path": "/api/boards", "HTTP_TRANSFER_ENCODING": "chunked"},
    ]
    answers = [edge(RequestFactory().get(**request)) for request in requests * 2]
    heads = [(answer.status_code, dict(answer.headers)) for answer in answers]
    assert [status for status, _ in heads[:4]] == [401, 200, 200, 411]
    assert heads[:4] == heads[4:]


@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_a_check_adds_its_headers_once() -> None:
    edge = EdgeMiddleware(succeed)
    request = RequestFactory().get("/api/forms/contact")
    response = edge(request)
    before = dict(response.headers)
    for check in reversed(edge.checks):
        check.finish(request, response)
    assert dict(response.headers) == before
    assert "RateLimit-Policy" in before


def test_a_long_redirect_within_the_service_loses_its_parameters_and_one_elsewhere_keeps_them() -> None:
    """tests/system/servers/test_header_size.py walks the admin."""
    longest = f"/{'a' * 999}"
    for target, sent in (
        *((address, address) for address in (longest, f"https://elsewhere.example/?{'a' * 1000}")),
        *((f"{longest}?q=a", longest), (f"{longest}a", "/admin/")),
    ):
        response = HttpResponseRedirect(target)
        shorten_redirect(response)
        assert response["Location"] == sent, target


def test_a_refusal_before_routing_is_logged_and_counted_under_its_route(
    client: APIClient, caplog: pytest.LogCaptureFixture
) -> None:
    for method, path, headers, status, route in (
        ("POST", "/api/forms/contact", {"content-length": "999999"}, 413, "api/forms/contact"),
        ("POST", "/api/forms/contact/", {"transfer-encoding": "chunked"}, 411, "api/forms/contact"),
        ("GET", f"/api/deals/{NOBODYS_ID}", {}, 401, "api/deals/<any_uuid:pk>"),
        ("GET", "/api/boards", {"x-impersonation-id": "nonsense"}, 401, "api/boards"),
        ("GET", "/api/deals/nothing", {}, 401, "unknown"),
        ("GET", "/api/nothing", {}, 404, "unknown"),
    ):
        caplog.clear()
        process_state.forget()  # or the second 401 of the client leaves no line
        assert client.generic(method, path, headers=headers).status_code == status, path
        lines = [record.getMessage() for record in caplog.records if record.name == "access"]
        assert lines == [f"{method} /{route} {status}"]
        counted = f'bridge_boards_requests_total{{method="{method}",route="{route}",status="{status}"}}'
        assert counted in generate_latest().decode()


def test_every_answer_that_is_not_streamed_says_its_length() -> None:
    for path in ("/api/deals", "/api/boards", "/api/nothing", "/nothing"):
        length = len(APIClient().get(path).content)
        for method in ("GET", "HEAD"):
            assert int(APIClient().generic(method, path)["Content-Length"]) == length, (method, path)
