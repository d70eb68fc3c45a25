"""The pages about themes: all of them with the numbers of their boards, and one with its newest boards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import Truncator

from boards.catalogue.deals import find_deals, list_deals
from boards.catalogue.summaries import Value, count_boards_of_themes, count_by
from boards.search.filters.parameters import BoardSelection
from bridge.board import TEXTS
from config.values.labels import Label, best_label
from config.values.languages import accepted_languages
from config.values.words import format_count
from pages.presenters.ballots import ballot_of
from pages.presenters.boards import theme_path
from pages.presenters.deal_cards import DealCard, build_cards
from pages.site.base import PageView, path_with_query
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
    """GET /themes → 200: the themes by type, in the reader's language, with the numbers of their boards.

    Those without a board stand at the end.
    """

    section = "themes"

    def get(self, request: HttpRequest) -> HttpResponse:
        themes = count_themes(get_label_cache(get_revision()), accepted_languages(request))
        context = {
            "themes": [theme for theme in themes if theme.boards],
            "empty": [theme for theme in themes if not theme.boards],
        }
        return self.render_page("boards/themes.html", context)


@dataclass
class ThemeDetail:
    """A theme on its own page, with its newest deals. `total` counts all of its boards.

    `difficulties` counts them by difficulty, and `outcomes` by result and by what makes with all cards seen.
    """

    theme: Theme
    labels: LabelCache
    languages: Sequence[str]
    total: int
    cards: list[DealCard]
    difficulties: Mapping[str, int]
    outcomes: Mapping[tuple[int, Value], int]

    @property
    def label(self) -> Label:
        return best_label(self.theme.labels, self.languages, self.theme.identifier)

    @property
    def description(self) -> Label:
        """Return the description in the reader's language. Its text is "" when nobody has described the theme."""
        return best_label(self.theme.description, self.languages, "")

    @property
    def summary(self) -> str:
        """Return the beginning of the description, or else a sentence, for search engines and other sites."""
        text = " ".join(self.description.text.split())
        return Truncator(text).chars(MAX_SUMMARY) or f"Bridge boards about {self.label.text}."

    @property
    def type_label(self) -> str:
        return format_type(self.theme.type)

    @property
    def number(self) -> str:
        return format_count(self.total, "board")

    @property
    def path(self) -> str:
        return theme_path(self.theme, self.labels)

    @property
    def gallery_path(self) -> str:
        return path_with_query(reverse("gallery"), self.filters)

    @property
    def files(self) -> dict[str, str]:
        """Return the paths of the files of all its boards, by the names of their formats."""
        routes = {"PBN": "board-export", "LIN": "board-export-lin"}
        return {name: path_with_query(reverse(route), self.filters) for name, route in routes.items()}

    @property
    def feed_path(self) -> str:
        return path_with_query(reverse("feed"), self.filters)

    @property
    def practice_path(self) -> str:
        """Return the path where a reader practises with the theme's boards. It names the theme by its id alone."""
        return path_with_query(reverse("practice"), {"theme": str(self.theme.pk), **self.order})

    @property
    def order(self) -> dict[str, str]:
        """Return the parameter to practise from easy to hard, where the difficulty of a board is known."""
        return {"order": "easy"} if self.difficulties else {}

    @property
    def difficulty_paths(self) -> list[tuple[str, str, str]]:
        """Return each difficulty with its boards and the path of their list, the easiest first."""
        gallery = reverse("gallery")
        return [
            (name, f"{boards:,}", path_with_query(gallery, {**self.filters, "difficulty": name}))
            for name, boards in self.difficulties.items()
        ]

    @property
    def results(self) -> str:
        """Sum up the results: "Of 24 contracts with a result 15 made and 9 went down"; "" without one."""
        if not self.outcomes:
            return ""
        played = sum(self.outcomes.values())
        made = sum(boards for (result, _), boards in self.outcomes.items() if result >= 0)
        contracts = format_count(played, "contract")
        return f"Of {contracts} with a result {made:,} made and {played - made:,} went down"

    @property
    def down_makeable(self) -> str:
        """Return how many contracts went down that would make with all cards seen; "" for none."""
        boards = sum(boards for (result, makes), boards in self.outcomes.items() if result < 0 and makes == "yes")
        return f"{boards:,}" if boards else ""

    @property
    def down_makeable_path(self) -> str:
        return path_with_query(reverse("gallery"), {**self.filters, "q": "result<0 is:makeable"})

    @property
    def summary_path(self) -> str:
        return path_with_query(reverse("summary"), {**self.filters, "by": "contract", "and": "result"})

    @property
    def print_path(self) -> str:
        """Return the path of the hand records of the theme's boards."""
        return path_with_query(reverse("hand-records"), self.filters)

    @property
    def filters(self) -> dict[str, str]:
        """Return the query parameters that find the theme's boards."""
        return {"theme": self.labels.name_of(self.theme)}


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
            context: dict[str, Any] = {
                "identifier": identifier,
                "themes": count_themes(labels, languages, themes),
                "noindex": True,
            }
            return self.render_page("boards/theme_choice.html", context)
        detail = build_detail(themes[0], languages)
        ballot = ballot_of(request, [card.board.pk for card in detail.cards])
        return self.render_page("boards/theme.html", {"detail": detail, "ballot": ballot}, path=detail.path)


def find_themes(labels: LabelCache, identifier: str, theme_type: str) -> list[Theme]:
    """Return the themes with this identifier, of one type or of any. Without a type an id is found too."""
    if not theme_type:
        return [labels.themes[pk] for pk in labels.theme_ids_named(identifier)]
    named = (labels.themes[pk] for pk in labels.theme_ids_by_identifier.get(identifier, ()))
    return [theme for theme in named if theme.type == theme_type]


def build_detail(theme: Theme, languages: Sequence[str]) -> ThemeDetail:
    """Return what the page of a theme shows. It takes a fixed number of queries."""
    selection = BoardSelection({"theme": str(theme.pk)})
    page = find_deals(selection, 0, NEWEST_DEALS)
    cards = build_cards(list_deals(page.entries, page.condition), languages)
    difficulties = count_by(page.condition, "difficulty")
    outcomes = count_by(page.condition, "result", "makeable")
    return ThemeDetail(
        theme,
        page.labels,
        languages,
        page.total,
        cards,
        {name: boards for name in DIFFICULTIES if (boards := difficulties[name,])},
        {(result, makes): boards for (result, makes), boards in outcomes.items() if isinstance(result, int)},
    )
