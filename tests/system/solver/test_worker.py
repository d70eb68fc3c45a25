"""What the worker does with a solver that fails, is killed or cannot be started: deals wait, and it heals by itself."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import OperationalError
from django.utils import timezone
from rest_framework.test import APIClient

from config.worker import runner
from config.worker.runner import ShutdownRequest
from deals import watching
from deals.management.commands import run_worker
from deals.models import Deal, SolverFault
from deals.models import SolverStatus as Status
from deals.solver import worker
from deals.solver.process import SolverKilled, SolverNotStarted
from deals.solver.queues import TABLES, Claim, Order
from deals.solver.worker import MAX_CONSECUTIVE_FAILURES, Worker
from tests import factories
from tests.config.worker import some_tasks
from tests.deals.solver.solvers import fake_solver, require_dds
from tests.deals.solver.test_commands import run_command
from tests.system.deployment import ROOT, url_of_tests, wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MAX_BACKOFF_SECONDS", 0.01)
    monkeypatch.setattr(worker, "POLL_SECONDS", 0.01)


@pytest.fixture
def kept_connection(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Keep the connection of the test where the worker would close it. Return a list that notes each time."""
    closed: list[bool] = []
    monkeypatch.setattr("django.db.connection.close", lambda: closed.append(True))
    return closed


def make_deals(count: int) -> list[Deal]:
    return [factories.deal() for _ in range(count)]


def statuses(deals: list[Deal]) -> list[str]:
    """Return the statuses of these deals. No claim may be left."""
    assert not Deal.objects.filter(claimed_until__isnull=False).exists()
    by_id = dict(Deal.objects.values_list("pk", "double_dummy_status"))
    return [by_id[deal.pk] for deal in deals]


def attempts() -> set[int]:
    return set(Deal.objects.values_list("solver_attempts", flat=True))


def run_once(**plan: Any) -> tuple[int, int]:
    """Let a worker do what there is. Return how many deals it has solved, and how many have failed."""
    worker = Worker(fake_solver(**plan), ShutdownRequest())
    worker.run(once=True)
    return worker.solved, worker.failed


@pytest.fixture
def log(tmp_path: Path) -> str:
    return str(tmp_path / "log")


def batch_sizes(log: str) -> list[int]:
    return [int(line) for line in Path(log).read_text().splitlines()]


def test_the_worker_solves_all_pending_deals_in_batches_and_those_that_failed_before_alone(
    log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TABLES, "batch_size", 4)
    deals = make_deals(10)
    assert run_once(log=log) == (10, 0)
    deals += [*make_deals(2), factories.deal(solver_attempts=1)]
    assert run_once(log=log) == (3, 0)
    assert statuses(deals) == [Status.DONE] * 13
    assert batch_sizes(log) == [4, 4, 2, 2, 1]


def test_a_deal_that_was_imported_long_ago_is_solved_although_others_always_come_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While the worker runs, each claim finds more requested deals than it takes."""
    imported = make_deals(TABLES.batch_size)
    shutdown = ShutdownRequest()
    claim, claims = TABLES.claim, []

    def claim_among_newer(order: Order) -> Claim | None:
        if order is Order.NEWEST:
            return claim(order)
        for _ in range(TABLES.batch_size + 1):
            factories.deal(solver_priority=Deal.SolverPriority.REQUESTED, wanted_at=timezone.now())
        claims.append(statuses(imported))
        if len(claims) > worker.LONGEST_WAITING_EVERY:
            shutdown.request()
        return claim(order)

    monkeypatch.setattr(TABLES, "claim", claim_among_newer)
    Worker(fake_solver(), shutdown).run()
    before, after = [[status] * TABLES.batch_size for status in (Status.PENDING, Status.DONE)]
    assert claims == [before] * worker.LONGEST_WAITING_EVERY + [after]


def test_a_crash_in_a_batch_counts_against_no_deal_and_one_of_a_deal_alone_fails_none(log: str, tmp_path: Path) -> None:
    deals = make_deals(4)
    assert run_once(crash=["batch"], log=log) == (4, 0)
    assert statuses(deals) == [Status.DONE] * 4
    assert batch_sizes(log) == [4, 1, 1, 1, 1] and attempts() == {0}
    (tmp_path / "once").touch()
    alone = make_deals(1)
    assert run_once(crash_once=str(tmp_path / "once")) == (1, 0)
    assert statuses(alone) == [Status.DONE] and attempts() == {0, 1}


@pytest.mark.parametrize("kind", ["crash", "hang", "garbage", "refuse"])
def test_a_deal_that_fails_alone_three_times_is_failed_and_the_others_are_solved(
    kind: str, log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "BASE_SECONDS", 0.5)
    monkeypatch.setattr(worker, "SECONDS_PER_JOB", 0.1)
    deals = make_deals(3)
    assert run_once(**{kind: [deals[1].cards]}, log=log) == (2, 1)
    assert statuses(deals) == [Status.DONE, Status.FAILED, Status.DONE]
    assert Deal.objects.get(pk=deals[1].pk).solver_attempts == 3
    assert batch_sizes(log)[-3:] == [1, 1, 1]


def test_a_sigkill_of_the_child_counts_against_no_deal() -> None:
    deals = make_deals(3)
    with pytest.raises(SolverKilled):
        run_once(sigkill=["batch", deals[1].cards])
    assert statuses(deals) == [Status.DONE, Status.PENDING, Status.DONE]
    run_once()
    assert statuses(deals) == [Status.DONE] * 3 and attempts() == {0}


def test_deals_are_unavailable_until_a_worker_has_a_solver_and_pending_while_it_does_not_start() -> None:
    deals = make_deals(2)
    with pytest.raises(SolverNotStarted):
        run_once(start="crash")
    assert statuses(deals) == [Status.PENDING] * 2 and attempts() == {0}
    assert run_once(start="unavailable") == (0, 0)
    assert statuses(deals) == [Status.UNAVAILABLE] * 2
    run_once()
    assert statuses(deals) == [Status.DONE] * 2


@pytest.mark.parametrize("signal_sent", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("is_busy", [True, False])
def test_a_signal_ends_a_worker_at_once_and_releases_the_deals_of_its_batch(
    is_busy: bool, signal_sent: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "POLL_SECONDS", 60)
    deals = make_deals(3) if is_busy else []
    shutdown = ShutdownRequest()
    patient = Worker(fake_solver(hang=["batch"]), shutdown)
    started = time.monotonic()
    with shutdown.handle_signals():
        timer = Timer(1, os.kill, (os.getpid(), signal_sent))
        timer.start()
        patient.run()
        timer.join()
    assert time.monotonic() - started < 30
    assert patient.solver.pid is None
    assert statuses(deals) == [Status.PENDING] * len(deals) and attempts() <= {0}


def test_a_running_worker_solves_new_deals() -> None:
    shutdown = ShutdownRequest()
    busy = Worker(fake_solver(), shutdown)
    rounds: list[int] = []

    def step() -> bool:
        rounds.append(len(rounds))
        if len(rounds) == 2:
            factories.deal()
        if len(rounds) == 4:
            shutdown.request()
        return original()

    original = busy._claim_and_solve
    busy._claim_and_solve = step  # type: ignore[method-assign]
    busy.run()
    assert busy.solved == 1


def flaky(action: Callable[..., Any], failures: int) -> Callable[..., Any]:
    failures_left = [failures]

    def call(*arguments: Any) -> Any:
        if failures_left[0]:
            failures_left[0] -= 1
            raise OperationalError("server closed the connection unexpectedly")
        return action(*arguments)

    return call


@pytest.mark.parametrize("name", ["claim", "store", "mark_available"])
def test_an_outage_of_the_database_loses_no_solution(
    name: str, kept_connection: list[bool], monkeypatch: pytest.MonkeyPatch, log: str
) -> None:
    monkeypatch.setattr(TABLES, name, flaky(getattr(TABLES, name), 3))
    deals = make_deals(2)
    assert run_once(log=log) == (2, 0)
    assert statuses(deals) == [Status.DONE] * 2
    assert batch_sizes(log) == [2]
    assert len(kept_connection) == 3


@pytest.mark.parametrize("failures", [0, 1000])
def test_a_claim_is_renewed_while_the_child_works_and_an_outage_then_does_no_harm(
    failures: int, kept_connection: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    deals, renewed = make_deals(2), []
    renew = flaky(TABLES.renew, failures)
    monkeypatch.setattr(Claim, "should_be_renewed", property(lambda claim: True))

    def note(claim: Claim) -> None:
        renewed.append(claim)
        renew(claim)

    monkeypatch.setattr(TABLES, "renew", note)
    run_once()
    assert renewed
    assert statuses(deals) == [Status.DONE] * 2


def test_deals_are_released_over_a_new_connection_when_the_old_one_broke(
    kept_connection: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TABLES, "release", flaky(TABLES.release, 1))
    deals, shutdown = make_deals(2), ShutdownRequest()
    timer = Timer(1, shutdown.request)
    timer.start()
    Worker(fake_solver(hang=["batch"]), shutdown).run()
    timer.join()
    assert statuses(deals) == [Status.PENDING] * 2


def test_a_worker_can_be_shut_down_during_an_outage(
    kept_connection: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_deals(1)
    shutdown = ShutdownRequest()

    def claim(order: Order) -> None:
        shutdown.request()
        raise OperationalError

    monkeypatch.setattr(TABLES, "claim", claim)
    Worker(fake_solver(), shutdown).run()


# --- A solver whose process cannot be started ------------------------------------------------------------------------


KILL_AT_START = """
import os, sys
if "deals.solver.child" in sys.orig_argv and os.path.exists(os.environ["NO_SOLVER"]):
    os.kill(os.getpid(), 9)
"""
"""A sitecustomize.py, which Python runs before a program: the solver's child is killed while the file exists."""


def test_tasks_go_on_while_the_solvers_process_is_killed_at_its_start(transactional_db: None, tmp_path: Path) -> None:
    require_dds()
    no_solver, notes = tmp_path / "no-solver", tmp_path / "notes"
    no_solver.touch()
    (tmp_path / "sitecustomize.py").write_text(KILL_AT_START)
    deal = factories.deal()
    own = {"DATABASE_URL": url_of_tests(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    env = {**os.environ, **own, "PYTHONPATH": str(tmp_path), "NO_SOLVER": str(no_solver)}
    with subprocess.Popen([sys.executable, "manage.py", "run_worker"], cwd=ROOT, env=env) as process:
        try:
            wait_until(SolverFault.objects.exists)
            some_tasks.append_line.enqueue(str(notes), "mail")
            wait_until(notes.exists)
            answer = APIClient().get("/readyz")
            assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
            assert any("The child ended with -9." in trouble for trouble in answer.json()["degraded"])
            assert Deal.objects.get(pk=deal.pk).double_dummy_status == "pending"
            no_solver.unlink()
            wait_until(lambda: Deal.objects.get(pk=deal.pk).double_dummy_status == "done")
            wait_until(lambda: not SolverFault.objects.exists())
        finally:
            process.terminate()
    assert (watching.trouble_of_solver(), process.returncode) == ("", 0)


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


def test_readyz_forgets_a_worker_that_says_nothing_any_more(db: None) -> None:
    watching.record_fault(SolverNotStarted("The child ended with -9."))
    assert "-9" in watching.trouble_of_solver()
    SolverFault.objects.update(seen_at=timezone.now() - watching.FRESH - timedelta(seconds=1))
    assert watching.trouble_of_solver() == ""
    SolverFault.objects.update(worker="another:1", seen_at=timezone.now() - timedelta(days=2))
    watching.record_fault(SolverNotStarted("The child ended with -9."))
    assert SolverFault.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_outage_of_the_database_meanwhile_does_not_end_the_worker_and_run_worker_fails_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(error: object) -> None:
        raise runner.OUTAGE_ERRORS[0]

    monkeypatch.setattr(worker, "record_fault", fail)
    monkeypatch.setattr(runner, "MAX_BACKOFF_SECONDS", 0.01)
    monkeypatch.setattr(run_worker, "Solver", lambda: fake_solver(start="crash"))
    with pytest.raises(CommandError, match="cannot be kept running"):
        run_command("run_worker", "--once")
