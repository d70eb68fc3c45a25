"""Log lines as JSON, each with the id of its request, and the access log.

The access log has a line for each request that failed, and for as many others as ACCESS_LOG_SUCCESSES says.
"""

import json
import logging
import random
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, NamedTuple

import orjson
from django.conf import settings

from config.edge.security.client_address import client_network
from config.values.redaction import clean_path, name_in_logs, scrub
from config.values.request_id import request_id


class JsonFormatter(logging.Formatter):
    """Format a record as JSON: time, level, logger, message, requestId, exception, and `extra={"fields": {…}}`.

    Texts that others wrote (messages of exceptions, say) are scrubbed. Lines that are made of clean values alone, those
    of the access log and the security log, say so with `extra={"clean": True}`.
    """

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if current := request_id.get():
            entry["requestId"] = current
        entry |= getattr(record, "fields", {})
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        if not getattr(record, "clean", False):
            entry = {name: clean(value) for name, value in entry.items()}
        try:
            return orjson.dumps(entry, default=str).decode()
        except TypeError:  # half of a surrogate pair, or a number of more than 64 bits
            return json.dumps(entry, default=str)


def clean(value: Any) -> Any:
    """Scrub a value of a line. What is no text, number or truth value becomes a text."""
    if value is None or isinstance(value, int | float):
        return value
    return [clean(each) for each in value] if isinstance(value, list) else scrub(str(value))


class HideRequest(logging.Filter):
    """Take out of gunicorn's lines what they quote of a request: a header that it cannot read may be a credential."""

    INVALID = re.compile(r"(?s)(Invalid request from ip=\S*: [^:]*).*")

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.msg, str) and record.msg.startswith("Error handling request") and record.args:
            *method, uri = record.args if isinstance(record.args, tuple) else ("",)
            record.args = (*method, clean_path(str(uri).partition("?")[0]))
        elif isinstance(record.msg, str):
            record.msg = self.INVALID.sub(r"\1", record.msg)
        return True


logger = logging.getLogger("access")

LEFT_OUT = "bridge_boards.left_out"
"""The name in META that marks a request without a line: its client has had one of the same kind just now."""

MIN_FAILURE = int(HTTPStatus.BAD_REQUEST)  # as a number: an enumeration takes half a microsecond to compare


class Line(NamedTuple):
    """What a line says of a request and its answer, whoever answered it."""

    method: str
    route: str
    status: int
    seconds: float
    request_id: str


def wants(status: int) -> bool:
    """Tell whether a request with this answer gets a line. A success costs a random number at most."""
    if status >= MIN_FAILURE:
        return True
    share = settings.ACCESS_LOG_SUCCESSES
    return share > 0 and (share >= 1 or random.random() < share)  # noqa: S311  (a sample, no secret)


def write(line: Line, meta: Mapping[str, Any], *, account: str | None = None, subject: str | None = None) -> None:
    """Write the line of a request. `account` made it, as the impersonated `subject` where that is another one.

    The path is logged without its query and without segments that may be secrets.
    """
    fields = {
        "requestId": line.request_id,
        "method": line.method,
        "route": line.route,
        "path": clean_path(meta.get("PATH_INFO", "")),
        "status": line.status,
        "milliseconds": round(line.seconds * 1000, 1),
        "account": name_in_logs(account),
        "client": client_network(meta),
    }
    if subject not in (None, account):
        fields["impersonated"] = name_in_logs(subject)
    said = {"fields": fields, "clean": True}
    logger.info("%s /%s %s", line.method, line.route, line.status, extra=said)
