import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection


class Command(BaseCommand):
    help = (
        "Copy the SQLite database to a file while the service runs. `cp` would miss the latest changes, which are in"
        " another file. A failed copy leaves no file behind."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="The file to write.")
        parser.add_argument("--overwrite", action="store_true", help="Replace FILE if it exists.")

    def handle(self, *args: Any, file: Path, overwrite: bool, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("This database is not SQLite. Use pg_dump: docs/reliability/deployments.md.")
        if file.exists() and not overwrite:
            raise CommandError(f"{file} already exists. Choose another file, or add --overwrite to replace it.")
        unfinished = file.with_name(f"{file.name}.unfinished")
        try:
            # It has what people wrote and the hashes of passwords.
            os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
            self.copy(unfinished)
            unfinished.replace(file)
            sync(file.parent)
        except (OSError, sqlite3.Error) as error:
            raise CommandError(f"{file}: {error}.") from None
        finally:
            unfinished.unlink(missing_ok=True)
        self.stdout.write(f"{file}: {file.stat().st_size} bytes, checked.")

    def copy(self, target: Path) -> None:
        """Copy all pages as they are at one moment, and check the copy. Writers need not wait."""
        connection.ensure_connection()
        with closing(sqlite3.connect(target)) as copy:
            connection.connection.backup(copy, pages=-1)
            # A single file: a restored database must not look for the other two.
            copy.execute("PRAGMA journal_mode=DELETE")
            (outcome,) = copy.execute("PRAGMA integrity_check").fetchone()
        if outcome != "ok":
            raise CommandError(f"The database is damaged: {outcome}")
        sync(target)


def sync(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
