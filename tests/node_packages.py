"""Locked npm packages that tests need, installed once for each state of their lock file."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings


class CannotRun(Exception):
    """Node.js or its packages are missing. The sentence says what to install."""


def require_packages(locked: Path, purpose: str) -> Path:
    """Return the folder with the packages. Without it skip the test, or fail it in CI, where nobody reads of skips."""
    try:
        return install_once(locked, purpose)
    except CannotRun as reason:
        if os.environ.get("CI"):
            pytest.fail(str(reason))
        pytest.skip(str(reason))


def install_once(locked: Path, purpose: str) -> Path:
    """Return a folder with what the package-lock.json of the folder `locked` names. One process makes it once.

    `purpose` says what "these tests" do, for the error without Node.js. Raise CannotRun without it.
    """
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise CannotRun(f"Install Node.js 20 or newer with npm: these tests {purpose}.")
    lock = locked / "package-lock.json"
    folder = Path(settings.BASE_DIR) / "var" / "npm" / hashlib.sha256(lock.read_bytes()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w", encoding="utf-8") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)
        # npm writes this file last.
        if not (folder / "node_modules" / ".package-lock.json").exists():
            install(npm, locked, folder)
    return folder


def install(npm: str, locked: Path, folder: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(locked / name, folder)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise CannotRun(
            f"npm could not install {locked / 'package.json'}; it needs its registry:\n{done.stderr}"
        )
