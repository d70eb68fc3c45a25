"""The form of a log line, what is taken out of those that others wrote, and the access line of a request."""

import json
import logging
from itertools import cycle
from typing import Any

import pytest
from pytest import MonkeyPatch
from rest_framework.test import APIClient

from config.edge.observability import metrics
from config.edge.observability.logs import HideRequest, JsonFormatter
from config.values.request_id import request_id
from tests import factories
from tests.conftest import token_of
from tests.log_lines import Lines
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db


def record(message: str, *args: Any, **more: Any) -> logging.LogRecord:
    made = logging.LogRecord("some.logger", logging.INFO, "", 0, message, args, more.pop("exc_info", None))
    made.__dict__.update(more)
    return made


def written(message: str, *args: Any, **more: Any) -> dict[str, Any]:
    return json.loads(JsonFormatter().format(record(message, *args, **more)))


def test_gunicorns_lines_quote_nothing_of_a_request() -> None:
    for message, args, left in (
        ("Error handling request %s %s", ("GET", "/api/boards?token=x"), "Error handling request GET /api/boards"),
        ("Error handling request %s", ("/a/ann@example.org?x",), "Error handling request /a/*"),
        ("Error handling request (no URI read)", (), "Error handling request (no URI read)"),
        (
            "Invalid request from ip=2001:db8::1: Invalid HTTP Header: 'COOKIE sessionid=x\ny'", (),
            "Invalid request from ip=2001:db8::1: Invalid HTTP Header",
        ),
        ("Booting worker with pid: %s", (7,), "Booting worker with pid: 7"),
    ):  # fmt: skip
        line = record(message, *args)
        assert HideRequest().filter(line)
        assert line.getMessage() == left


def test_a_line_is_one_json_object_with_the_id_of_its_request() -> None:
    token = request_id.set("mine")
    line = JsonFormatter().format(record("%s ♠\n", "x"))
    request_id.reset(token)
    entry = json.loads(line)
    said = [entry[name] for name in ("level", "logger", "message", "requestId")]
    assert (said, "\n" in line) == (["info", "some.logger", "x ♠\n", "mine"], False)


def test_a_line_of_others_is_scrubbed_in_its_message_its_fields_and_its_exception() -> None:
    try:
        int("ann@example.org")
    except ValueError as error:
        fields = {"reason": "ann@example.org", "seconds": 1.5, "deals": ["ann@example.org"], "none": None}
        failed = (type(error), error, error.__traceback__)
        line = written("sent to %s", "ann@example.org", fields=fields, exc_info=failed)
    said = [line[name] for name in ("message", "reason", "deals", "seconds", "none")]
    assert said == ["sent to *@*", "*@*", ["*@*"], 1.5, None]
    assert line["exception"].endswith("invalid literal for int() with base 10: '*@*'")


def test_a_value_that_json_cannot_have_costs_no_line() -> None:
    for odd in ("half of a pair: \ud800", 2**70, b"bytes"):
        for clean in (False, True):
            assert written("odd", fields={"odd": odd}, clean=clean)["message"] == "odd", odd


@pytest.fixture
def all_lines(settings: Any) -> None:
    settings.ACCESS_LOG_SUCCESSES = 1


def test_a_line_says_what_was_asked_by_whom_and_how_it_went(lines: Lines, all_lines: None, client_of: Any) -> None:
    board = factories.board(1)
    client = client_of(factories.account("ann"))
    answer = client.get(f"/api/boards/{board.pk}?utm_secret=1", REMOTE_ADDR="2001:db8:1:2:3:4:5:6")
    (line,) = lines.of("access")
    assert line.pop("milliseconds") > 0 and line.pop("time")
    route = "api/boards/<any_uuid:pk>"
    assert line == {
        "level": "info", "logger": "access", "message": f"GET /{route} 200",
        "requestId": answer["X-Request-Id"], "method": "GET", "route": route,
        "path": f"/api/boards/{board.pk}", "status": 200, "account": "ann", "client": "2001:db8:1:2::/64",
    }  # fmt: skip


def test_the_line_of_a_read_in_front_of_django_says_the_same_as_djangos(lines: Lines, all_lines: None) -> None:
    path = f"/api/boards/{factories.board(1).pk}"
    client = ServiceClient()
    answers = [client.get(path, REMOTE_ADDR="192.0.2.1") for _ in range(2)]
    assert client.application.templates, "the second answer did not come from in front of Django"
    client.get(path, headers={"if-none-match": answers[1]["ETag"]})
    first, second, known = lines.of("access")
    assert [first.pop("requestId"), second.pop("requestId")] == [answer["X-Request-Id"] for answer in answers]
    for line in (first, second):
        del line["time"], line["milliseconds"]
    assert first == second
    assert known["message"] == "GET /api/boards/<any_uuid:pk> 304"


def test_successes_leave_lines_by_the_share_and_failures_always(
    lines: Lines, settings: Any, monkeypatch: MonkeyPatch
) -> None:
    draws = cycle([0.1, 0.3, 0.2])
    monkeypatch.setattr(metrics.random, "random", lambda: next(draws))
    client = APIClient()
    for share, expected in ((0, 0), (0.25, 2), (1, 3)):
        settings.ACCESS_LOG_SUCCESSES = share
        lines.raw.clear()
        for _ in range(3):
            assert client.get("/livez").status_code == 200
        assert client.get("/api/nothing").status_code == 404
        statuses = [line["status"] for line in lines.of("access")]
        assert statuses == [200] * expected + [404]


def test_the_line_of_an_impersonated_read_names_both_accounts(lines: Lines, all_lines: None) -> None:
    actor, subject = factories.account("sue", role="support"), factories.account("ann")
    running = factories.impersonation(actor, subject)
    headers = {"authorization": f"Bearer {token_of(actor)}", "x-impersonation-id": str(running.pk)}
    assert APIClient(headers=headers).get("/api/accounts/me").json()["id"] == "ann"
    (line,) = lines.of("access")
    assert (line["account"], line["impersonated"]) == ("sue", "ann")


def test_a_line_names_the_account_of_a_session_that_was_looked_at(
    lines: Lines, all_lines: None, django_assert_num_queries: Any
) -> None:
    client = APIClient()
    client.force_login(factories.account("boss", role="admin"))
    lines.raw.clear()
    assert client.get("/admin/").status_code == 200
    with django_assert_num_queries(0):
        assert client.get("/livez").status_code == 200
    assert [line["account"] for line in lines.of("access")] == ["boss", None]
