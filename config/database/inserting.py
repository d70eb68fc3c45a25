"""Inserting thousands of rows: what an import stores, and the events that tell of it."""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

import orjson
from django.db import connection
from django.db.models import Field, Model


def insert_rows(rows: Sequence[Model], *, ignore_conflicts: bool = False, replace: bool = False) -> None:
    """Insert new rows of one model, as `bulk_create` does. They get no automatic id.

    With `replace` they take the place of rows with the same primary key. PostgreSQL gets them all as one JSON array,
    which orjson writes. `bulk_create` prepares each value in Python, first in the ORM and then in psycopg, and takes
    several times as long.
    """
    if not rows:
        return
    model = type(rows[0])
    key = str(model._meta.pk.column)
    others = [field.name for field in model._meta.concrete_fields if not field.primary_key]
    if connection.vendor != "postgresql":
        updated: dict[str, Any] = {"unique_fields": [key], "update_fields": others} if replace else {}
        model._base_manager.bulk_create(rows, ignore_conflicts=ignore_conflicts, update_conflicts=replace, **updated)
        return
    fields = [field for field in model._meta.concrete_fields if field is not model._meta.auto_field]
    table = connection.ops.quote_name(model._meta.db_table)
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    source = f"SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s::json)"  # noqa: S608  # our models' names
    conflicts = "ON CONFLICT DO NOTHING" if ignore_conflicts else ""
    if replace:
        assignments = ", ".join(f"{name} = excluded.{name}" for name in map(connection.ops.quote_name, others))
        conflicts = f"ON CONFLICT ({key}) DO UPDATE SET {assignments}"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) {source} {conflicts}",
            [orjson.dumps(list(_values(rows, fields)), default=_write_bytes).decode()],
        )
    for row in rows:
        row._state.adding = False
        row._state.db = connection.alias


def _write_bytes(value: Any) -> str:
    """Write bytes as PostgreSQL reads them."""
    if not isinstance(value, bytes):
        raise TypeError
    return rf"\x{value.hex()}"


def _values(rows: Sequence[Model], fields: Sequence[Field]) -> Iterator[dict[str, Any]]:
    """Yield the rows' values by column. Set those that a field sets when a row is added, such as auto_now."""
    names = [str(field.column) for field in fields]
    read = attrgetter(*[field.attname for field in fields])
    set_when_added = [field for field in fields if type(field).pre_save is not Field.pre_save]
    for row in rows:
        for field in set_when_added:
            field.pre_save(row, add=True)
        yield dict(zip(names, read(row), strict=True))
