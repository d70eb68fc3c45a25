"""The page /boards: the boards that the query finds, links to the other pages of the list, and the filter form."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from http import HTTPStatus
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from rest_framework.exceptions import ValidationError

from boards.catalogue.deals import DealPage, find_deals, list_deals
from boards.catalogue.reading import Search
from boards.searching.filters import FILTERS
from boards.searching.parameters import BoardFilters, BoardQuery, BoardSelection, parse_selection
from config.api.errors import ValidationFailed
from config.api.fields import ChoiceField
from config.api.pagination import MAX_PAGE, MAX_PAGE_SIZE, NaturalField, PageQuery
from config.api.serializers import shared_instance
from config.edge.limits.dear_reads import keep_permit
from config.values.labels import Label
from config.values.languages import accepted_languages
from config.values.words import format_count
from pages.presenters.ballots import ballot_of
from pages.presenters.boards import boards_path, theme_path
from pages.presenters.deal_cards import DealCard, build_cards
from pages.search.filter_form import SHOWN, Errors, FilterForm, build_form, refuse_unknown
from pages.search.how_to_search import EXAMPLES
from pages.search.search_form import FIELDS, Chip, chips_of, write_query
from pages.site.base import PageView, explain, path_with_query
from search.index.pages import count
from search.language.queries import SearchText
from search.language.understanding import Understood
from themes.labels import LabelCache, get_label_cache, get_revision, latest_label_cache
from themes.models import Theme

DAYS = {each.name for each in FILTERS.values() if each.field_class}
"""The filters of a time. They are dropped together."""

MAX_TRIED = 3
"""A page without boards says what is found without each of so many conditions of the search, and filters."""

MAX_CHIPS = 30
"""The parts of a search that can be taken away."""

INDEXED_PARAMETERS = {"theme"}
"""Search engines index the list of a theme. Any other parameter only reorders or narrows boards they know already."""

COMPACT = "compact"
OPEN = "open"
"""The value of `filters` with which the page has its long form. Without it there is a link to that."""

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


def links_of(form: FilterForm, theme: Theme | None, labels: LabelCache, start: int) -> dict[str, str]:
    """Return where all boards that the query finds are used otherwise, and this page with or without diagrams.

    A theme goes by its id, which does not say to a player what the boards are about.
    """
    listed = {name: value for name, value in form.parameters.items() if name not in SHOWN}
    exported = listed | {"sort": ""}
    filters = exported | ({"theme": str(theme.pk)} if theme else {})
    other_view = "" if form.parameters.get("view") == COMPACT else COMPACT
    return {
        "theme": theme_path(theme, labels) if theme else "",
        "export": path_with_query(reverse("board-export"), exported),
        "other_view": path_from(start, boards_path(), {**form.parameters, "view": other_view}),
        "practice": path_with_query(reverse("practice"), filters),
        "print": path_with_query(reverse("hand-records"), filters | {"sort": listed.get("sort", "")}),
        "summary": path_with_query(reverse("summary"), filters | {"by": "contract", "and": "result"}),
        "feed": path_with_query(reverse("feed"), filters),
        "collect": f"{reverse('collection-new')}?{urlencode({'search': urlencode(listed)})}",  # blank for all boards
    }


def describe_number(page: DealPage, cards: Sequence[DealCard]) -> str:
    """Say how many boards are found, and of how many deals where this page has all of them."""
    number = format_count(page.total, "board")
    if page.start and page.total:
        return f"{number}, {'all' if page.start >= page.total else page.start} of them before this page"
    is_all = sum(max(card.found, 1) for card in cards) == page.total
    if is_all and len(cards) < page.total:
        return f"{number} of {format_count(len(cards), 'deal')}"
    return f"{number}, each deal shown once" if any(card.has_several for card in cards) else number


def first_row(parameters: Mapping[str, Any], size: int) -> int:
    """Return the row of a list, from 0, with which the page of a parsed DealPageQuery begins."""
    return parameters["start"] - 1 if "start" in parameters else (parameters["page"] - 1) * size


def paths_around(page: DealPage, path: str, parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the paths of the first and the next page, as far as they are others."""
    starts = {"first": 0 if page.start else None, "next": page.next_start}
    return {name: path_from(row, path, parameters) for name, row in starts.items() if row is not None}


def path_from(row: int, path: str, parameters: Mapping[str, str]) -> str:
    """Return the path of the page that begins with a row, from 0. The first page has no `start`."""
    return path_with_query(path, {**parameters, "start": str(row + 1) if row else ""})


def filters_of(query: QueryDict) -> dict[str, str]:
    """Return the filters of GET /api/boards that a query has, as they are written there."""
    names = BoardFilters.names()
    return {name: value for name in query if name in names and (value := query.get(name))}


def theme_of(filters: Mapping[str, str], labels: LabelCache) -> Theme | None:
    """Return the theme that the filters name, or None when they name none or several."""
    ids = labels.theme_ids_named(filters.get("theme", ""))
    return labels.themes[ids[0]] if len(ids) == 1 else None


def parameters_of(query: QueryDict) -> dict[str, str]:
    """Return the parameters of a query, but for the place, as they are written. Those that are absent are blank."""
    return {name: query.get(name, "") for name in (*shared_instance(BoardQuery).fields, *SHOWN)}


def in_effect(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return those of the parameters that have an effect."""
    return {name: value for name, value in parameters.items() if value and (name, value) not in DEFAULTS}


def try_to_find(query: QueryDict, text: SearchText) -> tuple[DealPage | None, Errors]:
    """Return the page of deals that a query with this text of q finds, or what is wrong with the query."""
    try:
        parameters = GalleryQuery.parse(query)
        search = Search(parse_selection(query, text=text), keep_permit)
        size = parameters["pageSize"]
        page = find_deals(search, first_row(parameters, size), size)
        refuse_unknown(search.selection.filters, page.labels, found=page.total)
    except (ValidationError, ValidationFailed) as error:
        return None, explain(error).meta["fields"]
    return page, {}


Dropped = list[tuple[str, Label]]
"""What a wider list is without, by names and values as the reader knows them."""


def find_wider_lists(search: Search, form: FilterForm, chips: Sequence[Chip]) -> Iterator[tuple[Dropped, str, str]]:
    """Yield what has boards when one condition, one filter, or all days are dropped: these, how many, and the path.

    There are none for a search that looks at boards: each would do so again.
    """
    if search.is_dear:
        return
    for dropped, wider, changes in islice(wider_searches(search.selection, form, chips), MAX_TRIED):
        if boards := count_found(wider):
            yield dropped, format_count(boards, "board"), form.path(**changes)


def wider_searches(
    selection: BoardSelection, form: FilterForm, chips: Sequence[Chip]
) -> Iterator[tuple[Dropped, BoardSelection, dict[str, str]]]:
    """Yield what may be dropped, and the selection and the changed parameters without it."""
    for chip in chips:
        rest = SearchText(chip.rest) if chip.rest else None
        yield [("the condition", Label(chip.text))], replace(selection, search=rest), {"q": chip.rest}
    filters = selection.filters
    others = [{name} for name in form.parameters if name in filters and name not in DAYS]
    for names in filter(None, (*others, filters.keys() & DAYS)):
        dropped = [form.describe(name) for name in form.parameters if name in names]
        kept = {name: value for name, value in filters.items() if name not in names}
        yield dropped, replace(selection, filters=kept), dict.fromkeys(names, "")


def count_found(selection: BoardSelection) -> int:
    """Return how many boards are found, 0 where that would take a look at boards, or is refused."""
    wider = Search(selection, nullcontext)
    try:
        return 0 if wider.is_dear else count(wider.condition(latest_label_cache()))
    except ValidationFailed:
        return 0


def describe_search(form: FilterForm, understood: Understood | None, chips: Sequence[Chip]) -> dict[str, Any]:
    """Return what the page says of a search: how its words were read, and what else may be meant."""
    suggested = [error["suggestion"] for error in form.search_errors if "suggestion" in error]
    return {
        "chips": [(chip.text, chip.meaning, form.path(q=chip.rest)) for chip in chips[:MAX_CHIPS]],
        "read_as": understood.query if understood and understood.query != form.parameters.get("q", "") else "",
        "is_wordless": bool(understood and understood.is_wordless),
        "in_texts": form.path(q=understood.in_texts) if understood and understood.in_texts else "",
        "suggestions": [(suggestion, form.path(q=suggestion)) for suggestion in suggested],
    }


class GalleryPage(PageView):
    """GET /boards with the parameters of GET /api/boards → 200, or 400: the form with its errors.

    With fields of pages.search.search_form → 302 to the query that they write.
    """

    section = "boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        query = request.GET
        parameters = parameters_of(query)
        if (written := write_query(query)) is not None:
            return HttpResponseRedirect(path_with_query(boards_path(), parameters | {"pageSize": "", "q": written}))
        text = SearchText(parameters["q"])
        page, errors = try_to_find(query, text)
        labels, languages = page.labels if page else get_label_cache(get_revision()), accepted_languages(request)
        theme = theme_of(parameters, labels)
        parameters = in_effect(parameters | ({"theme": labels.name_of(theme)} if theme else {}))
        form = build_form(parameters, errors, labels, languages, is_open=query.get("filters") == OPEN)
        understood = text.understood_if_query(labels)
        chips = chips_of(text.text, understood)
        self.noindex = bool(errors) or not parameters.keys() <= INDEXED_PARAMETERS
        context = {
            "form": form,
            "search_fields": FIELDS,
            **describe_search(form, understood, chips),
            "examples": EXAMPLES,
            "is_compact": parameters.get("view") == COMPACT,
            "form_path": form.path(filters=OPEN),
            "links": links_of(form, theme, labels, page.start if page else 0),
        }
        if page is None:
            return self.render_page("search/gallery.html", context, path=boards_path(), status=HTTPStatus.BAD_REQUEST)
        cards = build_cards(list_deals(page.entries, page.condition), languages, is_in_event="event" in parameters)
        context |= {
            "page": page,
            "number": describe_number(page, cards),
            "cards": cards,
            "around": paths_around(page, boards_path(), parameters),
            "wider_lists": [] if page.total else [*find_wider_lists(page.search, form, chips)],
            "ballot": ballot_of(request, [card.board.pk for card in cards]),
        }
        return self.render_page("search/gallery.html", context, path=path_from(page.start, boards_path(), parameters))
