"""Ending running impersonations from the admin and the shell, and pruning the audit log."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as service_settings
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.personal_data import REGISTRY
from config.database import retention
from forms.models import Submission
from impersonation.models import EventPruning, Impersonation, ImpersonationEvent
from impersonation.personal_data import delete_events
from tests import factories
from tests.accounts.test_commands import run
from tests.answers import assert_error
from tests.config.admin.conftest import log, run_action, staff_client, submission
from tests.undone import undone

pytestmark = pytest.mark.django_db

LIST = "/admin/impersonation/impersonation/"


@pytest.fixture
def three(db: None) -> list[Impersonation]:
    """Make two that run and one that has expired. `zia` is the subject of the first."""
    past = timezone.now() - timedelta(hours=1)
    return [
        factories.impersonation(factories.account("actor", role="support"), factories.account("zia")),
        factories.impersonation(factories.account(role="admin"), factories.account()),
        factories.impersonation(factories.account(role="support"), factories.account(), started_at=past),
    ]


def unended() -> set[Any]:
    return set(Impersonation.objects.filter(ended_at__isnull=True).values_list("pk", flat=True))


def test_end_impersonations_ends_all_of_them_and_records_each(three: list[Impersonation]) -> None:
    assert run("end_impersonations") == "Ended 3 impersonations.\n"
    assert unended() == set()
    assert Impersonation.objects.get(pk=three[2].pk).ended_at == three[2].expires_at
    events = ImpersonationEvent.objects.values_list("impersonation_id", "kind", "method", "route")
    assert set(events) == {(row.pk, "stopped", "", "manage.py end_impersonations") for row in three}
    assert run("end_impersonations") == "Ended 0 impersonations.\n"
    assert ImpersonationEvent.objects.count() == 3


def test_end_impersonations_ends_those_of_one_account_and_names_an_unknown_one(three: list[Impersonation]) -> None:
    with pytest.raises(CommandError, match="no account nobody"):
        run("end_impersonations", "--account", "nobody")
    assert len(unended()) == 3
    for account in ("actor", "zia"):
        with undone():
            assert run("end_impersonations", "--account", account) == "Ended 1 impersonation.\n"
            assert unended() == {three[1].pk, three[2].pk}, account


def test_an_admin_ends_an_impersonation_and_the_actor_is_refused(three: list[Impersonation], client_of: Any) -> None:
    actor: APIClient = client_of(three[0].actor)
    header = {"x-impersonation-id": str(three[0].pk)}
    assert actor.get("/api/accounts/me", headers=header).json()["id"] == "zia"
    assert run_action(staff_client("admin"), "end_now", three[0]).status_code == 302
    assert_error(actor.get("/api/accounts/me", headers=header), 401, "impersonation_ended")
    assert unended() == {three[1].pk, three[2].pk}
    stopped = ImpersonationEvent.objects.get(kind="stopped")
    assert (stopped.actor_id, stopped.method, stopped.route[:6]) == ("actor", "POST", "admin/")
    assert stopped.request_id


@pytest.mark.usefixtures("reference_data")
def test_support_sees_impersonations_and_ends_none_unless_its_group_may(three: list[Impersonation]) -> None:
    client = staff_client("support")
    assert b"end_now" not in client.get(LIST).content
    run_action(client, "end_now", three[0])
    assert three[0].pk in unended()


def test_nobody_starts_changes_or_deletes_an_impersonation_in_the_admin(three: list[Impersonation]) -> None:
    client, row = staff_client("admin"), three[0]
    answers = [client.post(f"{LIST}{row.pk}/{what}/", {"reason": "X", "post": "yes"}) for what in ("change", "delete")]
    assert [answer.status_code for answer in (client.get(f"{LIST}add/"), *answers)] == [403] * 3
    assert Impersonation.objects.get(pk=row.pk).reason == row.reason


# --- The retention of the audit log


def event(age_days: float) -> ImpersonationEvent:
    """Write an event of that age. Its time is set as it is written, since nobody can change it afterwards."""
    row = ImpersonationEvent(
        impersonation_id=factories.NOBODYS_ID, kind="request", actor_id="a", subject_id="b", method="GET",
        route="api/themes", status=200, request_id="r",
    )  # fmt: skip
    ImpersonationEvent._meta.get_field("created_at").auto_now_add = False
    try:
        row.created_at = timezone.now() - timedelta(days=age_days)
        row.save()
    finally:
        ImpersonationEvent._meta.get_field("created_at").auto_now_add = True
    return row


@pytest.fixture
def aged(settings: Any) -> dict[str, Any]:
    settings.EVENT_RETENTION_DAYS, settings.SUBMISSION_RETENTION_DAYS = 100, 10
    long_ago = timezone.now() - timedelta(days=11)
    boss = factories.account(role="admin")

    def look(age: float) -> Impersonation:
        begun = timezone.now() - timedelta(days=age)
        return factories.impersonation(boss, factories.account(), started_at=begun, ended_at=begun)

    def entry(age: float) -> LogEntry:
        log(boss, boss)
        newest = LogEntry.objects.latest("pk")
        LogEntry.objects.filter(pk=newest.pk).update(action_time=timezone.now() - timedelta(days=age))
        return newest

    return {
        **{f"{name}look": look(age) for name, age in (("old ", 100.1), ("", 99.9))},
        **{f"{name}log": entry(age) for name, age in (("old ", 100.1), ("", 99.9))},
        **{f"{name}event": event(age) for name, age in (("old ", 100.1), ("", 99.9))},
        "old handled": submission(handled_at=long_ago, handled_by=boss),
        "just handled": submission(age=timedelta(days=500), handled_at=timezone.now(), handled_by=boss),
        "never handled": submission(age=timedelta(days=500)),
        "old robot": submission(age=timedelta(days=11), is_suspected=True),
        "robot": submission(age=timedelta(days=9), is_suspected=True),
    }


def remaining_ids() -> set[Any]:
    return {
        *ImpersonationEvent.objects.values_list("pk", flat=True),
        *Submission.objects.values_list("pk", flat=True),
        *Impersonation.objects.values_list("pk", flat=True),
        *(f"log {pk}" for pk in LogEntry.objects.values_list("pk", flat=True)),
    }


def test_prune_deletes_rows_past_their_retention_and_no_others(aged: dict[str, Any]) -> None:
    before = remaining_ids()
    output = run("prune", "--dry-run")
    assert output.startswith("Would delete ") and remaining_ids() == before
    assert "1 impersonation events" in output and "2 submissions that were handled or sent by robots" in output
    assert run("prune") == output.replace("Would delete", "Deleted")
    gone = {aged[name].pk for name in ("old event", "old handled", "old robot", "old look")}
    assert before - remaining_ids() == {*gone, f"log {aged['old log'].pk}"}
    assert run("prune") == re.sub(r"\d+", "0", output.replace("Would delete", "Deleted"))
    assert not EventPruning.objects.exists()


def test_prune_works_in_batches(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EVENT_RETENTION_DAYS = 100
    monkeypatch.setattr(retention, "BATCH", 2)
    for _ in range(5):
        event(101)
    (events,) = [table for table in REGISTRY if table.name == "impersonationEvents"]
    assert events.retention
    assert list(retention.prune(events.retention)) == [2, 2, 1]
    assert not ImpersonationEvent.objects.exists()


def test_a_retention_of_zero_days_keeps_rows_for_ever(aged: dict[str, Any], settings: Any) -> None:
    settings.EVENT_RETENTION_DAYS = settings.SUBMISSION_RETENTION_DAYS = 0
    before = remaining_ids()
    run("prune")
    assert remaining_ids() == before


def test_nothing_but_prune_deletes_an_event_however_old_it_is(aged: dict[str, Any]) -> None:
    before = remaining_ids()
    sql = "DELETE FROM impersonation_impersonationevent"
    by_query = ImpersonationEvent.objects.all().delete
    for delete in (by_query, aged["old event"].delete, lambda: connection.cursor().execute(sql)):
        with pytest.raises(DatabaseError, match="kept until prune deletes it"), transaction.atomic():
            delete()
        assert remaining_ids() == before, delete


def test_not_even_prune_deletes_an_event_within_its_retention(aged: dict[str, Any]) -> None:
    until = timezone.now() - timedelta(days=service_settings.EVENT_RETENTION_DAYS)
    with pytest.raises(DatabaseError, match="kept until"), transaction.atomic():
        delete_events([aged["old event"].pk, aged["event"].pk], until)
    assert {aged["old event"].pk, aged["event"].pk} <= remaining_ids()
    assert not EventPruning.objects.exists()
