"""A service under faults of its database: a gunicorn as in production, its callers, and what they were answered."""

import json
import secrets
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection

import jwt

from tests import identity_provider as idp
from tests.system import deployment

SECRET = secrets.token_urlsafe(40)
PATIENCE_SECONDS = 60
"""Far more than any answer takes. It only keeps a test from hanging."""

FILL = """
from tests import factories
from boards.models import Board
from accounts.models import Account
Account.objects.bulk_create([Account(pk=f"voter-{number}") for number in range(40)])
print([str(factories.board(number).pk) for number in range(20)])
"""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    seconds: float


@dataclass
class Service:
    """A running service: its port and the one for monitors, its environment and the ids of its boards."""

    port: int
    metrics_port: int
    environment: dict[str, str]
    boards: list[str]
    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(64))

    def ask(self, method: str, path: str, body: object = None, voter: int | None = None, *, port: int = 0) -> Answer:
        """Send a request on a connection of its own, and wait for the answer."""
        headers = {"Content-Type": "application/json", "X-API-Key": self.environment["API_KEY"]}
        if voter is not None:
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token_of(voter)}"}
        return self.send(method, path, json.dumps(body) if body is not None else None, headers, port)

    def import_file(self, file: bytes) -> Answer:
        headers = {"Content-Type": "application/x-pbn", "X-API-Key": self.environment["API_KEY"]}
        return self.send("POST", "/api/deals/import?publish=true", file, headers)

    def send(self, method: str, path: str, body: str | bytes | None, headers: dict[str, str], port: int = 0) -> Answer:
        started = time.monotonic()
        connection = HTTPConnection("127.0.0.1", port or self.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
            return Answer(answer.status, dict(answer.getheaders()), time.monotonic() - started)
        finally:
            connection.close()

    def read(self, number: int = 1) -> Answer:
        return self.ask("GET", f"/api/boards?pageSize={number % 20 + 1}")

    def vote(self, voter: int, board: int = 0, value: str = "up") -> Answer:
        return self.ask("PUT", f"/api/voting/{self.boards[board]}", {"vote": value}, voter)

    def start(self, call: Callable[..., Answer], *arguments: object) -> Future[Answer]:
        return self.pool.submit(call, *arguments)

    def livez(self) -> Answer:
        """Ask as a supervisor does, by the port for monitors."""
        return self.ask("GET", "/livez", port=self.metrics_port)

    def wait_until_ready(self) -> float:
        """Wait until a read and a vote succeed. Return the seconds it took."""
        started = time.monotonic()
        while time.monotonic() - started < PATIENCE_SECONDS:
            if (self.read().status, self.vote(39).status) == (200, 204):
                return time.monotonic() - started
            time.sleep(0.02)
        raise AssertionError("The service did not recover.")


def token_of(voter: int) -> str:
    now = int(time.time())
    claims = {"sub": f"voter-{voter}", "iss": idp.ISSUER, "aud": idp.AUDIENCE, "iat": now, "exp": now + 3600}
    return jwt.encode(claims, SECRET, "HS256")


def statuses(answers: list[Answer]) -> Counter[int]:
    return Counter(answer.status for answer in answers)


@contextmanager
def service(database_url: str, **settings: str) -> Iterator[Service]:
    """Migrate and fill a database, and yield a service on it that has answered already."""
    metrics_port = deployment.free_port()
    own = {"JWT_SHARED_SECRET": SECRET, "METRICS_BIND": f"127.0.0.1:{metrics_port}"}
    environment = deployment.of(database_url, "", **own | settings)
    environment |= {"JWT_JWKS_URL": "", "CACHE_URL": settings.get("CACHE_URL", "")}
    run = [sys.executable, "manage.py"]
    subprocess.run([*run, "migrate", "-v0"], cwd=deployment.ROOT, env=environment, check=True)
    fill = subprocess.run(
        [*run, "shell", "-v0", "-c", FILL],
        cwd=deployment.ROOT,
        env={**environment, "PYTHONPATH": str(deployment.ROOT)},
        check=True,
        capture_output=True,
        text=True,
    )
    boards = json.loads(fill.stdout.splitlines()[-1].replace("'", '"'))
    with deployment.gunicorn(environment) as port:
        running = Service(port, metrics_port, environment, boards)
        assert set(statuses([running.read(number) for number in range(16)])) == {200}
        yield running
        running.pool.shutdown(cancel_futures=True)


@contextmanager
def repeated(call: Callable[[], Answer]) -> Iterator[list[Answer]]:
    """Call again and again in a thread while the block runs. Yield the answers so far."""
    answers: list[Answer] = []
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
