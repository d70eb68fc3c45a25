"""Run programs until a block ends, and leave none behind, whatever ends it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO, NoReturn

from tools.environment import ROOT, Command, Environment

GRACE_SECONDS = 40

GUARD = """
import os, signal, sys, time
lines = sys.stdin.read().split()
groups = [] if "done" in lines else [line for line in map(int, lines) if -line not in map(int, lines)]
for number, seconds in ((signal.SIGTERM, {grace}), (signal.SIGKILL, 0)):
    for group in list(groups):
        try:
            os.killpg(group, number)
        except ProcessLookupError:
            groups.remove(group)
    deadline = time.monotonic() + seconds
    while groups and time.monotonic() < deadline:
        time.sleep(0.2)
        for group in list(groups):
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                groups.remove(group)
"""
"""A program that reads process groups until its input ends, and ends them unless the last line is "done".

A group that has ended is written again as a negative number. Its input ends with the process that started it, also by
kill -9, after which nobody else would stop the children.
"""


@contextmanager
def run_children(
    commands: Mapping[str, Command], env: Environment
) -> Iterator[tuple[dict[str, subprocess.Popen], Callable[[str], None]]]:
    """Run the commands until the block ends, then stop them. Yield the processes, and what starts one by its name.

    Each has a session of its own, so that Ctrl-C reaches only this process, which then lets them finish their work.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    processes: dict[str, subprocess.Popen] = {}
    with start_guard() as guard:

        def start(name: str) -> None:
            if name in processes:
                tell(guard, -processes[name].pid)
            processes[name] = process = subprocess.Popen(
                commands[name], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, start_new_session=True
            )
            tell(guard, process.pid)

        try:
            for name in commands:
                start(name)
            yield processes, start
        finally:
            stop(list(processes.values()))
            tell(guard, "done")


@contextmanager
def start_guard() -> Iterator[IO[str]]:
    """Start the guard and yield its input. It ends when the input is closed."""
    program = GUARD.format(grace=GRACE_SECONDS)
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdin is not None
        yield process.stdin


def tell(guard: IO[str], line: object) -> None:
    with suppress(BrokenPipeError):  # the guard was ended: all works without it
        guard.write(f"{line}\n")
        guard.flush()


def interrupt(number: int, frame: object) -> NoReturn:
    """Raise KeyboardInterrupt once. A second Ctrl-C must not interrupt stop() and leave half of the service running."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def stop(processes: Sequence[subprocess.Popen]) -> None:
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0, deadline - time.monotonic()))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # children of the process that are still running
