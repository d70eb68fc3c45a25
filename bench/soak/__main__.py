"""Run the service as operators do, with all kinds of traffic at once, and exit with 1 when something grows.

gunicorn and a worker work on PostgreSQL and Redis. The same seed makes the same requests, at the same moments as far
as the service keeps up. BENCH_DATABASE_URL names the PostgreSQL server.
"""

import argparse
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial

import psycopg

from bench.load.cases import read_contents
from bench.load.database import APPLICATION_NAME, check_counters, ensure_database
from bench.load.servers import CACHE_URL, running, service_environment, started
from bench.scratch import say
from bench.soak.sampling import Sample, take_sample
from bench.soak.traffic import Answer, Client, Target
from bench.soak.verdict import judge

MAX_SAMPLE_SECONDS = 5
SAMPLES_BETWEEN_LINES = 12
MAX_PART_SECONDS = 300
WARM_UP_SHARE = 0.1
MAX_WARM_UP_SECONDS = 120
CROWD, CROWD_RATE = 48, 100
"""In the first half of the warm-up more clients come than there are threads: a thread and its connection are made when
they are first needed. Some get 503 by rights, so their answers do not count."""
WORKER = [sys.executable, "manage.py", "run_worker"]
AS_OPERATORS = {
    "READ_RATE": "1200/m",
    "TRUSTED_PROXIES": "127.0.0.1/32",  # so that a client is somebody else with each request, as behind a proxy
    "FORM_MAIL_TO": "staff@example.org",  # so that the worker has mail to send
    "EMAIL_URL": "dummymail://",
}


def main(arguments: Sequence[str]) -> int:
    options = parse(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    url = ensure_database(options.database.format(options.boards), options.boards, anew=options.anew)
    environment = {**service_environment(url), **AS_OPERATORS, "CACHE_URL": options.cache}
    seconds = options.minutes * 60
    warm_up, part = min(MAX_WARM_UP_SECONDS, seconds * WARM_UP_SHARE), min(MAX_PART_SECONDS, seconds / 6)
    between_samples = min(MAX_SAMPLE_SECONDS, part / 3)
    with (
        psycopg.connect(url, autocommit=True, application_name=APPLICATION_NAME) as connection,
        running("ours", environment) as server,
        started(WORKER, environment) as worker,
    ):
        target = Target(server.port, environment["API_KEY"], read_contents(connection))
        rate = options.rate / options.clients
        clients = [Client(target, rate, f"{options.seed} {number}") for number in range(options.clients)]
        crowd = [Client(target, CROWD_RATE, f"{options.seed} crowd {number}") for number in range(CROWD)]
        sample = partial(take_sample, roots=[server.pid, worker.pid], connection=connection)
        drive(crowd, sample, warm_up / 2, between_samples)
        samples = drive(clients, sample, warm_up / 2 + seconds, between_samples)
        check_counters(connection)
    answers: list[Answer] = [answer for client in clients for answer in client.answers]
    text, problems = judge(answers, samples, first=warm_up / 2, last=warm_up / 2 + seconds, part=part)
    say(text)
    return report(problems)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python3 dev.py soak", description="Exit with 1 when something grows under long mixed traffic."
    )
    add = parser.add_argument
    add("--minutes", type=float, default=30, help="after the warm-up, a tenth of this, two minutes at most")
    add("--seed", default="1", help="another one makes other requests")
    add("--rate", type=float, default=40, help="requests a second that all clients together want")
    add("--clients", type=int, default=8)
    add("--boards", type=int, default=1_000)
    add("--database", default="bridge_soak_{}", help="its name; {} becomes the number of boards")
    add("--cache", default=CACHE_URL, help="the Redis of the limits")
    add("--anew", action="store_true", help="make the database anew")
    return parser.parse_args(arguments)


def drive(
    clients: Sequence[Client], sample: Callable[[float], Sample], seconds: float, between_samples: float
) -> list[Sample]:
    """Let the clients work for so long, and return what the processes had meanwhile."""
    stopped, started = threading.Event(), time.monotonic()
    threads = [threading.Thread(target=client.work, args=(started, stopped)) for client in clients]
    samples = []
    with ExitStack() as stack:
        for thread in threads:
            thread.start()
            stack.callback(thread.join)
        stack.callback(stopped.set)
        while (now := time.monotonic() - started) < seconds:
            samples.append(sample(now))
            if len(samples) % SAMPLES_BETWEEN_LINES == 1:
                answered = sum(len(client.answers) for client in clients)
                say(f"{now:6.0f} s  {answered:8,} answers  {samples[-1]}")
            time.sleep(min(between_samples, seconds - now))
    return samples


def report(problems: Sequence[str]) -> int:
    for problem in problems:
        say(f"FAILED {problem}")
    if not problems:
        say("Nothing grew.")
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
