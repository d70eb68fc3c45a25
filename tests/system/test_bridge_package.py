"""bridge as a package: built, installed where there is nothing else, and run as people run it."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from tests.installed import CannotRun, require
from tools.environment import ROOT, SCRIPTS

GOOD = '[Deal "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"]\n'
BAD = GOOD.replace("AKQJ4", "AKQJT")
BRIDGE = ROOT / "bridge"


def make_environment(folder: Path) -> Path:
    """Return the Python of a new environment that has bridge and nothing else."""
    python = folder / "bin" / "python"
    uv = shutil.which("uv") or SCRIPTS / "uv"
    try:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        subprocess.run([uv, "pip", "install", "--python", python, BRIDGE], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CannotRun(f"bridge could not be installed; its build needs uv and PyPI: {error}") from error
    return python


def run(python: Path | str, *arguments: str, folder: Path = ROOT, **options: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | options
    command = [python, "-W", "error", *arguments]
    return subprocess.run(command, cwd=folder, env=env, input=BAD, capture_output=True, text=True, check=False)


def test_it_is_built_and_runs_where_nothing_else_is_installed(tmp_path: Path) -> None:
    before = set(BRIDGE.iterdir())
    python = require(lambda: make_environment(tmp_path / "environment"))
    assert set(BRIDGE.iterdir()) == before
    (tmp_path / "one.pbn").write_text(GOOD, encoding="utf-8")
    assert run(python, "-m", "bridge", "one.pbn", folder=tmp_path).stdout == "one.pbn: PBN\n  1 board\n"
    names = "import importlib.metadata as m; print(*[each.name for each in m.distributions()])"
    assert run(python, "-c", names).stdout == "bridge-boards-library\n"
    [package] = {path.parent for path in (tmp_path / "environment").rglob("bridge/__init__.py")}
    modules = [{path.relative_to(folder) for path in folder.rglob("*.py")} for folder in (package, BRIDGE)]
    assert modules[0] == modules[1]


def test_its_command_reads_pipes_and_writes_to_any_terminal(tmp_path: Path) -> None:
    done = run(sys.executable, "-m", "bridge", "-", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("standard input: PBN\n") and "\\xd7 duplicate_card" in done.stdout
    file = tmp_path / "one.pbn"
    file.write_text(GOOD, encoding="utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "bridge", file]
    done = subprocess.run(command, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, "Traceback" in done.stderr) == (-signal.SIGPIPE, False)
