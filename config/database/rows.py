"""Finding one row by its primary key, for what nearly every request needs, counting a few of many, and reading ids."""

from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

from config.database import fetch_rows, reading_connection

Row = TypeVar("Row", bound=Model)


def find_by_key(model: type[Row], key: object, *related: str) -> Row | None:
    """Return the row with this primary key and the rows that it names as `related`, or None.

    It is that of `select_related(…).get()`. But the ORM writes the statement once a process, and PostgreSQL keeps its
    plan: a fifth of the time. With the ORM a vote takes 1.5 times the processor time, the page of a board 1.4 times.
    """
    connection = reading_connection()
    sql, select, converters, tables = compile_lookup(model, related, connection.vendor)
    rows = fetch_rows(sql, [model._meta.pk.get_db_prep_value(key, connection)])
    if not rows:
        return None
    values = list(rows[0])
    for index, (functions, expression) in converters.items():
        for convert in functions:
            values[index] = convert(values[index], expression, connection)
    names = [select[index][0].target.attname for index in tables["select_fields"]]
    row = model.from_db(connection.alias, names, values[: len(names)])
    # The stubs are of Django 6.1, which has a further argument.
    for other in get_related_populators(tables, select, connection.alias):  # type: ignore[call-arg]
        other.populate(values, row)
    return row


@cache
def compile_lookup(model: type[Model], related: tuple[str, ...], vendor: str) -> tuple[Any, ...]:
    """Return the statement, its columns, their converters, and which of them are whose (SQLCompiler.klass_info)."""
    any_key = model._meta.pk.get_default()  # its position in the statement is all that counts
    rows = model._base_manager.filter(pk=any_key)
    compiler = (rows.select_related(*related) if related else rows).query.get_compiler(reading_connection().alias)
    sql, _ = compiler.as_sql()
    converters = compiler.get_converters([column for column, *_ in compiler.select])
    return sql, compiler.select, converters, compiler.klass_info


def count_up_to(limit: int, rows: QuerySet) -> int:
    """Return how many rows there are, or the limit: a COUNT of a million rows takes a quarter of a second."""
    return rows.order_by()[:limit].count()


def as_uuid(key: Any) -> UUID:
    """Return an id as a hand-written statement returns it: SQLite has texts."""
    return key if isinstance(key, UUID) else UUID(key)
