"""`python -m bench.provider_faults [PART…]`: a gunicorn whose identity provider fails in every known way.

`warm`: 32 seconds of requests with a known key under each fault, beside one unknown kid a second, so that the
provider is asked in each phase; against the same with a healthy provider in the same run. `cold`: the first request
after the start. `random_kids`: how often a thousand of them make the service ask the provider. Without a name all
three; seven minutes.
"""

import os
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

from tests import identity_provider as idp
from tests.identity_provider import Handler, Provider, key_set, token
from tests.provider_faults import DRIPPING, UNUSABLE, slowly
from tests.system.deployment import database, gunicorn, of

SECONDS = 32  # longer than the cool-down, so that each phase has a fetch
CLIENTS = 2
over = threading.Event()


def hang(handler: Handler) -> None:
    over.wait()


NAMES = ("HTML", "empty", "no keys", "bad UTF-8", "10 MB", "a permanent redirect", "500")
FAULTS: dict[str, Any] = {
    **{name: UNUSABLE[name] for name in NAMES},
    "down": None,
    "hangs": hang,
    "drips its headers": slowly(DRIPPING["headers"]),
}


def main() -> None:
    parts = {"warm": warm, "cold": cold, "random_kids": random_kids}
    with database() as url:
        for name in sys.argv[1:] or parts:
            parts[name](url)
    over.set()


# --- Warm ----------------------------------------------------------------------------------------------------


def warm(database_url: str) -> None:
    say(f"Warm, {SECONDS} s each, {CLIENTS} clients with a known key; p50 and p99 in ms, × against healthy")
    with idp.running() as provider, gunicorn(of(database_url, f"{provider.url}/jwks")) as port:
        phase(port)  # not counted: the first requests of a process are slower
        asked = len(provider.requested)
        healthy = report("healthy", provider, phase(port), {}, asked)
        for name, answer in FAULTS.items():
            with failing(provider, answer):
                asked = len(provider.requested)
                times = phase(port)
                report(name, provider, times, healthy, asked)


@contextmanager
def failing(provider: Provider, answer: Any) -> Iterator[None]:
    """Make the provider fail with this answer. With None it hangs up at once, as one that is down."""
    provider.answers["/jwks"] = answer if answer is not None else UNUSABLE["nothing"]
    yield
    provider.says(key_set())


Times = dict[str, Any]


def phase(port: int) -> Times:
    until = time.monotonic() + SECONDS
    known = f"Bearer {token()}"
    with ThreadPoolExecutor(CLIENTS + 1) as pool:
        clients = [pool.submit(repeat, port, lambda: known, until, 0.0) for _ in range(CLIENTS)]
        unknown = pool.submit(repeat, port, lambda: f"Bearer {random_token()}", until, 1.0)
        answers = [answer for client in clients for answer in client.result()]
        return {"known": answers, "unknown": unknown.result()}


def repeat(port: int, header: Callable[[], str], until: float, pause: float) -> list[tuple[int, float]]:
    """Return the status and the milliseconds of each answer."""
    answers = []
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        while time.monotonic() < until:
            answers.append(ask(connection, header())[:2])
            time.sleep(pause)
    return answers


def ask(connection: HTTPConnection, header: str) -> tuple[int, float, str | None]:
    begin = time.perf_counter()
    connection.request("GET", "/api/accounts/me", headers={"Authorization": header})
    response = connection.getresponse()
    response.read()
    return response.status, (time.perf_counter() - begin) * 1000, response.headers["Retry-After"]


def random_token() -> str:
    return token(key="ed", kid=os.urandom(8).hex())


def report(name: str, provider: Provider, times: Times, healthy: Times, asked: int) -> Times:
    taken = sorted(milliseconds for _, milliseconds in times["known"])
    p50, p99 = statistics.median(taken), taken[int(len(taken) * 0.99)]
    against = f"× {p99 / healthy['p99']:.2f}" if healthy else "      "
    say(
        f"{name:22} p50 {p50:5.1f}  p99 {p99:5.1f} {against}  {counts(times['known'])}"
        f"  unknown kid {counts(times['unknown'])}, slowest {max(ms for _, ms in times['unknown']):.0f} ms"
        f"  asked {len(provider.requested) - asked}"
    )
    return {"p99": p99}


def counts(answers: list[tuple[int, float]]) -> str:
    return ", ".join(
        f"{number} × {status}" for status, number in sorted(Counter(a[0] for a in answers).items())
    )


# --- Cold ----------------------------------------------------------------------------------------------------


def cold(database_url: str) -> None:
    say("Cold: the first request with a token")
    for name, answer in FAULTS.items():
        with idp.running() as provider, failing(provider, answer):
            url = f"{provider.url}/jwks" if answer is not None else "http://127.0.0.1:1/jwks"
            with (
                gunicorn(of(database_url, url)) as port,
                closing(HTTPConnection("127.0.0.1", port)) as client,
            ):
                status, milliseconds, retry_after = ask(client, f"Bearer {token()}")
                say(f"{name:22} {status} in {milliseconds:6.0f} ms, Retry-After {retry_after}")


# --- Random kids ---------------------------------------------------------------------------------------------


def random_kids(database_url: str) -> None:
    say("A thousand tokens with random kids, 8 clients")
    for name, answer in {"healthy": (200, {}, key_set()), "cold and failing": UNUSABLE["500"]}.items():
        with idp.running() as provider:
            provider.answers["/jwks"] = answer
            with gunicorn(of(database_url, f"{provider.url}/jwks")) as port, ThreadPoolExecutor(8) as pool:
                begin = time.perf_counter()
                answers = [each for batch in pool.map(burst, [port] * 8) for each in batch]
                taken = time.perf_counter() - begin
        asked = len(provider.requested)
        say(f"{name:22} {counts(answers)} in {taken:.1f} s, the provider was asked {asked} times")


def burst(port: int) -> list[tuple[int, float]]:
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        return [ask(connection, f"Bearer {random_token()}")[:2] for _ in range(125)]


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
