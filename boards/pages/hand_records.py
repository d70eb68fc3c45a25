"""Sheets of hand records to print: 36 boards on two pages of A4 or Letter."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from boards.catalogue.reading import select_page
from boards.filters import parse_selection
from boards.models import Board
from boards.pages.gallery import filters_of, path_with_query, theme_of
from boards.pages.presenters import HandRecord
from config.api.pagination import PageQuery
from config.edge.exports import place
from config.site.languages import accepted_languages
from config.site.pages import PageView
from themes.labels import label_themes

MAX_RECORDS = 36
"""The boards of one web page, as many as a club plays in an evening."""

RECORDS_OF_SHEET = 18
"""The boards of one sheet of paper: six rows of three."""


def hand_records(boards: Iterable[Board], first: int = 1) -> list[list[HandRecord]]:
    """Return the records of boards by sheets of paper. Select the boards' deals with them.

    `first` is the place of the first board in its list, which names a board that has no number.
    """
    records = [HandRecord(board, number) for number, board in enumerate(boards, first)]
    return [records[start : start + RECORDS_OF_SHEET] for start in range(0, len(records), RECORDS_OF_SHEET)]


class SheetQuery(PageQuery):
    pageSize = None  # type: ignore[assignment]  # takes the field away: a sheet has one size


class HandRecordsPage(PageView):
    """GET /boards/print with the filters and the sort of GET /api/boards, and `page` → 200, or 400.

    It takes a place among the exports, or is a 503 when there is none.
    """

    section = "boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        with place(request):
            return self.answer(request)

    def answer(self, request: HttpRequest) -> HttpResponse:
        selection = parse_selection(request.GET)
        selected = select_page(selection, {"pageSize": MAX_RECORDS, **SheetQuery.parse(request.GET)})
        page, keys = selected.page, [row.pk for row in selected.rows]
        boards = Board.objects.published().select_related("deal").in_bulk(keys)
        theme = theme_of(filters_of(request.GET), selected.directory)
        parameters = filters_of(request.GET) | ({"sort": "top"} if selection.sort == "top" else {})
        context = {
            "sheets": hand_records((boards[key] for key in keys if key in boards), page.first_row + 1),
            "theme": next(iter(label_themes([theme] if theme else [], accepted_languages(request))), None),
            "page": page,
            "pages": {
                relation: path_with_query(
                    request.path, parameters | ({"page": str(number)} if number > 1 else {})
                )
                for relation, number in page.neighbours.items()
            },
            "list_path": path_with_query(reverse("gallery"), parameters),
            "noindex": True,
        }
        return self.render_page("boards/hand_records.html", context)
