"""The form of a log line, and what is taken out of those that others wrote."""

import json
import logging
from typing import Any

from config.edge.observability.logs import HideRequest, JsonFormatter
from config.values.request_id import request_id


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
