"""`dev.py bench` and `dev.py soak`: the service under load, for seconds and for half an hour."""

import os
from collections.abc import Sequence

from tools.children import run_children
from tools.environment import PYTHON, Command, ensure_environment


def bench(arguments: Sequence[str]) -> int:
    """Run bench.load until it ends."""
    ensure_environment("bench" if "--rivals" in arguments else "run")
    return run_module("bench.load", arguments)


def soak(arguments: Sequence[str]) -> int:
    """Run bench.soak until it ends."""
    ensure_environment("run")
    return run_module("bench.soak", arguments)


def run_module(name: str, arguments: Sequence[str]) -> int:
    """Run a module of bench. On Ctrl-C let it stop the servers that it started."""
    command: Command = [PYTHON, "-m", name, *arguments]
    with run_children({name: command}, os.environ) as (processes, _):
        return processes[name].wait()
