"""Submissions as a CSV file for a spreadsheet, with every column of the model and every field of every form."""

import csv
import json
import re
from collections.abc import Iterator
from typing import Any

from django.db.models import JSONField, Q, QuerySet

from forms.declarations import FORMS
from forms.models import Submission

CHUNK_SIZE = 500
INVISIBLE = r"\s\u200b-\u200f\u2060-\u2064\ufeff"
BREAKS = r";\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029"
FORMULA_START = re.compile(rf"[\t\r]|[{INVISIBLE}]*+[=+\-@＝＋－＠]")
FORMULA_AFTER_BREAK = re.compile(
    rf"(?<![;{INVISIBLE}])((?:(?![{BREAKS}])[{INVISIBLE}])*+[{BREAKS}][;{INVISIBLE}]*+)(?=[=+\-@＝＋－＠])"
)
"""A formula after what may end a cell. Where people write decimals with a comma, the semicolon does. A tab and the end
of a line do wherever cells are pasted, or read by a program that splits lines before it looks at quotes."""

BYTE_ORDER_MARK = "\ufeff"
"""Without it a spreadsheet does not recognise UTF-8."""


class Echo:
    """A file whose `write` returns the line, so that csv.writer's `writerow` returns it too."""

    @staticmethod
    def write(line: str) -> str:
        return line


def stream_csv(submissions: QuerySet[Submission]) -> Iterator[bytes]:
    """Yield a header and then a row for each submission, newest first, in bounded memory.

    The columns are those of the model. A JSON column becomes one column for each field that any form declares, and
    one for the rest.
    """
    writer: Any = csv.writer(Echo())
    serializers = [form.serializer() for form in FORMS.values()]
    declared = list(dict.fromkeys(str(name) for serializer in serializers for name in serializer.get_fields()))
    columns = Submission._meta.concrete_fields
    header = [name for column in columns for name in column_names(column, declared)]
    yield (BYTE_ORDER_MARK + writer.writerow(header)).encode()
    for submission in iterate(submissions):
        values = [value for column in columns for value in column_values(submission, column, declared)]
        yield writer.writerow([escape_formulas(value) for value in values]).encode()


def iterate(submissions: QuerySet[Submission]) -> Iterator[Submission]:
    """Yield the submissions, newest first, read in chunks. Each query continues after the last row by its key.

    A cursor of the server would belong to a connection that a pooler may give to others (config.database.pooling).
    """
    submissions = submissions.order_by("-created_at", "id")
    chunk = list(submissions[:CHUNK_SIZE])
    while chunk:
        yield from chunk
        last = chunk[-1]
        follows = Q(created_at__lt=last.created_at) | Q(created_at=last.created_at, pk__gt=last.pk)
        chunk = list(submissions.filter(follows)[:CHUNK_SIZE]) if len(chunk) == CHUNK_SIZE else []


def column_names(column: Any, declared: list[str]) -> list[str]:
    if isinstance(column, JSONField):
        return [*declared, f"{column.attname}_rest"]
    return [column.attname]


def column_values(submission: Submission, column: Any, declared: list[str]) -> list[Any]:
    value = getattr(submission, column.attname)
    if not isinstance(column, JSONField):
        return [value]
    data = value if isinstance(value, dict) else {"": value}
    rest = {name: text for name, text in data.items() if name not in declared}
    return [*(data.get(name) for name in declared), rest]


def escape_formulas(value: Any) -> str:
    """Return the value as text that no spreadsheet runs: an apostrophe precedes each formula (CWE-1236)."""
    if value is None or value == {}:
        return ""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list | bool) else str(value)
    text = FORMULA_AFTER_BREAK.sub(r"\1'", text)
    return f"'{text}" if FORMULA_START.match(text) else text
