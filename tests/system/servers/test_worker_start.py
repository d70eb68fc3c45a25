"""A gunicorn worker asks for the provider's keys when it starts, and starts whatever the provider answers."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.identity_provider import Handler, Provider, key_set, running
from tests.provider_faults import UNUSABLE
from tests.system.deployment import ROOT, gunicorn, of


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running() as provider:
        yield provider


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Name a database that does not exist, since nothing here asks for it."""
    return f"sqlite:///{tmp_path / 'db.sqlite3'}"


class ObservedAnswer:
    """An answer that sets an event when it is requested."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.requested = answer, threading.Event()

    def __call__(self, handler: Handler) -> None:
        self.requested.set()
        handler.send(*self.answer)


def test_a_worker_fetches_the_keys_before_any_token_comes(provider: Provider, database: str) -> None:
    provider.answers["/jwks"] = answer = ObservedAnswer((200, {}, key_set()))
    with gunicorn(of(database, f"{provider.url}/jwks")):
        answer.requested.wait()
    assert provider.requested == ["/jwks"]


def test_a_worker_starts_without_keys_and_logs_why(provider: Provider, database: str, tmp_path: Path) -> None:
    provider.answers["/jwks"] = UNUSABLE["HTML"]
    written = tmp_path / "log"
    with written.open("wb") as log, gunicorn(of(database, f"{provider.url}/jwks"), log):
        while "signing keys: " not in written.read_text():
            time.sleep(0.02)


def test_a_worker_starts_while_the_provider_keeps_it_waiting(provider: Provider, database: str) -> None:
    over = threading.Event()
    provider.answers["/jwks"] = lambda handler: over.wait()
    with gunicorn(of(database, f"{provider.url}/jwks")):
        over.set()


def test_a_site_without_an_identity_provider_starts_and_serves(tmp_path: Path) -> None:
    """Browse it and send a form, on a migrated database."""
    url = f"sqlite:///{tmp_path / 'db.sqlite3'}"
    none = dict.fromkeys(("JWT_JWKS_URL", "JWT_ISSUER", "JWT_AUDIENCE"), "")
    environment = {**of(url, ""), **none}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
    form = json.dumps({"name": "Ann", "email": "ann@example.org", "subject": "Hello", "message": "Hello you"})
    asked = {"/boards": None, "/api/boards": None, "/api/forms/contact": form, "/admin/login/": None}
    statuses = []
    with gunicorn(environment) as port:
        for path, body in {**asked, "/api/accounts/me": None}.items():
            connection = HTTPConnection("127.0.0.1", port, timeout=60)
            kind = {"Content-Type": "application/json"} if body else {}
            connection.request("POST" if body else "GET", path, body, kind)
            statuses.append(connection.getresponse().status)
            connection.close()
    assert statuses == [200, 200, 201, 200, 503]
