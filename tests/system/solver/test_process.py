import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from deals.solver.process import Solver, SolverFailed, SolverNotStarted, SolverUnavailable
from tests.deals.solver.solvers import ask_tables, fake_solver


def test_the_solver_returns_solutions_in_order_and_none_for_a_refused_deal() -> None:
    with fake_solver(refuse=["b"]) as solver:
        first, second, third = ask_tables(solver, ["a", "b", "c"], seconds=20)
    assert second is None
    assert first == third
    assert first is not None
    assert first["double_dummy"] == "7" * 20


def test_the_solver_keeps_its_child_from_one_batch_to_the_next() -> None:
    with fake_solver() as solver:
        ask_tables(solver, ["a"], seconds=20)
        pid = solver.pid
        ask_tables(solver, ["b"], seconds=20)
        assert solver.pid == pid is not None


@pytest.mark.parametrize("kind", ["crash", "garbage", "hang"])
def test_the_solver_starts_another_child_after_one_that_failed(kind: str) -> None:
    plan: dict[str, Any] = {kind: ["bad"]}
    with fake_solver(**plan) as solver:
        ask_tables(solver, ["good"], seconds=20)
        pid = solver.pid
        with pytest.raises(SolverFailed):
            ask_tables(solver, ["good", "bad"], seconds=1)
        assert solver.pid is None
        assert ask_tables(solver, ["good"], seconds=20)[0]
        assert solver.pid != pid


def test_the_solver_starts_another_child_after_one_that_was_killed_between_two_batches() -> None:
    with fake_solver() as solver:
        solver.start()
        os.kill(solver.pid or 0, signal.SIGKILL)
        time.sleep(0.2)
        assert ask_tables(solver, ["a"], seconds=20)[0]


def test_closing_the_solver_leaves_no_process_behind() -> None:
    with fake_solver() as solver:
        solver.start()
        pid = solver.pid or 0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_child_that_fails_before_it_is_ready_raises_solver_not_started() -> None:
    for how in ("crash", "hang"):
        with fake_solver(start_seconds=0.5, start=how) as solver, pytest.raises(SolverNotStarted) as error:
            ask_tables(solver, ["a"], seconds=20)
        assert not isinstance(error.value, SolverUnavailable)


def test_a_missing_solver_raises_solver_unavailable() -> None:
    with fake_solver(start="unavailable") as solver, pytest.raises(SolverUnavailable, match="endplay"):
        solver.start()


def test_a_tick_that_raises_ends_the_wait_and_the_child() -> None:
    calls = []

    def tick() -> None:
        calls.append(True)
        if len(calls) == 3:
            raise KeyboardInterrupt

    started = time.monotonic()
    with fake_solver(hang=["a"]) as solver:
        solver.start()
        with pytest.raises(KeyboardInterrupt):
            ask_tables(solver, ["a"], seconds=60, tick=tick)
        assert solver.pid is None
    assert time.monotonic() - started < 30


def test_what_the_child_writes_to_standard_error_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    with fake_solver(log="/no/such/folder") as solver, pytest.raises(SolverFailed, match="ended with 1"):
        ask_tables(solver, ["a"], seconds=20)
    assert "FileNotFoundError" in caplog.text


def test_the_child_starts_from_any_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Solver() as solver, suppress(SolverUnavailable):
        solver.start()


@pytest.fixture
def call_later() -> Callable[[float, Callable[[], object]], None]:
    def start(seconds: float, action: Callable[[], object]) -> None:
        timer = Timer(seconds, action)
        timer.daemon = True
        timer.start()

    return start


def test_a_child_that_ends_in_mid_batch_is_noticed_long_before_the_time_limit(
    call_later: Callable[[float, Callable[[], object]], None],
) -> None:
    with fake_solver(hang=["a"]) as solver:
        solver.start()
        pid = solver.pid or 0
        call_later(0.3, lambda: os.kill(pid, signal.SIGKILL))
        started = time.monotonic()
        with pytest.raises(SolverFailed, match="-9"):
            ask_tables(solver, ["a"], seconds=60)
    assert time.monotonic() - started < 30
