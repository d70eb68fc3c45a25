"""The form on the page /boards: a drop-down list for each filter, in the reader's language.

What the filters mean, and which values are valid, is in boards.filters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accounts.models import AuctionSystem
from config.values.labels import Label, best_label
from deals.bridge.names import SEAT_NAMES, vulnerability_in_words
from deals.bridge.vulnerability import Vulnerability
from themes.labels import format_type, label_themes
from themes.models import Theme


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a list. `aliases` are other values with the same meaning, such as a theme's identifier."""

    value: str
    label: Label
    group: str = ""
    aliases: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class FilterList:
    """A drop-down list. `value` is the query parameter, `error` a sentence when it is not valid."""

    name: str
    label: str
    choices: Sequence[Choice]
    value: str
    error: str = ""

    @property
    def selected(self) -> str:
        """Return the value of the choice to select: the one that the parameter names by its value or an alias.

        An alias of several choices, or of none, is returned as it is.
        """
        matches = [choice.value for choice in self.choices if self.value in (choice.value, *choice.aliases)]
        return matches[0] if len(matches) == 1 else self.value

    @property
    def is_unknown(self) -> bool:
        """Tell whether the value is none of the choices. The form shows it anyway, for the reader to correct."""
        return bool(self.value) and self.selected not in [choice.value for choice in self.choices]


def build_filter_lists(
    parameters: Mapping[str, str], errors: Mapping[str, Sequence[Mapping[str, Any]]], languages: Sequence[str]
) -> list[FilterList]:
    """Return the form's lists. This takes two database queries, however many boards there are."""
    themes = list(Theme.objects.ordered_by_type())
    lists = {
        "theme": ("Theme", theme_choices(themes, languages)),
        "themeType": ("Theme type", choices_of(theme_type_labels(themes))),
        "dealer": ("Dealer", choices_of(SEAT_NAMES)),
        "vulnerability": ("Vulnerability", choices_of(vulnerability_labels())),
        "auctionSystem": ("Auction system", system_choices(languages)),
        "sort": ("Order", choices_of({"newest": "Newest first", "top": "Most popular first"})),
    }
    return [
        FilterList(
            name=name,
            label=label,
            choices=choices,
            value=parameters.get(name, ""),
            error=" ".join(str(error["message"]) for error in errors.get(name, ())),
        )
        for name, (label, choices) in lists.items()
    ]


def choices_of(labels: Mapping[str, str]) -> list[Choice]:
    return [Choice(value, Label(label)) for value, label in labels.items()]


def theme_choices(themes: Sequence[Theme], languages: Sequence[str]) -> list[Choice]:
    return [
        Choice(
            str(theme.theme.pk),
            theme.label,
            group=theme.type_label,
            aliases=(theme.theme.pk.hex, theme.theme.identifier),
        )
        for theme in label_themes(themes, languages)
    ]


def system_choices(languages: Sequence[str]) -> list[Choice]:
    return [
        Choice(system.identifier, best_label(system.labels, languages, system.identifier))
        for system in AuctionSystem.objects.all()
    ]


def vulnerability_labels() -> dict[str, str]:
    labels = {vulnerability.value: vulnerability_in_words(vulnerability) for vulnerability in Vulnerability}
    return {value: label[0].upper() + label[1:] for value, label in labels.items()}


def theme_type_labels(themes: Sequence[Theme]) -> dict[str, str]:
    return {theme.type: format_type(theme.type) for theme in themes}
