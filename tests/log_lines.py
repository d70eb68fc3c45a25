"""What the service logs, as an operator gets it: each line formatted when it is written, and read back as JSON."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from config.edge.observability.logs import JsonFormatter


class Lines(logging.Handler):
    """A handler that keeps lines. `raw` has their texts."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonFormatter())
        self.raw: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.raw.append(self.format(record))

    def of(self, logger: str) -> list[dict[str, Any]]:
        return [line for line in map(json.loads, self.raw) if line["logger"] == logger]

    @property
    def events(self) -> list[str]:
        return [line["event"] for line in self.of("security")]


@contextmanager
def collected() -> Iterator[Lines]:
    lines = Lines()
    logging.getLogger().addHandler(lines)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(lines)
