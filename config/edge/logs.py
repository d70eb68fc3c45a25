"""Log lines as JSON, each with the request it belongs to."""

import json
import logging
from datetime import UTC, datetime

from config.values.request_id import request_id


class JsonFormatter(logging.Formatter):
    """Write time, level, logger, message, requestId, and what was logged under `extra={"fields": {…}}`."""

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
