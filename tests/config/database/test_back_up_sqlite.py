"""manage.py back_up_sqlite, and what SQLite promises about a write that was acknowledged."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from accounts.models import Account

pytestmark = pytest.mark.django_db(transaction=True)
on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="SQLite's own files")


def names_in(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as copy:
        return {name for (name,) in copy.execute("SELECT id FROM accounts_account")}


def schema_of(database: sqlite3.Connection) -> set[tuple[str, str]]:
    return set(database.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


@contextmanager
def busy_writer() -> Iterator[list[str]]:
    """Make accounts in another thread while the block runs. Yield the ids of those that are committed."""
    committed: list[str] = []
    is_over, has_begun = threading.Event(), threading.Event()

    def write() -> None:
        while not is_over.is_set():
            committed.append(Account.objects.create(pk=f"account-{len(committed)}").pk)
            if len(committed) >= 20:
                has_begun.set()
        connections.close_all()

    thread = threading.Thread(target=write)
    thread.start()
    has_begun.wait()
    yield committed
    is_over.set()
    thread.join()


@on_sqlite
def test_a_copy_has_all_that_was_acknowledged_before_it_and_the_whole_schema(tmp_path: Path) -> None:
    file = tmp_path / "copy.sqlite3"
    with busy_writer() as committed:
        before = set(committed)
        call_command("back_up_sqlite", file, verbosity=0)
    assert before <= names_in(file)
    with closing(sqlite3.connect(file)) as copy:
        assert schema_of(copy) == schema_of(connection.connection)
        assert any(sql.startswith("CREATE TRIGGER") for _, sql in schema_of(copy))
    assert list(tmp_path.iterdir()) == [file]
    assert file.stat().st_mode & 0o777 == 0o600


@on_sqlite
def test_a_write_that_is_acknowledged_is_on_the_disk() -> None:
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@on_sqlite
def test_a_file_is_replaced_only_with_overwrite_and_a_failure_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "copy.sqlite3"
    file.write_text("mine")
    with pytest.raises(CommandError, match="already exists"):
        call_command("back_up_sqlite", file)
    assert file.read_text() == "mine"
    call_command("back_up_sqlite", file, overwrite=True, verbosity=0)
    assert "system" in names_in(file)
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("back_up_sqlite", tmp_path / "nowhere" / "copy.sqlite3")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="what other databases answer")
def test_another_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("back_up_sqlite", tmp_path / "copy.sqlite3")
    assert list(tmp_path.iterdir()) == []
