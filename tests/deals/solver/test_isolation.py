"""endplay can crash its process and needs 100 MB: which processes load it, and which do without Django."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def modules_loaded_by(program: str) -> set[str]:
    """Run the program in a new process and return the top-level modules it has loaded."""
    report = "import sys; sys.stdout.write(' '.join(name.partition('.')[0] for name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{report}"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    return set(done.stdout.split())


def test_neither_the_web_process_nor_the_worker_loads_endplay() -> None:
    loaded = modules_loaded_by("import config.wsgi, config.urls, deals.management.commands.run_worker")
    assert "django" in loaded
    assert loaded.isdisjoint({"endplay", "matplotlib", "numpy"})


def test_the_child_loads_no_django_and_no_endplay_until_it_runs() -> None:
    loaded = modules_loaded_by("import deals.solver.child")
    assert loaded.isdisjoint({"django", "rest_framework", "endplay"})


def test_the_solver_module_loads_no_django() -> None:
    program = "from contextlib import suppress\nwith suppress(ImportError):\n    import deals.solver.dds"
    assert modules_loaded_by(program).isdisjoint({"django", "rest_framework"})


def test_only_dds_imports_endplay_and_only_the_child_imports_dds() -> None:
    importers: dict[str, set[str]] = {"endplay": set(), "deals.solver.dds": set()}
    for path in ROOT.glob("[!.]*/**/*.py"):
        if path.relative_to(ROOT).parts[0] not in ("bench", "tests", "var", "docs"):
            for name in imported_names(path):
                for module, files in importers.items():
                    if name == module or name.startswith(f"{module}."):
                        files.add(path.relative_to(ROOT).as_posix())
    assert importers == {
        "endplay": {"deals/solver/dds.py"},
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
