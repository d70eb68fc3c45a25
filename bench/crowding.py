"""`python -m bench.crowding`: what other clients notice while some crowd the service on purpose.

It starts gunicorn with two processes on the database of DATABASE_URL (bench.load.seed fills one), with a redis-server
of its own, and nginx in front. Each crowd works for SECONDS. Meanwhile readers ask for one board and one static file at
a time, and a supervisor for /livez at METRICS_BIND. Printed are their median and longest waits, and how many got no
answer within TIMEOUT. It exits with 1 when the supervisor got none. `--tree FOLDER` measures another checkout.
"""

import argparse
import json
import os
import random
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
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.load.servers import service_environment
from bench.scratch import say

SECONDS = 10.0
TIMEOUT = 5.0
CLIENTS = 32
HALVES = 200
FORM_SENDERS = 40
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


class Service:
    """A gunicorn, its nginx, and the redis-server that it counts in."""

    def __init__(self, port: int, front: int, own: int, redis: subprocess.Popen[bytes]) -> None:
        self.port, self.front, self.own, self.redis = port, front, own, redis
        self.board = self.get("/api/boards?pageSize=1")["boards"][0]["id"]

    def get(self, path: str) -> dict:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path)
        return json.loads(connection.getresponse().read())


# --- Crowds: each function is one client, and works until it is asked to stop -----------------------------------

Client = Callable[[Service, str, threading.Event, Counter[str]], None]


def export(service: Service, address: str, stop: threading.Event, seen: Counter[str]) -> None:
    repeat(service.front, address, lambda: "/api/boards.pbn", stop, seen)


def big_pages(service: Service, address: str, stop: threading.Event, seen: Counter[str]) -> None:
    path = "/boards?pageSize=100&page={}"
    repeat(service.front, address, lambda: path.format(random.randint(1, 300)), stop, seen)


def half_heads(service: Service, address: str, stop: threading.Event, seen: Counter[str]) -> None:
    hold(service.front, b"GET /api/themes HTTP/1.1\r\nHost: loc", stop, seen)


def half_bodies(service: Service, address: str, stop: threading.Event, seen: Counter[str]) -> None:
    head = "POST /api/forms/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    hold(service.front, f"{head}Content-Length: 500\r\n\r\n{{".encode(), stop, seen)


def send_forms(service: Service, address: str, stop: threading.Event, seen: Counter[str]) -> None:
    repeat(service.port, address, lambda: "/api/forms/contact", stop, seen, method="POST")


def repeat(
    port: int,
    address: str,
    choose: Callable[[], str],
    stop: threading.Event,
    seen: Counter[str],
    *,
    method: str = "GET",
) -> None:
    while not stop.is_set():
        status = request(port, method, choose(), 10, address, stop)
        seen[status] += 1
        if status in ("429", "503"):
            stop.wait(0.1)  # Retry-After says longer: this client does not listen


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
    method: str,
    path: str,
    timeout: float,
    address: str = "127.0.0.1",
    stop: threading.Event | None = None,
) -> str:
    """Return the status of an answer that was read, or the name of what went wrong."""
    connection = HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(address, 0))
    body = json.dumps(FORM) if method == "POST" else None
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        while answer.read(1 << 20) and not (stop and stop.is_set()):
            pass
    except (OSError, HTTPException) as error:
        return type(error).__name__
    finally:
        connection.close()
    return str(answer.status)


# --- Witnesses -------------------------------------------------------------------------------------------------


def watch(port: int, path: str, stop: threading.Event, waits: list[float], seen: Counter[str]) -> None:
    while not stop.wait(0.05):
        started = time.monotonic()
        seen[request(port, "GET", path, TIMEOUT)] += 1
        waits.append(time.monotonic() - started)


def measure(
    service: Service,
    name: str,
    crowd: Client | None,
    size: int,
    *,
    addresses: int = 1,
    hang_redis: bool = False,
) -> bool:
    """Let a crowd work, print what the witnesses saw, and tell whether the supervisor always got an answer."""
    places = {
        "board": (service.front, f"/api/boards/{service.board}"),
        "livez": (service.own, "/livez"),
        "static": (service.front, "/static/site/style.css"),
    }
    stop, crowd_seen = threading.Event(), Counter[str]()
    waits: dict[str, list[float]] = {place: [] for place in places}
    seen = {place: Counter[str]() for place in places}
    members = [
        threading.Thread(target=crowd, args=(service, f"127.0.0.{2 + number % addresses}", stop, crowd_seen))
        for number in range(size)
        if crowd
    ]
    witnesses = [
        threading.Thread(target=watch, args=(port, path, stop, waits[place], seen[place]))
        for place, (port, path) in places.items()
    ]
    service.redis.send_signal(signal.SIGSTOP if hang_redis else signal.SIGCONT)
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
    say(f"{name}: the crowd got {dict(crowd_seen)}")
    for place in places:
        report(place, waits[place], seen[place])
    return seen["livez"].total() == seen["livez"]["200"]


def report(place: str, waits: list[float], seen: Counter[str]) -> None:
    say(
        f"    {place:6}  median {statistics.median(waits) * 1000:6.0f} ms   longest {max(waits) * 1000:6.0f} ms  ",
        f"{seen.total() - seen['200']} of {seen.total()} without a 200",
        dict(seen),
    )


# --- Servers ---------------------------------------------------------------------------------------------------


@contextmanager
def running(command: list[str], **options: object) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)  # type: ignore[call-overload]  # options of Popen
    try:
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.wait(30)


@contextmanager
def servers(tree: Path, port: int, environment: dict[str, str]) -> Iterator[Service]:
    """Start redis-server, gunicorn and nginx on four ports from this one on."""
    front, redis_port, own = port + 1, port + 2, port + 3
    more = {
        "PORT": str(port),
        "METRICS_BIND": f"127.0.0.1:{own}",
        "CACHE_URL": f"redis://127.0.0.1:{redis_port}/0",
        "READ_RATE": "1200/m",
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "TRUSTED_PROXIES": "127.0.0.1/32",
        "PYTHONPATH": str(tree),
        "FORM_RATE_PER_CLIENT": "100000/m",
        "FORM_RATE_IN_TOTAL": "100000/m",
    }
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bridge-boards-crowding-"))
        redis = ["redis-server", "--port", str(redis_port), "--bind", "127.0.0.1", "--save", ""]
        store = stack.enter_context(running(redis, cwd=folder))
        gunicorn = [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.conf.py", "config.wsgi"]
        stack.enter_context(running(gunicorn, cwd=tree, env=environment | more))
        conf = Path(folder, "nginx.conf")
        conf.write_text(NGINX.format(folder=folder, port=port, front=front))
        nginx = "/usr/sbin/nginx" if Path("/usr/sbin/nginx").exists() else "nginx"
        stack.enter_context(running([nginx, "-p", folder, "-c", str(conf)]))
        while request(front, "GET", "/livez", 5) != "200":
            time.sleep(0.2)
        yield Service(port, front, own, store)


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers end too
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tree", type=Path, default=Path.cwd())
    parser.add_argument("--port", type=int, default=8215, help="the first of four ports")
    parser.add_argument("--only", default="", help="the crowds whose description contains this")
    arguments = parser.parse_args()
    if not urlsplit(os.environ["DATABASE_URL"]).scheme.startswith("postgres"):
        sys.exit("DATABASE_URL must name a PostgreSQL database that bench.load.seed has filled.")
    environment = service_environment(os.environ["DATABASE_URL"])
    crowds: list[tuple[str, Client | None, int, dict[str, Any]]] = [
        ("nobody else", None, 0, {}),
        (f"{CLIENTS} connections of one client export", export, CLIENTS, {}),
        (f"{CLIENTS} clients export", export, CLIENTS, {"addresses": CLIENTS}),
        (f"{CLIENTS} connections of one client read big pages", big_pages, CLIENTS, {}),
        (f"{HALVES} connections have sent half a head", half_heads, HALVES, {}),
        (f"{HALVES} connections have sent half a body", half_bodies, HALVES, {}),
        (f"Redis hangs, {FORM_SENDERS} send forms", send_forms, FORM_SENDERS, {"hang_redis": True}),
    ]
    with servers(arguments.tree.resolve(), arguments.port, environment) as service:
        held = [
            measure(service, name, crowd, size, **options)
            for name, crowd, size, options in crowds
            if arguments.only in name
        ]
    say("held" if all(held) else "The supervisor got no answer.")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
