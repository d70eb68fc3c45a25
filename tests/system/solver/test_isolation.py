"""DDS can crash its process: which processes load it, and which do without Django."""

import ast
import subprocess
import sys
from pathlib import Path

from tests.deals.solver.solvers import require_dds

ROOT = Path(__file__).resolve().parents[3]


def modules_loaded_by(program: str) -> set[str]:
    """Run the program in a new process and return the modules it has loaded."""
    report = "import sys; sys.stdout.write(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{report}"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    return set(done.stdout.split())


def test_neither_the_web_process_nor_the_worker_loads_the_library() -> None:
    loaded = modules_loaded_by("import config.wsgi, config.urls, deals.management.commands.run_worker")
    assert {"django", "deals.solver.process"} <= loaded
    assert loaded.isdisjoint({"deals.solver.library", "deals.solver.dds"})


def test_the_child_loads_no_library_until_it_runs() -> None:
    loaded = modules_loaded_by("import deals.solver.child")
    assert "deals.solver.child" in loaded
    assert "deals.solver.library" not in loaded


def test_the_solver_loads_neither_django_nor_the_python_that_its_library_comes_with() -> None:
    require_dds()
    loaded = modules_loaded_by("import deals.solver.child, deals.solver.dds")
    assert "deals.solver.library" in loaded
    assert loaded.isdisjoint({"django", "rest_framework", "endplay", "pyspiel", "numpy", "matplotlib"})


def test_only_dds_imports_the_library_only_the_child_dds_and_nothing_the_packages() -> None:
    importers: dict[str, set[str]] = {
        "endplay": set(),
        "pyspiel": set(),
        "deals.solver.library": set(),
        "deals.solver.dds": set(),
    }
    for path in ROOT.glob("[!.]*/**/*.py"):
        if path.relative_to(ROOT).parts[0] not in ("bench", "tests", "var", "docs"):
            for name in imported_names(path):
                for module, files in importers.items():
                    if name == module or name.startswith(f"{module}."):
                        files.add(path.relative_to(ROOT).as_posix())
    assert importers == {
        "endplay": set(),
        "pyspiel": set(),
        "deals.solver.library": {"deals/solver/dds.py"},
        "deals.solver.dds": {"deals/solver/child.py"},
    }


def imported_names(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names
