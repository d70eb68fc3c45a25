"""The parent's handle on the child that solves: it may crash or hang, we may not."""

import json
import logging
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, Self

from deals.par import Par

logger = logging.getLogger(__name__)

CHILD = (sys.executable, "-m", "deals.solver.child")
ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120
"""Importing takes a few seconds, and a minute on a machine that is waking up."""
TICK_SECONDS = 0.5
KILLED = -9
"""The exit code after a SIGKILL."""
_TABLE = re.compile(r"[0-9a-d]{20}")


class SolverError(Exception):
    """The child did not do what it was asked. It is dead; the next request starts another."""


class SolverNotStarted(SolverError):
    """It ended or hung before it had seen a deal, so no deal is to blame."""


class SolverUnavailable(SolverNotStarted):
    """There is no endplay here."""


class SolverFailed(SolverError):
    """It ended or hung over these deals."""


class SolverKilled(SolverFailed):
    """SIGKILL ended it, and not ours: no deal can do that."""


@dataclass(frozen=True, slots=True)
class Solution:
    table: str
    par: dict[str, Par]


def _nothing() -> None:
    pass


class Solver:
    """One child at most, started by the first call that needs it. For one thread."""

    def __init__(self, command: Sequence[str] = CHILD, start_seconds: float = START_SECONDS) -> None:
        self.command = command
        self.start_seconds = start_seconds
        self._process: subprocess.Popen[str] | None = None
        self._pumps: list[Thread] = []
        self._lines: SimpleQueue[str | None] = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self, tick: Callable[[], None] = _nothing) -> None:
        """Nothing when it runs. `tick`: see `solve`."""
        if self._process and self._process.poll() is None:
            return
        self.close()
        try:
            self._spawn()
            _check_ready(self._receive(time.monotonic() + self.start_seconds, tick))
        except SolverFailed as error:
            self.close()
            raise SolverNotStarted(str(error)) from error
        except BaseException:
            self.close()
            raise

    def solve(
        self, batch: Sequence[str], *, seconds: float, tick: Callable[[], None] = _nothing
    ) -> list[Solution | None]:
        """A solution for each of at most 40 deals in canonical notation; None for one it refuses.

        `tick` is called about twice a second while waiting; what it raises ends the child and the wait.
        """
        self.start(tick)
        try:
            self._send({"cards": list(batch), "seconds": seconds})
            deadline = time.monotonic() + seconds
            return [_solution(self._receive(deadline, tick)) for _ in batch]
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill the child, which holds nothing worth an orderly end."""
        if not self._process:
            return
        self._process.kill()
        self._process.wait()
        for pump in self._pumps:
            pump.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            # What could not be written to a dead child is written again on closing.
            with suppress(BrokenPipeError):
                if pipe:
                    pipe.close()
        self._process = None

    def _spawn(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603  (our own program)
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            cwd=ROOT,
            env={**os.environ, "MPLBACKEND": "Agg"},
        )
        self._lines = SimpleQueue()
        self._pumps = [
            Thread(target=_pump, args=(self._process.stdout, self._lines.put), daemon=True),
            Thread(target=_pump, args=(self._process.stderr, _log), daemon=True),
        ]
        for pump in self._pumps:
            pump.start()

    def _send(self, request: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise SolverFailed(f"The child takes no requests: {error}") from error

    def _receive(self, deadline: float, tick: Callable[[], None]) -> dict[str, Any]:
        while (left := deadline - time.monotonic()) > 0:
            tick()
            with suppress(Empty):
                return self._parsed(self._lines.get(timeout=min(left, TICK_SECONDS)))
        raise SolverFailed("The child did not answer in time.")

    def _parsed(self, line: str | None) -> dict[str, Any]:
        if line is None:
            assert self._process is not None
            code = self._process.wait()
            raise (SolverKilled if code == KILLED else SolverFailed)(f"The child ended with {code}.")
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise SolverFailed(f"The child answered {line[:100]!r}.")
        return message


def _check_ready(first: dict[str, Any]) -> None:
    if not first.get("ready"):
        raise SolverUnavailable(str(first.get("reason", "")))


def _solution(answer: dict[str, Any]) -> Solution | None:
    if "refused" in answer:
        logger.error("The solver refuses a deal.", extra={"fields": {"reason": answer["refused"]}})
        return None
    if not _TABLE.fullmatch(str(answer.get("table"))) or not isinstance(answer.get("par"), dict):
        raise SolverFailed(f"The child answered {str(answer)[:100]}.")
    return Solution(answer["table"], answer["par"])


def _pump(pipe: IO[str], sink: Callable[[str | None], None]) -> None:
    """Lines, then None at the end. In a thread: not every system can wait for a pipe with a time limit."""
    for line in pipe:
        sink(line)
    sink(None)


def _log(line: str | None) -> None:
    if line:
        logger.info("The solver's child writes: %s", line.rstrip())
