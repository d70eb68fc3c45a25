"""DDS can crash its process: which processes load it, and which do without Django."""

import ast
import os
from pathlib import Path

from tests.deals.solver.solvers import require_dds
from tests.system.deployment import ROOT, python

LIBRARY, DDS = "deals.solver.library", "deals.solver.dds"


def modules_loaded_by(program: str) -> set[str]:
    """Run the program in a new process and return the modules it has loaded."""
    return set(python({**os.environ}, "-c", f"{program}\nimport sys; sys.stdout.write(' '.join(sys.modules))").split())


def test_neither_the_web_process_nor_the_worker_nor_a_child_that_does_not_run_loads_the_library() -> None:
    for program, expected in (
        ("import config.wsgi, config.urls, deals.management.commands.run_worker", {"django", "deals.solver.process"}),
        ("import deals.solver.child", {"deals.solver.child"}),
    ):
        loaded = modules_loaded_by(program)
        assert expected <= loaded and loaded.isdisjoint({LIBRARY, DDS})


def test_the_solver_loads_neither_django_nor_the_python_that_its_library_comes_with() -> None:
    require_dds()
    loaded = modules_loaded_by(f"import deals.solver.child, {DDS}")
    assert LIBRARY in loaded
    assert loaded.isdisjoint({"django", "rest_framework", "endplay", "pyspiel", "numpy", "matplotlib"})


def test_only_dds_imports_the_library_only_the_child_dds_and_nothing_the_packages() -> None:
    importers: dict[str, set[str]] = {name: set() for name in ("endplay", "pyspiel", LIBRARY, DDS)}
    for path in ROOT.glob("[!.]*/**/*.py"):
        if path.relative_to(ROOT).parts[0] not in ("bench", "tests", "var", "docs"):
            for name in imported_names(path):
                for module, files in importers.items():
                    if f"{name}.".startswith(f"{module}."):
                        files.add(path.relative_to(ROOT).as_posix())
    used = {LIBRARY: {"deals/solver/dds.py"}, DDS: {"deals/solver/child.py"}}
    assert importers == {"endplay": set(), "pyspiel": set(), **used}


def imported_names(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names
