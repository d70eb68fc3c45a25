"""A database that was backed up and restored is the same, and its triggers go on with their work."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.system.deployment import python
from tests.system.guides.service import FILL, deploy
from tests.system.postgresql_servers import create_filled, primary

FOLD = """
import django
django.setup()
from boards.search.index.folding import fold_all
fold_all()
"""
"""Fold the index into segments, which PostgreSQL alone has."""

CHANGE = """
import django
django.setup()
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
    exported: list[bytes] = []

    def export(url: str) -> None:
        python(deploy(url), "manage.py", "export_boards", str(tmp_path / f"{len(exported)}.pbn"))
        exported.append((tmp_path / f"{len(exported)}.pbn").read_bytes())

    original = next(databases)
    python(deploy(original), "-c", FOLD)
    export(original)
    restored = next(databases)
    for change in ("", CHANGE, FOLD):
        python(deploy(restored), "-c", change)
        for command in ("refresh_boards", "index_boards"):
            assert "0 differ" in python(deploy(restored), "manage.py", command, "--check")
        if not change:
            export(restored)
    assert exported[0] == exported[1]
    assert list(databases) == []
