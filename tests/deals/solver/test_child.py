"""The child reports a missing endplay, but does not take a bug of ours for one."""

import json
import subprocess
import sys
from pathlib import Path

from tests.deals.solver.solvers import real_solver

ROOT = Path(__file__).resolve().parents[3]


def run_child_without(module: str) -> subprocess.CompletedProcess[str]:
    """Run the child where the module cannot be imported, until it has read its empty input."""
    program = f"import sys; sys.modules[{module!r}] = None; from deals.solver.child import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_missing_endplay_is_reported_with_its_reason() -> None:
    child = run_child_without("endplay._dds")
    assert child.returncode == 0
    message = json.loads(child.stdout)
    assert message["ready"] is False
    assert "endplay" in message["reason"]


def test_an_import_error_of_our_own_code_ends_the_child() -> None:
    real_solver()
    child = run_child_without("deals.double_dummy")
    assert child.returncode == 1
    assert child.stdout == ""
    assert "deals.double_dummy" in child.stderr
