"""Claims, attempts and leases of queued tasks."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID

from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks import TaskResultStatus as Status
from django_tasks_db.models import DBTaskResult

from config.worker import queue
from tests import factories
from tests.config.worker.some_tasks import add, raise_value_error

ERROR = ValueError("No.")


def claim_task() -> DBTaskResult:
    task = queue.claim()
    assert task is not None
    return task


def pass_time(amount: timedelta) -> None:
    """Move every date into the past by this amount, as if everything had happened that much earlier."""
    for row in DBTaskResult.objects.exclude(run_after__year=9999):
        DBTaskResult.objects.filter(pk=row.pk).update(run_after=row.run_after - amount)


def stored_task() -> DBTaskResult:
    return DBTaskResult.objects.get()


def test_tasks_are_claimed_once_by_priority_and_then_in_order(db: None) -> None:
    expected = [add.enqueue(1, 1).id, add.enqueue(2, 2).id]
    expected.insert(0, add.using(priority=5).enqueue(3, 3).id)
    claimed = [claim_task() for _ in range(3)]
    assert [str(task.pk) for task in claimed] == expected
    assert queue.claim() is None
    for task in claimed:
        stored = DBTaskResult.objects.get(pk=task.pk)
        assert (stored.status, stored.worker_ids, len(task.worker_ids)) == (Status.RUNNING, task.worker_ids, 1)


def test_a_task_for_later_is_not_claimed_before_its_time(db: None) -> None:
    add.using(run_after=timezone.now() + timedelta(hours=1)).enqueue(1, 2)
    assert queue.claim() is None
    pass_time(timedelta(hours=1))
    assert queue.claim()


def test_a_task_of_a_transaction_that_is_rolled_back_does_not_exist(transactional_db: None) -> None:
    with transaction.atomic():
        add.enqueue(1, 2)
        transaction.set_rollback(True)
    assert queue.claim() is None


def test_a_failed_task_is_retried_after_growing_delays_and_then_given_up(db: None) -> None:
    result = raise_value_error.enqueue()
    delays = []
    while delay := queue.record_failure(claim_task(), ERROR):
        delays.append(delay)
        assert queue.claim() is None
        pass_time(delay)
    assert delays == [timedelta(seconds=15) * 4**number for number in range(queue.MAX_ATTEMPTS - 1)]
    assert timedelta(hours=12) < sum(delays, timedelta()) < timedelta(days=1)
    result.refresh()
    assert (result.status, result.attempts) == (Status.FAILED, queue.MAX_ATTEMPTS)
    assert result.errors[0].exception_class is ValueError
    assert "ValueError: No." in result.errors[0].traceback
    assert queue.claim() is None


def test_success_at_a_later_attempt_removes_the_stored_error_and_stores_the_value(db: None) -> None:
    result = add.enqueue(1, 2)
    delay = queue.record_failure(claim_task(), ERROR)
    assert delay and "ValueError" in stored_task().traceback
    pass_time(delay)
    assert queue.record_success(claim_task(), 3) == 1
    result.refresh()
    assert (result.status, result.errors, result.attempts, result.return_value) == (Status.SUCCESSFUL, [], 2, 3)
    assert (stored_task().traceback, queue.claim()) == ("", None)


def test_after_the_lease_a_task_is_ready_for_another_worker_and_the_late_one_changes_nothing(db: None) -> None:
    add.enqueue(1, 2)
    late = claim_task()
    assert (queue.fail_expired(), queue.claim()) == ([], None)
    pass_time(queue.LEASE)
    assert queue.fail_expired() == [late]
    assert "LeaseExpired" in stored_task().exception_class_path
    pass_time(queue.FIRST_RETRY_DELAY)
    current = claim_task()
    assert (current, queue.record_success(late, 0)) == (late, 0)
    queue.record_failure(late, ERROR)
    assert (stored_task().status, stored_task().run_after) == (Status.RUNNING, current.run_after)
    assert queue.record_success(current, 3) == 1


def test_a_task_that_kills_its_workers_is_given_up_after_the_last_attempt(db: None) -> None:
    add.enqueue(1, 2)
    for _ in range(queue.MAX_ATTEMPTS):
        claim_task()
        pass_time(queue.LEASE)
        queue.fail_expired()
        pass_time(timedelta(days=1))
    assert stored_task().status == Status.FAILED
    assert queue.claim() is None


def test_only_tasks_that_were_finished_long_ago_are_deleted(db: None) -> None:
    for status in Status.values:
        task = DBTaskResult.objects.filter(pk=add.enqueue(1, 2).id)
        is_over = status not in (Status.READY, Status.RUNNING)
        task.update(status=status, finished_at=timezone.now() - queue.RETENTION if is_over else None)
    recent = add.enqueue(1, 2).id
    DBTaskResult.objects.filter(pk=recent).update(status=Status.SUCCESSFUL, finished_at=timezone.now())
    assert [queue.prune() for _ in range(2)] == [2, 0]
    left = DBTaskResult.objects.values_list("status", flat=True)
    assert sorted(left) == sorted([Status.READY, Status.RUNNING, Status.SUCCESSFUL])


def test_an_empty_queue_costs_a_query_a_look_and_nothing_is_written(db: None) -> None:
    for look in (queue.claim, queue.fail_expired, queue.prune):
        with CaptureQueriesContext(connection) as queries:
            assert not look()
        assert [query["sql"].split()[0] for query in queries] == ["SELECT"]


def test_simultaneous_claims_never_take_the_same_task(transactional_db: None) -> None:
    expected = {UUID(add.enqueue(number, 0).id) for number in range(20)}

    def claim_all(number: int) -> list[UUID]:
        claimed = [task.pk for task in iter(queue.claim, None)]
        connection.close()
        return claimed

    with ThreadPoolExecutor(4) as threads:
        claimed = [pk for some in threads.map(claim_all, range(4)) for pk in some]
    assert (len(claimed), set(claimed)) == (20, expected)


def test_the_admin_shows_the_error_of_a_task(db: None, client: Client) -> None:
    client.force_login(factories.account("boss", role="admin"))
    result = raise_value_error.enqueue()
    queue.record_failure(claim_task(), ERROR)
    page = client.get(f"/admin/django_tasks_database/dbtaskresult/{result.id}/change/")
    assert "ValueError: No." in page.content.decode()
