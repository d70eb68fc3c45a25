"""endplay crashes the process it is in and needs 100 MB: who may have it, and who may not have Django."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def modules_after(program: str) -> set[str]:
    """The top-level modules that a fresh process has loaded after this program."""
    report = "import sys; sys.stdout.write(' '.join(name.partition('.')[0] for name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{report}"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    return set(done.stdout.split())


def test_the_web_process_never_has_endplay() -> None:
    loaded = modules_after("import config.wsgi, config.urls, deals.solver.worker")
    assert "django" in loaded
    assert loaded.isdisjoint({"endplay", "matplotlib", "numpy"})


def test_the_workers_own_process_has_no_endplay_either() -> None:
    program = "import config.wsgi, deals.management.commands.run_worker"
    assert modules_after(program).isdisjoint({"endplay", "matplotlib", "numpy"})


def test_the_child_has_no_django_and_no_endplay_before_it_is_asked() -> None:
    loaded = modules_after("import deals.solver.child")
    assert loaded.isdisjoint({"django", "rest_framework", "endplay"})


def test_the_solver_itself_needs_no_django() -> None:
    program = "from contextlib import suppress\nwith suppress(ImportError):\n    import deals.solver.dds"
    assert modules_after(program).isdisjoint({"django", "rest_framework"})


def test_one_module_imports_endplay_and_one_imports_that() -> None:
    importers: dict[str, set[str]] = {"endplay": set(), "deals.solver.dds": set()}
    for path in ROOT.glob("[!.]*/**/*.py"):
        if path.relative_to(ROOT).parts[0] not in ("bench", "tests", "var", "docs"):
            for name in imported(path):
                for wanted, found in importers.items():
                    if name == wanted or name.startswith(f"{wanted}."):
                        found.add(path.relative_to(ROOT).as_posix())
    assert importers == {
        "endplay": {"deals/solver/dds.py"},
        "deals.solver.dds": {"deals/solver/child.py"},
    }


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names
