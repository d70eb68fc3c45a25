"""Sheets of hand records to print: 36 boards on two pages of A4 or Letter."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from boards.catalogue.deals import find_deals
from boards.catalogue.reading import Search
from boards.events.counting import CountedEvent
from boards.events.reading import read_evening
from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.searching.parameters import parse_selection
from config.edge.limits.dear_reads import keep_permit
from config.values.labels import best_label
from config.values.languages import accepted_languages
from pages.presenters.boards import HandRecord
from pages.presenters.events import EventView
from pages.search.gallery import DealPageQuery, filters_of, first_row, paths_around, theme_of
from pages.site.base import PageView, page_context, path_with_query

MAX_RECORDS = 36
"""The boards of one web page, as many as a club plays in an evening."""

RECORDS_OF_SHEET = 18
"""The boards of one sheet of paper: six rows of three."""


def hand_records(boards: Iterable[Board], first: int = 1) -> list[list[HandRecord]]:
    """Return the records of boards by sheets of paper. Select the boards' deals with them.

    `first` is the number of the first board in its list, which names a board that has no number.
    """
    records = [HandRecord(board, number) for number, board in enumerate(boards, first)]
    return [records[start : start + RECORDS_OF_SHEET] for start in range(0, len(records), RECORDS_OF_SHEET)]


class SheetQuery(DealPageQuery):
    pageSize = None  # type: ignore[assignment]  # takes the field away: a sheet has one size


class HandRecordsPage(PageView):
    """GET /boards/print with the filters and `sort`, and `start` or `page` → 200: each deal once, or 400."""

    section = "boards"
    noindex = True

    def get(self, request: HttpRequest) -> HttpResponse:
        selection, filters = parse_selection(request.GET), filters_of(request.GET)
        start = first_row(SheetQuery.parse(request.GET), MAX_RECORDS)
        page = find_deals(Search(selection, keep_permit), start, MAX_RECORDS)
        theme = theme_of(filters, page.labels)
        parameters = filters | ({"sort": "top"} if selection.sort == "top" else {})
        keys = [entry.board_id for entry in page.entries]
        context = {
            "sheets": read_sheets(Board.objects.published(), keys, page.start + 1),
            "label": theme and best_label(theme.labels, accepted_languages(request), theme.identifier),
            "list_path": path_with_query(reverse("gallery"), parameters),
            "around": paths_around(page, request.path, parameters),
        }
        return self.render_page("boards/hand_records.html", context)


class EventRecordsPage(EventView):
    """GET /events/{slug}/print?page → 200: the hand records of an event, each deal once, or 404."""

    query = SheetQuery
    noindex = True

    def show(self, counted: CountedEvent, query: dict[str, Any]) -> HttpResponse:
        evening = read_evening(counted, query["page"], MAX_RECORDS)
        if evening is None:
            raise Http404
        keys = [deal.board.pk for deal in evening.deals]
        context = {
            "sheets": read_sheets(Board.objects.published(), keys, evening.page.first_row + 1),
            "heading": str(evening.event),
            "list_path": reverse("event-page", args=[counted.slug]),
            **page_context(evening.page, self.request.path),
        }
        return self.render_page("boards/hand_records.html", context)


def read_sheets(boards: BoardQuerySet, keys: Sequence[UUID], first: int) -> list[list[HandRecord]]:
    """Return the records of those boards that have these keys, in the order of the keys."""
    found = boards.select_related("deal").in_bulk(keys)
    return hand_records((found[key] for key in keys if key in found), first)
