"""A real gunicorn is sent secrets, tokens, addresses and reasons in every place, and none is in any line it writes."""

import json
import re
import socket
from pathlib import Path
from typing import Any

import requests

from tests import identity_provider as idp
from tests.identity_provider import running
from tests.system.deployment import gunicorn, of, python

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


def talk(base: str) -> list[int]:
    """Put canaries wherever a client can write. Return the statuses."""
    browser = requests.Session()

    def send(method: str, path: str, body: object = None, **headers: str) -> requests.Response:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return browser.request(method, base + path, data=body, headers=names, timeout=60, allow_redirects=False)

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
    page = send("GET", "/admin/login/").text
    (csrf,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    for name, password in ((ADDRESS, PASSWORD), (PASSWORD, SECRET), ("boss", PASSWORD)):
        login = {"username": name, "password": password, "csrfmiddlewaretoken": csrf}
        answers.append(send("POST", "/admin/login/", login))
    return [answer.status_code for answer in answers]


def test_no_line_has_a_secret_a_token_an_address_or_a_reason_and_each_is_json(tmp_path: Path) -> None:
    log = tmp_path / "log"
    more = {"API_KEY": f"{SECRET}-api", "METRICS_TOKEN": f"{SECRET}-metrics", "ACCESS_LOG_SUCCESSES": "1"}
    with running() as provider, log.open("wb") as file:
        environment = of(f"sqlite:///{tmp_path / 'db.sqlite3'}", f"{provider.url}/jwks", **more)
        python(environment, "manage.py", "migrate", "-v0")
        python(environment, "-c", PREPARE)
        with gunicorn(environment, file) as port:
            statuses = talk(f"http://127.0.0.1:{port}")
            # gunicorn's own answers, which quote what they refuse.
            for refused in (
                f"GET /livez HTTP/1.1\r\nHost: x\r\nAuthorization Bearer {SECRET}\r\n\r\n",
                f"GET /livez HTTP/1.1\r\nHost: x\r\n{SECRET} : x\r\n\r\n",
                f"GET /livez?key={SECRET}\r\n\r\n",
                f"GET /livez {SECRET}\r\n\r\n",
            ):
                with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
                    connection.sendall(refused.encode())
                    assert b" 400 " in connection.recv(1000)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {200, 201, 302, 401, 403, 404} <= set(statuses), statuses
    access = [line for line in lines if line["logger"] == "access"]
    assert len(access) > len(statuses), "each success has a line, too"
    assert {"token_refused", "api_key_refused", "login_failed", "forbidden", "impersonation_started"} <= {
        line["event"] for line in lines if line["logger"] == "security"
    }
    assert sum(line["message"].startswith("Invalid request from") for line in lines) == 4
    assert [line for line in lines if CANARY in json.dumps(line).lower()] == []
