"""The page /boards: the boards that the query finds, links to the other pages of the list, and the filter form."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from rest_framework.exceptions import ValidationError

from boards.catalogue.deals import DealPage, find_deals, list_deals
from boards.events.listing import latest_events
from boards.filters.declarations import FILTERS
from boards.filters.parameters import BoardFilters, BoardQuery, parse_selection
from boards.models import Event
from boards.search.index.finding import count_boards
from config.api.errors import ValidationFailed
from config.api.fields import ChoiceField
from config.api.handlers import field_errors
from config.api.pagination import MAX_PAGE, MAX_PAGE_SIZE, NaturalField, PageQuery
from config.values.identifiers import SLUG_PATTERN
from config.values.labels import Label
from config.values.words import format_count
from pages.presenters.deal_cards import DealCard, build_cards
from pages.presenters.theme_paths import theme_path
from pages.search.filter_form import (
    DayInput,
    FilterList,
    build_day_inputs,
    build_filter_lists,
    choices_of_events,
    choices_of_labels,
    day_in_words,
)
from pages.search.search_form import FIELDS, chips_of
from pages.search.unknown_names import refuse_unknown
from pages.site.lists import path_with_query
from themes.label_cache import LabelCache, get_label_cache, get_revision
from themes.models import Theme

SLUG = re.compile(SLUG_PATTERN)
MAX_EVENTS = 12
"""The latest events, which the form offers. /events lists all."""

DAYS = {"dateFrom", "dateTo", "updatedSince"}
"""The filters of a time. They are dropped together."""

MAX_TRIED = 10
"""The conditions of a search of which a page without boards says what is found without each."""

HIDDEN_LABELS = {each.name: each.label for each in FILTERS.values() if each.is_hidden} | {
    "updatedSince": "Changed since"
}
"""The names of the filters that the form keeps in hidden fields."""

INDEXED_PARAMETERS = {"theme"}
"""Search engines index the list of a theme. Any other parameter only reorders or narrows boards they know already."""


COMPACT = "compact"
SHOWN = ("pageSize", "view")
"""The parameters that say how the boards are shown and not which."""

DEFAULTS = {("sort", "newest"), ("view", "diagrams")}
"""What is shown without these parameters too."""


class DealPageQuery(PageQuery):
    """The page parameters of GET /api/boards. `start` says instead of `page` with which board, from 1, a page begins.

    A page of deals ends where it is full, so that only the page before tells where the next one begins.
    """

    start = NaturalField(required=False, min_value=1, max_value=MAX_PAGE)


class GalleryQuery(DealPageQuery):
    """Twelve deals a page, which fill rows of one to four."""

    pageSize = NaturalField(default=12, min_value=1, max_value=MAX_PAGE_SIZE)
    view = ChoiceField(choices=["diagrams", COMPACT], default="diagrams", allow_blank=True)


class WiderList(NamedTuple):
    """The boards that are found without one of the filters. `dropped` has its name and its value in the form."""

    dropped: list[tuple[str, Label]]
    boards: int
    path: str

    @property
    def number(self) -> str:
        return format_count(self.boards, "board")


class ListedChip(NamedTuple):
    """A condition of the search, and the path of the list without it."""

    text: str
    path: str


@dataclass
class Gallery:
    """What the template shows. When the query is not valid `page` is None and `errors` says why, by parameter.

    `wider_lists` are for a query that finds no board.
    """

    query: QueryDict
    languages: tuple[str, ...]
    labels: LabelCache
    page: DealPage | None = None
    cards: list[DealCard] = field(default_factory=list)
    errors: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    wider_lists: list[WiderList] = field(default_factory=list)

    @cached_property
    def parameters(self) -> dict[str, str]:
        """Return the query's parameters that have an effect, but for the place. A theme goes by its identifier."""
        parameters = {name: self.query.get(name, "") for name in (*BoardQuery().fields, *SHOWN)}
        if self.selected_theme:
            parameters["theme"] = self.labels.name_of(self.selected_theme)
        return {name: value for name, value in parameters.items() if value and (name, value) not in DEFAULTS}

    @cached_property
    def filter_lists(self) -> list[FilterList]:
        choices = choices_of_labels(self.labels, self.languages)
        events = {"event": choices_of_events(self.events)}
        return build_filter_lists(self.parameters, self.errors, {**choices, **events})

    search_fields = FIELDS

    @property
    def chosen(self) -> int:
        """Return how many filters are chosen in the folded part. The search stands outside of it."""
        return len(self.parameters.keys() - {"q", "view"})

    @property
    def search(self) -> str:
        """Return the text of the search box."""
        return self.query.get("q", "")

    @property
    def search_errors(self) -> list[dict[str, Any]]:
        """Return what is wrong with the search, with the part of it from which on it is wrong."""
        return self.errors.get("q", [])

    @cached_property
    def day_inputs(self) -> list[DayInput]:
        return build_day_inputs(self.parameters, self.errors)

    @property
    def other_errors(self) -> dict[str, list[dict[str, Any]]]:
        """Return the errors of parameters that the form has no list for."""
        listed = {"q", *(each.name for each in self.filter_lists), *(each.name for each in self.day_inputs)}
        return {name: reasons for name, reasons in self.errors.items() if name not in listed}

    @property
    def hidden_parameters(self) -> dict[str, str]:
        """Return the parameters that the form keeps in hidden fields."""
        return {name: self.parameters[name] for name in (*HIDDEN_LABELS, *SHOWN) if name in self.parameters}

    @property
    def theme(self) -> Label | None:
        """Return the label of the selected theme, or None when the query does not select exactly one."""
        return self.selected_label("theme")

    @property
    def event(self) -> Label | None:
        """Return the label of the selected event, or None when the query selects none."""
        return self.selected_label("event")

    def describe(self, name: str) -> tuple[str, Label]:
        """Return the name of a filter and its value as the reader knows them."""
        value = self.parameters[name]
        lists = {each.name: (each.label, each.selected_label or Label(value)) for each in self.filter_lists}
        days = {each.name: (each.label, Label(day_in_words(value))) for each in self.day_inputs}
        return {**lists, **days}.get(name) or (HIDDEN_LABELS[name], Label(value))

    def selected_label(self, name: str) -> Label | None:
        return next(each.selected_label for each in self.filter_lists if each.name == name)

    @cached_property
    def selected_theme(self) -> Theme | None:
        return theme_of(filters_of(self.query), self.labels)

    @property
    def theme_path(self) -> str:
        """Return the path of the selected theme's page, or "" without one."""
        return theme_path(self.selected_theme, self.labels) if self.selected_theme else ""

    @property
    def is_indexed(self) -> bool:
        return not self.errors and self.parameters.keys() <= INDEXED_PARAMETERS

    @property
    def canonical_path(self) -> str:
        """Return one path for all queries that show this page."""
        return path_from(self.page.start, reverse("gallery"), self.parameters) if self.page else reverse("gallery")

    @property
    def page_paths(self) -> dict[str, str]:
        """Return the paths of the first and the next page, as far as they are others."""
        return paths_around(self.page, reverse("gallery"), self.parameters) if self.page else {}

    @property
    def is_compact(self) -> bool:
        return self.parameters.get("view") == COMPACT

    @property
    def other_view_path(self) -> str:
        """Return the path of this page with diagrams where it has none, and without them where it has."""
        view = {} if self.is_compact else {"view": COMPACT}
        others = {name: value for name, value in self.parameters.items() if name != "view"}
        return path_from(self.page.start if self.page else 0, reverse("gallery"), others | view)

    @property
    def number(self) -> str:
        """Say how many boards are found, and of how many deals where this page has all of them."""
        if self.page is None:
            return ""
        start, total, deals = self.page.start, self.page.total, len(self.cards)
        number = format_count(total, "board")
        if start and total:
            return f"{number}, {'all' if start >= total else start} of them before this page"
        is_all = sum(max(card.found, 1) for card in self.cards) == total
        if is_all and deals < total:
            return f"{number} of {format_count(deals, 'deal')}"
        return f"{number}, each deal shown once" if any(card.has_several for card in self.cards) else number

    @property
    def chips(self) -> list[ListedChip]:
        """Return the conditions of the search, with the path of the list without each."""
        return [
            ListedChip(chip.text, self.path_of(self.parameters | {"q": chip.rest}))
            for chip in chips_of(self.parameters.get("q", ""))
        ]

    def path_of(self, parameters: Mapping[str, str]) -> str:
        kept = {name: value for name, value in parameters.items() if value}
        return path_with_query(reverse("gallery"), kept)

    @property
    def filters(self) -> dict[str, str]:
        """Return the filters by themselves, for other ways to use the boards that the query finds.

        A theme goes by its id, which does not say to a player what the boards are about.
        """
        filters = {name: self.parameters[name] for name in self.parameters if name not in ("sort", *SHOWN)}
        return filters | ({"theme": str(self.selected_theme.pk)} if self.selected_theme else {})

    @property
    def practice_path(self) -> str:
        return path_with_query(reverse("practice"), self.filters)

    @property
    def print_path(self) -> str:
        """Return the path of the hand records of all boards that the query finds, in the order of the page."""
        order = {name: value for name, value in self.parameters.items() if name == "sort"}
        return path_with_query(reverse("hand-records"), self.filters | order)

    @property
    def feed_path(self) -> str:
        return path_with_query(reverse("feed"), self.filters)

    @property
    def summary_path(self) -> str:
        return path_with_query(reverse("summary"), self.filters | {"by": "contract", "and": "result"})

    @property
    def collect_path(self) -> str:
        """Return the path on which a member makes a collection of all boards that the query finds."""
        parameters = {name: value for name, value in self.parameters.items() if name not in SHOWN}
        return path_with_query(reverse("collection-new"), {"search": urlencode(parameters)})

    @property
    def export_path(self) -> str:
        """Return the path of a file of all boards that the query finds, not of this page alone."""
        filters = {name: value for name, value in self.parameters.items() if name in BoardFilters.names()}
        return path_with_query(reverse("board-export"), filters)


def first_row(parameters: Mapping[str, Any], size: int) -> int:
    """Return the row of a list, from 0, with which the page of a parsed DealPageQuery begins."""
    return parameters["start"] - 1 if "start" in parameters else (parameters["page"] - 1) * size


def paths_around(page: DealPage, path: str, parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the paths of the first and the next page, as far as they are others."""
    first = {"first": path_from(0, path, parameters)} if page.start else {}
    if page.next_start is None:
        return first
    return first | {"next": path_from(page.next_start, path, parameters)}


def path_from(row: int, path: str, parameters: Mapping[str, str]) -> str:
    """Return the path of the page that begins with a row, from 0. The first page has no `start`."""
    start = {"start": str(row + 1)} if row else {}
    return path_with_query(path, {**parameters, **start})


def filters_of(query: QueryDict) -> dict[str, str]:
    """Return the filters of GET /api/boards that a query has, as they are written there."""
    return {name: value for name in query if name in BoardFilters.names() and (value := query.get(name))}


def theme_of(filters: Mapping[str, str], labels: LabelCache) -> Theme | None:
    """Return the theme that the filters name, or None when they name none or several."""
    ids = labels.theme_ids_named(filters.get("theme", ""))
    return labels.themes[ids[0]] if len(ids) == 1 else None


def path_with_search(query: QueryDict, search: str) -> str:
    """Return the path of the list with this query's parameters and another search."""
    parameters = {name: query.get(name, "") for name in (*BoardQuery.names(), "view")} | {"q": search}
    return path_with_query(reverse("gallery"), {name: value for name, value in parameters.items() if value})


def build_gallery(query: QueryDict, languages: tuple[str, ...]) -> Gallery:
    """Return the gallery for a query with the parameters of GET /api/boards. It takes a fixed number of queries."""
    gallery = Gallery(query, languages, get_label_cache(get_revision()))
    slug = query.get("event", "")
    gallery.events = latest_events(MAX_EVENTS, slug if SLUG.fullmatch(slug) else "")
    try:
        selection = parse_selection(query)
        parameters = GalleryQuery.parse(query)
        size = parameters["pageSize"]
        page = find_deals(selection, first_row(parameters, size), size)
        refuse_unknown(selection.filters, page.labels, found=page.total)
    except ValidationError as error:
        gallery.errors = field_errors(error.detail)
        return gallery
    except ValidationFailed as error:
        gallery.errors = error.meta["fields"]
        return gallery
    gallery.page, gallery.labels = page, page.labels
    gallery.cards = build_cards(list_deals(page.entries, page.condition), languages)
    if not page.total:
        gallery.wider_lists = [*find_wider_lists(gallery)]
    return gallery


def find_wider_lists(gallery: Gallery) -> Iterator[WiderList]:
    """Yield the lists that have boards when one filter is dropped. The days go together."""
    filters = filters_of(gallery.query)
    days = filters.keys() & DAYS
    others = [{name} for name in gallery.parameters if name in filters and name not in {*DAYS, "q"}]
    for chip in chips_of(filters.get("q", ""))[:MAX_TRIED]:
        selection = parse_selection(QueryDict(urlencode(filters | {"q": chip.rest})))
        if boards := count_boards(selection.condition(gallery.labels)):
            path = gallery.path_of(gallery.parameters | {"q": chip.rest})
            yield WiderList([("the condition", Label(chip.text))], boards, path)
    for names in filter(None, (*others, days)):
        rest = {name: filters[name] for name in filters if name not in names}
        selection = parse_selection(QueryDict(urlencode(rest)))
        if boards := count_boards(selection.condition(gallery.labels)):
            parameters = {name: value for name, value in gallery.parameters.items() if name not in names}
            dropped = [gallery.describe(name) for name in gallery.parameters if name in names]
            yield WiderList(dropped, boards, path_with_query(reverse("gallery"), parameters))
