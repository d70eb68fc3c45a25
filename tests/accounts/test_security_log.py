"""The security log: logins, refused tokens and keys, refusals and impersonations, and nothing that is secret."""

from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.test import Client
from prometheus_client import REGISTRY
from rest_framework.test import APIClient

from accounts.models import Account
from deals import authentication
from tests import factories
from tests import identity_provider as idp
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"


@pytest.fixture
def boss(db: None) -> Account:
    account = factories.account("boss", role="admin")
    account.set_password(PASSWORD)
    account.save()
    return account


def log_in(name: str, password: str, client: Client | None = None) -> Any:
    client = client or Client(REMOTE_ADDR="192.0.2.7")
    return client.post("/admin/login/?next=/admin/", {"username": name, "password": password})


def only(lines: Lines, event: str) -> dict[str, Any]:
    (line,) = [line for line in lines.of("security") if line["event"] == event]
    return line


def test_logins_and_logouts_are_logged(boss: Account, lines: Lines) -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    log_in("boss", PASSWORD, client)
    assert client.post("/admin/logout/")["Clear-Site-Data"] == '"cache"'
    assert lines.events == ["login", "logout"]
    assert (only(lines, "login")["account"], only(lines, "login")["client"]) == ("boss", "192.0.2.7")
    assert only(lines, "login")["way"] == "accounts.backends.PasswordBackend"
    assert PASSWORD not in "".join(lines.raw)


def test_a_failed_login_names_an_account_that_exists_and_nothing_else_that_was_typed(
    boss: Account, lines: Lines
) -> None:
    for name in ("boss", "my password", "nobody", "ann@example.org"):
        log_in(name, "a guess")
    failed = [line["account"] for line in lines.of("security") if line["event"] == "login_failed"]
    assert failed == ["boss", None, None, None]
    log = "".join(lines.raw)
    assert "my password" not in log and "ann@" not in log and "nobody" not in log and "a guess" not in log


def test_a_limited_login_is_logged(boss: Account, lines: Lines) -> None:
    statuses = [log_in("boss", "a guess").status_code for _ in range(7)]
    assert statuses[-1] == 429
    assert lines.events.count("login_limited") == statuses.count(429)


def refuse(token: str) -> None:
    headers = {"authorization": f"Bearer {token}"}
    assert APIClient().get("/api/accounts/me", headers=headers).status_code == 401


def test_a_refused_token_is_logged_with_its_key_and_the_reason(lines: Lines) -> None:
    refused = [
        ("x.y.z", None, "The bearer token cannot be read."),
        (idp.unsigned(kid="old-key"), "old-key", "The token is signed in a way"),
        (idp.token(kid="ann@example.org", alg="HS256"), "*", "The token is signed in a way"),
        ("a b", None, "Send exactly one token"),
    ]
    for token, _, _ in refused:
        refuse(token)
    logged = [line for line in lines.of("security") if line["event"] == "token_refused"]
    for line, (_, kid, reason) in zip(logged, refused, strict=True):
        assert line["kid"] == kid and line["reason"].startswith(reason)
        assert line["route"] == "api/accounts/me" and line["level"] == "warning"


@pytest.mark.usefixtures("deployed")
def test_what_the_library_refuses_is_logged_by_its_name(lines: Lines) -> None:
    refuse(idp.token(idp.claims(exp=1)))
    refuse(idp.token(idp.claims(aud="others")))
    refuse(idp.token(key="stranger", kid="rsa"))
    logged = [(line["kid"], line["reason"]) for line in lines.of("security") if line["event"] == "token_refused"]
    names = ("ExpiredSignatureError", "InvalidAudienceError", "InvalidSignatureError")
    assert logged == [("rsa", name) for name in names]


def test_the_token_of_a_switched_off_account_is_logged(lines: Lines, client_of: Callable[[Account], APIClient]) -> None:
    client = client_of(factories.account("ann", is_active=False))
    assert client.get("/api/accounts/me").status_code == 401
    assert only(lines, "token_refused")["reason"] == "This account is not active."


@pytest.mark.parametrize(("headers", "reason"), [({}, "missing"), ({"x-api-key": "a wrong key"}, "unknown")])
def test_a_refused_key_is_logged_once(headers: dict[str, str], reason: str, lines: Lines) -> None:
    assert APIClient(headers=headers).get("/api/deals").status_code == 401
    assert only(lines, "api_key_refused")["reason"] == reason
    assert "a wrong key" not in "".join(lines.raw)


def test_the_refused_keys_of_a_client_leave_one_line_a_minute_and_all_are_counted(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(times: int, client: str, **key: str) -> None:
        for _ in range(times):
            assert APIClient().get("/api/deals", REMOTE_ADDR=client, headers=key).status_code == 401

    def said() -> list[tuple[str, int]]:
        return [(line["client"], line["unlogged"]) for line in lines.of("security")]

    counted = REGISTRY.get_sample_value
    name, reason = "bridge_boards_api_keys_refused_total", {"reason": "unknown"}
    before = counted(name, reason) or 0
    monkeypatch.setattr(authentication, "MAX_CLIENTS", 2)
    with time_machine.travel("2026-11-21T12:00:20Z", tick=False) as clock:
        refuse(30, "192.0.2.1", **{"x-api-key": "wrong"})
        refuse(3, "192.0.2.2")
        refuse(2, "192.0.2.3")  # one client too many to remember
        assert said() == [("192.0.2.1", 0), ("192.0.2.2", 29)]
        clock.shift(60)
        refuse(2, "192.0.2.1", **{"x-api-key": "wrong"})
    assert said()[2:] == [("192.0.2.1", 4)]
    assert [line["client"] for line in lines.of("access")] == ["192.0.2.1", "192.0.2.2", "192.0.2.1"]
    assert (counted(name, reason) or 0) - before == 32


def test_a_refusal_is_logged_whoever_refuses(member: APIClient, lines: Lines) -> None:
    """A permission of the API, the admin's rights, and Django's check of forms."""
    assert member.post("/api/impersonation/start", {}).status_code == 403
    support = Client()
    support.force_login(factories.account("sue", role="support"))
    assert support.get("/admin/deals/webhookendpoint/").status_code == 403
    assert Client(enforce_csrf_checks=True).post("/forms/contact", {}).status_code == 403
    refused = [line for line in lines.of("security") if line["event"] == "forbidden"]
    assert [line["account"] for line in refused] == ["member", "sue", None]
    assert refused[0]["route"] == "api/impersonation/start"


def test_an_impersonation_is_logged_without_its_reason(
    support: APIClient, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    factories.account("ann")
    reason = "they phoned us about a canary"
    with django_capture_on_commit_callbacks(execute=True):
        started = support.post("/api/impersonation/start", {"accountId": "ann", "reason": reason}).json()
        support.post("/api/impersonation/stop", {"impersonationId": started["impersonationId"]})
    line = only(lines, "impersonation_started")
    assert (line["actor"], line["subject"]) == ("support", "ann")
    assert line["impersonation"] == only(lines, "impersonation_stopped")["impersonation"]
    assert "canary" not in "".join(lines.raw)
