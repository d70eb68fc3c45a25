import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from django.db import OperationalError

from config.worker import outages
from config.worker.shutdown import Stop
from deals.models import Deal
from deals.solver import jobs, worker
from deals.solver.jobs import Status
from deals.solver.process import SolverKilled, SolverNotStarted
from deals.solver.worker import Worker
from tests import factories
from tests.deals.solver.solvers import fake_solver


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(worker, "POLL_SECONDS", 0.01)


def run_once(**plan: Any) -> Worker:
    worker = Worker(fake_solver(**plan), Stop())
    worker.run(once=True)
    return worker


def make(count: int) -> list[Deal]:
    return [factories.deal() for _ in range(count)]


def statuses(deals: list[Deal]) -> list[str]:
    by_id = dict(Deal.objects.values_list("pk", "double_dummy_status"))
    return [by_id[deal.pk] for deal in deals]


def nothing_is_claimed() -> bool:
    return not Deal.objects.filter(claimed_until__isnull=False).exists()


def sizes(log: Path) -> list[int]:
    return [int(line) for line in log.read_text().splitlines()]


def test_it_works_off_all_there_is_in_batches(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BATCH", 4)
    deals = make(10)
    done = run_once(log=str(tmp_path / "log"))
    assert statuses(deals) == [Status.DONE] * 10
    assert (done.solved, done.failed) == (10, 0)
    assert sizes(tmp_path / "log") == [4, 4, 2]


def test_after_a_crash_the_batch_is_solved_singly_and_nothing_counts_against_a_good_deal(
    db: None, tmp_path: Path
) -> None:
    deals = make(4)
    done = run_once(crash=["batch"], log=str(tmp_path / "log"))
    assert statuses(deals) == [Status.DONE] * 4
    assert (done.solved, done.failed) == (4, 0)
    assert sizes(tmp_path / "log") == [4, 1, 1, 1, 1]
    assert set(Deal.objects.values_list("solver_attempts", flat=True)) == {0}


@pytest.mark.parametrize("kind", ["crash", "hang", "garbage", "refuse"])
def test_a_deal_that_fails_alone_three_times_is_failed_and_the_others_are_done(
    db: None, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "BASE_SECONDS", 0.5)
    monkeypatch.setattr(worker, "SECONDS_A_DEAL", 0.1)
    deals = make(3)
    done = run_once(**{kind: [deals[1].cards]}, log=str(tmp_path / "log"))
    assert statuses(deals) == [Status.DONE, Status.FAILED, Status.DONE]
    assert (done.solved, done.failed) == (2, 1)
    assert Deal.objects.get(pk=deals[1].pk).solver_attempts == 3
    assert sizes(tmp_path / "log")[-3:] == [1, 1, 1]
    assert nothing_is_claimed()


def test_a_single_crash_fails_no_deal(db: None, tmp_path: Path) -> None:
    (tmp_path / "once").touch()
    deals = make(1)
    done = run_once(crash_once=str(tmp_path / "once"))
    assert statuses(deals) == [Status.DONE]
    assert (done.solved, done.failed) == (1, 0)
    assert Deal.objects.get().solver_attempts == 1


def test_being_killed_from_outside_is_never_a_deals_fault(db: None) -> None:
    deals = make(3)
    with pytest.raises(SolverKilled):
        run_once(die=["batch", deals[1].cards])
    assert statuses(deals) == [Status.DONE, Status.PENDING, Status.DONE]
    assert nothing_is_claimed()
    run_once()
    assert statuses(deals) == [Status.DONE] * 3
    assert set(Deal.objects.values_list("solver_attempts", flat=True)) == {0}


def test_a_deal_that_failed_before_is_solved_alone(db: None, tmp_path: Path) -> None:
    make(2)
    factories.deal(solver_attempts=1)
    run_once(log=str(tmp_path / "log"))
    assert sizes(tmp_path / "log") == [2, 1]


def test_without_a_solver_deals_are_unavailable_until_there_is_one(db: None) -> None:
    deals = make(2)
    without = run_once(start="unavailable")
    assert statuses(deals) == [Status.UNAVAILABLE] * 2
    assert without.solved == 0
    run_once()
    assert statuses(deals) == [Status.DONE] * 2


def test_a_solver_that_does_not_start_is_tried_often_and_then_reported(db: None) -> None:
    deals = make(2)
    with pytest.raises(SolverNotStarted):
        run_once(start="crash")
    assert statuses(deals) == [Status.PENDING] * 2
    assert nothing_is_claimed()
    assert set(Deal.objects.values_list("solver_attempts", flat=True)) == {0}


@pytest.mark.parametrize("asked_by", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_in_mid_batch_gives_the_deals_back_and_ends_the_child(
    db: None, asked_by: signal.Signals
) -> None:
    deals = make(3)
    stop = Stop()
    busy = Worker(fake_solver(hang=["batch"]), stop)
    began = time.monotonic()
    with stop.on_signals():
        timer = Timer(1, os.kill, (os.getpid(), asked_by))
        timer.start()
        busy.run()
        timer.join()
    assert time.monotonic() - began < 30
    assert busy.solver.pid is None
    assert statuses(deals) == [Status.PENDING] * 3
    assert nothing_is_claimed()
    assert set(Deal.objects.values_list("solver_attempts", flat=True)) == {0}


def test_a_signal_ends_an_idle_worker_at_once(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "POLL_SECONDS", 60)
    stop = Stop()
    timer = Timer(1, os.kill, (os.getpid(), signal.SIGTERM))
    began = time.monotonic()
    with stop.on_signals():
        timer.start()
        Worker(fake_solver(), stop).run()
        timer.join()
    assert time.monotonic() - began < 30


def test_a_running_worker_sees_new_deals(db: None) -> None:
    stop = Stop()
    busy = Worker(fake_solver(), stop)
    rounds: list[int] = []

    def step() -> bool:
        rounds.append(len(rounds))
        if len(rounds) == 2:
            factories.deal()
        if len(rounds) == 4:
            stop.request()
        return original()

    original = busy._step
    busy._step = step  # type: ignore[method-assign]
    busy.run()
    assert busy.solved == 1


def test_a_claim_is_renewed_while_the_child_thinks(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    deals = make(2)
    monkeypatch.setattr(jobs.Claim, "due", property(lambda claim: True))
    renewed: list[None] = []
    renew = jobs.renew
    monkeypatch.setattr(jobs, "renew", lambda claim: renewed.append(renew(claim)))
    run_once()
    assert renewed
    assert statuses(deals) == [Status.DONE] * 2


def flaky(action: Callable[..., Any], failures: int) -> Callable[..., Any]:
    left = [failures]

    def call(*arguments: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise OperationalError("server closed the connection unexpectedly")
        return action(*arguments)

    return call


@pytest.mark.parametrize("what", ["claim", "store", "mark_available"])
def test_an_outage_of_the_database_loses_no_work(
    db: None, what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    closed = []
    monkeypatch.setattr("django.db.connection.close", lambda: closed.append(True))
    monkeypatch.setattr(jobs, what, flaky(getattr(jobs, what), 3))
    deals = make(2)
    done = run_once(log=str(tmp_path / "log"))
    assert statuses(deals) == [Status.DONE] * 2
    assert done.solved == 2
    assert sizes(tmp_path / "log") == [2]
    assert len(closed) == 3


def test_an_outage_during_a_renewal_is_no_harm(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    monkeypatch.setattr(jobs.Claim, "due", property(lambda claim: True))
    monkeypatch.setattr(jobs, "renew", flaky(jobs.renew, 1000))
    deals = make(2)
    run_once()
    assert statuses(deals) == [Status.DONE] * 2


def test_what_is_held_is_given_back_over_a_new_connection_when_the_old_one_broke(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    monkeypatch.setattr(jobs, "give_back", flaky(jobs.give_back, 1))
    make(2)
    stop = Stop()
    busy = Worker(fake_solver(hang=["batch"]), stop)
    timer = Timer(1, stop.request)
    timer.start()
    busy.run()
    timer.join()
    assert nothing_is_claimed()


def test_an_outage_that_lasts_does_not_keep_it_from_stopping(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    stop = Stop()

    def claim() -> None:
        stop.request()
        raise OperationalError

    monkeypatch.setattr(jobs, "claim", claim)
    Worker(fake_solver(), stop).run()
