"""Practice: a board whose page tells nothing that its players would not know, and the way to the next board."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from boards.catalogue.reading import read_rows, read_themes, select
from boards.events.reading import boards_of_event, neighbours
from boards.filters.parameters import BoardSelection, parse_selection
from boards.models import Board
from boards.pages.gallery import filters_of, path_with_query, theme_of
from boards.pages.presenters import PracticeDetail
from boards.pages.stepping import StepField, Steps
from boards.pages.views import get_board
from boards.search.finding import find_after
from boards.search.keys import key_of, make_key
from config.api.cursors import START
from config.api.fields import ChoiceField, UUIDField
from config.api.serializers import QuerySerializer
from config.api.views import PRIVATE
from config.site.languages import accepted_languages
from config.site.pages import PageView
from deals.bridge.names import SEAT_KEYS
from deals.bridge.seats import Seat
from themes.label_cache import LabelCache, get_label_cache, get_revision, latest_label_cache

DEFAULT_SEAT = Seat.SOUTH.key
SCOPES = {"theme": "of this theme", "event": "of this event"}
"""What the link to the next board says, by the filter that found this one."""


class PracticeQuery(QuerySerializer):
    seat = ChoiceField(choices=SEAT_KEYS, default=DEFAULT_SEAT, allow_blank=True)
    step = StepField(required=False)

    def validate_seat(self, value: str) -> str:
        return value or DEFAULT_SEAT


class NextQuery(PracticeQuery):
    after = UUIDField(required=False)


class Found(NamedTuple):
    """The board that was found, None when there is none, and the themes as they were then."""

    board_id: UUID | None
    labels: LabelCache


class PracticeStart(PageView):
    """GET /practice with the filters of GET /api/boards → 302 to the newest of these boards, or 200: there is none.

    ?after=ID leads to the board that was published before that one. An event's boards come by their numbers.
    """

    section = "boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        query, filters = NextQuery.parse(request.GET), filters_of(request.GET)
        selection = replace(parse_selection(request.GET), sort="newest")
        is_event = filters.keys() == {"event"}
        found = (find_in_event if is_event else find_board)(selection, query.get("after"))
        theme = theme_of(filters, found.labels)
        filters |= {"theme": str(theme.pk)} if theme else {}
        parameters = filters | seat_parameter(query["seat"])
        if found.board_id:
            path = reverse("practice-board", args=[found.board_id])
            return HttpResponseRedirect(path_with_query(path, parameters))
        context = {
            "noindex": True,
            "is_end": "after" in query,
            "start_path": path_with_query(request.path, parameters),
            "list_path": path_with_query(reverse("gallery"), filters),
        }
        return self.render_page("boards/practice_end.html", context)


class PracticePage(PageView):
    """GET /practice/{id} → 200 or 404: the hand of ?seat=south, and the auction up to the call ?step=3.

    ?step=end, the step after the last call, shows everything. Until then neither the title, the themes, another hand
    nor the number of calls is sent. The filters of GET /api/boards lead to the next board. A draft is shown only to its
    owner and to staff.
    """

    section = "boards"

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        query, filters = PracticeQuery.parse(request.GET), filters_of(request.GET)
        parse_selection(request.GET).condition(latest_label_cache())  # refuses a filter that is not valid
        board, is_private = get_board(request, pk)
        seat, step = query["seat"], query.get("step", 0)
        detail = PracticeDetail(board, read_themes(pk), accepted_languages(request), (seat,), step)
        last = len(detail.stops)
        path, kept = reverse("practice-board", args=[pk]), filters | seat_parameter(seat)
        context = {
            "detail": detail,
            "seat": Seat(seat[0].upper()),
            "seats": {
                each.full_name: Steps(path, filters | seat_parameter(each.key), 0, last).address(step)
                for each in Seat
            },
            "steps": Steps(path, kept, min(step, last), last),
            "next_boards": next_boards(detail, kept) if detail.is_revealed else {},
            "noindex": True,
        }
        response = self.render_page("boards/practice.html", context, path=path)
        if is_private:
            response["Cache-Control"] = PRIVATE
        return response


def seat_parameter(seat: str) -> dict[str, str]:
    return {} if seat == DEFAULT_SEAT else {"seat": seat}


def next_boards(detail: PracticeDetail, parameters: dict[str, str]) -> dict[str, str]:
    """Return the addresses of the next boards by the words of their links.

    They are those of the list that the reader came by, and otherwise those of the board's themes and of its event.
    """
    path, after = reverse("practice"), {"after": str(detail.board.pk)}
    if parameters.keys() - {"seat"}:
        scope = next((words for name, words in SCOPES.items() if name in parameters), "")
        return {f"Next board {scope}".strip(): path_with_query(path, parameters | after)}
    lists = {f": {theme.label.text}": {"theme": str(theme.theme.pk)} for theme in detail.themes}
    if slug := detail.board.event_slug:
        lists[f" {SCOPES['event']}"] = {"event": slug}
    return {
        f"Next board{words}": path_with_query(path, parameters | filters | after)
        for words, filters in (lists or {"": {}}).items()
    }


def find_board(selection: BoardSelection, after: UUID | None) -> Found:
    """Return the first of the selected boards, or the one that follows a board: the first if that one is gone."""
    board = Board.objects.published().filter(pk=after).first() if after else None
    key = key_of(board) if board else make_key(START.moment, START.id)
    while True:
        selected = select(selection, partial(find_after, key=key, limit=1), read_rows)
        if selected.rows or not selected.found.keys:
            return Found(selected.rows[0].pk if selected.rows else None, selected.labels)
        key = selected.found.keys[-1]  # a draft that SQL has made is found until it is indexed


def find_in_event(selection: BoardSelection, after: UUID | None) -> Found:
    """Return the first board of an event, or the one that follows a board there, at the same table if it was."""
    boards = boards_of_event(selection.filters["event"])
    board = boards.filter(pk=after).first() if after else None
    found = neighbours(board)[1] if board else boards.first()
    return Found(found.pk if found else None, get_label_cache(get_revision()))
