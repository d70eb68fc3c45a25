"""The pages about themes: all of them with the numbers of their boards, and one with its newest boards."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import Truncator

from boards.catalogue.deals import find_deals, list_deals
from boards.catalogue.reading import Search
from boards.catalogue.summaries import count_boards_of_themes, count_by
from boards.searching.parameters import BoardSelection
from bridge.board import TEXTS
from config.values.labels import Label, best_label
from config.values.languages import accepted_languages
from config.values.words import format_count
from pages.presenters.ballots import ballot_of
from pages.presenters.boards import theme_path
from pages.presenters.deal_cards import build_cards
from pages.site.base import PageView
from themes.labels import LabelCache, format_type, get_label_cache, get_revision, label_themes
from themes.models import Theme

NEWEST_DEALS = 12
DIFFICULTIES = TEXTS["difficulty"].choices
MAX_SUMMARY = 200
"""Characters of a description that search engines and other sites show."""


class CountedTheme(NamedTuple):
    """A theme in a list, and how many published boards it has."""

    theme: Theme
    label: Label
    path: str
    boards: int

    @property
    def type_label(self) -> str:
        return format_type(self.theme.type)

    @property
    def number(self) -> str:
        return format_count(self.boards, "board") if self.boards else "no boards yet"


def count_themes(
    labels: LabelCache, languages: Sequence[str], themes: Sequence[Theme] | None = None
) -> list[CountedTheme]:
    """Return all themes, or some of them, with the numbers of their boards. It takes one query."""
    shown = labels.themes.values() if themes is None else themes
    boards = count_boards_of_themes([theme.pk for theme in shown])
    return [
        CountedTheme(theme, label, theme_path(theme, labels), boards[theme.pk])
        for theme, label in label_themes(shown, languages)
    ]


class ThemesPage(PageView):
    """GET /themes → 200: the themes by type with the numbers of their boards. Those without one stand at the end."""

    section = "themes"

    def get(self, request: HttpRequest) -> HttpResponse:
        themes = count_themes(get_label_cache(get_revision()), accepted_languages(request))
        context = {
            "themes": [theme for theme in themes if theme.boards],
            "empty": [theme for theme in themes if not theme.boards],
        }
        return self.render_page("boards/themes.html", context)


class ThemePage(PageView):
    """GET /themes/{identifier} and GET /themes/{type}/{identifier} → 200 or 404: the theme and its newest boards.

    Where several types have the identifier, the first form is a page to choose from. An id instead of the identifier
    leads to the theme too. Whatever the address, the page names the canonical one.
    """

    section = "themes"

    def get(self, request: HttpRequest, identifier: str, theme_type: str = "") -> HttpResponse:
        languages, labels = accepted_languages(request), get_label_cache(get_revision())
        themes = find_themes(labels, identifier, theme_type)
        if not themes:
            raise Http404
        if len(themes) > 1:
            self.noindex = True
            choice = {"identifier": identifier, "themes": count_themes(labels, languages, themes)}
            return self.render_page("boards/theme_choice.html", choice)
        context = describe_theme(themes[0], languages)
        context["ballot"] = ballot_of(request, [card.board.pk for card in context["cards"]])
        return self.render_page("boards/theme.html", context, path=theme_path(themes[0], labels))


def find_themes(labels: LabelCache, identifier: str, theme_type: str) -> list[Theme]:
    """Return the themes with this identifier, of one type or of any. Without a type an id is found too."""
    if not theme_type:
        return [labels.themes[pk] for pk in labels.theme_ids_named(identifier)]
    named = (labels.themes[pk] for pk in labels.theme_ids_by_identifier.get(identifier, ()))
    return [theme for theme in named if theme.type == theme_type]


def describe_theme(theme: Theme, languages: Sequence[str]) -> dict[str, Any]:
    """Return what the page of a theme shows. It takes a fixed number of queries."""
    page = find_deals(Search(BoardSelection({"theme": str(theme.pk)}), nullcontext), 0, NEWEST_DEALS)
    label = best_label(theme.labels, languages, theme.identifier)
    description = best_label(theme.description, languages, "")
    summary = Truncator(" ".join(description.text.split())).chars(MAX_SUMMARY)
    difficulties = count_by(page.condition, "difficulty")
    made, down, down_makeable = 0, 0, 0
    for (result, makes), boards in count_by(page.condition, "result", "makeable").items():
        if isinstance(result, int) and result >= 0:
            made += boards
        elif isinstance(result, int):
            down += boards
            down_makeable += boards if makes == "yes" else 0
    return {
        "theme": theme,
        "name": page.labels.name_of(theme),
        "type_label": format_type(theme.type),
        "label": label,
        "description": description,
        "summary": summary or f"Bridge boards about {label.text}.",
        "total": page.total,
        "number": format_count(page.total, "board"),
        "cards": build_cards(list_deals(page.entries, page.condition), languages),
        "difficulties": [(name, f"{difficulties[name,]:,}") for name in DIFFICULTIES if difficulties[name,]],
        "contracts": format_count(made + down, "contract") if made + down else "",
        "made": f"{made:,}",
        "down": f"{down:,}",
        "down_makeable": f"{down_makeable:,}" if down_makeable else "",
    }
