"""Start, watch and kill the child process of the solver, so that the worker survives its crash or hang."""

import json
import logging
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, Self, TypeVar

logger = logging.getLogger(__name__)

CHILD = (sys.executable, "-m", "deals.solver.child")
ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
"""The child is ready in a tenth of a second, and later on a machine that is waking up."""
TICK_SECONDS = 0.5
SIGKILL_EXIT_CODE = -9
Read = TypeVar("Read")


class SolverError(Exception):
    """The child did not answer as it should and has been killed. The next request starts another one."""


class SolverNotStarted(SolverError):
    """The child ended or hung before it had seen a job, so none is to blame."""


class SolverUnavailable(SolverNotStarted):
    """The child cannot load DDS: it is not installed, or not for this machine."""


class SolverFailed(SolverError):
    """The child ended, hung or answered nonsense while it solved these jobs."""


class SolverKilled(SolverFailed):
    """The child was ended by a SIGKILL that was not ours, so no job is to blame: perhaps memory ran out."""


class Solver:
    """At most one child, started by the first call that needs it. Use a solver in one thread only."""

    def __init__(self, command: Sequence[str] = CHILD, start_seconds: float = START_SECONDS) -> None:
        self.command = command
        self.start_seconds = start_seconds
        self._process: subprocess.Popen[str] | None = None
        self._readers: list[Thread] = []
        self._lines: SimpleQueue[str | None] = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self, tick: Callable[[], None] = lambda: None) -> None:
        """Start the child unless it is running, and wait until it is ready. `tick` is called as in `solve`."""
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
        self,
        questions: Sequence[Any],
        *,
        task: str,
        seconds: float,
        read: Callable[[dict[str, Any]], Read],
        tick: Callable[[], None] = lambda: None,
    ) -> list[Read | None]:
        """Ask the child questions of one task, and return what `read` makes of each answer.

        A question that the child refuses gets None. `read` raises ValueError for a bad answer. `tick` is called
        about twice a second while the child works. When it raises, the child is killed. Raise SolverFailed when the
        child does not answer within `seconds`.
        """
        self.start(tick)
        try:
            self._send({"task": task, "questions": list(questions), "seconds": seconds})
            deadline = time.monotonic() + seconds
            return [_read_answer(self._receive(deadline, tick), read) for _ in questions]
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the child by SIGKILL: it holds nothing that would need an orderly end."""
        if not self._process:
            return
        self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            # Closing writes again what could not be written to a dead child.
            with suppress(BrokenPipeError):
                if pipe:
                    pipe.close()
        self._process = None

    def _spawn(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603  (our own program)
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                cwd=ROOT,
            )
        except OSError as error:  # No memory, too many processes or files, or no such program.
            raise SolverFailed(f"The child cannot be started: {error.strerror}.") from error
        self._lines, self._readers = SimpleQueue(), []
        for pipe, handle_line in ((self._process.stdout, self._lines.put), (self._process.stderr, _log)):
            reader = Thread(target=_read_lines, args=(pipe, handle_line), daemon=True)
            try:
                reader.start()
            except RuntimeError as error:
                raise SolverFailed(f"The child cannot be read: {error}.") from error
            self._readers.append(reader)

    def _send(self, request: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise SolverFailed(f"The child does not read its input: {error}") from error

    def _receive(self, deadline: float, tick: Callable[[], None]) -> dict[str, Any]:
        while (left := deadline - time.monotonic()) > 0:
            tick()
            with suppress(Empty):
                return self._parse(self._lines.get(timeout=min(left, TICK_SECONDS)))
        raise SolverFailed("The child did not answer in time.")

    def _parse(self, line: str | None) -> dict[str, Any]:
        if line is None:
            assert self._process is not None
            code = self._process.wait()
            raise (SolverKilled if code == SIGKILL_EXIT_CODE else SolverFailed)(f"The child ended with {code}.")
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise SolverFailed(f"The child answered {line[:100]!r}.")
        return message


def _check_ready(first_message: dict[str, Any]) -> None:
    if not first_message.get("ready"):
        raise SolverUnavailable(str(first_message.get("reason", "")))


def _read_answer(answer: dict[str, Any], read: Callable[[dict[str, Any]], Read]) -> Read | None:
    if "refused" in answer:
        logger.error("The solver refuses a question.", extra={"fields": {"reason": answer["refused"]}})
        return None
    try:
        return read(answer)
    except ValueError as error:
        raise SolverFailed(f"The child answered {str(answer)[:100]}.") from error


def _read_lines(pipe: IO[str], handle_line: Callable[[str | None], None]) -> None:
    """Pass each line on, then None at the end of the pipe.

    This runs in a thread, since not every system can wait for a pipe with a time limit.
    """
    for line in pipe:
        handle_line(line)
    handle_line(None)


def _log(line: str | None) -> None:
    if line:
        logger.info("The solver's child writes: %s", line.rstrip())
