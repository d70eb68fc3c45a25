"""`python -m bench.form_limit`: check that the forms' limit is exact across processes, and what happens without Redis.

It starts four gunicorn processes with a database and a redis-server of their own, in a temporary folder. It exits with
1 when a claim of docs/reference/settings.md does not hold.
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
THREADS = 32
FORGED_ADDRESSES = 1000
SCRIPTS = Path(sys.executable).parent

Answer = tuple[int, dict[str, str], float]


def free_port() -> int:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


WEB_PORT, REDIS_PORT = free_port(), free_port()


def environment(folder: str) -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DEVELOPMENT_TOKENS": "true",
        "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        "CACHE_URL": f"redis://127.0.0.1:{REDIS_PORT}/0",
        "PORT": str(WEB_PORT),
        "WEB_CONCURRENCY": str(PROCESSES),
        "FORM_RATE_PER_CLIENT": f"{LIMIT}/d",
        "FORM_RATE_IN_TOTAL": "100000/d",
    }


def start_redis() -> subprocess.Popen:
    command = [
        "redis-server",
        "--port",
        str(REDIS_PORT),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
    ]
    redis = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    wait_for(REDIS_PORT)
    return redis


@contextmanager
def service(env: dict[str, str]) -> Iterator[None]:
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], env=env, check=True)
    command = [str(SCRIPTS / "gunicorn"), "-c", "config/gunicorn.conf.py", "config.wsgi"]
    gunicorn = subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL)
    try:
        wait_for(WEB_PORT)
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


def send(method: str, path: str, body: str = "", **headers: str) -> Answer:
    started = time.perf_counter()
    with closing(http.client.HTTPConnection("127.0.0.1", WEB_PORT, timeout=60)) as connection:
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        response.read()
        return response.status, dict(response.headers), time.perf_counter() - started


def post(number: int, **headers: str) -> Answer:
    body = {"name": "Ann", "email": "a@example.org", "subject": "Hello", "message": f"Message {number}"}
    content_type = {"Content-Type": "application/json"}
    return send("POST", "/api/forms/contact", json.dumps(body), **content_type, **headers)


def post_from_forged_address(number: int) -> Answer:
    return post(number, **{"X-Forwarded-For": f"198.51.{number // 250}.{number % 250}"})


def report(claim: str, holds: bool, measured: object) -> bool:
    print(f"{'ok    ' if holds else 'FAILED'} {claim}: {measured}", flush=True)  # noqa: T201
    return holds


def measure(redis: subprocess.Popen) -> Iterator[bool]:
    """Yield for each claim whether it holds."""
    with ThreadPoolExecutor(THREADS) as threads:
        answers = list(threads.map(post, range(10 * LIMIT)))
        statuses = Counter(status for status, *_ in answers)
        yield report(f"{10 * LIMIT} posts at once", statuses == {201: LIMIT, 429: 9 * LIMIT}, dict(statuses))
        waits = {int(headers["Retry-After"]) for status, headers, _ in answers if status == 429}
        yield report("Retry-After", min(waits) >= 1, waits)
        Redis(port=REDIS_PORT).flushall()
        statuses = Counter(
            status for status, *_ in threads.map(post_from_forged_address, range(FORGED_ADDRESSES))
        )
        yield report(
            f"{FORGED_ADDRESSES} forged X-Forwarded-For",
            statuses == {201: LIMIT, 429: FORGED_ADDRESSES - LIMIT},
            dict(statuses),
        )
    redis.send_signal(signal.SIGSTOP)
    yield from measure_without_redis("hangs")
    redis.kill()
    redis.wait()
    yield from measure_without_redis("is killed")
    restarted = start_redis()
    try:
        status, headers, _ = post(0)
        yield report(
            "a form is accepted after Redis has come back", status == 201, (status, headers.get("RateLimit"))
        )
    finally:
        restarted.kill()
        restarted.wait()


def measure_without_redis(how: str) -> Iterator[bool]:
    for method, path, expected in (
        ("POST", "/api/forms/contact", 503),
        ("GET", "/api/forms", 200),
        ("GET", "/forms/contact", 200),
        ("GET", "/api/boards", 200),
    ):
        status, headers, seconds = post(0) if method == "POST" else send(method, path)
        holds = status == expected and ("Retry-After" in headers) is (expected == 503)
        yield report(f"Redis {how}: {method} {path}", holds, f"{status} in {seconds:.2f} s")


def main() -> int:
    redis = start_redis()
    try:
        with tempfile.TemporaryDirectory() as folder, service(environment(folder)):
            return 0 if all(list(measure(redis))) else 1
    finally:
        redis.kill()
        redis.wait()


if __name__ == "__main__":
    sys.exit(main())
