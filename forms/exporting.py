"""Submissions as a CSV file for a spreadsheet, with every column and every field of every form."""

import csv
import json
import re
from collections.abc import Collection, Iterable, Iterator
from types import SimpleNamespace
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.text import capfirst

from forms import reading
from forms.declarations import FORMS
from forms.models import Submission

CHUNK_SIZE = 500
FORMULA = re.compile(r"^(?=[\t\r])|(?:^|(?<=[;\t\r\n]))(?=[^\S;\t\r\n]*[=+\-@＝＋－＠])")
"""Where a cell may begin with a formula (OWASP, CSV injection): at the front, and after what ends a cell for a program
that reads no quotes: a semicolon where people write decimals with a comma, a tab, and the end of a line."""

BYTE_ORDER_MARK = "\ufeff"
"""Without it a spreadsheet does not recognise UTF-8."""


def stream_csv(submissions: QuerySet[Submission]) -> Iterator[bytes]:
    """Yield a header and then a row for each submission, newest first, in bounded memory.

    The columns are those of the model. `data` is replaced by a column for each field that any form declares, and one
    for the rest.
    """
    writer: Any = csv.writer(SimpleNamespace(write=str))  # `writerow` returns what `write` does: the line
    declared = headings_of_fields()
    yield (BYTE_ORDER_MARK + writer.writerow(headings(declared.values()))).encode()
    for submission in iterate(submissions):
        yield writer.writerow([escape_formulas(cell) for cell in cells_of(submission, declared)]).encode()


def headings(of_fields: Iterable[str]) -> Iterator[str]:
    for column in Submission._meta.concrete_fields:
        if column.name == "data":
            yield from (*of_fields, "Other fields")
        else:
            yield capfirst(str(column.verbose_name))


def headings_of_fields() -> dict[str, str]:
    """Return the heading of each field that any form declares: its label, with its form where two have the same."""
    headings: dict[str, str] = {}
    for form in FORMS.values():
        for name, field in reading.declared_fields(form.name).items():
            if name not in headings:
                label = reading.label_for_staff(str(field.label))
                headings[name] = f"{label} ({form.title})" if label in headings.values() else label
    return headings


def cells_of(submission: Submission, declared: Collection[str]) -> Iterator[Any]:
    """Yield the values in the row of a submission: a choice by its text."""
    data, fields = reading.fields_of(submission), reading.declared_fields(submission.form)
    for column in Submission._meta.concrete_fields:
        if column.name == "data":
            for name in declared:
                value = data.get(name)
                yield reading.text_of(value, fields.get(name)) if isinstance(value, str | bool) else value
            yield {name: value for name, value in data.items() if name not in declared}
        else:
            yield reading.title_of(submission.form) if column.name == "form" else getattr(submission, column.attname)


def iterate(submissions: QuerySet[Submission]) -> Iterator[Submission]:
    """Yield the submissions, newest first, read in chunks. Each query continues after the last row by its key.

    A cursor of the server would belong to a connection that a pooler may give to others (config.database.configuring).
    """
    submissions = submissions.order_by("-created_at", "id")
    chunk = list(submissions[:CHUNK_SIZE])
    while chunk:
        yield from chunk
        last = chunk[-1]
        follows = Q(created_at__lt=last.created_at) | Q(created_at=last.created_at, pk__gt=last.pk)
        chunk = list(submissions.filter(follows)[:CHUNK_SIZE]) if len(chunk) == CHUNK_SIZE else []


def escape_formulas(value: Any) -> str:
    """Return the value as text that no spreadsheet runs: an apostrophe precedes each formula (CWE-1236)."""
    if value is None or value == {}:
        return ""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list | bool) else str(value)
    return FORMULA.sub("'", text)
