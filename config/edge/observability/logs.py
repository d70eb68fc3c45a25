"""Log lines as JSON, each with the id of the request that it belongs to."""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

import orjson

from config.values.redaction import clean_path, scrub
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
    """Scrub a value of a line. What is neither a text, a number nor a truth value becomes a text."""
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
