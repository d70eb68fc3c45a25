"""A database that was backed up and restored is the same, and its triggers go on with their work."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.deployment import ROOT
from tests.system.guides.service import FILL, deploy
from tests.system.postgresql_servers import create_filled, primary

FOLD = """
import django
django.setup()
from boards.search.segments import fold_all
fold_all()
"""
"""Fold the index into segments, which PostgreSQL alone has."""

CHANGE = """
import django
django.setup()
from boards.models import Board
from boards.bulk import publish_drafts, unpublish_boards
from themes.label_cache import get_revision
from themes.models import Theme
board = Board.objects.published().first()
unpublish_boards([board.pk])
publish_drafts([board.pk])
before = get_revision()
Theme.objects.first().save()
assert get_revision() != before
"""
"""Withdraw a board and publish it again, and change a theme: its revision is moved by triggers alone."""


def manage(url: str, *command: str) -> str:
    environment = {**deploy(url), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def postgresql(_: Path) -> Iterator[str]:
    with primary() as server:
        create_filled(server, "boards")
        yield server.url("boards")
        copy = server.folder / "boards.dump"
        server.run("pg_dump", "-Fc", "-d", server.url("boards"), "-f", copy)
        server.execute("CREATE DATABASE restored")
        server.run("pg_restore", "--exit-on-error", "-d", server.url("restored"), copy)
        yield server.url("restored")


def sqlite(folder: Path) -> Iterator[str]:
    url = f"sqlite:///{folder / 'db.sqlite3'}"
    manage(url, "-c", FILL)
    yield url
    manage(url, "manage.py", "back_up_sqlite", str(folder / "copy.sqlite3"))
    yield f"sqlite:///{folder / 'copy.sqlite3'}"


def check(url: str) -> None:
    for command in ("refresh_boards", "index_boards"):
        assert "0 differ" in manage(url, "manage.py", command, "--check")


@pytest.mark.parametrize("kind", [postgresql, sqlite])
def test_what_was_backed_up_is_restored_and_goes_on(kind, tmp_path: Path) -> None:
    databases = kind(tmp_path)
    original = next(databases)
    manage(original, "-c", FOLD)
    manage(original, "manage.py", "export_boards", str(tmp_path / "before.pbn"))
    restored = next(databases)
    check(restored)
    manage(restored, "manage.py", "export_boards", str(tmp_path / "after.pbn"))
    assert (tmp_path / "before.pbn").read_bytes() == (tmp_path / "after.pbn").read_bytes()
    manage(restored, "-c", CHANGE)
    check(restored)
    manage(restored, "-c", FOLD)
    check(restored)
    for _ in databases:
        raise AssertionError("there are two databases")
