"""The start page of the admin says what waits, as far as its reader may see it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.compat import TaskResultStatus
from django_tasks_db.models import DBTaskResult
from pytest import MonkeyPatch

from boards.models import PublicationReview
from config.admin import waiting
from config.admin.waiting import Line
from deals.models import Deal, Heartbeat, SolverFault
from forms.tasks import announce
from tests import factories
from tests.config.admin.conftest import one_of_everything, submission

pytestmark = pytest.mark.django_db

MESSAGES, ROBOTS, DRAFTS = "Messages to handle", "Messages of suspected robots", "Drafts"
REQUESTS = "Members' boards waiting"
TO_SOLVE, UNSOLVED = "Deals to solve", "Deals that cannot be solved"
WORKER = "Last heartbeat of the worker"
RETRIED = "E-mail and other tasks that failed and will be retried"
GIVEN_UP = "E-mail and other tasks that failed for good"


def lines(client: Client) -> dict[str, Line]:
    response = client.get("/admin/")
    assert response.status_code == 200
    return {line.what: line for line in response.context["waiting"]}


def beat(age: timedelta = timedelta(0)) -> None:
    for loop in Heartbeat.Loop:
        Heartbeat.objects.update_or_create({"beat_at": timezone.now() - age}, worker="here:1", loop=loop)


def fail_tasks() -> None:
    """Queue three tasks: one that waits, one that failed and is tried again, one that was given up."""
    for status, error in ((TaskResultStatus.READY, ""), (TaskResultStatus.READY, "E"), (TaskResultStatus.FAILED, "E")):
        task = announce.enqueue("x")
        DBTaskResult.objects.filter(pk=task.id).update(status=status, exception_class_path=error)


def test_the_page_counts_what_waits(boss: Client) -> None:
    for values in ({}, {}, {"handled_at": timezone.now()}, {"is_suspected": True}):
        submission(**values)
    PublicationReview.objects.create(board=factories.board(published=False))
    factories.board(published=False)
    Deal.objects.update(double_dummy_status="failed")
    factories.deal(seed=77)
    fail_tasks()
    beat()
    assert {what: line.amount for what, line in lines(boss).items()} == {
        MESSAGES: "2", ROBOTS: "1", REQUESTS: "1", DRAFTS: "2", TO_SOLVE: "1", UNSOLVED: "2",
        WORKER: "just now", RETRIED: "1", GIVEN_UP: "1",
    }  # fmt: skip


def test_each_link_leads_to_a_list_of_what_was_counted(boss: Client) -> None:
    one_of_everything()
    submission()
    submission(is_suspected=True)
    PublicationReview.objects.create(board=factories.board(published=False))
    fail_tasks()
    for line in lines(boss).values():
        if line.what == REQUESTS:  # by evening
            assert [evening["boards"] for evening in boss.get(line.url).context["evenings"]] == [int(line.amount)]
        elif line.url and line.what != RETRIED:  # the list has no filter by errors, and shows all that are queued
            assert boss.get(line.url).context["cl"].result_count == int(line.amount), line
    assert boss.get(lines(boss)[RETRIED].url).status_code == 200


def test_a_worker_that_is_silent_is_trouble(boss: Client) -> None:
    note = "No worker is running: double dummy, e-mail, webhooks must wait."
    assert lines(boss)[WORKER] == Line(WORKER, "never", note=note, is_trouble=True)
    beat(timedelta(hours=3))
    assert (lines(boss)[WORKER].amount, lines(boss)[WORKER].is_trouble) == ("3\xa0hours ago", True)
    beat()
    assert lines(boss)[WORKER] == Line(WORKER, "just now")
    SolverFault.objects.create(pk="here:1", reason="No <library>.", seen_at=timezone.now())
    assert lines(boss)[WORKER].is_trouble
    assert "does not run. No &lt;library&gt;." in boss.get("/admin/").content.decode()


def test_failed_tasks_are_trouble_and_no_failed_tasks_are_none(boss: Client) -> None:
    for is_trouble in (False, True):
        assert [lines(boss)[what].is_trouble for what in (RETRIED, GIVEN_UP)] == [is_trouble] * 2
        fail_tasks()


def test_readers_see_the_lines_whose_lists_they_may_open_and_the_upload_if_they_may_add(
    boss: Client, helper: Client
) -> None:
    link = 'href="/admin/boards/board/upload/">Upload a file</a>'
    assert link in boss.get("/admin/").content.decode()
    permissions = Group.objects.get(name="support").permissions
    boards = {REQUESTS, DRAFTS, TO_SOLVE, UNSOLVED, WORKER}
    for taken, shown, may_upload in (
        *(("nothing", {MESSAGES, ROBOTS, *boards}, True), ("_submission", boards, True), ("add_board", boards, False)),
        ("", {WORKER}, False),
    ):
        permissions.remove(*permissions.filter(codename__endswith=taken))
        assert set(lines(helper)) == shown, taken
        assert (link in helper.get("/admin/").content.decode()) is may_upload, taken


def test_many_rows_are_counted_up_to_a_bound_in_as_many_queries(boss: Client, monkeypatch: MonkeyPatch) -> None:
    def queries() -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            boss.get("/admin/")
        return [query["sql"] for query in captured]

    submission()
    queries()  # Content types are asked for once a process.
    few = queries()
    monkeypatch.setattr(waiting, "MAX_COUNT", 5)
    for _ in range(8):
        submission()
    assert lines(boss)[MESSAGES].amount == "4+"
    assert len(queries()) == len(few) <= 14
    assert all("LIMIT" in sql for sql in few if "COUNT(*)" in sql)
