"""Create the triggers of a migration, which stand beside it as SQL."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython


def create_triggers(migration: str, drop: Mapping[str, Sequence[str]]) -> RunPython:
    """Return the operation that runs the SQL file of the database beside the migration, whose `__file__` is given.

    For 0001_initial.py these are 0001_postgresql.sql and 0001_sqlite.sql. `drop` has the statements of the way back.
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
