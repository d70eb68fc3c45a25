"""The filters and the search box of the list of boards, which takes what that of the page /boards takes."""

import re
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.text import capfirst, smart_split, unescape_string_literal

from boards.forms import EVENT_LENGTH, DateInput, ThemeField
from boards.models import Board, PublicationReview
from bridge.board import TEXTS
from bridge.names import vulnerability_in_words
from bridge.vulnerability import Vulnerability
from config.admin.options import MAX_SEARCH_LENGTH
from config.edge.limits.dear_reads import keep_permit
from search.conditions import Condition, every, played_between
from search.index.finding import EITHER, find_page, resolved
from search.language.parsing import QueryError
from search.language.queries import SearchText
from themes.labels import get_label_cache, get_revision
from themes.models import Theme

SEARCHED = ("id", "commentary", "deal_commentary", "deal__cards", *(name for name in TEXTS if not TEXTS[name].choices))
"""The columns in which words are looked for."""

AS_WRITTEN = re.compile(r"[NESW]:[AKQJT2-9.]|[0-9a-fA-F]{8}-[0-9a-fA-F-]{4,27}$")
"""The beginning of a deal as PBN has it, and an id or its beginning: a part of an id may look like words."""

MAX_FOUND = 5_000
"""The boards of a search that the list shows, the newest."""


def find_boards(request: HttpRequest, boards: QuerySet[Board], text: str) -> QuerySet[Board]:
    """Return those of the boards that a text finds, drafts too, as the page /boards understands it.

    Words that say nothing to players are looked for in all texts, in ids and in themes: staff know parts of words.
    Tell the reader how the text was read, or what is wrong with it.
    """
    if AS_WRITTEN.match(text.strip()):
        return find_words(boards, text)
    labels = get_label_cache(get_revision())
    search = SearchText(text)
    try:
        understood = search.understood(labels)
        if all(part.is_leftover for part in understood.parts):
            return find_words(boards, text)
        found = with_condition(request, boards, search.condition(labels, request.user.pk))
    except QueryError as error:
        messages.error(request, f"Search: {error.message}")
        return boards.none()
    if request.method == "GET" and understood.query != text:
        messages.info(request, f"The search was read as {understood.query}")
    return found


def with_condition(request: HttpRequest, boards: QuerySet[Board], condition: Condition) -> QuerySet[Board]:
    """Return those that meet the condition, the newest MAX_FOUND. Tell the reader where there are more."""
    found = find_page(resolved(every([EITHER, condition]), keep_permit), 0, MAX_FOUND)
    if found.has_more:
        messages.warning(request, f"{found.total:,} boards match. The list shows the newest {MAX_FOUND:,}.")
    return boards.filter(pk__in=found.ids)


def find_words(boards: QuerySet[Board], text: str) -> QuerySet[Board]:
    """Return those that have each word in one of the columns, or in the identifier or a label of a theme.

    Themes are few, so they are looked through in memory: Django would join them to every board.
    """
    links, words = Board.themes.through.objects, [*split_search(text[:MAX_SEARCH_LENGTH])]
    themes = get_label_cache(get_revision()).themes.values() if words else ()
    for word in words:
        condition = Q(*((f"{name}__icontains", word) for name in SEARCHED), _connector=Q.OR)
        if called := [theme.pk for theme in themes if is_called(theme, word)]:
            condition |= Q(pk__in=links.filter(theme__in=called).values("board"))
        boards = boards.filter(condition)
    return boards


def split_search(text: str) -> Iterator[str]:
    """Yield the words of a search. What stands in quotes is one, as in the admin's other lists."""
    for word in smart_split(text):
        is_quoted = word[0] in "\"'" and word[0] == word[-1]
        yield unescape_string_literal(word) if is_quoted else word


def is_called(theme: Theme, word: str) -> bool:
    names = (theme.identifier, *theme.labels.values())
    return any(word.casefold() in name.casefold() for name in names if isinstance(name, str))


WAITING = "waiting"


class PublishedFilter(admin.SimpleListFilter):
    title = "publication"
    parameter_name = "published"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Published"), ("no", "Drafts"), (WAITING, "Waiting for staff")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Board]) -> QuerySet[Board]:
        if self.value() == WAITING:
            return queryset.filter(review__state=PublicationReview.State.WAITING)
        if self.value() in ("yes", "no"):
            return queryset.filter(published_at__isnull=self.value() == "no")
        return queryset


class VulnerabilityFilter(admin.ChoicesFieldListFilter):
    """Choose by who is vulnerable, in words: files call both sides "All", as Django calls no choice."""

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        everything, *others = super().choices(changelist)
        yield everything
        for choice in others:
            yield {**choice, "display": capfirst(vulnerability_in_words(Vulnerability(str(choice["display"]))))}


class BoardFilterForm(forms.Form):
    """What the boards of the list have. Blank fields leave all."""

    theme = ThemeField(required=False)
    event = forms.CharField(max_length=EVENT_LENGTH, required=False, label="Event contains")
    played_from = forms.DateField(required=False, widget=DateInput)
    played_until = forms.DateField(required=False, widget=DateInput)


class PlayedFilter(admin.ListFilter):
    """Choose by theme, event and the dates played, with one form for all of them."""

    title = "theme, event and date"
    template = "admin/boards/board/filter.html"
    parameter_names = tuple(BoardFilterForm.base_fields)

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: type[Model], model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        for name in self.parameter_names:
            if values := params.pop(name, None):
                self.used_parameters[name] = values[-1]
        self.form = BoardFilterForm(self.used_parameters, auto_id="filter_%s")

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return [*self.parameter_names]

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield what the form sends along: the search, the order, and the choices of the other filters."""
        for name, values in changelist.filter_params.items():
            if name not in self.parameter_names:
                yield from ({"name": name, "value": value} for value in values)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Board]) -> QuerySet[Board]:
        if not self.form.is_valid():
            raise IncorrectLookupParameters(self.form.errors.as_text())
        chosen = self.form.cleaned_data
        if chosen["theme"]:
            queryset = queryset.filter(themes=chosen["theme"])
        if chosen["event"]:  # a part of a word, which the index does not know
            queryset = queryset.filter(event__icontains=chosen["event"])
        first, last = chosen["played_from"], chosen["played_until"]
        if not first and not last:
            return queryset
        return with_condition(request, queryset, played_between(first, last))
