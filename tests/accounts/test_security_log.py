"""The security log: logins, refused tokens and keys, refusals and impersonations, and nothing that is secret."""

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
from tests.accounts.tokens.asking import who
from tests.conftest import token_of
from tests.impersonation.starts import start
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


def of(lines: Lines, event: str) -> list[dict[str, Any]]:
    return [line for line in lines.of("security") if line["event"] == event]


def test_logins_and_logouts_are_logged(boss: Account, lines: Lines) -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    log_in("boss", PASSWORD, client)
    assert client.post("/admin/logout/")["Clear-Site-Data"] == '"cache"'
    assert lines.events == ["login", "logout"]
    (line,) = of(lines, "login")
    said = (line["account"], line["client"], line["way"])
    assert said == ("boss", "192.0.2.7", "accounts.backends.PasswordBackend")
    assert PASSWORD not in "".join(lines.raw)


def test_a_failed_login_names_an_account_that_exists_and_nothing_else_typed(boss: Account, lines: Lines) -> None:
    for name in ("boss", "my password", "nobody", "ann@example.org"):
        log_in(name, "a guess")
    assert [line["account"] for line in of(lines, "login_failed")] == ["boss", None, None, None]
    log = "".join(lines.raw)
    assert [typed for typed in ("my password", "ann@", "nobody", "a guess") if typed in log] == []
    statuses = [log_in("boss", "a guess").status_code for _ in range(3)]
    assert statuses[-1] == 429
    assert lines.events.count("login_limited") == statuses.count(429)


def refuse(token: str) -> None:
    assert who(f"Bearer {token}").status_code == 401


def test_a_refused_token_is_logged_with_its_key_and_the_reason(lines: Lines) -> None:
    refused = (
        ("x.y.z", None, "The bearer token cannot be read."),
        (idp.unsigned(kid="old-key"), "old-key", "The token is signed in a way"),
        (idp.token(kid="ann@example.org", alg="HS256"), "*", "The token is signed in a way"),
        ("a b", None, "Send exactly one token"),
        (token_of(factories.account("ann", is_active=False)), None, "This account is not active."),
    )
    for token, _, _ in refused:
        refuse(token)
    for line, (_, kid, reason) in zip(of(lines, "token_refused"), refused, strict=True):
        assert line["reason"].startswith(reason)
        assert (line["kid"], line["route"], line["level"]) == (kid, "api/accounts/me", "warning"), reason


@pytest.mark.usefixtures("deployed")
def test_what_the_library_refuses_is_logged_by_its_name(lines: Lines) -> None:
    for token in (
        idp.token(idp.claims(exp=1)), idp.token(idp.claims(aud="others")), idp.token(key="stranger", kid="rsa"),
    ):  # fmt: skip
        refuse(token)
    names = ("ExpiredSignatureError", "InvalidAudienceError", "InvalidSignatureError")
    assert [(line["kid"], line["reason"]) for line in of(lines, "token_refused")] == [("rsa", name) for name in names]


def test_the_refused_keys_of_a_client_leave_one_line_a_minute_and_all_are_counted(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(times: int, client: str, **key: str) -> None:
        for _ in range(times):
            assert APIClient().get("/api/deals", REMOTE_ADDR=client, headers=key).status_code == 401

    def said() -> list[tuple[str, str, int]]:
        return [(line["client"], line["reason"], line["unlogged"]) for line in of(lines, "api_key_refused")]

    def counted() -> float:
        return REGISTRY.get_sample_value("bridge_boards_api_keys_refused_total", {"reason": "unknown"}) or 0

    before = counted()
    monkeypatch.setattr(authentication, "MAX_CLIENTS", 2)
    with time_machine.travel("2026-11-21T12:00:20Z", tick=False) as clock:
        refuse(30, "192.0.2.1", **{"x-api-key": "a wrong key"})
        refuse(3, "192.0.2.2")
        refuse(2, "192.0.2.3")  # one client too many to remember
        assert said() == [("192.0.2.1", "unknown", 0), ("192.0.2.2", "missing", 29)]
        clock.shift(60)
        refuse(2, "192.0.2.1", **{"x-api-key": "a wrong key"})
    assert said()[2:] == [("192.0.2.1", "unknown", 4)]
    assert [line["client"] for line in lines.of("access")] == ["192.0.2.1", "192.0.2.2", "192.0.2.1"]
    assert counted() - before == 32 and "a wrong key" not in "".join(lines.raw)


def test_a_refusal_is_logged_whoever_refuses(member: APIClient, lines: Lines) -> None:
    """A permission of the API, the admin's rights, and Django's check of forms."""
    assert member.post("/api/impersonation/start", {}).status_code == 403
    support = Client()
    support.force_login(factories.account("sue", role="support"))
    assert support.get("/admin/deals/webhookendpoint/").status_code == 403
    assert Client(enforce_csrf_checks=True).post("/forms/contact", {}).status_code == 403
    refused = of(lines, "forbidden")
    assert [line["account"] for line in refused] == ["member", "sue", None]
    assert refused[0]["route"] == "api/impersonation/start"


def test_an_impersonation_is_logged_without_its_reason(
    support: APIClient, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    factories.account("ann")
    with django_capture_on_commit_callbacks(execute=True):
        started = start(support, "ann", reason="they phoned us about a canary").json()
        support.post("/api/impersonation/stop", {"impersonationId": started["impersonationId"]})
    ((begun,), (ended,)) = of(lines, "impersonation_started"), of(lines, "impersonation_stopped")
    assert (begun["actor"], begun["subject"], begun["impersonation"]) == ("support", "ann", ended["impersonation"])
    assert "canary" not in "".join(lines.raw)
