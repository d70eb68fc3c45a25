"""Whether the database has every migration of this version, and how a migration creates the triggers beside it."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.db import DatabaseError, OperationalError, ProgrammingError
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.utils import CursorWrapper
from django.db.migrations import RunPython
from django.db.migrations.loader import MigrationLoader

from config.database import reading_connection

NOT_THERE = re.compile("no such (table|column)|has no column named")
"""How SQLite says that a statement names what the database lacks. PostgreSQL's driver raises ProgrammingError."""


@cache
def required_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations of all apps by app and name. They are read once a process, which takes 30 ms."""
    return frozenset(MigrationLoader(None).disk_migrations)


def find_missing_migrations(cursor: CursorWrapper) -> frozenset[tuple[str, str]]:
    """Return the migrations that the database lacks. It may have more: those of a newer version beside this one."""
    try:
        cursor.execute("SELECT app, name FROM django_migrations")
    except DatabaseError as error:
        if "django_migrations" not in str(error):
            raise
        return required_migrations()
    return required_migrations() - set(cursor.fetchall())


def names_what_is_not_there(error: BaseException | None) -> bool:
    """Tell whether a statement failed because the database has no such table, column or function."""
    if isinstance(error, OperationalError):
        return bool(NOT_THERE.search(str(error)))
    return isinstance(error, ProgrammingError)


def lacks_migrations() -> bool:
    """Tell whether the database that this thread reads lacks a migration."""
    try:
        with reading_connection().cursor() as cursor:
            return bool(find_missing_migrations(cursor))
    except DatabaseError:  # inside a transaction that has failed, or the database is gone meanwhile
        return False


def create_triggers(migration: str, drop: Mapping[str, Sequence[str]]) -> RunPython:
    """Return the operation that runs the SQL file of the database beside the migration, whose `__file__` is given.

    For 0001_initial.py these are 0001_postgresql.sql and 0001_sqlite.sql. `drop` has the statements that undo it.
    """
    path = Path(migration)
    number = path.name.partition("_")[0]

    def forwards(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        sql = path.with_name(f"{number}_{schema_editor.connection.vendor}.sql").read_text()
        for statement in schema_editor.connection.ops.prepare_sql_script(sql):  # as migrations.RunSQL does
            schema_editor.execute(statement, params=None)

    def backwards(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        for statement in drop[schema_editor.connection.vendor]:
            schema_editor.execute(statement, params=None)

    return RunPython(forwards, backwards)
