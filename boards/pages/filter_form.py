"""The gallery's form: what GET /api/boards can be asked for, as lists to choose from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accounts.models import AuctionSystem
from config.values.languages import Label, best_label
from deals.bridge.names import SEAT_NAMES, vulnerability_in_words
from deals.bridge.vulnerability import Vulnerability
from themes.models import Theme
from themes.naming import named, spoken_type


@dataclass(frozen=True, slots=True)
class Choice:
    """`names` are other values that mean the same: a theme's identifier."""

    value: str
    label: Label
    group: str = ""
    names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """A list to choose one value from; `given` is what stands in the query, `error` what is wrong with it."""

    name: str
    label: str
    choices: Sequence[Choice]
    given: str
    error: str = ""

    @property
    def chosen(self) -> str:
        """The value of the choice that is meant; whatever was given, where none or more than one is."""
        meant = [choice.value for choice in self.choices if self.given in (choice.value, *choice.names)]
        return meant[0] if len(meant) == 1 else self.given

    @property
    def is_strange(self) -> bool:
        """Given, but none of the choices: it is shown all the same."""
        return bool(self.given) and self.chosen not in [choice.value for choice in self.choices]


def gallery_filters(
    given: Mapping[str, str], errors: Mapping[str, Sequence[Mapping[str, Any]]], languages: Sequence[str]
) -> list[Filter]:
    """Two queries, however many boards there are."""
    themes = list(Theme.objects.in_order())
    lists = {
        "theme": ("Theme", theme_choices(themes, languages)),
        "themeType": ("Kind of theme", plain(spoken_types(themes))),
        "dealer": ("Dealer", plain(SEAT_NAMES)),
        "vulnerability": ("Vulnerability", plain(dict(spoken_vulnerabilities()))),
        "auctionSystem": ("Auction system", system_choices(languages)),
        "sort": ("Order", plain({"newest": "Newest first", "top": "Best voted first"})),
    }
    return [
        Filter(
            name=name,
            label=label,
            choices=choices,
            given=given.get(name, ""),
            error=" ".join(str(error["message"]) for error in errors.get(name, ())),
        )
        for name, (label, choices) in lists.items()
    ]


def plain(labels: Mapping[str, str]) -> list[Choice]:
    return [Choice(value, Label(label)) for value, label in labels.items()]


def theme_choices(themes: Sequence[Theme], languages: Sequence[str]) -> list[Choice]:
    return [
        Choice(
            str(theme.theme.pk),
            theme.label,
            group=theme.kind,
            names=(theme.theme.pk.hex, theme.theme.identifier),
        )
        for theme in named(themes, languages)
    ]


def system_choices(languages: Sequence[str]) -> list[Choice]:
    return [
        Choice(system.identifier, best_label(system.labels, languages, system.identifier))
        for system in AuctionSystem.objects.all()
    ]


def spoken_vulnerabilities() -> Iterator[tuple[str, str]]:
    for vulnerability in Vulnerability:
        words = vulnerability_in_words(vulnerability)
        yield vulnerability.value, words[0].upper() + words[1:]


def spoken_types(themes: Sequence[Theme]) -> dict[str, str]:
    return {theme.type: spoken_type(theme.type) for theme in themes}
