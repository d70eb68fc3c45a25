import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from config.worker import outages
from config.worker.shutdown import ShutdownRequest
from deals.models import Deal
from deals.models import SolverStatus as Status
from deals.solver import worker
from deals.solver.process import SolverKilled, SolverNotStarted
from deals.solver.queues import Claim, Order
from deals.solver.tables import TABLES
from deals.solver.worker import Worker
from tests import factories
from tests.deals.solver.solvers import fake_solver


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "MAX_BACKOFF_SECONDS", 0.01)
    monkeypatch.setattr(worker, "POLL_SECONDS", 0.01)


def run_once(**plan: Any) -> Worker:
    worker = Worker(fake_solver(**plan), ShutdownRequest())
    worker.run(once=True)
    return worker


def make_deals(count: int) -> list[Deal]:
    return [factories.deal() for _ in range(count)]


def statuses(deals: list[Deal]) -> list[str]:
    by_id = dict(Deal.objects.values_list("pk", "double_dummy_status"))
    return [by_id[deal.pk] for deal in deals]


def is_nothing_claimed() -> bool:
    return not Deal.objects.filter(claimed_until__isnull=False).exists()


def batch_sizes(log: Path) -> list[int]:
    return [int(line) for line in log.read_text().splitlines()]


def test_the_worker_solves_all_pending_deals_in_batches(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TABLES, "batch_size", 4)
    deals = make_deals(10)
    finished = run_once(log=str(tmp_path / "log"))
    assert statuses(deals) == [Status.DONE] * 10
    assert (finished.solved, finished.failed) == (10, 0)
    assert batch_sizes(tmp_path / "log") == [4, 4, 2]


def test_a_deal_that_was_imported_long_ago_is_solved_although_others_always_come_before_it(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the worker runs, each claim finds more requested deals than it takes."""
    imported = make_deals(TABLES.batch_size)
    shutdown = ShutdownRequest()
    busy = Worker(fake_solver(), shutdown)
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
    busy.run()
    before, after = [[status] * TABLES.batch_size for status in (Status.PENDING, Status.DONE)]
    assert claims == [before] * worker.LONGEST_WAITING_EVERY + [after]


def test_after_a_crash_the_deals_of_the_batch_are_solved_alone_and_no_attempt_is_counted(
    db: None, tmp_path: Path
) -> None:
    deals = make_deals(4)
    finished = run_once(crash=["batch"], log=str(tmp_path / "log"))
    assert statuses(deals) == [Status.DONE] * 4
    assert (finished.solved, finished.failed) == (4, 0)
    assert batch_sizes(tmp_path / "log") == [4, 1, 1, 1, 1]
    assert set(Deal.objects.values_list("solver_attempts", flat=True)) == {0}


@pytest.mark.parametrize("kind", ["crash", "hang", "garbage", "refuse"])
def test_a_deal_that_fails_alone_three_times_is_failed_and_the_others_are_solved(
    db: None, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "BASE_SECONDS", 0.5)
    monkeypatch.setattr(TABLES, "seconds_per_job", 0.1)
    deals = make_deals(3)
    finished = run_once(**{kind: [deals[1].cards]}, log=str(tmp_path / "log"))
    assert statuses(deals) == [Status.DONE, Status.FAILED, Status.DONE]
    assert (finished.solved, finished.failed) == (2, 1)
    assert Deal.objects.get(pk=deals[1].pk).solver_attempts == 3
    assert batch_sizes(tmp_path / "log")[-3:] == [1, 1, 1]
    assert is_nothing_claimed()


def test_a_single_crash_fails_no_deal(db: None, tmp_path: Path) -> None:
    (tmp_path / "once").touch()
    deals = make_deals(1)
    finished = run_once(crash_once=str(tmp_path / "once"))
    assert statuses(deals) == [Status.DONE]
    assert (finished.solved, finished.failed) == (1, 0)
    assert Deal.objects.get().solver_attempts == 1


def test_a_sigkill_of_the_child_counts_against_no_deal(db: None) -> None:
    deals = make_deals(3)
    with pytest.raises(SolverKilled):
        run_once(sigkill=["batch", deals[1].cards])
    assert statuses(deals) == [Status.DONE, Status.PENDING, Status.DONE]
    assert is_nothing_claimed()
    run_once()
    assert statuses(deals) == [Status.DONE] * 3
    assert set(Deal.objects.values_list("solver_attempts", flat=True)) == {0}


def test_a_deal_that_failed_before_is_solved_alone(db: None, tmp_path: Path) -> None:
    make_deals(2)
    factories.deal(solver_attempts=1)
    run_once(log=str(tmp_path / "log"))
    assert batch_sizes(tmp_path / "log") == [2, 1]


def test_deals_are_unavailable_until_a_worker_has_a_solver(db: None) -> None:
    deals = make_deals(2)
    without = run_once(start="unavailable")
    assert statuses(deals) == [Status.UNAVAILABLE] * 2
    assert without.solved == 0
    run_once()
    assert statuses(deals) == [Status.DONE] * 2


def test_with_once_the_worker_gives_up_a_solver_that_never_starts_and_releases_its_deals(db: None) -> None:
    deals = make_deals(2)
    with pytest.raises(SolverNotStarted):
        run_once(start="crash")
    assert statuses(deals) == [Status.PENDING] * 2
    assert is_nothing_claimed()
    assert set(Deal.objects.values_list("solver_attempts", flat=True)) == {0}


@pytest.mark.parametrize("signal_sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_during_a_batch_releases_the_deals_and_ends_the_child(db: None, signal_sent: signal.Signals) -> None:
    deals = make_deals(3)
    shutdown = ShutdownRequest()
    busy = Worker(fake_solver(hang=["batch"]), shutdown)
    started = time.monotonic()
    with shutdown.handle_signals():
        timer = Timer(1, os.kill, (os.getpid(), signal_sent))
        timer.start()
        busy.run()
        timer.join()
    assert time.monotonic() - started < 30
    assert busy.solver.pid is None
    assert statuses(deals) == [Status.PENDING] * 3
    assert is_nothing_claimed()
    assert set(Deal.objects.values_list("solver_attempts", flat=True)) == {0}


def test_a_signal_ends_an_idle_worker_at_once(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "POLL_SECONDS", 60)
    shutdown = ShutdownRequest()
    timer = Timer(1, os.kill, (os.getpid(), signal.SIGTERM))
    started = time.monotonic()
    with shutdown.handle_signals():
        timer.start()
        Worker(fake_solver(), shutdown).run()
        timer.join()
    assert time.monotonic() - started < 30


def test_a_running_worker_solves_new_deals(db: None) -> None:
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


def test_a_claim_is_renewed_while_the_child_works(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    deals = make_deals(2)
    monkeypatch.setattr(Claim, "should_be_renewed", property(lambda claim: True))
    renewed: list[None] = []
    renew = TABLES.renew
    monkeypatch.setattr(TABLES, "renew", lambda claim: renewed.append(renew(claim)))
    run_once()
    assert renewed
    assert statuses(deals) == [Status.DONE] * 2


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
    db: None, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    closed = []
    monkeypatch.setattr("django.db.connection.close", lambda: closed.append(True))
    monkeypatch.setattr(TABLES, name, flaky(getattr(TABLES, name), 3))
    deals = make_deals(2)
    finished = run_once(log=str(tmp_path / "log"))
    assert statuses(deals) == [Status.DONE] * 2
    assert finished.solved == 2
    assert batch_sizes(tmp_path / "log") == [2]
    assert len(closed) == 3


def test_an_outage_during_a_renewal_does_no_harm(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    monkeypatch.setattr(Claim, "should_be_renewed", property(lambda claim: True))
    monkeypatch.setattr(TABLES, "renew", flaky(TABLES.renew, 1000))
    deals = make_deals(2)
    run_once()
    assert statuses(deals) == [Status.DONE] * 2


def test_deals_are_released_over_a_new_connection_when_the_old_one_broke(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    monkeypatch.setattr(TABLES, "release", flaky(TABLES.release, 1))
    make_deals(2)
    shutdown = ShutdownRequest()
    busy = Worker(fake_solver(hang=["batch"]), shutdown)
    timer = Timer(1, shutdown.request)
    timer.start()
    busy.run()
    timer.join()
    assert is_nothing_claimed()


def test_a_worker_can_be_shut_down_during_an_outage(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    make_deals(1)
    shutdown = ShutdownRequest()

    def claim(order: Order) -> None:
        shutdown.request()
        raise OperationalError

    monkeypatch.setattr(TABLES, "claim", claim)
    Worker(fake_solver(), shutdown).run()
