"""Themes with their labels in the reader's language, as pages show them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from config.values.labels import Label, best_label
from themes.models import Theme


class LabelledTheme(NamedTuple):
    theme: Theme
    label: Label

    @property
    def type_label(self) -> str:
        return format_type(self.theme.type)


def label_themes(themes: Iterable[Theme], languages: Sequence[str]) -> list[LabelledTheme]:
    return [LabelledTheme(theme, best_label(theme.labels, languages, theme.identifier)) for theme in themes]


def format_type(slug: str) -> str:
    """Return a theme's type as a heading: "Slam bidding" for slam_bidding."""
    words = slug.replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:] or slug
