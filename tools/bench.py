"""`dev.py bench`, `soak` and `cluster`: the service under load, for half an hour, and while its parts fail."""

import os
from collections.abc import Sequence

from tools.children import run_children
from tools.environment import PYTHON, Command, ensure_environment


def bench(arguments: Sequence[str]) -> int:
    """Run bench.load until it ends."""
    return run_module("bench.load", "bench" if "--rivals" in arguments else "run", arguments)


def soak(arguments: Sequence[str]) -> int:
    """Run bench.soak until it ends."""
    return run_module("bench.soak", "run", arguments)


def cluster(arguments: Sequence[str]) -> int:
    """Run bench.cluster until it ends."""
    return run_module("bench.cluster", "test", arguments)


def run_module(name: str, lock: str, arguments: Sequence[str]) -> int:
    """Run a module of bench, which needs a lock file. On Ctrl-C let it stop the programs that it started."""
    ensure_environment(lock)
    command: Command = [PYTHON, "-m", name, *arguments]
    with run_children({name: command}, os.environ) as (processes, _):
        return processes[name].wait()
