"""Tasks run as in service, until a shutdown is requested."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import IntegrityError, OperationalError
from django_tasks import TaskResultStatus as Status
from django_tasks_db.models import DBTaskResult
from pytest import MonkeyPatch

from config.values.request_id import request_id
from config.worker import queue, runner
from config.worker.runner import Runner, ShutdownRequest, ShutdownRequested, run_in_thread, run_through_refusals
from tests.config.worker import some_tasks
from tests.config.worker.test_queue import pass_time, stored_task
from tests.log_lines import Lines


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MAX_BACKOFF_SECONDS", 0.01)
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.01)


def run_once() -> Runner:
    finished = Runner(ShutdownRequest())
    finished.run(once=True)
    return finished


def test_the_runner_runs_queued_tasks_and_stores_their_return_values(db: None) -> None:
    results = [some_tasks.add.enqueue(1, other=2), some_tasks.count_attempts.enqueue()]
    assert (run_once().done, run_once().done) == (2, 0)
    for result in results:
        result.refresh()
    assert [result.return_value for result in results] == [3, 1]


@pytest.mark.parametrize("name", ["raise_value_error", "return_no_json"])
def test_a_failed_task_is_logged_and_scheduled_again_and_other_tasks_still_run(
    db: None, name: str, lines: Lines, monkeypatch: MonkeyPatch
) -> None:
    failing = getattr(some_tasks, name).using(priority=1).enqueue()
    other = some_tasks.add.enqueue(1, 2)
    finished = run_once()
    assert (finished.done, finished.failed) == (1, 1)
    for result, status in ((failing, Status.READY), (other, Status.SUCCESSFUL)):
        result.refresh()
        assert result.status == status
    monkeypatch.setattr(queue, "MAX_ATTEMPTS", 2)
    pass_time(queue.FIRST_RETRY_DELAY)
    run_once()
    failing.refresh()
    assert failing.status == Status.FAILED
    lines_of_failures = [line for line in lines.of("config.worker.runner") if "retryInSeconds" in line]
    told = [(line["level"], line["retryInSeconds"]) for line in lines_of_failures]
    assert told == [("warning", 15), ("error", None)]


def test_a_task_that_this_release_does_not_have_waits_for_a_release_that_has_it(db: None) -> None:
    tasks = "tests.config.worker.some_tasks"
    for path in ("nowhere.tasks.gone", f"{tasks}.not_a_task"):
        task = DBTaskResult.objects.filter(pk=some_tasks.add.enqueue(1, 2).id)
        task.update(task_path=path)
        assert (run_once().failed, task.get().status) == (1, Status.READY), path
        task.update(task_path=f"{tasks}.add")
        pass_time(queue.FIRST_RETRY_DELAY)
        assert run_once().done == 1, path


@pytest.mark.parametrize("name", ["claim", "record_success", "fail_expired", "prune"])
def test_an_outage_of_the_database_loses_no_task_and_runs_none_twice(
    db: None, name: str, monkeypatch: MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    some_tasks.append_line.enqueue(str(tmp_path / "notes"), "once")
    failures_left = [3]
    original = getattr(queue, name)

    def flaky(*arguments: Any) -> Any:
        if failures_left[0]:
            failures_left[0] -= 1
            raise OperationalError("server closed the connection unexpectedly")
        return original(*arguments)

    monkeypatch.setattr(queue, name, flaky)
    assert run_once().done == 1
    assert (tmp_path / "notes").read_text() == "once\n"
    assert stored_task().status == Status.SUCCESSFUL


def test_the_lines_of_a_task_have_the_id_of_the_request_that_enqueued_it(
    db: None, monkeypatch: MonkeyPatch, lines: Lines
) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    monkeypatch.setattr(runner, "REFUSAL_PAUSE_SECONDS", 0.01)
    token = request_id.set("the-form")
    refused, failed = some_tasks.add.enqueue(1, 2), some_tasks.raise_value_error.enqueue()
    request_id.reset(token)
    some_tasks.add.enqueue(3, 4)
    record_success = queue.record_success

    def refuse(task: DBTaskResult, value: object) -> int:
        if str(task.pk) == refused.id:
            raise IntegrityError("violates a constraint")
        return record_success(task, value)

    monkeypatch.setattr(queue, "record_success", refuse)
    run_through_refusals(Runner(ShutdownRequest()), once=True)
    DBTaskResult.objects.filter(pk=failed.id).delete()
    pass_time(queue.LEASE)
    run_once()
    assert [(line["message"], line.get("requestId")) for line in map(json.loads, lines.raw)] == [
        ("The database refused a statement; the worker goes on with the next piece of work.", "the-form"),
        *(("A task failed.", "the-form"), ("Task done.", None), ("A task's lease expired.", "the-form")),
    ]


def test_an_error_that_ends_the_thread_ends_the_block_and_is_not_hidden_by_one_of_it(
    transactional_db: None, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "claim", Mock(side_effect=LookupError("a bug")))
    shutdown = ShutdownRequest()
    with pytest.raises(LookupError, match="a bug") as error, run_in_thread(Runner(shutdown), once=False):
        shutdown.wait(60)
    assert isinstance(error.value.__context__, ShutdownRequested)
    with pytest.raises(LookupError) as error, run_in_thread(Runner(ShutdownRequest()), once=True):
        raise ConnectionError("another bug")
    assert isinstance(error.value.__context__, ConnectionError)


def test_a_runner_that_is_shut_down_finishes_the_task_in_hand_and_begins_no_other(
    db: None, monkeypatch: MonkeyPatch
) -> None:
    for number in range(2):
        some_tasks.add.enqueue(number, 2)
    shutdown = ShutdownRequest()
    record_success = queue.record_success

    def succeed_and_shut_down(*arguments: Any) -> int:
        shutdown.request()
        return record_success(*arguments)

    monkeypatch.setattr(queue, "record_success", succeed_and_shut_down)
    Runner(shutdown).run()
    statuses = DBTaskResult.objects.order_by("enqueued_at").values_list("status", flat=True)
    assert list(statuses) == [Status.SUCCESSFUL, Status.READY]


def test_a_task_whose_worker_is_killed_is_run_by_another_worker_after_the_lease(
    transactional_db: None, monkeypatch: MonkeyPatch
) -> None:
    result = some_tasks.count_attempts.enqueue()
    with monkeypatch.context() as patch:
        patch.setattr(queue, "record_success", Mock(side_effect=SystemExit))
        with pytest.raises(SystemExit):
            run_once()
    assert (run_once().done, stored_task().status) == (0, Status.RUNNING)
    pass_time(queue.LEASE)
    assert run_once().done == 0
    pass_time(queue.FIRST_RETRY_DELAY)
    assert run_once().done == 1
    result.refresh()
    assert (result.return_value, result.attempts) == (2, 2)


def test_a_request_wakes_every_waiting_thread_and_ends_later_waits_at_once() -> None:
    shutdown = ShutdownRequest()
    started = time.monotonic()
    with ThreadPoolExecutor(3) as pool:
        waits = [pool.submit(shutdown.wait, 60) for _ in range(3)]
        time.sleep(0.1)
        shutdown.request()
        assert [type(wait.exception()) for wait in waits] == [ShutdownRequested] * 3
    with pytest.raises(ShutdownRequested):
        shutdown.wait(60)
    assert time.monotonic() - started < 30


def test_without_a_request_a_wait_lasts_its_time() -> None:
    started = time.monotonic()
    ShutdownRequest().wait(0.05)
    assert time.monotonic() - started >= 0.04
