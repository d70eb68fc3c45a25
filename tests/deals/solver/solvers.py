"""Solvers for tests: one that only pretends, and the real one where there is endplay."""

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from deals.solver.process import Solver

FAKE = Path(__file__).with_name("fake_child.py")


def fake_solver(*, start_seconds: float = 20, **plan: Any) -> Solver:
    """See `fake_child.py` for what a plan may say."""
    return Solver((sys.executable, str(FAKE), json.dumps(plan)), start_seconds)


def real_solver() -> Solver:
    """A skipped test where there is none, but not in CI, where only Python 3.14 has none."""
    if find_spec("endplay") is None and (os.environ.get("CI") != "true" or sys.version_info >= (3, 14)):
        pytest.skip("endplay is not installed here.")
    return Solver()
