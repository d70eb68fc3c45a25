"""A solver whose process cannot be started: deals wait, tasks go on, /readyz says why, and it heals by itself."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.utils import timezone
from rest_framework.test import APIClient

from config.worker import outages
from config.worker.shutdown import ShutdownRequest
from deals.management.commands import run_worker
from deals.models import Deal, SolverFault
from deals.solver import faults, worker
from deals.solver.process import Solver, SolverNotStarted
from deals.solver.worker import MAX_CONSECUTIVE_FAILURES, Worker
from tests import factories
from tests.config.worker import some_tasks
from tests.config.worker.test_runner import database_url
from tests.deals.solver.solvers import fake_solver, require_dds
from tests.deals.solver.test_commands import run_command
from tools.environment import ROOT

KILL_AT_START = """
import os, sys
if "deals.solver.child" in sys.orig_argv and os.path.exists(os.environ["NO_SOLVER"]):
    os.kill(os.getpid(), 9)
"""
"""A sitecustomize.py, which Python runs before a program: the solver's child is killed while the file exists."""


@contextmanager
def worker_process(folder: Path, no_solver: Path) -> Iterator[subprocess.Popen[bytes]]:
    (folder / "sitecustomize.py").write_text(KILL_AT_START)
    env = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": str(folder),
        "NO_SOLVER": str(no_solver),
    }
    process = subprocess.Popen([sys.executable, "manage.py", "run_worker"], cwd=ROOT, env=env)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def wait_for(condition: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)


def test_tasks_go_on_while_the_solvers_process_is_killed_at_its_start(transactional_db: None, tmp_path: Path) -> None:
    require_dds()
    no_solver, notes = tmp_path / "no-solver", tmp_path / "notes"
    no_solver.touch()
    deal = factories.deal()
    with worker_process(tmp_path, no_solver) as process:
        wait_for(SolverFault.objects.exists, process)
        some_tasks.append_line.enqueue(str(notes), "mail")
        wait_for(notes.exists, process)
        answer = APIClient().get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert any("The child ended with -9." in trouble for trouble in answer.json()["degraded"])
        assert Deal.objects.get(pk=deal.pk).double_dummy_status == "pending"
        no_solver.unlink()
        wait_for(lambda: Deal.objects.get(pk=deal.pk).double_dummy_status == "done", process)
        wait_for(lambda: not SolverFault.objects.exists(), process)
    assert faults.describe() == ""
    assert process.returncode == 0


def test_the_worker_never_gives_up_and_solves_when_the_solver_starts_again(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal, shutdown = factories.deal(), ShutdownRequest()
    patient = Worker(fake_solver(start="crash"), shutdown)
    failures: list[int] = []

    def back_off(*arguments: object) -> None:
        failures.append(patient.consecutive_failures)
        if len(failures) == 2 * MAX_CONSECUTIVE_FAILURES:
            patient.solver = fake_solver()

    def wait(seconds: float) -> None:
        shutdown.request()
        shutdown.check()

    monkeypatch.setattr(worker, "back_off", back_off)
    monkeypatch.setattr(shutdown, "wait", wait)
    patient.run()
    assert failures == list(range(1, 2 * MAX_CONSECUTIVE_FAILURES + 1))
    deal.refresh_from_db()
    assert (deal.double_dummy_status, deal.solver_attempts) == ("done", 0)
    assert not SolverFault.objects.exists()


def test_a_deal_at_which_the_child_is_killed_again_and_again_does_not_keep_the_worker_for_itself(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deal is the newest, so each claim takes it; when it is released, the deals that came meanwhile are solved."""
    first, shutdown = factories.deal(), ShutdownRequest()
    later: list[Deal] = []
    patient = Worker(fake_solver(sigkill=[first.cards]), shutdown)

    def back_off(*arguments: object) -> None:
        if patient.consecutive_failures == 1 and not later:
            later.append(factories.deal())
        if later and Deal.objects.get(pk=later[0].pk).double_dummy_status == "done":
            shutdown.request()
        assert patient.consecutive_failures <= 3 * MAX_CONSECUTIVE_FAILURES
        shutdown.check()

    monkeypatch.setattr(worker, "back_off", back_off)
    patient.run()
    assert Deal.objects.get(pk=later[0].pk).double_dummy_status == "done"
    first.refresh_from_db()
    assert (first.double_dummy_status, first.solver_attempts, first.claimed_until) == ("pending", 0, None)


@pytest.mark.parametrize("command", ["/no/such/program", "/"])
def test_a_child_for_which_no_process_can_be_made_is_not_started(command: str) -> None:
    with Solver([command]) as solver, pytest.raises(SolverNotStarted, match="cannot be started"):
        solver.start()


def test_a_child_for_which_no_thread_can_be_made_is_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(thread: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("deals.solver.process.Thread.start", fail)
    with fake_solver() as solver:
        with pytest.raises(SolverNotStarted, match="can't start new thread"):
            solver.start()
        assert solver.pid is None


def test_an_outage_of_the_database_meanwhile_does_not_end_the_worker(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    monkeypatch.setattr(outages, "MAX_BACKOFF_SECONDS", 0.01)

    def fail(error: object) -> None:
        raise outages.OUTAGE_ERRORS[0]

    monkeypatch.setattr(faults, "record", fail)
    with pytest.raises(SolverNotStarted):
        Worker(fake_solver(start="crash"), ShutdownRequest()).run(once=True)


def test_readyz_forgets_a_worker_that_says_nothing_any_more(db: None) -> None:
    faults.record(SolverNotStarted("The child ended with -9."))
    assert "-9" in faults.describe()
    SolverFault.objects.update(seen_at=timezone.now() - faults.FRESH - timedelta(seconds=1))
    assert faults.describe() == ""
    SolverFault.objects.update(worker="another:1", seen_at=timezone.now() - timedelta(days=2))
    faults.record(SolverNotStarted("The child ended with -9."))
    assert SolverFault.objects.count() == 1


def test_run_worker_fails_when_the_solver_never_starts(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "MAX_BACKOFF_SECONDS", 0.01)
    monkeypatch.setattr(run_worker, "Solver", lambda: fake_solver(start="crash"))
    with pytest.raises(CommandError, match="cannot be kept running"):
        run_command("run_worker", "--once")
