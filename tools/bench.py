"""`dev.py bench`: the service under load, beside the least that its answers can cost."""

import os
from collections.abc import Sequence

from tools.children import run_children
from tools.environment import PYTHON, Command, ensure_environment


def bench(arguments: Sequence[str]) -> int:
    """Run bench.load until it ends. On Ctrl-C let it stop the servers that it started."""
    ensure_environment("bench" if "--rivals" in arguments else "run")
    command: Command = [PYTHON, "-m", "bench.load", *arguments]
    with run_children({"bench": command}, os.environ) as (processes, _):
        return processes["bench"].wait()
