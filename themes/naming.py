"""Themes as a page names them, in the reader's language."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from config.values.languages import Label, best_label
from themes.models import Theme


@dataclass(frozen=True, slots=True)
class NamedTheme:
    theme: Theme
    label: Label

    @property
    def kind(self) -> str:
        return spoken_type(self.theme.type)


def named(themes: Iterable[Theme], languages: Sequence[str]) -> list[NamedTheme]:
    return [NamedTheme(theme, best_label(theme.labels, languages, theme.identifier)) for theme in themes]


def spoken_type(slug: str) -> str:
    """A theme type as a heading: "Slam bidding" for slam_bidding."""
    words = slug.replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:] or slug
