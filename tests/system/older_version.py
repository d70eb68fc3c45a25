"""The version before this one, from the history of the clone."""

import io
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.installed import CannotRun
from tests.system.deployment import ROOT

OLDER = "40837ea2d76e3fa8eecf1df3c5a461c7a5bc3cd9"
"""The last commit before the migrations of November 22, 2026. At a release, write the commit of the one before here."""


@contextmanager
def older_tree() -> Iterator[tuple[Path, str]]:
    """Yield a folder with the files of OLDER, or of the oldest commit that a shallow clone has, and the commit.

    Raise CannotRun where there is only this version.
    """
    commit = find_older_commit()
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory(prefix="bridge-boards-older-") as folder:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        (Path(folder) / "var").mkdir(exist_ok=True)
        yield Path(folder), commit


def find_older_commit() -> str:
    if git("cat-file", "-t", OLDER) == "commit":
        return OLDER
    commits = git("rev-list", "HEAD").split()
    if len(commits) < 2:
        raise CannotRun("This clone has no older version. Run git fetch --unshallow to have it.")
    return commits[-1]


def git(*arguments: str) -> str:
    """Return what git prints, or "" where it fails: without a repository, as in an unpacked archive, or without git."""
    if not (program := shutil.which("git")):
        return ""
    done = subprocess.run([program, *arguments], cwd=ROOT, check=False, capture_output=True, text=True)
    return done.stdout.strip()
