"""The security log: logins, refusals, impersonations, changes of accounts (which are rows too), and no secret."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone
from prometheus_client import REGISTRY
from rest_framework.test import APIClient

from accounts.models import Account, AccountChange
from accounts.personal_data.erasure import erase
from accounts.personal_data.export import export
from deals import authentication
from tests import factories
from tests import identity_provider as idp
from tests.accounts.conftest import who
from tests.accounts.test_roles import PASSWORD, save_in_the_admin, staff
from tests.conftest import token_of
from tests.impersonation.starts import start
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db


def log_in(name: str, password: str, client: Client | None = None) -> Any:
    client = client or Client(REMOTE_ADDR="192.0.2.7")
    return client.post("/admin/login/?next=/admin/", {"username": name, "password": password})


def of(lines: Lines, event: str) -> list[dict[str, Any]]:
    return [line for line in lines.of("security") if line["event"] == event]


def test_logins_and_logouts_are_logged(lines: Lines) -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    log_in(staff("admin").pk, PASSWORD, client)
    assert client.post("/admin/logout/")["Clear-Site-Data"] == '"cache"'
    assert lines.events == ["login", "logout"]
    (line,) = of(lines, "login")
    said = (line["account"], line["client"], line["way"])
    assert said == ("admin", "192.0.2.7", "accounts.backends.PasswordBackend")
    assert PASSWORD not in "".join(lines.raw)


def test_a_failed_login_names_an_account_that_exists_and_nothing_else_typed(lines: Lines) -> None:
    for name in (staff("admin").pk, "my password", "nobody", "ann@example.org"):
        log_in(name, "a guess")
    assert [line["account"] for line in of(lines, "login_failed")] == ["admin", None, None, None]
    log = "".join(lines.raw)
    assert [typed for typed in ("my password", "ann@", "nobody", "a guess") if typed in log] == []
    with time_machine.travel(timezone.now(), tick=False):  # no new minute begins between two guesses
        statuses = [log_in("admin", "a guess").status_code for _ in range(7)]
    assert statuses[-1] == 429
    assert lines.events.count("login_limited") == statuses.count(429)


def refuse(token: str) -> None:
    assert who(f"Bearer {token}").status_code == 401


def test_a_refused_token_is_logged_with_its_key_and_the_reason(lines: Lines) -> None:
    refused = (
        ("x.y.z", None, "The bearer token cannot be read."),
        (idp.unsigned(kid="old-key"), "old-key", "The token's signature algorithm"),
        (idp.token(kid="ann@example.org", alg="HS384"), "*", "The token's signature algorithm"),
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


def rows() -> list[tuple[str, ...]]:
    columns = ("actor_id", "subject_id", "field", "old", "new", "route")
    return list(AccountChange.objects.order_by("pk").values_list(*columns))


@pytest.fixture
def boss(db: None) -> Account:
    account = factories.account("boss", role="admin")
    AccountChange.objects.all().delete()
    return account


@pytest.fixture
def api(boss: Account, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(boss)


def test_a_change_through_the_api_is_recorded_with_actor_subject_old_and_new(
    api: APIClient, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    factories.account("ann")
    with django_capture_on_commit_callbacks(execute=True):
        answer = api.patch("/api/accounts/ann", {"role": "support", "isActive": False, "displayName": "Ann"})
    changes = [("boss", "ann", "is_active", "true", "false"), ("boss", "ann", "role", "member", "support")]
    assert rows() == [(*change, "api/accounts/<account_id:pk>") for change in changes]
    logged = of(lines, "account_changed")
    names = ("actor", "subject", "field", "old", "new")
    assert [tuple(line[name] for name in names) for line in logged] == changes
    ids = {row.request_id for row in AccountChange.objects.all()} | {line["requestId"] for line in logged}
    assert ids == {answer["X-Request-Id"]}


def test_a_refused_change_and_one_of_something_else_leave_no_row(api: APIClient, lines: Lines) -> None:
    factories.account("ann")
    assert api.patch("/api/accounts/boss", {"role": "member"}).status_code == 409
    assert api.patch("/api/accounts/ann", {"displayName": "Ann", "role": "member"}).status_code == 200
    assert rows() == []
    assert "account_changed" not in lines.events


def test_a_change_in_the_admin_is_recorded(boss: Account) -> None:
    client = Client()
    client.force_login(boss)
    assert save_in_the_admin(client, factories.account("ann"), role="support").status_code == 302
    assert [row[:5] for row in rows()] == [("boss", "ann", "role", "member", "support")]
    listed = client.get("/admin/accounts/accountchange/").content.decode()
    assert "support" in listed and "ann" in listed


def test_commands_and_erasure_are_recorded_without_an_actor_or_with_theirs(boss: Account) -> None:
    call_command("create_staff", id="sue", generated=True, verbosity=0)
    call_command("issue_token", "sue", role="admin")
    erase(account_id="sue", by=boss)
    changes = (("role", "", "support"), ("role", "support", "admin"), ("is_active", "true", "false"))
    assert [row[:5] for row in rows()] == [("", "sue", *each) for each in (*changes, ("role", "admin", "member"))]


def test_what_is_stored_counts_and_not_what_the_object_was_loaded_with(boss: Account) -> None:
    """Record that a stale page switches an account on again."""
    factories.account("ann")
    stale = Account.objects.get(pk="ann")
    Account.objects.filter(pk="ann").update(is_active=False)
    stale.save()
    assert [row[2:5] for row in rows()] == [("is_active", "false", "true")]


def test_members_with_a_token_leave_no_row_and_cost_no_query(boss: Account, django_assert_num_queries: Any) -> None:
    account = factories.account("ann")
    with django_assert_num_queries(1):
        account.save(update_fields=["last_login"])
    assert rows() == []


@pytest.mark.django_db(transaction=True)
def test_a_change_that_is_rolled_back_leaves_neither_row_nor_line(lines: Lines) -> None:
    account = factories.account("ann")

    account.role = Account.Role.ADMIN
    with transaction.atomic():
        account.save()
        transaction.set_rollback(True)
    assert (rows(), lines.events) == ([], [])
    account.save()
    assert (len(rows()), lines.events) == (1, ["account_changed"])


def test_rows_stay_when_the_person_is_erased_and_go_with_their_retention(boss: Account, settings: Any) -> None:
    factories.account("ann", role="support")
    erase(account_id="ann", by=boss)
    assert len(rows()) == 3
    exported = json.loads(b"".join(export(Account.objects.get(pk="ann"))))["accountChanges"]
    assert sorted(row["new"] for row in exported) == ["false", "member", "support"]
    settings.EVENT_RETENTION_DAYS = 100
    AccountChange.objects.filter(new="support").update(created_at=timezone.now() - timedelta(days=101))
    call_command("prune", verbosity=0)
    assert [row[2:5] for row in rows()] == [("is_active", "true", "false"), ("role", "support", "member")]
