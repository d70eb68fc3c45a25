"""What a visitor sent, as people read it: who wrote, what it is about, and each field with its label.

`data` may be anything: older versions of a form had other fields, and a form may be gone.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from textwrap import shorten
from typing import Any

from django.utils.text import capfirst
from rest_framework import serializers

from forms.declarations import FORMS
from forms.models import Submission

MAX_SENDER = 60
MAX_SUBJECT = 100
MAX_EXCERPT = 120


@dataclass(frozen=True, slots=True)
class FilledField:
    """A field as it was filled in: a choice by its text, and anything that is not a text as JSON."""

    name: str
    label: str
    text: str

    @property
    def label_for_staff(self) -> str:
        return label_for_staff(self.label)


def label_for_staff(label: str) -> str:
    """Return a label as staff see it: "E-mail address" instead of "Your e-mail address"."""
    return capfirst(label.removeprefix("Your "))


def title_of(form: str) -> str:
    """Return the form's title, or its name when it is no longer declared."""
    return FORMS[form].title if form in FORMS else form


def answers(submission: Submission) -> list[FilledField]:
    """Return what was filled in, in the form's order, and after that what the form does not have."""
    data = fields_of(submission)
    declared = declared_fields(submission.form)
    names = [*(name for name in declared if name in data), *(name for name in data if name not in declared)]
    return [
        FilledField(
            name,
            str(declared[name].label) if name in declared else name or "Content",
            text_of(data[name], declared.get(name)),
        )
        for name in names
        if data[name] not in ("", None)
    ]


def fields_of(submission: Submission) -> Mapping[str, Any]:
    return submission.data if isinstance(submission.data, dict) else {"": submission.data}


@cache
def declared_fields(form: str) -> Mapping[str, serializers.Field]:
    """Return the fields of a form, none when it is no longer declared. Making them again costs a list of forms most."""
    return FORMS[form].serializer().fields if form in FORMS else {}


def text_of(value: Any, field: serializers.Field | None) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, indent=2)
    choices = dict(field.style.get("options", ()) or getattr(field, "choices", ())) if field else {}
    return str(choices.get(value, value))


def sender_of(submission: Submission) -> str:
    """Return who wrote: the name, else the e-mail address."""
    names = (line_of(submission, name, MAX_SENDER) for name in ("name", "contactName", "email"))
    return next(filter(None, names), "Somebody")


def organisation_of(submission: Submission) -> str:
    return line_of(submission, "organisationName", MAX_SENDER)


def subject_of(submission: Submission) -> str:
    """Return the subject that was typed, else the form's title with what was chosen as the problem."""
    if subject := line_of(submission, "subject", MAX_SUBJECT):
        return subject
    title, problem = title_of(submission.form), fields_of(submission).get("problem")
    if not isinstance(problem, str) or not problem.strip():
        return title
    text = text_of(problem, declared_fields(submission.form).get("problem"))
    return one_line(f"{title}: {text}", MAX_SUBJECT)


def excerpt_of(submission: Submission) -> str:
    return line_of(submission, "message", MAX_EXCERPT)


def line_of(submission: Submission, name: str, length: int) -> str:
    """Return the beginning of a field, "" for one that is not a text."""
    text = fields_of(submission).get(name)
    return one_line(text, length) if isinstance(text, str) else ""


def one_line(text: str, length: int) -> str:
    """Return the beginning of a text in one line, cut after a word, or within one that is longer than the line."""
    line = " ".join(text[: 10 * length].split())
    short = shorten(line, length, placeholder=" …")
    return short if short != "…" else f"{line[: length - 1]}…"
