"""A real gunicorn is sent secrets, tokens, addresses and reasons in every place, and none is in any line it writes."""

import json
import re
import socket
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests import identity_provider as idp
from tests.identity_provider import Provider, running
from tests.system.deployment import ROOT, gunicorn, of

CANARY = "canary"
"""It is in everything below that no line may have."""
SECRET = f"{CANARY}-0123456789-0123456789-0123456789"
ADDRESS = f"{CANARY}@example.org"
PASSWORD = f"{CANARY} password"
REASON = f"They phoned about a {CANARY} in their account."

PREPARE = f"""
import django
django.setup()
from accounts.models import Account
boss = Account(pk="boss", role="admin")
boss.set_password({PASSWORD!r})
boss.save()
Account.objects.create(pk={ADDRESS!r}, role="support")
Account.objects.create(pk="ann", email={ADDRESS!r})
"""


class Talker:
    """A client that sends one request a connection, and the cookie of the last answer that set one."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""

    def __call__(self, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Cookie": self.cookie, **names})
        answer = connection.getresponse()
        self.cookie = (answer.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def raw(self, text: str) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            connection.sendall(text.encode())
            return connection.recv(1000)


def talk(send: Talker) -> list[int]:
    """Put canaries wherever a client can write. Return the statuses."""
    staff = f"Bearer {idp.token(idp.claims(sub=ADDRESS, email=ADDRESS, name=CANARY))}"
    member = f"Bearer {idp.token(idp.claims(sub='ann'))}"
    as_json: dict[str, Any] = {"Content_Type": "application/json"}
    start = json.dumps({"accountId": "ann", "reason": REASON, "ticket": CANARY})
    form = {"name": CANARY, "email": ADDRESS, "subject": CANARY, "message": REASON}
    answers = [
        send("GET", f"/api/boards?token={SECRET}&email={ADDRESS}"),
        send("GET", f"/{SECRET}/{ADDRESS}"),
        send("GET", f"/api/accounts/{ADDRESS}", Authorization=staff),
        send("GET", "/api/accounts/me", Authorization=staff),
        send("PATCH", "/api/accounts/ann", json.dumps({"isActive": True}), Authorization=staff, **as_json),
        send("POST", "/api/impersonation/start", start, Authorization=staff, **as_json),
        send("POST", "/api/impersonation/start", start, Authorization=member, **as_json),
        send("GET", "/api/accounts/me", Authorization=f"Bearer {idp.token(kid=ADDRESS)}"),
        send("GET", "/api/accounts/me", Authorization=f"Bearer {idp.token(idp.claims(aud=SECRET))}"),
        send("GET", "/api/accounts/me", Authorization=f"Bearer {SECRET}"),
        send("GET", f"/api/deals/{SECRET}", X_API_Key=SECRET),
        send("POST", "/api/forms/contact", json.dumps(form), **as_json),
        send("POST", "/api/forms/contact", f'{{"email": "{ADDRESS}', **as_json),
        send("GET", "/metrics", Authorization=f"Bearer {SECRET}"),
        send("GET", "/livez", User_Agent=SECRET, Referer=f"https://x.example/{ADDRESS}", Cookie=SECRET),
    ]
    _, page = send("GET", "/admin/login/")
    (csrf,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    for name, password in ((ADDRESS, PASSWORD), (PASSWORD, SECRET), ("boss", PASSWORD)):
        login = urlencode({"username": name, "password": password, "csrfmiddlewaretoken": csrf})
        answers.append(send("POST", "/admin/login/", login, Content_Type="application/x-www-form-urlencoded"))
    return [status for status, _ in answers]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def test_no_line_has_a_secret_a_token_an_address_or_a_reason_and_each_is_json(tmp_path: Path, log: Path) -> None:
    with running() as provider, log.open("wb") as file:
        environment = environment_of(provider, tmp_path)
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
        subprocess.run([sys.executable, "-c", PREPARE], cwd=ROOT, env=environment, check=True)
        with gunicorn(environment, file) as port:
            send = Talker(port)
            statuses = talk(send)
            # gunicorn's own answers, which quote what they refuse.
            for refused in (
                f"GET /livez HTTP/1.1\r\nHost: x\r\nAuthorization Bearer {SECRET}\r\n\r\n",
                f"GET /livez HTTP/1.1\r\nHost: x\r\n{SECRET} : x\r\n\r\n",
                f"GET /livez?key={SECRET}\r\n\r\n",
                f"GET /livez {SECRET}\r\n\r\n",
            ):
                assert b" 400 " in send.raw(refused)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {200, 201, 302, 401, 403, 404} <= set(statuses), statuses
    access = [line for line in lines if line["logger"] == "access"]
    assert len(access) > len(statuses), "each success has a line, too"
    assert {"token_refused", "api_key_refused", "login_failed", "forbidden", "impersonation_started"} <= {
        line["event"] for line in lines if line["logger"] == "security"
    }
    assert sum(line["message"].startswith("Invalid request from") for line in lines) == 4
    assert [line for line in lines if CANARY in json.dumps(line).lower()] == []


def environment_of(provider: Provider, folder: Path) -> dict[str, str]:
    more = {"API_KEY": f"{SECRET}-api", "METRICS_TOKEN": f"{SECRET}-metrics", "ACCESS_LOG_SUCCESSES": "1"}
    return of(f"sqlite:///{folder / 'db.sqlite3'}", f"{provider.url}/jwks", **more)
