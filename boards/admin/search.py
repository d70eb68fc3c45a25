"""The search box of the list of boards: words in the texts of boards, or a search in the language of the lists."""

import re
from collections.abc import Iterator
from functools import reduce
from operator import or_

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.text import smart_split, unescape_string_literal

from boards.models import Board
from boards.search.conditions import Condition, every
from boards.search.filters.queries import condition_of
from boards.search.index.finding import EITHER, find_page
from bridge.board import TEXTS
from config.admin.options import MAX_SEARCH_LENGTH
from config.api.errors import ValidationFailed
from themes.labels import get_label_cache, get_revision
from themes.models import Theme

SEARCHED = ("id", "commentary", "deal__cards", *(name for name in TEXTS if not TEXTS[name].choices))
"""The columns in which words are looked for."""

IS_QUERY = re.compile(r"[a-z](?:[=<>(]|[*^]=)|\bis:")
"""What no word has, and each condition of the language."""

MAX_FOUND = 5_000
"""The boards of a search that the list shows, the newest."""


def search(request: HttpRequest, boards: QuerySet[Board], text: str) -> QuerySet[Board]:
    """Return those of the boards that the text finds. Tell the reader what is wrong with it."""
    return find(request, boards, text) if IS_QUERY.search(text) else with_words(boards, text)


def find(request: HttpRequest, boards: QuerySet[Board], text: str) -> QuerySet[Board]:
    """Return those of the boards that the index finds, drafts too."""
    try:
        condition = condition_of(text, get_label_cache(get_revision()), request.user.pk)
        return with_condition(request, boards, condition)
    except ValidationFailed as error:
        messages.error(request, f"Search: {error.meta['fields']['q'][0]['message']}")
        return boards.none()


def with_condition(request: HttpRequest, boards: QuerySet[Board], condition: Condition) -> QuerySet[Board]:
    """Return those that meet the condition, the newest MAX_FOUND. Tell the reader where there are more."""
    found = find_page(every([EITHER, condition]), 0, MAX_FOUND)
    if found.has_more:
        messages.warning(request, f"{found.total:,} boards are found. The list has the newest {MAX_FOUND:,} of them.")
    return boards.filter(pk__in=found.ids)


def with_words(boards: QuerySet[Board], text: str) -> QuerySet[Board]:
    """Return those that have each word in one of the columns, or in the identifier or a label of a theme.

    Themes are few, so they are looked through in memory: Django would join them to every board.
    """
    links, words = Board.themes.through.objects, [*split_search(text[:MAX_SEARCH_LENGTH])]
    themes = get_label_cache(get_revision()).themes.values() if words else ()
    for word in words:
        condition = reduce(or_, (Q((f"{name}__icontains", word)) for name in SEARCHED))
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
    """Tell whether the theme's identifier or one of its labels contains the word."""
    names = (theme.identifier, *theme.labels.values())
    return any(word.casefold() in name.casefold() for name in names if isinstance(name, str))
