"""Claims, tries and leases of queued tasks."""

from datetime import timedelta
from threading import Thread
from uuid import UUID

from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks import TaskResultStatus as Status
from django_tasks_db.models import DBTaskResult

from config.worker import queue
from tests import factories
from tests.config.worker.some_tasks import add, refuse

ERROR = ValueError("No.")


def claimed() -> DBTaskResult:
    task = queue.claim()
    assert task is not None
    return task


def pass_time(amount: timedelta) -> None:
    """As if everything had happened that much earlier."""
    for row in DBTaskResult.objects.exclude(run_after__year=9999):
        DBTaskResult.objects.filter(pk=row.pk).update(run_after=row.run_after - amount)


def stored() -> DBTaskResult:
    return DBTaskResult.objects.get()


def test_a_task_is_claimed_once_and_says_who_has_it(db: None) -> None:
    add.enqueue(1, 2)
    task = claimed()
    assert queue.claim() is None
    assert stored().status == Status.RUNNING
    assert stored().worker_ids == task.worker_ids
    assert len(task.worker_ids) == 1


def test_tasks_are_claimed_in_order_and_the_important_ones_first(db: None) -> None:
    expected = [add.enqueue(1, 1).id, add.enqueue(2, 2).id]
    expected.insert(0, add.using(priority=5).enqueue(3, 3).id)
    assert [str(claimed().pk) for _ in range(3)] == expected


def test_a_task_for_later_waits(db: None) -> None:
    add.using(run_after=timezone.now() + timedelta(hours=1)).enqueue(1, 2)
    assert queue.claim() is None
    pass_time(timedelta(hours=1))
    assert queue.claim()


def test_a_task_is_there_exactly_when_the_rest_of_its_transaction_is(transactional_db: None) -> None:
    with transaction.atomic():
        add.enqueue(1, 2)
        transaction.set_rollback(True)
    assert queue.claim() is None


def test_what_became_of_a_task_is_kept_with_it(db: None) -> None:
    result = add.enqueue(1, 2)
    assert queue.succeed(claimed(), 3) == 1
    result.refresh()
    assert (result.status, result.return_value) == (Status.SUCCESSFUL, 3)
    assert queue.claim() is None


def test_a_failed_task_is_tried_again_later_each_time_and_then_no_more(db: None) -> None:
    result = refuse.enqueue()
    pauses = []
    while pause := queue.fail(claimed(), ERROR):
        pauses.append(pause)
        assert queue.claim() is None
        pass_time(pause)
    assert pauses == [timedelta(seconds=15) * 4**number for number in range(queue.TRIES - 1)]
    assert timedelta(hours=12) < sum(pauses, timedelta()) < timedelta(days=1)
    result.refresh()
    assert (result.status, result.attempts) == (Status.FAILED, queue.TRIES)
    assert result.errors[0].exception_class is ValueError
    assert "ValueError: No." in result.errors[0].traceback
    assert queue.claim() is None


def test_success_at_a_later_try_leaves_no_error_behind(db: None) -> None:
    result = add.enqueue(1, 2)
    pause = queue.fail(claimed(), ERROR)
    assert pause
    assert "ValueError" in stored().traceback
    pass_time(pause)
    queue.succeed(claimed(), 3)
    result.refresh()
    assert (result.status, result.errors, result.attempts) == (Status.SUCCESSFUL, [], 2)
    assert stored().traceback == ""


def test_a_task_whose_worker_died_is_ready_again_after_the_lease_and_not_before(db: None) -> None:
    add.enqueue(1, 2)
    first = claimed()
    assert queue.rescue() == []
    assert queue.claim() is None
    pass_time(queue.LEASE)
    assert [task.pk for task in queue.rescue()] == [first.pk]
    pass_time(queue.FIRST_PAUSE)
    assert claimed().pk == first.pk
    assert "WorkerDied" in stored().exception_class_path


def test_a_task_that_kills_its_workers_is_given_up(db: None) -> None:
    add.enqueue(1, 2)
    for _ in range(queue.TRIES):
        claimed()
        pass_time(queue.LEASE)
        queue.rescue()
        pass_time(timedelta(days=1))
    assert stored().status == Status.FAILED
    assert queue.claim() is None


def test_who_has_lost_a_task_changes_nothing_of_it(db: None) -> None:
    add.enqueue(1, 2)
    late = claimed()
    pass_time(queue.LEASE)
    queue.rescue()
    pass_time(queue.FIRST_PAUSE)
    current = claimed()
    assert queue.succeed(late, 0) == 0
    queue.fail(late, ERROR)
    assert (stored().status, stored().run_after) == (Status.RUNNING, current.run_after)
    assert queue.succeed(current, 3) == 1


def test_only_what_was_finished_long_ago_is_forgotten(db: None) -> None:
    for status in Status.values:
        add.enqueue(1, 2)
        old = DBTaskResult.objects.filter(status=Status.READY, finished_at=None)
        old.update(status=status, finished_at=timezone.now() - queue.KEPT)
    add.enqueue(1, 2)
    recent = claimed()
    queue.succeed(recent, 3)
    DBTaskResult.objects.filter(status__in=[Status.READY, Status.RUNNING]).update(finished_at=None)
    assert queue.prune() == 2
    assert set(DBTaskResult.objects.values_list("status", flat=True)) == {
        Status.READY,
        Status.RUNNING,
        Status.SUCCESSFUL,
    }
    assert queue.prune() == 0


def test_an_idle_look_is_one_query_that_opens_no_transaction(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert queue.claim() is None
    assert len(queries) == 1
    assert queries[0]["sql"].startswith("SELECT")


def test_keeping_house_writes_nothing_where_there_is_nothing_to_do(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        queue.rescue()
        queue.prune()
    assert [query["sql"].split()[0] for query in queries] == ["SELECT", "SELECT"]


def test_claims_made_at_once_share_the_tasks_out(transactional_db: None) -> None:
    expected = {UUID(add.enqueue(number, 0).id) for number in range(20)}
    found: list[UUID] = []

    def take() -> None:
        while task := queue.claim():
            found.append(task.pk)
        connection.close()

    threads = [Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    assert set(found) == expected


def test_the_admin_shows_the_queue(db: None, client: Client) -> None:
    client.force_login(factories.account("boss", role="admin"))
    result = refuse.enqueue()
    queue.fail(claimed(), ERROR)
    page = client.get("/admin/django_tasks_database/dbtaskresult/")
    assert "refuse" in page.content.decode()
    page = client.get(f"/admin/django_tasks_database/dbtaskresult/{result.id}/change/")
    assert "ValueError: No." in page.content.decode()
