"""Log lines as JSON, each with the id of the request that it belongs to."""

import json
import logging
from datetime import UTC, datetime

from config.values.request_id import request_id


class JsonFormatter(logging.Formatter):
    """Format a record as JSON: time, level, logger, message, requestId, exception, and `extra={"fields": {…}}`."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
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
        return json.dumps(entry, ensure_ascii=False, default=str)
