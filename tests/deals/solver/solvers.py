"""Solvers for tests: a fake one, and the real one where DDS is installed."""

import json
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from deals.solver.library import find_library
from deals.solver.process import Solver
from deals.solver.queues import TABLES, Columns

FAKE = Path(__file__).with_name("fake_child.py")


def fake_solver(*, start_seconds: float = 20, **plan: Any) -> Solver:
    """Return a solver whose child follows the plan; see `fake_child.py`."""
    return Solver((sys.executable, str(FAKE), json.dumps(plan)), start_seconds)


def ask_tables(solver: Solver, deals: Sequence[str], *, seconds: float, **options: Any) -> list[Columns | None]:
    """Have deals solved as the worker does."""
    return solver.solve(deals, task=TABLES.task, seconds=seconds, read=TABLES.read, **options)


def require_endplay() -> None:
    """Skip the test where endplay is missing. In CI only Python 3.14, for which it has no wheel, may miss it."""
    if find_spec("endplay") is None and (os.environ.get("CI") != "true" or sys.version_info >= (3, 14)):
        pytest.skip("endplay is not installed here.")


def require_dds() -> None:
    """Skip the test where no package has DDS for this machine. In CI it may not be missing."""
    try:
        find_library()
    except OSError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))


def real_solver() -> Solver:
    """Return a real solver, or skip the test where DDS is missing."""
    require_dds()
    return Solver()
