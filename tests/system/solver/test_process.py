import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from threading import Timer

import pytest

from deals.solver.process import Solver, SolverFailed, SolverNotStarted, SolverUnavailable
from tests.deals.solver.solvers import ask_tables, fake_solver


def test_one_child_returns_the_solutions_of_all_batches_in_order_and_none_for_a_refused_deal() -> None:
    with fake_solver(refuse=["b"]) as solver:
        first, second, third = ask_tables(solver, ["a", "b", "c"], seconds=20)
        pid = solver.pid
        ask_tables(solver, ["a"], seconds=20)
        assert solver.pid == pid is not None
    assert first is not None and second is None
    assert first == third and first["double_dummy"] == "7" * 20
    with pytest.raises(ProcessLookupError):  # closing the solver leaves no process behind
        os.kill(pid or 0, 0)


def test_the_solver_starts_another_child_after_one_that_was_killed_between_two_batches() -> None:
    with fake_solver() as solver:
        solver.start()
        os.kill(solver.pid or 0, signal.SIGKILL)
        time.sleep(0.2)
        assert ask_tables(solver, ["a"], seconds=20)[0]


def test_a_child_that_fails_before_it_is_ready_or_has_no_library_is_told_apart() -> None:
    for how in ("crash", "hang"):
        with fake_solver(start_seconds=0.5, start=how) as solver, pytest.raises(SolverNotStarted) as error:
            solver.start()
        assert not isinstance(error.value, SolverUnavailable), how
    with fake_solver(start="unavailable") as solver, pytest.raises(SolverUnavailable, match="endplay"):
        solver.start()


def test_a_child_for_which_no_process_or_no_thread_can_be_made_is_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("/no/such/program", "/"):
        with Solver([command]) as solver, pytest.raises(SolverNotStarted, match="cannot be started"):
            solver.start()

    def fail(thread: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("deals.solver.process.Thread.start", fail)
    with fake_solver() as solver:
        with pytest.raises(SolverNotStarted, match="can't start new thread"):
            solver.start()
        assert solver.pid is None


def test_a_tick_that_raises_or_a_child_that_ends_in_mid_batch_ends_the_wait_long_before_the_time_limit() -> None:
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
        solver.start()
        Timer(0.3, os.kill, (solver.pid, signal.SIGKILL)).start()
        with pytest.raises(SolverFailed, match="-9"):
            ask_tables(solver, ["a"], seconds=60)
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
