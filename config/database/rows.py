"""Finding one row by its primary key, for what nearly every request needs, and counting a few of many rows."""

from functools import cache
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

from config.database import fetch_rows, reading_connection

Row = TypeVar("Row", bound=Model)


def find_by_key(model: type[Row], key: object, *select_related: str) -> Row | None:
    """Return the row with this primary key, or None.

    The row is like one of `objects.select_related(…).get()`, with the related rows that the manager selects. But the
    ORM writes the statement once a process, and PostgreSQL keeps its plan: that takes a fifth of the time.
    """
    connection = reading_connection()
    sql, columns, related, converters = compile_lookup(model, select_related, connection.vendor)
    rows = fetch_rows(sql, [model._meta.pk.get_db_prep_value(key, connection)])
    if not rows:
        return None
    values = list(rows[0])
    for index, (functions, expression) in converters.items():
        for convert in functions:
            values[index] = convert(values[index], expression, connection)
    row = model.from_db(connection.alias, columns, values[: len(columns)])
    for populator in related:
        populator.populate(values, row)
    return row


@cache
def compile_lookup(
    model: type[Model], select_related: tuple[str, ...], vendor: str
) -> tuple[str, list[str], list[Any], dict[int, Any]]:
    """Return the statement, the attributes of its first columns, what fills related rows, and columns' converters."""
    connection = reading_connection()
    any_key = model._meta.pk.get_default()  # its position in the statement is all that counts
    queryset = model._default_manager.filter(pk=any_key).order_by()
    queryset = queryset.select_related(*select_related) if select_related else queryset
    compiler = queryset.query.get_compiler(using=connection.alias)
    sql, _ = compiler.as_sql()
    selected: list[Any] = [expression for expression, *_ in compiler.select]
    columns = [field.attname for field in model._meta.concrete_fields]
    found = compiler.klass_info, compiler.select, connection.alias
    related = get_related_populators(*found)  # type: ignore[call-arg]  # the stubs are those of Django 6
    return sql, columns, related, compiler.get_converters(selected)


def count_up_to(limit: int, rows: QuerySet) -> int:
    """Return how many rows there are, or the limit: a COUNT of a million rows takes a quarter of a second."""
    return rows.order_by()[:limit].count()
