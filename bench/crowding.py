"""`python -m bench.crowding [WORD]`: what other clients notice while some crowd the service on purpose.

It starts gunicorn with two processes on the database of DATABASE_URL (bench.load.seed fills one), with a redis-server
of its own, and nginx in front. Each crowd whose description contains the word works for SECONDS. Meanwhile readers ask
for one board and one static file at a time, and a supervisor for /livez at METRICS_BIND. Printed are their median and
longest waits, and how many got no answer within TIMEOUT. It exits with 1 when the supervisor got none.
"""

import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from bench.load.servers import free_port, running, service_environment, started
from bench.scratch import say

SECONDS = 10.0
TIMEOUT = 5.0
NGINX = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 2048; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream app {{ server 127.0.0.1:{port}; }}
  server {{
    listen 127.0.0.1:{front};
    location / {{
      proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }}
  }}
}}
"""
FORM = {"name": "Ann", "email": "ann@example.org", "subject": "Hello", "message": "A message of some length."}
CONTACT = "/api/forms/contact"
UNKNOWN_KEYS = json.dumps({f"k{number}": 1 for number in range(20_000)}).encode()


@dataclass(frozen=True)
class Service:
    """A gunicorn, its nginx, and the redis-server that it counts in."""

    port: int
    front: int
    own: int
    redis: subprocess.Popen[bytes]
    board: str


@dataclass(frozen=True)
class Crowd:
    """So many clients that all do the same: request what `choose` returns again and again, or send half a request."""

    name: str
    size: int = 0
    choose: Callable[[], str] = str
    body: bytes = b""
    half: bytes = b""
    addresses: int = 1
    hangs_redis: bool = False

    def work(self, service: Service, number: int, stop: threading.Event, seen: Counter[str]) -> None:
        """Be one of the clients until asked to stop. Forms come without a proxy."""
        if self.half:
            hold(service.front, self.half, stop, seen)
        address = f"127.0.0.{2 + number % self.addresses}"
        port = service.port if self.body else service.front
        while not stop.is_set():
            status = request(port, self.choose(), 10, address, self.body, stop)
            seen[status] += 1
            if status in ("429", "503"):
                stop.wait(0.1)  # Retry-After says longer: this client does not listen


HALF_HEAD = b"GET /api/themes HTTP/1.1\r\nHost: 127.0"
HALF_BODY = b"POST /api/forms/contact HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
HALF_BODY += b"Content-Length: 500\r\n\r\n{"
CROWDS = (
    Crowd("nobody else"),
    Crowd("32 connections of one client export", 32, lambda: "/api/boards.pbn"),
    Crowd("32 clients export", 32, lambda: "/api/boards.pbn", addresses=32),
    Crowd(
        "32 connections of one client read big pages", 32, lambda: f"/boards?pageSize=100&page={random.randint(1, 300)}"
    ),
    Crowd(
        "16 connections of one client count by two dimensions",
        16,
        lambda: f"/api/boards/summary?by=theme,lead&q=north(hcp%3E%3D{random.randint(0, 9)})",
    ),
    Crowd("16 clients send forms of 20,000 unknown keys", 16, lambda: CONTACT, UNKNOWN_KEYS, addresses=16),
    Crowd("200 connections have sent half a head", 200, half=HALF_HEAD),
    Crowd("200 connections have sent half a body", 200, half=HALF_BODY),
    Crowd("Redis hangs, 40 send forms", 40, lambda: CONTACT, json.dumps(FORM).encode(), hangs_redis=True),
)


def hold(port: int, data: bytes, stop: threading.Event, seen: Counter[str]) -> None:
    while not stop.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=60) as sock:
            sock.sendall(data)
            seen["sent half"] += 1
            while not stop.is_set():
                sock.settimeout(0.5)
                with suppress(TimeoutError):
                    if not sock.recv(1000):
                        break


def request(
    port: int,
    path: str,
    timeout: float,
    address: str = "127.0.0.1",
    body: bytes = b"",
    stop: threading.Event | None = None,
) -> str:
    """Return the status of an answer that was read, or the name of what went wrong. With a body it is a POST."""
    connection = HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(address, 0))
    try:
        headers = {"Content-Type": "application/json"} if body else {}
        connection.request("POST" if body else "GET", path, body or None, headers)
        answer = connection.getresponse()
        while answer.read(1 << 20) and not (stop and stop.is_set()):
            pass
    except (OSError, HTTPException) as error:
        return type(error).__name__
    finally:
        connection.close()
    return str(answer.status)


def watch(port: int, path: str, stop: threading.Event, waits: list[float], seen: Counter[str]) -> None:
    while not stop.wait(0.05):
        started = time.monotonic()
        seen[request(port, path, TIMEOUT)] += 1
        waits.append(time.monotonic() - started)


def measure(service: Service, crowd: Crowd) -> bool:
    """Let a crowd work, print what the witnesses saw, and tell whether the supervisor always got an answer."""
    requests = {
        "board": (service.front, f"/api/boards/{service.board}"),
        "livez": (service.own, "/livez"),
        "static": (service.front, "/static/site/style.css"),
    }
    stop, crowd_seen = threading.Event(), Counter[str]()
    waits: dict[str, list[float]] = {name: [] for name in requests}
    seen = {name: Counter[str]() for name in requests}
    work = [(service, number, stop, crowd_seen) for number in range(crowd.size)]
    members = [threading.Thread(target=crowd.work, args=each) for each in work]
    witnesses = [
        threading.Thread(target=watch, args=(port, path, stop, waits[name], seen[name]))
        for name, (port, path) in requests.items()
    ]
    service.redis.send_signal(signal.SIGSTOP if crowd.hangs_redis else signal.SIGCONT)
    for member in members:
        member.start()
    time.sleep(2)
    for witness in witnesses:
        witness.start()
    time.sleep(SECONDS)
    stop.set()
    service.redis.send_signal(signal.SIGCONT)
    for thread in (*witnesses, *members):
        thread.join()
    say(f"{crowd.name}: the crowd got {dict(crowd_seen)}")
    for name, counts in seen.items():
        times = [statistics.median(waits[name]) * 1000, max(waits[name]) * 1000]
        missed = f"{counts.total() - counts['200']} of {counts.total()} without a 200"
        say(f"    {name:6}  median {times[0]:6.0f} ms   longest {times[1]:6.0f} ms   {missed} {dict(counts)}")
    return seen["livez"].total() == seen["livez"]["200"]


@contextmanager
def servers() -> Iterator[Service]:
    """Start redis-server, gunicorn and nginx."""
    front, redis_port, own = free_port(), free_port(), free_port()
    environment = service_environment(os.environ["DATABASE_URL"]) | {
        "METRICS_BIND": f"127.0.0.1:{own}",
        "CACHE_URL": f"redis://127.0.0.1:{redis_port}/0",
        "READ_RATE": "1200/m",
        "TRUSTED_PROXIES": "127.0.0.1/32",
        "FORM_RATE_PER_CLIENT": "100000/m",
        "FORM_RATE_IN_TOTAL": "100000/m",
    }
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "nginx"  # Debian has it there
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bridge-boards-crowding-"))
        redis = ["redis-server", "--port", str(redis_port), "--bind", "127.0.0.1", "--save", ""]
        store = stack.enter_context(started(redis, dict(os.environ)))
        ours = stack.enter_context(running("ours", environment))
        Path(folder, "nginx.conf").write_text(NGINX.format(folder=folder, port=ours.port, front=front))
        stack.enter_context(started([nginx, "-p", folder, "-c", f"{folder}/nginx.conf"], dict(os.environ)))
        while request(front, "/livez", 5) != "200":
            time.sleep(0.2)
        board = json.loads(ours.get("/api/boards?pageSize=1")[2])["boards"][0]["id"]
        yield Service(ours.port, front, own, store, board)


def main(word: str) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers end too
    if not urlsplit(os.environ["DATABASE_URL"]).scheme.startswith("postgres"):
        sys.exit("DATABASE_URL must name a PostgreSQL database that bench.load.seed has filled.")
    with servers() as service:
        held = [measure(service, crowd) for crowd in CROWDS if word in crowd.name]
    say("held" if all(held) else "The supervisor got no answer.")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
