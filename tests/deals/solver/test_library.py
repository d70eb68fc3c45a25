"""Which file is taken for DDS, and what is refused as one."""

import _ctypes
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from deals.bridge.layout import Layout
from deals.solver.library import Library, Table, find_library
from tests.deals.solver.solvers import require_dds


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


def test_a_file_that_is_no_library_or_another_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="empty"):
        Library(make_file(tmp_path / "empty"))
    with pytest.raises(OSError, match="no function SetMaxThreads"):
        Library(Path(_ctypes.__file__))


def test_a_library_with_a_wrong_answer_is_refused() -> None:
    require_dds()

    class Turned(Library):
        """It numbers the seats from East."""

        def compute_tables(self, layouts: Sequence[Layout]) -> list[Table]:
            tables = super().compute_tables(layouts)
            for row in tables[0]:
                row[:] = [*row[1:], row[0]]
            return tables

    Library()
    with pytest.raises(OSError, match="wrong answer"):
        Turned()
