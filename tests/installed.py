"""Packages that only some tests need. Each lock file is installed once, in a folder of var/ that later runs use."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.environment import VAR
from tools.environment import install as install_with_pip


class CannotRun(Exception):
    """The packages are not installed. The sentence says what to do."""


def require(install: Callable[[], Path]) -> Path:
    """Return what `install` returns. Where it cannot, skip the test, or fail it in CI, where nobody reads of skips."""
    try:
        return install()
    except CannotRun as reason:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(reason))


def npm_packages(package: Path) -> Path:
    """Return the folder whose node_modules has what the package-lock.json in a folder names."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise CannotRun("Install Node.js 20.19 or newer with npm: these tests run its programs.")
    with made_alone("npm", package / "package-lock.json") as (folder, is_new):
        if is_new:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(package / name, folder)
            command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
            done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
            if done.returncode:
                raise CannotRun(f"npm could not install {package.name}; it needs its registry:\n{done.stderr}")
    return folder


def python_packages(lock: Path) -> Path:
    """Return an environment of its own with what a file of requirements/ names."""
    with made_alone("python", lock, sys.version) as (folder, is_new):
        if is_new:
            try:
                subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", folder], check=True)
                install_with_pip(lock, folder / "bin" / "python")
            except subprocess.CalledProcessError as error:
                raise CannotRun(f"{lock.name} could not be installed; it needs PyPI: {error}") from error
    return folder


@contextmanager
def made_alone(kind: str, lock: Path, *more: str) -> Iterator[tuple[Path, bool]]:
    """Yield the folder for a state of a lock file, and whether the block must make it. Other processes wait meanwhile.

    A block that raises leaves the folder unfinished, and the next one makes it again.
    """
    state = hashlib.sha256(lock.read_bytes() + "".join(more).encode()).hexdigest()[:16]
    folder = VAR / kind / state
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = folder.with_suffix(".done")
    with folder.with_suffix(".lock").open("w", encoding="utf-8") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)
        folder.mkdir(exist_ok=True)
        yield folder, not done.exists()
        done.touch()
