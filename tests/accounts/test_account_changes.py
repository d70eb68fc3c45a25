"""Changes of roles and of who is active: each is a row and a line of the security log, whoever makes it."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account, AccountChange
from accounts.personal_data.erasure import erase
from accounts.personal_data.export import export
from tests import factories
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db


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
    logged = [line for line in lines.of("security") if line["event"] == "account_changed"]
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
    factories.account("ann")
    client = Client()
    client.force_login(boss)
    page = "/admin/accounts/account/ann/change/"
    form = client.get(page).context["adminform"].form
    data = {name: value for name, value in form.initial.items() if value is not None}
    assert client.post(page, {**data, "role": "support"}).status_code == 302
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
