"""The form on the page /boards: for each filter a drop-down list in the reader's language, or a text without choices.

What the filters mean, and which values are valid, is in boards.filters.declarations and boards.filters.parameters.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from boards.filters.declarations import FILTERS
from boards.models import Event
from bridge.dates import in_words
from config.values.labels import Label, best_label
from pages.search.unknown_names import UNKNOWN
from themes.label_cache import LabelCache
from themes.labels import label_themes


class Choice(NamedTuple):
    """One entry of a list."""

    value: str
    label: Label
    group: str = ""


@dataclass(frozen=True)
class Choices:
    """The entries of a list. What is made of them once serves any number of readers of the same languages."""

    entries: Sequence[Choice]

    @cached_property
    def labels(self) -> Mapping[str, Label]:
        """Return the labels by value."""
        return {choice.value: choice.label for choice in self.entries}

    @cached_property
    def options(self) -> str:
        """Return the entries as HTML, in groups, none of them selected. There are hundreds, so no template does it."""
        groups = groupby(self.entries, key=lambda choice: choice.group)
        return "".join(write_group(group, choices) for group, choices in groups)


def write_group(group: str, choices: Iterable[Choice]) -> str:
    options = "".join(map(write_option, choices))
    return f'<optgroup label="{escape(group)}">\n{options}</optgroup>' if group else options


def write_option(choice: Choice) -> str:
    text, language = choice.label
    lang = f' lang="{escape(language)}"' if language else ""
    return f"{start_of_option(choice.value)}{lang}>{escape(text)}</option>\n"


def start_of_option(value: str) -> str:
    return f'<option value="{escape(value)}"'


@dataclass(frozen=True)
class FilterList:
    """A drop-down list, or a text where `choices` are None. `value` is the query parameter.

    `error` is a sentence when it is not valid.
    """

    name: str
    label: str
    choices: Choices | None
    value: str
    error: str = ""

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
    return Choices([Choice(value, Label(label)) for value, label in labels.items()])


FIXED_CHOICES = {
    **{each.name: choices_of(each.choices) for each in FILTERS.values() if each.choices},
    "sort": choices_of({"newest": "Newest first", "top": "Most popular first"}),
}
LIST_LABELS = {each.name: each.label for each in FILTERS.values() if not each.is_hidden} | {"sort": "Order"}
"""The form's lists by the names of their parameters, in the order of the form."""


def build_filter_lists(
    parameters: Mapping[str, str], errors: Mapping[str, Sequence[Mapping[str, Any]]], choices: Mapping[str, Choices]
) -> list[FilterList]:
    """Return the form's lists. `choices` are those of `choices_of_labels` and of the event."""
    all_choices = {**FIXED_CHOICES, **choices}
    return [
        FilterList(
            name=name,
            label=label,
            choices=all_choices.get(name),
            value=parameters.get(name, ""),
            error=" ".join(message(error, all_choices.get(name)) for error in errors.get(name, ())),
        )
        for name, label in LIST_LABELS.items()
    ]


def message(error: Mapping[str, Any], choices: Choices | None) -> str:
    """Return the error's sentence. One that would list the values lists their labels, which the reader sees.

    Too many to read are not listed again: they stand in the list that has the error.
    """
    if choices is None or error["code"] not in ("invalid_choice", UNKNOWN):
        return str(error["message"])
    if not 0 < len(choices.entries) <= MAX_LISTED:
        return "There is no such one. Choose one from the list."
    labels = [choice.label.text for choice in choices.entries]
    separator = "; " if any("," in label for label in labels) else ", "
    return f"Choose one of these: {separator.join(labels)}."


def choices_of_events(events: Iterable[Event]) -> Choices:
    """Return the choices of an event. They are the latest ones: /events lists all."""
    return Choices([Choice(event.slug, Label(str(event))) for event in events])


@dataclass(frozen=True)
class DayInput:
    """A day in the form. `error` is a sentence when it is not valid."""

    name: str
    label: str
    value: str
    error: str = ""


MAX_LISTED = 8
"""More choices are not repeated in an error beside the list that has them."""

DAY_LABELS = {"dateFrom": "Played from", "dateTo": "Played to"}


def build_day_inputs(
    parameters: Mapping[str, str], errors: Mapping[str, Sequence[Mapping[str, Any]]]
) -> list[DayInput]:
    return [
        DayInput(name, label, parameters.get(name, ""), " ".join(str(each["message"]) for each in errors.get(name, ())))
        for name, label in DAY_LABELS.items()
    ]


def day_in_words(value: str) -> str:
    """Write a day of the form, such as 2026-11-20, as all pages write dates."""
    return in_words(value.replace("-", "."))


@lru_cache(maxsize=8)
def choices_of_labels(labels: LabelCache, languages: tuple[str, ...]) -> dict[str, Choices]:
    """Return the choices of a theme, of its type and of an auction system, labelled for a reader of the languages.

    What is made for the readers of some languages is kept, as long as no label changes: about 0.1 MB for 200 themes.
    """
    labelled = label_themes(labels.themes.values(), languages)
    types = {theme.theme.type: theme.type_label for theme in labelled}
    return {
        "theme": Choices([Choice(labels.name_of(theme), label, types[theme.type]) for theme, label in labelled]),
        "themeType": choices_of(types),
        "auctionSystem": Choices(
            [
                Choice(system.identifier, best_label(system.labels, languages, system.identifier))
                for system in labels.auction_systems.values()
            ]
        ),
    }
