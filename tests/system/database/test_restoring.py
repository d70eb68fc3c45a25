"""A database that was backed up and restored is the same, and its triggers go on with their work."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.system.deployment import python
from tests.system.guides.service import FILL, deploy
from tests.system.postgresql_servers import create_filled, primary

START = """
import io
import sys
import django
from django.core.management import call_command
django.setup()
"""
FOLD = """
from search.index.folding import fold_all
fold_all()
"""
"""Fold the index into segments, which PostgreSQL alone has."""

EXPORT = """
call_command("export_boards", sys.argv[1])
"""
CHANGE = """
from boards.models import Board
from boards.services.bulk import publish_drafts, unpublish_boards
from themes.labels import get_revision
from themes.models import Theme
board = Board.objects.published().first()
unpublish_boards([board.pk])
publish_drafts([board.pk])
before = get_revision()
Theme.objects.first().save()
assert get_revision() != before
"""
"""Withdraw a board and publish it again, and change a theme: its revision is moved by triggers alone."""

CHECK = """
for command in ("refresh_boards", "index_boards"):
    told = io.StringIO()
    call_command(command, check=True, stdout=told, stderr=told)
    assert "0 differ" in told.getvalue(), told.getvalue()
"""


def postgresql(_: Path) -> Iterator[str]:
    with primary() as server:
        yield create_filled(server, "boards")
        copy = server.folder / "boards.dump"
        server.run("pg_dump", "-Fc", "-d", server.url("boards"), "-f", copy)
        server.execute("CREATE DATABASE restored")
        server.run("pg_restore", "--exit-on-error", "-d", server.url("restored"), copy)
        yield server.url("restored")


def sqlite(folder: Path) -> Iterator[str]:
    url = f"sqlite:///{folder / 'db.sqlite3'}"
    python(deploy(url), "-c", FILL)
    yield url
    python(deploy(url), "manage.py", "back_up_sqlite", str(folder / "copy.sqlite3"))
    yield f"sqlite:///{folder / 'copy.sqlite3'}"


@pytest.mark.parametrize("kind", [postgresql, sqlite])
def test_what_was_backed_up_is_restored_and_goes_on(kind: Callable[[Path], Iterator[str]], tmp_path: Path) -> None:
    databases = kind(tmp_path)
    original, restored = (tmp_path / name for name in ("original.pbn", "restored.pbn"))
    python(deploy(next(databases)), "-c", START + FOLD + EXPORT, str(original))
    steps = START + CHECK + EXPORT + CHANGE + CHECK + FOLD + CHECK
    python(deploy(next(databases)), "-c", steps, str(restored))
    assert original.read_bytes() == restored.read_bytes()
    assert list(databases) == []
