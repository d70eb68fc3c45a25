"""Submissions as a CSV file for a spreadsheet, whatever their columns are."""

import csv
import json
import re
from collections.abc import Iterator
from typing import Any

from django.db.models import JSONField, QuerySet

from forms.declarations import FORMS
from forms.models import Submission

CHUNK = 500
UNSEEN = r"[\s\u200b-\u200f\u2060-\u2064\ufeff]*"
BEGINS = re.compile(rf"[\t\r]|{UNSEEN}[=+\-@＝＋－＠]")
INSIDE = re.compile(rf"(;{UNSEEN})(?=[=+\-@＝＋－＠])")
"""Where people write decimals with a comma, a spreadsheet takes the semicolon for the end of a cell."""

BYTE_ORDER_MARK = "\ufeff"
"""Without it a spreadsheet takes UTF-8 for something else."""


class Echo:
    """The file that a csv.writer needs: `writerow` returns what this returns."""

    @staticmethod
    def write(line: str) -> str:
        return line


def stream_csv(submissions: QuerySet[Submission]) -> Iterator[bytes]:
    """A header, then a row a submission, newest first, in bounded memory.

    Columns of the model; in place of a JSON column one for each field that any form declares, and one for the rest.
    """
    writer: Any = csv.writer(Echo())
    serializers = [form.serializer() for form in FORMS.values()]
    declared = list(
        dict.fromkeys(str(name) for serializer in serializers for name in serializer.get_fields())
    )
    columns = Submission._meta.concrete_fields
    header = [name for column in columns for name in names_of(column, declared)]
    yield (BYTE_ORDER_MARK + writer.writerow(header)).encode()
    for submission in submissions.order_by("-created_at", "id").iterator(CHUNK):
        cells = [cell for column in columns for cell in cells_of(submission, column, declared)]
        yield writer.writerow([harmless(cell) for cell in cells]).encode()


def names_of(column: Any, declared: list[str]) -> list[str]:
    if isinstance(column, JSONField):
        return [*declared, f"{column.attname}_rest"]
    return [column.attname]


def cells_of(submission: Submission, column: Any, declared: list[str]) -> list[Any]:
    value = getattr(submission, column.attname)
    if not isinstance(column, JSONField):
        return [value]
    data = value if isinstance(value, dict) else {"": value}
    rest = {name: text for name, text in data.items() if name not in declared}
    return [*(data.get(name) for name in declared), rest]


def harmless(value: Any) -> str:
    """A text no spreadsheet reads as a formula: what begins like one gets an apostrophe before it (CWE-1236)."""
    if value is None or value == {}:
        return ""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list | bool) else str(value)
    text = INSIDE.sub(r"\1'", text)
    return f"'{text}" if BEGINS.match(text) else text
