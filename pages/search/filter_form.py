"""The form on the page /boards: for each filter a drop-down list in the reader's language, or a text without choices.

boards.searching says what the filters mean, and which values are valid. For a filter that names what nobody has,
the form says which names exist; for a program it is not an error, GET /api/boards finds nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from html import escape
from itertools import groupby
from typing import Any

from django.utils.safestring import SafeString
from rest_framework import serializers

from boards.events.listing import latest_events
from boards.searching.filters import FILTERS
from bridge.dates import in_words
from config.values.identifiers import SLUG_PATTERN
from config.values.labels import Label, best_label
from pages.presenters.boards import boards_path
from pages.site.base import path_with_query
from themes.labels import LabelCache, label_themes

UNKNOWN = "unknown"
"""The code of the error. The form writes its words."""


def refuse_unknown(filters: Mapping[str, str], labels: LabelCache, *, found: int) -> None:
    """Raise ValidationError for each filter that names no theme, type, auction system or event.

    `found` is how many boards match: where there are some, all names exist. An account is never refused, since the
    answer would tell strangers who has one.
    """
    if found:
        return
    shown = [FILTERS[name] for name in filters if not FILTERS[name].is_hidden]
    unknown = [each.name for each in shown if not each.exists(filters[each.name], labels)]
    if unknown:
        error = serializers.ErrorDetail("This name is unknown.", code=UNKNOWN)
        raise serializers.ValidationError({name: [error] for name in unknown})


Errors = Mapping[str, Sequence[Mapping[str, Any]]]
"""What is wrong, by parameter."""


@dataclass(frozen=True)
class Choices:
    """The labels of a list by value, and the groups of values. They serve all readers of the same languages."""

    labels: Mapping[str, Label]
    groups: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def options(self) -> str:
        """Return the entries as HTML, in groups, none of them selected. There are hundreds, so no template does it."""
        written = ""
        for group, values in groupby(self.labels, key=lambda value: self.groups.get(value, "")):
            options = "".join(write_option(value, *self.labels[value]) for value in values)
            written += f'<optgroup label="{escape(group)}">\n{options}</optgroup>' if group else options
        return written


def write_option(value: str, text: str, language: str) -> str:
    lang = f' lang="{escape(language)}"' if language else ""
    return f"{start_of_option(value)}{lang}>{escape(text)}</option>\n"


def start_of_option(value: str) -> str:
    return f'<option value="{escape(value)}"'


@dataclass(frozen=True)
class FilterField:
    """A drop-down list, or a text or a day where `choices` are None. `error` says why the `value` is not valid."""

    name: str
    label: str
    choices: Choices | None
    value: str
    error: str

    @property
    def is_day(self) -> bool:
        return self.name in DAY_LABELS

    @property
    def selected_label(self) -> Label | None:
        return self.choices.labels.get(self.value) if self.choices else None

    @property
    def is_unknown(self) -> bool:
        """Tell whether the value is none of the choices. The form shows it anyway, for the reader to correct."""
        return bool(self.value) and self.selected_label is None

    @property
    def options(self) -> SafeString:
        start = start_of_option(self.value)
        options = self.choices.options if self.choices else ""
        return SafeString(options.replace(start, f"{start} selected", 1))


def choices_of(labels: Mapping[str, str]) -> Choices:
    return Choices({value: Label(label) for value, label in labels.items()})


FIXED_CHOICES = {
    **{each.name: choices_of(each.choices) for each in FILTERS.values() if each.choices},
    "sort": choices_of({"newest": "Newest first", "top": "Most popular first"}),
}
LISTED = [each for each in FILTERS.values() if not (each.is_hidden or each.is_day)]
LIST_LABELS = {each.name: each.label for each in LISTED} | {"sort": "Order"}
"""The form's lists by the names of their parameters, in the order of the form."""


def message(error: Mapping[str, Any], choices: Choices | None) -> str:
    """Return the error's sentence. One that would list the values lists their labels, which the reader sees.

    Too many to read are not listed again: they stand in the list that has the error.
    """
    if choices is None or error["code"] not in ("invalid_choice", UNKNOWN):
        return str(error["message"])
    if not 0 < len(choices.labels) <= MAX_LISTED:
        return "This choice is unknown. Choose one from the list."
    labels = [label.text for label in choices.labels.values()]
    separator = "; " if any("," in label for label in labels) else ", "
    return f"Choose one of these: {separator.join(labels)}."


SLUG = re.compile(SLUG_PATTERN)
MAX_EVENTS = 12
"""The latest events, which the form offers. /events lists all."""

MAX_LISTED = 8
"""More choices are not repeated in an error beside the list that has them."""

DAY_LABELS = {each.name: each.label for each in FILTERS.values() if each.is_day}

HIDDEN_LABELS = {each.name: each.label for each in FILTERS.values() if each.is_hidden}
"""The names of the filters that the form keeps in hidden fields."""

SHOWN = ("pageSize", "view")
"""The parameters that say how the boards are shown and not which."""


@dataclass(frozen=True)
class FilterForm:
    """The search box with its errors, and the folded part: its fields by name, and what it keeps in hidden ones."""

    parameters: Mapping[str, str]
    errors: Errors
    fields: Mapping[str, FilterField]
    is_open: bool
    """Whether the page has the folded part. Without it `fields` are those that are chosen."""

    def path(self, **changes: str) -> str:
        """Return the address of the list with these parameters, or without those that become blank."""
        return path_with_query(boards_path(), {**self.parameters, **changes})

    @property
    def chosen(self) -> int:
        """Return how many filters are chosen in the folded part. The search stands outside of it."""
        return len(self.parameters.keys() - {"q", "view"})

    @property
    def search_errors(self) -> Sequence[Mapping[str, Any]]:
        """Return what is wrong with the search, with the part of it from which on it is wrong."""
        return self.errors.get("q", ())

    @property
    def is_filter_refused(self) -> bool:
        """Return whether anything but the search is wrong. The search has its error beside its field."""
        return bool(self.errors.keys() - {"q"})

    @property
    def other_errors(self) -> Errors:
        """Return the errors of parameters that the form has no field for."""
        return {name: reasons for name, reasons in self.errors.items() if name not in {"q", *self.fields}}

    @property
    def hidden(self) -> dict[str, str]:
        return {name: self.parameters[name] for name in (*HIDDEN_LABELS, *SHOWN) if name in self.parameters}

    def describe(self, name: str) -> tuple[str, Label]:
        """Return the name of a filter and its value as the reader knows them: a day as all pages write dates."""
        value, shown = self.parameters[name], self.fields.get(name)
        if shown is None:
            return HIDDEN_LABELS[name], Label(value)
        written = in_words(value.replace("-", ".")) if shown.is_day else value
        return shown.label, shown.selected_label or Label(written)


def build_form(
    parameters: Mapping[str, str], errors: Errors, labels: LabelCache, languages: tuple[str, ...], *, is_open: bool
) -> FilterForm:
    """Return the form. It offers the latest events, and the one that is chosen. Errors of its fields open it."""
    is_open = is_open or bool(errors.keys() - {"q"})
    shown = {name: label for name, label in (LIST_LABELS | DAY_LABELS).items() if is_open or name in parameters}
    choices = {**FIXED_CHOICES, **choices_of_labels(labels, languages)}
    if "event" in shown:
        slug = parameters.get("event", "")
        events = latest_events(MAX_EVENTS, slug if SLUG.fullmatch(slug) else "")
        choices["event"] = choices_of({event.slug: str(event) for event in events})
    fields = {}
    for name, label in shown.items():
        known = choices.get(name)
        error = " ".join(message(error, known) for error in errors.get(name, ()))
        fields[name] = FilterField(name, label, known, parameters.get(name, ""), error)
    return FilterForm(parameters, errors, fields, is_open)


@lru_cache(maxsize=8)
def choices_of_labels(labels: LabelCache, languages: tuple[str, ...]) -> dict[str, Choices]:
    """Return the choices of a theme, of its type and of an auction system, labelled for a reader of the languages.

    What is made for the readers of some languages is kept, as long as no label changes: about 0.1 MB for 200 themes.
    """
    labelled = label_themes(labels.themes.values(), languages)
    types = {theme.theme.type: theme.type_label for theme in labelled}
    names = {theme: labels.name_of(theme) for theme, _ in labelled}
    systems = labels.auction_systems.values()
    return {
        "theme": Choices(
            {names[theme]: label for theme, label in labelled},
            {names[theme]: types[theme.type] for theme, _ in labelled},
        ),
        "themeType": choices_of(types),
        "auctionSystem": Choices(
            {each.identifier: best_label(each.labels, languages, each.identifier) for each in systems}
        ),
    }
