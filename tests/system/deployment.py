"""A gunicorn as in production: a process with its own database, its own port and an identity provider."""

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import IO

from tests import identity_provider as idp
from tools.environment import ROOT


@contextmanager
def database() -> Iterator[str]:
    """Migrate a database and yield its URL: that of DATABASE_URL, else one of SQLite that is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="bridge-boards-measure-") as folder:
        url = os.environ.get("DATABASE_URL") or f"sqlite:///{folder}/db.sqlite3"
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=of(url, ""), check=True)
        yield url


def of(database_url: str, jwks_url: str, **more: str) -> dict[str, str]:
    """Return the environment of a deployment with this provider."""
    return {
        **os.environ,
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
            wait_until_it_lives(port, process)
            yield port
        finally:
            process.terminate()


def wait_until_it_lives(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/livez")
            connection.getresponse().read()
            return
        except OSError:
            time.sleep(0.05)
        finally:
            connection.close()
    raise SystemExit("gunicorn did not start. Run it by hand to see why.")
