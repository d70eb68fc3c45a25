"""Measure what each layer of our own buys: `python -m bench.layers [--size 1000] [--rounds 7] [--seconds 2]`.

A gunicorn as in production serves the whole service, and one more serves it without each layer (bench/without.py). All
are loaded in turn with the same requests from the same database, with a limit on reads that nobody reaches. Printed is
the processor time of a request without the layer, application and PostgreSQL, as a part of that with it: 1.20 means
that the layer saves a sixth, and less than 1 that it costs something.
"""

import argparse
from contextlib import ExitStack

import psycopg

from bench.load.__main__ import choose, measure_case
from bench.load.cases import CHANGING, KEPT, make_cases, read_contents
from bench.load.database import APPLICATION_NAME, ensure_database
from bench.load.measuring import cpu_ratio
from bench.load.servers import ADDRESS, COMMANDS, GUNICORN, running, service_environment
from bench.scratch import say
from bench.without import LAYERS

WAYS = (("first", KEPT), ("first", CHANGING), ("board", CHANGING), ("crawl", CHANGING), ("vote", KEPT))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.layers")
    parser.add_argument("--size", type=int, default=1000, help="how many boards the database has")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=2)
    options = parser.parse_args()
    for name in LAYERS:
        COMMANDS[name] = [*GUNICORN, "-c", "config/gunicorn.conf.py", "bench.without"]
        ADDRESS[name] = ()
    url = ensure_database(f"bridge_bench_{options.size}", options.size)
    environment = service_environment(url) | {"READ_RATE": "10000000/m"}
    with (
        psycopg.connect(url, autocommit=True, application_name=APPLICATION_NAME) as connection,
        ExitStack() as stack,
    ):
        servers = [stack.enter_context(running("ours", environment))]
        servers += [stack.enter_context(running(name, {**environment, "WITHOUT": name})) for name in LAYERS]
        cases = {case.name: case for case in choose(make_cases(read_contents(connection)), None)}
        measured = [measure_case(cases[name], way, servers, options, connection) for name, way in WAYS]
    say(f"| without | {' | '.join(f'{name}, {way}' for name, way in WAYS)} |")
    say("| --- " * (len(WAYS) + 1) + "|")
    for layer in LAYERS:
        ratios = [f"{cpu_ratio(rounds[layer], rounds['ours']):.2f}" for rounds in measured]
        say(f"| {layer} | {' | '.join(ratios)} |")


if __name__ == "__main__":
    main()
