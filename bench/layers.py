"""Measure where the microseconds of a read go: `python -m bench.layers` on a database that `dev.py bench` has seeded.

The WSGI application answers first pages and single boards in this process, with the limit on reads and nothing kept.
Each function named below is timed where a request calls it. Printed is this thread's processor time for one request,
without PostgreSQL's, as the median of the rounds. What a function calls counts for the inner one when both are named.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import cycle, repeat
from pkgutil import resolve_name
from statistics import median
from typing import Any
from unittest.mock import patch

from django.conf import settings

settings.CACHED_RESPONSES_MIB, settings.READ_RATE, settings.ACCESS_LOG_SUCCESSES = 0, "1000000/m", 0

# Only now: the application reads the settings when it is imported.
from bench.read_steps import request  # noqa: E402
from bench.scratch import say  # noqa: E402
from boards.models import Board  # noqa: E402

REQUESTS, ROUNDS = 300, 9
LAYERS = {
    "limit on reads": (
        "config.edge.serving.public_reads.client_network",
        "config.edge.limits.read_limit.ReadLimiter.is_spent",
        "config.edge.limits.read_limit.ReadLimiter.count",
    ),
    "request id": ("config.edge.serving.public_reads.choose_request_id",),
    "metrics": ("config.edge.serving.public_reads.count_request",),
    "access line": (
        "config.edge.observability.access_log.wants",
        "config.edge.observability.access_log.write",
    ),
    "checking the query": ("boards.lists.answers.parse_list", "boards.lists.answers.parse_page"),
    "writing the statement": (
        "boards.catalogue.reading.newest_page",
        "boards.catalogue.reading.board_statement",
    ),
    "the statement, through libpq": ("boards.catalogue.reading.fetch_rows",),
    "votes, themes and links into each text": ("boards.catalogue.reading.finish",),
    "joining the JSON": ("boards.lists.answers.represent_page", "boards.lists.public_reads.dump_json"),
    "Link": ("boards.lists.answers.link_header",),
    "ETag": ("config.edge.serving.public_reads.etag_of",),
    "headers, If-None-Match": ("config.edge.serving.public_reads.send",),
}


class Stopwatch:
    """Adds up the time of each layer without that of the layers inside it, in nanoseconds."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(LAYERS, 0)
        self.inside = [0]

    def time(self, layer: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            self.inside.append(0)
            started = time.thread_time_ns()
            try:
                return function(*args, **kwargs)
            finally:
                spent = time.thread_time_ns() - started
                self.spent[layer] += spent - self.inside.pop()
                self.inside[-1] += spent

        return timed


def measure(paths: Iterator[str]) -> dict[str, float]:
    """Return the microseconds of each layer, of all that is in none, and of a request without a stopwatch."""
    stopwatch = Stopwatch()
    with ExitStack() as stack:
        for layer, names in LAYERS.items():
            for name in names:
                stack.enter_context(patch(name, stopwatch.time(layer, resolve_name(name))))
        timed = spend(paths)
    rest = timed - sum(stopwatch.spent.values())
    return {
        name: spent / REQUESTS / 1000
        for name, spent in {
            **stopwatch.spent,
            "the rest": rest,
            "all, without a stopwatch": spend(paths),
        }.items()
    }


def spend(paths: Iterator[str]) -> int:
    started = time.thread_time_ns()
    for _ in range(REQUESTS):
        request(next(paths))
    return time.thread_time_ns() - started


def main() -> None:
    boards = [f"/api/boards/{pk}" for pk in Board.objects.published().values_list("pk", flat=True)[:200]]
    for name, paths in {"first page": repeat("/api/boards"), "board": cycle(boards)}.items():
        measure(paths)
        rounds = [measure(paths) for _ in range(ROUNDS)]
        say(f"| {name} | µs |\n| --- | --- |")
        for layer in rounds[0]:
            say(f"| {layer} | {median(each[layer] for each in rounds):.1f} |")


if __name__ == "__main__":
    main()
