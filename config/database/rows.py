"""Finding one row by its primary key, for what nearly every request needs, and counting a few of many rows."""

from functools import cache
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from config.database import fetch_rows, reading_connection

Row = TypeVar("Row", bound=Model)


def find_by_key(model: type[Row], key: object, *related: str) -> Row | None:
    """Return the row with this primary key and the rows that it names as `related`, or None.

    It is like one of `objects.select_related(…).get()`. But the ORM writes the statement once a process, and PostgreSQL
    keeps its plan: that takes a tenth of the time.
    """
    connection = reading_connection()
    sql, converters = compile_lookup(model, related, connection.vendor)
    rows = fetch_rows(sql, [model._meta.pk.get_db_prep_value(key, connection)])
    if not rows:
        return None
    values = list(rows[0])
    for index, (functions, expression) in converters.items():
        for convert in functions:
            values[index] = convert(values[index], expression, connection)
    row = take_row(model, values, connection.alias)
    for field in relations_of(model, related):
        other = take_row(field.related_model, values, connection.alias)
        field.set_cached_value(row, other)
        if other is not None and field.one_to_one:
            field.remote_field.set_cached_value(other, row)
    return row


def take_row(model: type[Model], values: list[Any], alias: str) -> Any:
    """Take the columns of a model from the front of the values. Return its row, or None where there is none."""
    names = columns_of(model)
    own, values[:] = values[: len(names)], values[len(names) :]
    return None if own[names.index(model._meta.pk.attname)] is None else model.from_db(alias, names, own)


@cache
def columns_of(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def relations_of(model: type[Model], names: tuple[str, ...]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


@cache
def compile_lookup(model: type[Model], related: tuple[str, ...], vendor: str) -> tuple[str, dict[int, Any]]:
    """Return the statement that reads the columns of a row and of its related rows, and the converters of columns."""
    columns = [*columns_of(model)]
    for field in relations_of(model, related):
        columns += [f"{field.name}__{name}" for name in columns_of(field.related_model)]
    any_key = model._meta.pk.get_default()  # its position in the statement is all that counts
    query = model._base_manager.filter(pk=any_key).values_list(*columns).query
    compiler = query.get_compiler(using=reading_connection().alias)
    sql, _ = compiler.as_sql()
    return sql, compiler.get_converters([expression for expression, *_ in compiler.select])


def count_up_to(limit: int, rows: QuerySet) -> int:
    """Return how many rows there are, or the limit: a COUNT of a million rows takes a quarter of a second."""
    return rows.order_by()[:limit].count()
