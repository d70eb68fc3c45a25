"""Tasks run as in service; where a worker dies, one really does."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import OperationalError, connection
from django_tasks import TaskResultStatus as Status
from django_tasks_db.models import DBTaskResult

from config.worker import outages, queue, runner
from config.worker.runner import Runner, beside
from config.worker.shutdown import Stop
from tests.config.worker import some_tasks
from tests.config.worker.test_queue import pass_time, stored

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.01)


def run_once() -> Runner:
    done = Runner(Stop())
    done.run(once=True)
    return done


def test_it_runs_what_is_queued_and_keeps_what_came_of_it(db: None) -> None:
    result = some_tasks.add.enqueue(1, other=2)
    assert (run_once().done, run_once().done) == (1, 0)
    result.refresh()
    assert result.return_value == 3


def test_a_task_may_ask_which_try_it_is(db: None) -> None:
    result = some_tasks.count_tries.enqueue()
    run_once()
    result.refresh()
    assert result.return_value == 1


@pytest.mark.parametrize("name", ["refuse", "give_nothing_json_can_say"])
def test_a_failure_is_logged_kept_and_tried_again_and_harms_no_other(
    db: None, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    failing = getattr(some_tasks, name).using(priority=1).enqueue()
    other = some_tasks.add.enqueue(1, 2)
    done = run_once()
    assert (done.done, done.failed) == (1, 1)
    failing.refresh()
    other.refresh()
    assert (failing.status, other.status) == (Status.READY, Status.SUCCESSFUL)
    (record,) = [record for record in caplog.records if record.message == "A task failed."]
    assert record.levelname == "WARNING"
    assert record.fields["againInSeconds"] == 15


def test_the_last_failure_is_an_error(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(queue, "TRIES", 1)
    some_tasks.refuse.enqueue()
    run_once()
    assert stored().status == Status.FAILED
    assert "ERROR" in {record.levelname for record in caplog.records}


@pytest.mark.parametrize("path", ["nowhere.tasks.gone", "tests.config.worker.some_tasks.no_task"])
def test_a_task_this_release_does_not_have_waits_for_one_that_has(db: None, path: str) -> None:
    some_tasks.add.enqueue(1, 2)
    DBTaskResult.objects.update(task_path=path)
    assert run_once().failed == 1
    assert stored().status == Status.READY
    DBTaskResult.objects.update(task_path="tests.config.worker.some_tasks.add")
    pass_time(queue.FIRST_PAUSE)
    assert run_once().done == 1


@pytest.mark.parametrize("what", ["claim", "succeed", "rescue", "prune"])
def test_an_outage_of_the_database_loses_nothing_and_runs_nothing_twice(
    db: None, what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    some_tasks.note.enqueue(str(tmp_path / "notes"), "once")
    left = [3]
    original = getattr(queue, what)

    def flaky(*arguments: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise OperationalError("server closed the connection unexpectedly")
        return original(*arguments)

    monkeypatch.setattr(queue, what, flaky)
    assert run_once().done == 1
    assert (tmp_path / "notes").read_text() == "once\n"
    assert stored().status == Status.SUCCESSFUL


def test_it_runs_beside_a_block_for_as_long_as_that_lasts(transactional_db: None, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    with beside(Runner(Stop()), Stop(), once=False):
        some_tasks.note.enqueue(str(notes), "seen")
        wait_for(notes.exists)
    assert notes.read_text() == "seen\n"


def test_the_block_is_asked_to_end_when_the_thread_ends_by_an_error(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise LookupError("a bug")

    monkeypatch.setattr(queue, "claim", fail)
    stop = Stop()
    with pytest.raises(LookupError, match="a bug"), beside(Runner(Stop()), stop, once=False):
        wait_for(lambda: stop.requested)


def test_what_is_begun_when_it_is_asked_to_stop_is_finished(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_tasks.add.enqueue(1, 2)
    some_tasks.add.enqueue(3, 4)
    stop = Stop()
    succeed = queue.succeed

    def succeed_and_stop(*arguments: Any) -> int:
        stop.request()
        return succeed(*arguments)

    monkeypatch.setattr(queue, "succeed", succeed_and_stop)
    Runner(stop).run()
    statuses = DBTaskResult.objects.order_by("enqueued_at").values_list("status", flat=True)
    assert list(statuses) == [Status.SUCCESSFUL, Status.READY]


def test_a_task_whose_worker_is_killed_is_done_by_another_after_the_lease(
    transactional_db: None, tmp_path: Path
) -> None:
    result = some_tasks.hang_once.enqueue(str(tmp_path))
    with another_process() as process:
        wait_for((tmp_path / "begun").exists)
        assert (tmp_path / "begun").read_text() == str(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert run_once().done == 0
    result.refresh()
    assert result.status == Status.RUNNING
    pass_time(queue.LEASE)
    assert run_once().done == 0
    pass_time(queue.FIRST_PAUSE)
    assert run_once().done == 1
    result.refresh()
    assert (result.return_value, result.attempts) == ("done", 2)


@contextmanager
def another_process() -> Iterator[subprocess.Popen[bytes]]:
    """A runner of its own on the test's database."""
    program = (
        "import django; django.setup()\n"
        "from config.worker.runner import Runner\n"
        "from config.worker.shutdown import Stop\n"
        "Runner(Stop()).run()"
    )
    env = {**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=env)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def database_url() -> str:
    """Of the test's own database, on the server the tests were given."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def wait_for(condition: Any) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
