"""The export of all that is known about a person, as one JSON object."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet
from django.utils import timezone

from accounts.models import Account
from accounts.personal_data import REGISTRY
from config.api.fields import TimestampField
from config.api.serializers import wire_name
from config.values.strict_json import dump_json

CHUNK = 500
LEFT_OUT = frozenset({"password", "secret", "session_key", "session_data", "content", "preview"})
"""The columns that no export has: secrets, and uploaded files with their reports, since the uploader has the file."""


def export(account: Account) -> Iterator[bytes]:
    """Yield the account and then each registered table's rows, a few hundred at a time, in bounded memory."""
    yield b'{"exportedAt":' + dump_json(_wire_value(timezone.now())) + b',"account":' + _row_as_json(account)
    for table in REGISTRY:
        yield b"," + dump_json(table.name) + b":["
        separator = b""
        for chunk in _chunks(table.rows(account)):
            yield separator + b",".join(_row_as_json(row) for row in chunk)
            separator = b","
        yield b"]"
    yield b"}\n"


def _chunks(rows: QuerySet) -> Iterator[list[Model]]:
    """Walk the rows by key and not by cursor, so that no transaction stays open for a slow reader."""
    rows = rows.order_by("pk")
    chunk = list(rows[:CHUNK])
    while chunk:
        yield chunk
        chunk = list(rows.filter(pk__gt=chunk[-1].pk)[:CHUNK])


def _row_as_json(row: Model) -> bytes:
    """Return the columns of a row that its query reads, named as the API names its fields."""
    left_out = LEFT_OUT | row.get_deferred_fields()
    columns = [field.attname for field in row._meta.concrete_fields if field.attname not in left_out]
    return dump_json({wire_name(column): _wire_value(getattr(row, column)) for column in columns})


def _wire_value(value: Any) -> Any:
    return TimestampField().to_representation(value) if isinstance(value, datetime) else value
