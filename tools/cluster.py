"""`dev.py cluster`: what callers notice while each part of a service of several machines fails in turn."""

import os
from collections.abc import Sequence

from tools.children import run_children
from tools.environment import PYTHON, Command, ensure_environment


def cluster(arguments: Sequence[str]) -> int:
    """Run bench.cluster until it ends. On Ctrl-C let it stop the programs that it started."""
    ensure_environment("test")
    command: Command = [PYTHON, "-m", "bench.cluster", *arguments]
    with run_children({"cluster": command}, os.environ) as (processes, _):
        return processes["cluster"].wait()
