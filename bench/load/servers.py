"""The servers that are measured, each with two processes on the same database.

Ours and the floor are gunicorns with eight threads a process. The rivals are Litestar, asynchronous under uvicorn with
eight connections to the database a process, and our own application under granian, a server written in Rust.
"""

import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import jwt

ROOT = Path(__file__).resolve().parents[2]
OUR_APPLICATION = ("ours", "older", "granian")
RIVALS = ("litestar", "granian")
CACHE_URL = "redis://127.0.0.1:6379/11"
ISSUER, AUDIENCE = "https://login.example/", "bridge-boards"
SECRET = secrets.token_urlsafe(40)
GRACE_SECONDS = 10

GUNICORN = [sys.executable, "-m", "gunicorn"]
# The settings of config/gunicorn.conf.py that cost or save time.
AS_OURS = [
    *("--worker-class", "gthread", "--workers", "2", "--threads", "8"),
    *("--keep-alive", "75", "--preload", "--no-control-socket", "--worker-tmp-dir", "/dev/shm"),
]
GRANIAN = [sys.executable, "-m", "granian", "--interface", "wsgi"]
GRANIAN += ["--workers", "2", "--blocking-threads", "8", "--no-access-log", "--log-level", "warning"]
UVICORN = [sys.executable, "-m", "uvicorn", "--workers", "2", "--no-access-log"]
UVICORN += ["--app-dir", "bench/load/rivals"]
ADDRESS = {
    "floor": ("--bind", "127.0.0.1:{port}"),
    "ours": (),  # config/gunicorn.conf.py reads BIND and PORT
    "older": (),
    **dict.fromkeys(RIVALS, ("--host", "127.0.0.1", "--port", "{port}")),
}
COMMANDS = {
    "floor": [*GUNICORN, *AS_OURS, "--pythonpath", "bench/load", "floor:application"],
    "ours": [*GUNICORN, "-c", "config/gunicorn.conf.py", "config.wsgi"],
    "older": [*GUNICORN, "-c", "config/gunicorn.conf.py", "config.wsgi"],
    "litestar": [*UVICORN, "with_litestar:app"],
    "granian": [*GRANIAN, "config.wsgi:application"],
}


@dataclass(frozen=True)
class Server:
    name: str
    port: int
    pid: int

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
        """Return the status, the headers and the body of an answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request("GET", path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()


def service_environment(database_url: str) -> dict[str, str]:
    """Return the settings of a production deployment that nobody's environment changes."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database_url,
        "CACHE_URL": CACHE_URL,
        "WEB_CONCURRENCY": "2",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "API_KEY": secrets.token_urlsafe(32),
        "ALLOWED_HOSTS": "127.0.0.1",
        "PUBLIC_BASE_URL": "https://boards.example",
        "TRUSTED_PROXIES": "",
        "DEVELOPMENT_TOKENS": "false",
        "DEBUG": "false",
        "READ_RATE": "",
        "WRITE_RATE": "",
        "JWT_SHARED_SECRET": SECRET,
        "JWT_JWKS_URL": "",
        "JWT_ALGORITHMS": "",
        "JWT_TOKEN_TYPE": "",
        "JWT_ISSUER": ISSUER,
        "JWT_AUDIENCE": AUDIENCE,
        "BIND": "127.0.0.1",
        "PYTHONPATH": str(ROOT),
    }


def token_of(account_id: str) -> str:
    now = int(time.time())
    claims = {"sub": account_id, "iss": ISSUER, "aud": AUDIENCE, "iat": now, "exp": now + 86_400}
    return jwt.encode(claims, SECRET, "HS256")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def running(name: str, environment: dict[str, str], folder: Path = ROOT) -> Iterator[Server]:
    """Start a server in a folder, yield it once it answers, and stop it with all its processes at the end."""
    port = free_port()
    command = [*COMMANDS[name], *(word.format(port=port) for word in ADDRESS[name])]
    with started(command, {**environment, "PORT": str(port)}, folder) as process:
        server = Server(name, port, process.pid)
        while process.poll() is None:
            with suppress(OSError):
                server.get("/livez")
                break
            time.sleep(0.1)
        else:
            raise SystemExit(f"The server {name} did not start.")
        yield server


@contextmanager
def started(command: list[str], environment: dict[str, str], folder: Path = ROOT) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program, and stop it with all its processes at the end. Exit with its log when it ended by itself."""
    with tempfile.TemporaryFile() as log:
        # A session of its own, so that Ctrl-C reaches this program alone, which then stops the other.
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            ended = process.poll() is not None
            stop(process)
            if ended:
                log.seek(0)
                text = log.read().decode()[-2000:]
                raise SystemExit(f"{' '.join(command)} ended by itself:\n{text}")


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
