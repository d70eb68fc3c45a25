"""Themes with their labels in the reader's language, kept in each process with all auction systems until one changes.

Answers show them with every board, and there are few of them: some hundreds, at most 16 KiB of labels each.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from accounts.models import AuctionSystem
from config.database import fetch_rows
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


@dataclass(eq=False)
class LabelCache:
    """The themes, in the order of the interface, and the auction systems, by id. Compared by identity.

    `revision` is the token that the database had when they were read.
    """

    revision: str | None
    themes: Mapping[UUID, Theme]
    auction_systems: Mapping[str, AuctionSystem]

    @cached_property
    def theme_ids_by_identifier(self) -> Mapping[str, list[UUID]]:
        ids: dict[str, list[UUID]] = {}
        for theme in self.themes.values():
            ids.setdefault(theme.identifier, []).append(theme.pk)
        return ids

    @cached_property
    def theme_types(self) -> list[str]:
        """Return the types that are in use, in alphabetical order."""
        return list(dict.fromkeys(theme.type for theme in self.themes.values()))

    def theme_ids_named(self, value: str) -> list[UUID]:
        """Return the id of the theme with this id, or the ids of those with this identifier, which types may share."""
        try:
            return [theme_id] if (theme_id := UUID(value)) in self.themes else []
        except ValueError:
            return self.theme_ids_by_identifier.get(value, [])

    def theme_ids_of_type(self, name: str) -> list[UUID]:
        return [theme.pk for theme in self.themes.values() if theme.type == name]

    def name_of(self, theme: Theme) -> str:
        """Return the name by which `theme_ids_named` finds this theme alone: its identifier, or else its id."""
        is_found_alone = self.theme_ids_named(theme.identifier) == [theme.pk]
        return theme.identifier if is_found_alone else str(theme.pk)

    def auction_system_ids_named(self, identifier: str) -> list[str]:
        return [system.pk for system in self.auction_systems.values() if system.identifier == identifier]


_latest = LabelCache(None, {}, {})


def get_revision() -> str | None:
    """Return the revision that the database has now. A database that has never had a theme or a system has none."""
    rows = fetch_rows("SELECT token FROM themes_labelrevision")
    return rows[0][0] if rows else None


def latest_label_cache() -> LabelCache:
    """Return the label cache as this process has it, perhaps an old one. Compare its revision with the database's."""
    return _latest


def get_label_cache(revision: str | None) -> LabelCache:
    """Return the label cache of this revision, which was read from the database in this request.

    When it is not the one that the process keeps, read both tables. They may be newer than the revision by then; what
    is kept under it is then replaced at the next request, which finds another revision.
    """
    global _latest  # noqa: PLW0603  (one cache a process; threads that race read the same rows)
    labels = _latest
    if revision is None or labels.revision != revision:
        themes = {theme.pk: theme for theme in Theme.objects.ordered_by_type()}
        systems = {system.pk: system for system in AuctionSystem.objects.all()}
        labels = _latest = LabelCache(revision, themes, systems)
    return labels
