"""The child reports a missing solver, but does not take a bug of ours for one."""

import json
import subprocess
import sys
from pathlib import Path

from tests.deals.solver.solvers import real_solver

ROOT = Path(__file__).resolve().parents[3]


def run_child_without(*modules: str) -> subprocess.CompletedProcess[str]:
    """Run the child where the modules cannot be imported, until it has read its empty input."""
    blocked = dict.fromkeys(modules)
    program = f"import sys; sys.modules.update({blocked!r}); from deals.solver.child import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def test_a_missing_solver_is_reported_with_its_reason() -> None:
    both = ("endplay", "pyspiel")
    for modules, reason in ((both, "Neither endplay nor open-spiel is installed."), (("_ctypes",), "_ctypes")):
        child = run_child_without(*modules)
        assert child.returncode == 0
        message = json.loads(child.stdout)
        assert message["ready"] is False and reason in message["reason"]


def test_an_import_error_of_our_own_code_ends_the_child() -> None:
    real_solver()
    child = run_child_without("deals.double_dummy")
    assert (child.returncode, child.stdout) == (1, "")
    assert "deals.double_dummy" in child.stderr
