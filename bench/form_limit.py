"""`python -m bench.form_limit`: is the limit of the forms exact between processes, and what when Redis is gone?

Four gunicorn processes on a database and a redis-server of their own, in a temporary folder. Exits 1 when a claim of
docs/reference/settings.md does not hold.
"""

import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

from redis import Redis

LIMIT = 20
PROCESSES = 4
AT_ONCE = 32
FORGED = 1000
SCRIPTS = Path(sys.executable).parent

Answer = tuple[int, dict[str, str], float]


def free_port() -> int:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


WEB, STORE = free_port(), free_port()


def environment(folder: str) -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DEVELOPMENT_TOKENS": "true",
        "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        "CACHE_URL": f"redis://127.0.0.1:{STORE}/0",
        "PORT": str(WEB),
        "WEB_CONCURRENCY": str(PROCESSES),
        "FORM_RATE_PER_CLIENT": f"{LIMIT}/d",
        "FORM_RATE_IN_TOTAL": "100000/d",
    }


def start_store() -> subprocess.Popen:
    command = [
        "redis-server",
        "--port",
        str(STORE),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
    ]
    store = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    wait_for(STORE)
    return store


@contextmanager
def service(env: dict[str, str]) -> Iterator[None]:
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], env=env, check=True)
    command = [str(SCRIPTS / "gunicorn"), "-c", "config/gunicorn.conf.py", "config.wsgi"]
    gunicorn = subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL)
    try:
        wait_for(WEB)
        yield
    finally:
        gunicorn.terminate()
        gunicorn.wait()


def wait_for(port: int) -> None:
    for _ in range(300):
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    sys.exit(f"Nothing listens on port {port}.")


def ask(method: str, path: str, body: str = "", **headers: str) -> Answer:
    started = time.perf_counter()
    with closing(http.client.HTTPConnection("127.0.0.1", WEB, timeout=60)) as connection:
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        response.read()
        return response.status, dict(response.headers), time.perf_counter() - started


def post(number: int, **headers: str) -> Answer:
    body = {"name": "Ann", "email": "a@example.org", "subject": "Hello", "message": f"Message {number}"}
    kind = {"Content-Type": "application/json"}
    return ask("POST", "/api/forms/contact", json.dumps(body), **kind, **headers)


def forged(number: int) -> Answer:
    return post(number, **{"X-Forwarded-For": f"198.51.{number // 250}.{number % 250}"})


def say(claim: str, holds: bool, what: object) -> bool:
    print(f"{'ok    ' if holds else 'FAILED'} {claim}: {what}", flush=True)  # noqa: T201
    return holds


def measure(store: subprocess.Popen) -> Iterator[bool]:
    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(post, range(10 * LIMIT)))
        statuses = Counter(status for status, *_ in answers)
        yield say(f"{10 * LIMIT} posts at once", statuses == {201: LIMIT, 429: 9 * LIMIT}, dict(statuses))
        waits = {int(headers["Retry-After"]) for status, headers, _ in answers if status == 429}
        yield say("Retry-After", min(waits) >= 1, waits)
        Redis(port=STORE).flushall()
        statuses = Counter(status for status, *_ in threads.map(forged, range(FORGED)))
        yield say(
            f"{FORGED} forged X-Forwarded-For", statuses == {201: LIMIT, 429: FORGED - LIMIT}, dict(statuses)
        )
    store.send_signal(signal.SIGSTOP)
    yield from without("hangs")
    store.kill()
    store.wait()
    yield from without("is killed")
    again = start_store()
    try:
        status, headers, _ = post(0)
        yield say("after Redis came back a form is taken", status == 201, (status, headers.get("RateLimit")))
    finally:
        again.kill()
        again.wait()


def without(how: str) -> Iterator[bool]:
    for method, path, expected in (
        ("POST", "/api/forms/contact", 503),
        ("GET", "/api/forms", 200),
        ("GET", "/forms/contact", 200),
        ("GET", "/api/boards", 200),
    ):
        status, headers, seconds = post(0) if method == "POST" else ask(method, path)
        right = status == expected and ("Retry-After" in headers) is (expected == 503)
        yield say(f"Redis {how}: {method} {path}", right, f"{status} in {seconds:.2f} s")


def main() -> int:
    store = start_store()
    try:
        with tempfile.TemporaryDirectory() as folder, service(environment(folder)):
            return 0 if all(list(measure(store))) else 1
    finally:
        store.kill()
        store.wait()


if __name__ == "__main__":
    sys.exit(main())
