"""A gunicorn as in production: a process with its own database, its own port and an identity provider."""

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import requests
from django.db import connection

from tests import identity_provider as idp
from tools.environment import ROOT


@contextmanager
def database() -> Iterator[str]:
    """Migrate a database and yield its URL: that of DATABASE_URL, else one of SQLite that is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="bridge-boards-measure-") as folder:
        url = os.environ.get("DATABASE_URL") or f"sqlite:///{folder}/db.sqlite3"
        python(of(url, ""), "manage.py", "migrate", "-v0")
        yield url


def url_of_tests() -> str:
    """Return the URL of the database that the running test has, for a process beside it."""
    name, server = connection.settings_dict["NAME"], urlsplit(os.environ.get("DATABASE_URL", ""))
    return f"sqlite:///{name}" if connection.vendor == "sqlite" else server._replace(path=f"/{name}").geturl()


def python(environment: dict[str, str], *arguments: str, folder: Path = ROOT) -> str:
    """Run Python in a folder. Return what it says on standard error and then on standard output. Fail if it fails."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stderr + done.stdout


def inherited() -> dict[str, str]:
    """Return the environment without what tests in a browser set there: the check for deployments refuses it."""
    return {name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"}


def of(database_url: str, jwks_url: str, **more: str) -> dict[str, str]:
    """Return the environment of a deployment with this provider."""
    return {
        **inherited(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database_url,
        "SECRET_KEY": secrets.token_urlsafe(50),
        "API_KEY": secrets.token_urlsafe(32),
        "DEVELOPMENT_TOKENS": "false",
        "JWT_JWKS_URL": jwks_url or "https://id.example/jwks",
        "JWT_ISSUER": idp.ISSUER,
        "JWT_AUDIENCE": idp.AUDIENCE,
        "BIND": "127.0.0.1",
        "READ_RATE": "",
        "WRITE_RATE": "",
        **more,
    }


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def gunicorn(
    environment: dict[str, str],
    log: int | IO[bytes] = subprocess.DEVNULL,
    application: str = "config.wsgi",
    folder: Path = ROOT,
) -> Iterator[int]:
    """Start gunicorn in a folder and yield its port once it answers. Stop it afterwards.

    Its PUBLIC_BASE_URL has this port.
    """
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.conf.py", application]
    address = {"PORT": str(port), "PUBLIC_BASE_URL": f"http://127.0.0.1:{port}"}
    with subprocess.Popen(command, cwd=folder, env={**environment, **address}, stderr=log) as process:
        try:
            while not answers(port, "/livez"):
                assert process.poll() is None, "gunicorn did not start. Run it by hand to see why."
                time.sleep(0.05)
            yield port
        finally:
            process.terminate()


def answers(port: int, path: str, **headers: str) -> bytes:
    """Return the body of the answer, or nothing where nobody answers."""
    try:
        return requests.get(f"http://127.0.0.1:{port}{path}", headers=headers, timeout=30).content
    except requests.RequestException:
        return b""


def wait_until(condition: Callable[[], object], seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
