"""Which file is taken for DDS, what is refused as one, and what the child says without one."""

import _ctypes
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.layout import Layout
from deals.solver.library import DDSTable, Library, find_library
from tests.deals.solver.solvers import require_dds
from tools.environment import ROOT


def make_file(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_the_library_is_endplays_on_every_system_and_open_spiels_where_endplay_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other in ("endplay/__init__.py", "endplay/_dds/__init__.py", "pyspiel.so"):
        make_file(tmp_path / other)
    monkeypatch.syspath_prepend(tmp_path)
    assert find_library() == tmp_path / "pyspiel.so"
    for name in ("libdds.so", "libdds.dylib", "dds.dll"):
        library = make_file(tmp_path / "endplay/_dds" / name)
        assert find_library() == library
        library.unlink()
    monkeypatch.setitem(sys.modules, "endplay", None)
    assert find_library() == tmp_path / "pyspiel.so"


def test_what_is_no_library_or_another_one_or_has_a_wrong_answer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="empty"):
        Library(make_file(tmp_path / "empty"))
    with pytest.raises(OSError, match="no function SetMaxThreads"):
        Library(Path(_ctypes.__file__))
    require_dds()

    class Turned(Library):
        """It numbers the seats from East."""

        def compute_table(self, layout: Layout) -> DDSTable:
            table = super().compute_table(layout)
            for row in table:
                row[:] = [*row[1:], row[0]]
            return table

    Library()
    with pytest.raises(OSError, match="wrong answer"):
        Turned()


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
    require_dds()
    child = run_child_without("bridge.double_dummy")
    assert (child.returncode, child.stdout) == (1, "")
    assert "bridge.double_dummy" in child.stderr
