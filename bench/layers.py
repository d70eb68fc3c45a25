"""Measure what each layer of our own buys: `python -m bench.layers [--size 1000] [--rounds 5] [--seconds 2]`.

A gunicorn as in production serves the whole service, and another one serves it without a layer, from this module. Both
are loaded in turn with the same requests from the same database, with a limit on reads that nobody reaches. Printed is
the processor time of a request without the layer, application and PostgreSQL, as a part of that with it: 1.20 means
that the layer saves a sixth, and less than 1 that it costs something.
"""

import argparse
import os
from collections.abc import Callable
from typing import Any

import psycopg
from django.conf import settings

import config.database
from bench.load.__main__ import choose, measure_in_turn
from bench.load.cases import CHANGING, KEPT, make_cases, read_contents
from bench.load.database import APPLICATION_NAME, ensure_database
from bench.load.measuring import cpu_ratio
from bench.load.servers import ADDRESS, COMMANDS, GUNICORN, running, service_environment
from bench.scratch import say
from config.database.postgresql.base import DatabaseWrapper

WAYS = (("first", KEPT), ("first", CHANGING), ("board", CHANGING), ("crawl", CHANGING), ("vote", KEPT))


def leave_out_prepared_statements() -> None:
    del DatabaseWrapper.fetch_rows  # config.database.fetch_rows then takes a cursor of Django's


def leave_out_monitor() -> None:
    config.database.bound_waits = lambda *, threads: None


LAYERS: dict[str, Callable[[], None]] = {
    "statements through libpq": leave_out_prepared_statements,
    "cached responses": lambda: setattr(settings, "CACHED_RESPONSES_MIB", 0),
    "public reads": lambda: None,
    "limit on reads": lambda: setattr(settings, "READ_RATE", ""),
    "request checks": lambda: setattr(settings, "REQUEST_CHECKS", []),
    "monitor, bulkhead": leave_out_monitor,
}
"""What is left out before the application is loaded. Public reads are left out afterwards, and caching with them."""

if left_out := os.environ.get("WITHOUT"):
    LAYERS[left_out]()
    from config.wsgi import application as whole

    application: Any = whole.django if left_out == "public reads" else whole


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.layers")
    parser.add_argument("--size", type=int, default=1000, help="how many boards the database has")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--database", default="bridge_bench_{}", help="its name; {} becomes the size")
    options = parser.parse_args()
    for name in LAYERS:
        COMMANDS[name] = [*GUNICORN, "-c", "config/gunicorn.conf.py", "bench.layers"]
        ADDRESS[name] = ()
    url = ensure_database(options.database.format(options.size), options.size)
    environment = service_environment(url) | {"READ_RATE": "10000000/m", "WRITE_RATE": ""}
    say(f"| without | {' | '.join(f'{name}, {way}' for name, way in WAYS)} |")
    say("| --- " * (len(WAYS) + 1) + "|")
    with (
        psycopg.connect(url, autocommit=True, application_name=APPLICATION_NAME) as connection,
        running("ours", environment) as ours,
    ):
        cases = {case.name: case for case in choose(make_cases(read_contents(connection)), None)}
        for name in LAYERS:  # one after the other: PostgreSQL has connections for a few servers only
            with running(name, {**environment, "WITHOUT": name}) as other:
                ratios = []
                for case, way in WAYS:
                    rounds = measure_in_turn([(each, cases[case], connection) for each in (ours, other)], way, options)
                    ratios.append(f"{cpu_ratio(rounds[name], rounds['ours']):.2f}")
            say(f"| {name} | {' | '.join(ratios)} |")


if __name__ == "__main__":
    main()
