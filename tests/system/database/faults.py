"""A service under faults of its database: a gunicorn as in production, its callers, and what they were answered."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import requests

from tests.system import deployment
from tests.system.guides.service import API_KEY, deploy, token_of

PATIENCE_SECONDS = 60
"""Far more than any answer takes. It only keeps a test from hanging."""

PERMITS = 6
"""Of gunicorn's eight threads two are the readers'."""

FILL = """
from tests import factories
from accounts.models import Account
Account.objects.bulk_create([Account(pk=f"voter-{number}") for number in range(40)])
print(__import__("json").dumps([str(factories.board(number).pk) for number in range(20)]))
"""


@dataclass
class Service:
    """A running service: its port and the one for monitors, its environment and the ids of its boards."""

    port: int
    metrics_port: int
    environment: dict[str, str]
    boards: list[str]
    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(64))

    def ask(self, method: str, path: str, body: object = None, voter: int | None = None) -> requests.Response:
        """Send a request on a connection of its own, and wait for the answer."""
        token = {"X-API-Key": API_KEY} if voter is None else {"Authorization": f"Bearer {token_of(f'voter-{voter}')}"}
        url = f"http://127.0.0.1:{self.port}{path}"
        return requests.request(method, url, json=body, headers=token, timeout=PATIENCE_SECONDS)

    def read(self, number: int = 1) -> requests.Response:
        return self.ask("GET", f"/api/boards?pageSize={number % 20 + 1}")

    def vote(self, voter: int, board: int = 0) -> requests.Response:
        return self.ask("PUT", f"/api/voting/{self.boards[board]}", {"vote": "up"}, voter)

    def start(self, call: Callable[[int], requests.Response], number: int) -> Future[requests.Response]:
        return self.pool.submit(call, number)

    def lives(self) -> bool:
        """Ask as a supervisor does, by the port for monitors."""
        return b"ok" in deployment.answers(self.metrics_port, "/livez")

    def wait_until_ready(self) -> None:
        """Wait until a read and a vote succeed."""
        deployment.wait_until(lambda: statuses([self.read(), self.vote(39)]).keys() == {200, 204}, PATIENCE_SECONDS)

    def check_few_votes_wait(self) -> list[Future[requests.Response]]:
        """Let twenty vote on a board that is locked. Return the votes that wait, once all others were refused."""
        votes = [self.start(self.vote, number) for number in range(20)]
        while sum(vote.done() for vote in votes) < 20 - PERMITS:
            assert self.lives() and self.read().status_code == 200
        refused = [vote.result() for vote in votes if vote.done()]
        assert {(answer.status_code, answer.headers["Retry-After"]) for answer in refused} == {(503, "2")}
        assert len(refused) == 20 - PERMITS
        return [vote for vote in votes if not vote.done()]


def statuses(answers: Iterable[requests.Response]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


@contextmanager
def service(database_url: str) -> Iterator[Service]:
    """Migrate and fill a database, and yield a service on it that has answered already."""
    metrics_port = deployment.free_port()
    own = {"METRICS_BIND": f"127.0.0.1:{metrics_port}", "READ_RATE": "", "WRITE_RATE": "", "CACHE_URL": ""}
    environment = {**deploy(database_url), **own, "PYTHONPATH": str(deployment.ROOT)}
    deployment.python(environment, "manage.py", "migrate", "-v0")
    boards: Any = json.loads(deployment.python(environment, "manage.py", "shell", "-v0", "-c", FILL).splitlines()[-1])
    with deployment.gunicorn(environment) as port:
        running = Service(port, metrics_port, environment, boards)
        assert statuses(running.read(number) for number in range(16)).keys() == {200}
        yield running
        running.pool.shutdown(cancel_futures=True)


@contextmanager
def repeated(call: Callable[[], requests.Response]) -> Iterator[list[requests.Response]]:
    """Call again and again in a thread while the block runs. Yield the answers so far."""
    answers: list[requests.Response] = []
    done = threading.Event()

    def run() -> None:
        while not done.is_set():
            answers.append(call())
            done.wait(0.02)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield answers
    finally:
        done.set()
        thread.join()
