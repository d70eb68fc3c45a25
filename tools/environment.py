"""The environment in .venv, and running programs in it."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VAR = ROOT / "var"
LOCKS = ROOT / "requirements"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")

Environment = Mapping[str, str]
Command = Sequence[str | Path]


def ensure_environment(lock: str) -> None:
    """Install a lock file into .venv, unless that was done before with this interpreter.

    Each set contains the one before (run, test, dev, bench), so a larger one will do. Packages are added to those in
    .venv and none is removed, since a service may be running from it.
    """
    sets = ("run", "test", "dev", "bench")
    larger = sets[sets.index(lock) :]
    stamp = VENV / "stamp"
    installed = stamp.read_text(encoding="utf-8") if stamp.exists() and works(PYTHON) else ""
    if installed in {fingerprint(name) for name in larger}:
        return
    say(f"Installing {lock} requirements into .venv …")
    if not installed.startswith(interpreter()):
        stamp.unlink(missing_ok=True)
        # Debian packs ensurepip apart, so the environment is made without pip.
        call([sys.executable, "-m", "venv", "--clear", "--without-pip", str(VENV)])
    install(LOCKS / f"{lock}.txt")
    stamp.write_text(fingerprint(lock), encoding="utf-8")


def fingerprint(lock: str) -> str:
    content = (LOCKS / f"{lock}.txt").read_bytes()
    return f"{interpreter()}\n{lock} {hashlib.sha256(content).hexdigest()}"


def interpreter() -> str:
    """Name the Python and its .venv. The scripts there contain the folder, so a moved clone installs them again."""
    return f"{sys.version} {VENV}"


def works(*command: Path | str) -> bool:
    """Tell whether a program answers `--version`. pyenv puts stand-ins on PATH for tools of other Pythons."""
    try:
        return call([*command, "--version"], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def install(lock: Path, python: Path = PYTHON) -> None:
    """Install with the uv on PATH, else with a uv that the host's pip puts into .venv, else with that pip itself.

    `python` is the interpreter of the environment that gets the packages. A lock file is complete, so no requirement
    of a package is looked up (--no-deps): pyproject.toml excludes some.
    """
    uv = shutil.which("uv") or ""
    if not works(uv):
        uv = str(SCRIPTS / "uv")
        if not works(uv) and not pip_install(LOCKS / "uv.txt", "--only-binary=:all:"):
            if not pip_install(lock, python=python):
                sys.exit("Nothing could be installed. Install pip, allow access to PyPI, and see the lines above.")
            return
    command = [uv, "pip", "install", "-q", "--python", str(python), "--no-deps", "--require-hashes"]
    call([*command, "-r", str(lock)])


def pip_install(lock: Path, *options: str, python: Path = PYTHON) -> bool:
    """Install with the host's pip, and tell whether it worked. The environment has no pip of its own."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    command = [*pip, "install", "-q", "--no-deps", "--require-hashes", *options, "-r", str(lock)]
    return call(command, check=False).returncode == 0


def call(
    command: Command, env: Environment | None = None, *, check: bool = True, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program in the checkout until it ends. Raise CalledProcessError when it fails and `check` is true."""
    return subprocess.run(command, check=check, cwd=ROOT, env=env, text=True, **options)


def say(text: str) -> None:
    print(text, flush=True)
