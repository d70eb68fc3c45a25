"""Texts by language in the admin: a table of language and text, without JavaScript.

What the API takes is in config.values.labels and config.values.descriptions. People learn more: that a language does
not exist, and that a text is missing.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.forms.renderers import TemplatesSetting
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from config.admin.options import ChangedFieldsForm
from config.values.languages import standard_tag

EMPTY_ROWS = 3

Row = tuple[str, str]


def is_tabular(labels: Any) -> bool:
    """Tell whether rows of one-line inputs give back exactly these labels. Others are edited as JSON."""
    return isinstance(labels, Mapping) and all(
        isinstance(text, str) and is_line(language) and is_line(text) and language and language == language.strip()
        for language, text in labels.items()
    )


def is_line(text: str) -> bool:
    return len(text.splitlines()) <= 1 and text.isprintable()


class LabelTable(forms.Widget):
    """Rows of two inputs, a few of them empty. A row is removed by its tick, or by emptying both inputs."""

    template_name = "admin/widgets/label_table.html"
    noun = "label"
    empty_rows = EMPTY_ROWS
    is_multiline = False

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        rows: Sequence[Row] = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
        context = super().get_context(name, None, attrs)
        context["widget"] |= {
            "rows": [*rows, *[("", "")] * self.empty_rows],
            "noun": self.noun,
            "is_multiline": self.is_multiline,
        }
        return context

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Render with the project's templates. The forms' own renderer finds those of the apps alone."""
        return super().render(name, value, attrs, TemplatesSetting())

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[Row] | None:
        """Return the rows that are not empty and not ticked, or None where the form had no such table."""
        if self.value_omitted_from_data(data, files, name):
            return None
        removed = set(data.getlist(f"{name}-remove"))
        pairs = zip_longest(data.getlist(f"{name}-language"), data.getlist(f"{name}-text"), fillvalue="")
        return [
            (language.strip(), text.replace("\r\n", "\n"))
            for number, (language, text) in enumerate(pairs)
            if str(number) not in removed and (language.strip() or text)
        ]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-language" not in data

    def id_for_label(self, id_: str) -> str:
        """Return no id: the label of the whole table belongs to no single input."""
        return ""


class DescriptionTable(LabelTable):
    """Rows of an input and a larger field for several lines, one of them empty."""

    noun = "description"
    empty_rows = 1
    is_multiline = True


class HiddenRows(forms.HiddenInput):
    """The rows as the page was opened with, in one hidden input."""

    def format_value(self, value: Any) -> str:
        return json.dumps(value)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        try:
            return [(str(language), str(text)) for language, text in json.loads(data.get(name, ""))]
        except (TypeError, ValueError):  # not from a page of ours
            return None


class LabelTableField(forms.Field):
    """Turn rows into {language: text}. The model's validators hold the rest of the rules."""

    widget = LabelTable
    hidden_widget = HiddenRows
    default_error_messages = {
        "missing": "Somebody changed these texts in the meantime. Open this page again, then repeat your change.",
        "twice": "There are two rows for the language “%(language)s”. Remove one of them.",
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{**kwargs, "required": False})

    def prepare_value(self, value: Any) -> Any:
        return list(value.items()) if isinstance(value, Mapping) else value

    def to_python(self, value: Sequence[Row] | None) -> dict[str, str]:
        if value is None:
            raise ValidationError(self.error_messages["missing"], code="missing")
        labels: dict[str, str] = {}
        for language, text in value:
            if language in labels:
                raise ValidationError(self.error_messages["twice"], "twice", {"language": language})
            labels[language] = text
        return labels

    def has_changed(self, initial: Any, data: Any) -> bool:
        return data is None or list(data) != self.prepare_value(initial)


class DescriptionTableField(LabelTableField):
    """Turn rows into {language: text of several lines}."""

    widget = DescriptionTable


def standardise(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts by their language tags as BCP 47 writes them. Raise ValidationError for what people mistype."""
    standard: dict[str, str] = {}
    for language, text in texts.items():
        tag = standard_tag(language)
        problem = ""
        if not language:
            problem = "A row has a text but no language. Write its tag, such as en, nl or pt-BR."
        elif not tag:
            problem = "“%(language)s” is not a language tag. Write one such as en, nl or pt-BR."
        elif tag in standard:
            problem = str(LabelTableField.default_error_messages["twice"])
        elif not text.strip():
            problem = "The row for the language “%(language)s” has no text. Write one, or remove the row."
        if problem:
            raise ValidationError(problem, "mistyped", {"language": tag or language})
        standard[tag] = text
    return standard


@admin.display(description="Labels")
def show_labels(row: Any) -> SafeString:
    return write_texts(row.labels)


def write_texts(texts: Any) -> SafeString:
    """Write texts by language in lines, each after its language."""
    return format_html_join("", "<p>{}: {}</p>", texts.items() if isinstance(texts, Mapping) else ())


class LabelsForm(ChangedFieldsForm):
    """A form for a model with `labels`: a table where all of them are lines of text, else JSON.

    The labels that were changed must name languages that exist, and one of them must stay.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "labels" in self.fields and is_tabular(self.instance.labels):
            json_field = self.fields["labels"]
            self.fields["labels"] = LabelTableField(
                label=json_field.label,
                help_text="A language tag such as en or pt-BR, and the name in that language. "
                "Save to get more empty rows.",
            )
            self.hold_initial_values()

    def clean_labels(self) -> Any:
        labels = self.cleaned_data["labels"]
        if not self.is_new_or_changed("labels"):
            return labels
        if not labels:
            raise ValidationError("Give a label in at least one language.", code="no_label")
        return standardise(labels) if isinstance(self.fields["labels"], LabelTableField) else labels

    def is_new_or_changed(self, name: str) -> bool:
        return self.instance._state.adding or name in self.changed_data
