"""Practice: a board whose page tells nothing that its players would not know, asks what they did, and leads on."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from rest_framework import serializers

from boards.analysis import want_costs
from boards.catalogue.reading import read_themes
from boards.models import Board
from boards.records import record_of
from boards.search.filters.parameters import parse_selection
from bridge.board import BoardRecord
from bridge.names import SEAT_KEYS
from bridge.replay import calls_of
from bridge.seats import Seat
from config.api.errors import ApiError, RateLimited, ValidationFailed
from config.api.fields import ChoiceField, UUIDField
from config.api.serializers import QuerySerializer
from config.api.views import PRIVATE
from config.edge.limits.posts import add_headers
from config.values.languages import accepted_languages
from config.values.words import format_count
from pages.boards.views import get_board
from pages.collections.finding import (
    PlaceInCollection,
    caller_of,
    find_collection,
    find_place,
    hide,
    visible_entries,
)
from pages.practice.next_board import EASY, find_board, find_in_collection, find_in_event
from pages.practice.quiz import LIMITS, Question, count_answer, question_at, read_counts, table_before_lead
from pages.presenters.boards import PracticeDetail
from pages.presenters.playing import StepField, Steps
from pages.search.gallery import filters_of, theme_of
from pages.site.base import PageView, path_with_query
from themes.labels import latest_label_cache

DEFAULT_SEAT = Seat.SOUTH
SCOPES = {
    "theme": "of this theme",
    "event": "of this event",
    "difficulty": "of this difficulty",
    "q": "of this search",
    "collection": "of this collection",
}
"""What the link to the next board says, by the filter that found this one."""

NOT_ASKED = "said: {seat} is asked nothing at this step. Leave said away, or go to a step of {seat}’s turn."


class PracticeQuery(QuerySerializer):
    seat = ChoiceField(choices=SEAT_KEYS, required=False, allow_blank=True)
    step = StepField(required=False)
    order = ChoiceField(choices=[EASY], required=False, allow_blank=True)
    collection = UUIDField(required=False)


class NextQuery(PracticeQuery):
    after = UUIDField(required=False)


class ReplyQuery(PracticeQuery):
    said = serializers.CharField(required=False, allow_blank=True)


class AnswerForm(QuerySerializer):
    said = serializers.CharField()


class PracticeStart(PageView):
    """GET /practice with the filters of GET /api/boards → 302 to the newest of these boards, or 200: there is none.

    ?after=ID leads to the next deal, which was published before that one. An event's boards come by their numbers, and
    with ?order=easy the easiest come first. Of all boards, the first is one worth a thought. ?collection=ID leads
    through the boards of a collection that the reader may read, in its order, or 404.
    """

    section = "boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        query, filters = NextQuery.parse(request.GET), filters_of(request.GET)
        if "collection" in query:
            return self.lead_through(query)
        selection = replace(parse_selection(request.GET), sort="newest")
        after, order = query.get("after"), query.get("order", "")
        if filters.keys() == {"event"} and not order:
            found = find_in_event(filters["event"], after)
        else:
            found = find_board(selection, after, order, query.get("seat") or DEFAULT_SEAT.key)
        theme = theme_of(filters, found.labels)
        filters |= {"theme": str(theme.pk)} if theme else {}
        parameters = filters | order_parameter(order) | seat_parameter(query.get("seat", ""))
        if found.board_id:
            path = reverse("practice-board", args=[found.board_id])
            return HttpResponseRedirect(path_with_query(path, parameters))
        list_path = path_with_query(reverse("gallery"), filters)
        return self.show_end(query, parameters, list_path)

    def lead_through(self, query: Mapping[str, Any]) -> HttpResponse:
        """Lead to the next board of a collection. No cache keeps the way through one that is not public."""
        caller = caller_of(self.request)
        collection = find_collection(query["collection"], caller)
        boards = [entry.board_id for entry in visible_entries(collection, caller)]
        found = find_in_collection(boards, query.get("after"))
        parameters = collection_parameter(query) | seat_parameter(query.get("seat", ""))
        if found.board_id:
            path = reverse("practice-board", args=[found.board_id])
            return hide(collection, HttpResponseRedirect(path_with_query(path, parameters)))
        list_path = reverse("collection-page", args=[collection.pk])
        return hide(collection, self.show_end(query, parameters, list_path))

    def show_end(self, query: Mapping[str, Any], parameters: Mapping[str, str], list_path: str) -> HttpResponse:
        context = {
            "noindex": True,
            "is_end": "after" in query,
            "start_path": path_with_query(self.request.path, parameters),
            "list_path": list_path,
            "is_collection": "collection" in query,
        }
        return self.render_page("boards/practice_end.html", context)


@dataclass(frozen=True)
class Moment:
    """Where a reader stands in a board, as the address says it. `kept` has the parameters of links to the same list.

    `place` is that in the collection which the reader is led through, None without one, and in one of somebody else.
    """

    board: Board
    is_private: bool
    seat: Seat
    step: int
    kept: dict[str, str]
    place: PlaceInCollection | None

    @classmethod
    def of_request(cls, request: HttpRequest, pk: UUID) -> "Moment":
        """Raise ValidationError or ValidationFailed for a parameter that is not valid, and Http404."""
        query = PracticeQuery.parse(request.GET)
        parse_selection(request.GET).condition(latest_label_cache())  # refuses a filter that is not valid
        board, is_private = get_board(request, pk)
        kept = filters_of(request.GET) | order_parameter(query.get("order", "")) | collection_parameter(query)
        place = find_place(query["collection"], pk, caller_of(request)) if "collection" in query else None
        seat = next((seat for seat in Seat if seat.key == query.get("seat")), student_of(board))
        return cls(board, is_private, seat, query.get("step", 0), kept, place)

    @cached_property
    def record(self) -> BoardRecord:
        return record_of(self.board)

    @cached_property
    def question(self) -> Question | None:
        return question_at(self.record, self.seat, self.step)

    def check(self, answer: str) -> Question:
        """Return the question that is answered. Raise ValidationFailed when none is, or not so."""
        if self.question is None:
            raise ValidationFailed(NOT_ASKED.format(seat=self.seat.full_name))
        self.question.check(answer)
        return self.question

    def steps(self, seat: Seat | None = None, said: str = "") -> Steps:
        """Return the steps of a seat, by default the reader's. With `said` they are those of a reply."""
        seat = seat or self.seat
        named = seat_parameter("" if seat is student_of(self.board) else seat.key)
        parameters = self.kept | named | ({"said": said} if said else {})
        last = len(calls_of(self.record)) + 1
        return Steps(reverse("practice-board", args=[self.board.pk]), parameters, min(self.step, last), last)


class PracticePage(PageView):
    """GET /practice/{id} → 200 or 404: the hand of ?seat=south and the auction up to the call ?step=3.

    Without `seat` it is the hand of the board's student.

    When it is this seat's turn the page asks for a call, and after the auction for the lead. POST `said` → 303 to the
    same step with ?said=2C, which tells what was called at the table and what readers said so far; 400 for what is not
    possible, 429 or 503 with Retry-After and the page. A GET counts nothing.

    ?step=end, the step after the last call, shows everything. Until then neither the title, the themes, another hand
    nor the number of calls is sent. The filters of GET /api/boards lead to the next board. A draft is shown only to its
    owner and to staff.
    """

    section = "boards"
    is_anonymous = True

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        said = ReplyQuery.parse(request.GET).get("said", "")
        moment = Moment.of_request(request, pk)
        if not said:
            return self.show(moment)
        question = moment.check(said)
        reply = {
            "said": said,
            "counts": read_counts(moment.board, question),
            "table": table_before_lead(moment.board, moment.record) if question.is_lead else None,
            "here": moment.steps(said=said).here,  # a browser at #answer would not load that again
        }
        return self.show(moment, reply)

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        moment = Moment.of_request(request, pk)
        said = AnswerForm.parse(request.POST)["said"]
        question = moment.check(said)
        try:
            usage = LIMITS.count("answers", request.META)
        except ApiError as error:
            return self.show_refusal(moment, error)
        count_answer(moment.board, question, said)
        if question.is_lead:
            with suppress(RateLimited):  # the reply says then that they are not computed
                want_costs(moment.board, request.META)
        address = moment.steps(said=said).address(moment.step, "answer")
        response = HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
        response["Cache-Control"] = PRIVATE
        add_headers(response, LIMITS.headers(usage))
        return response

    def show_refusal(self, moment: Moment, error: ApiError) -> HttpResponse:
        """Show the question again, so that the reader can wait or go on without an answer."""
        wait = format_count(int(error.headers["Retry-After"]), "second")
        notice = f"Answers cannot be counted just now. Answer again in {wait}, or go on without."
        response = self.show(moment, {"notice": notice}, status=error.status_code)
        response["Cache-Control"] = PRIVATE
        add_headers(response, error.headers)
        return response

    def show(self, moment: Moment, more: dict[str, Any] | None = None, status: int = HTTPStatus.OK) -> HttpResponse:
        themes, languages = read_themes(moment.board.pk), accepted_languages(self.request)
        detail = PracticeDetail(moment.board, themes, languages, (moment.seat.key,), moment.step)
        steps = moment.steps()
        context = {
            "detail": detail,
            "seat": moment.seat,
            "seats": {each.full_name: moment.steps(each).address(moment.step) for each in Seat},
            "steps": steps,
            "question": moment.question,
            "place": moment.place,
            "next_boards": next_boards(detail, steps.parameters) if detail.is_revealed else {},
            "noindex": True,
            **(more or {}),
        }
        response = self.render_page("boards/practice.html", context, path=steps.path, status=status)
        if moment.is_private:
            response["Cache-Control"] = PRIVATE
        return hide(moment.place.collection, response) if moment.place else response


def order_parameter(order: str) -> dict[str, str]:
    return {"order": order} if order else {}


def collection_parameter(query: Mapping[str, Any]) -> dict[str, str]:
    return {"collection": str(query["collection"])} if "collection" in query else {}


def seat_parameter(seat: str) -> dict[str, str]:
    return {"seat": seat} if seat else {}


def student_of(board: Board) -> Seat:
    """Return the seat that is asked where no other is named: the one that a teacher's file names, else South."""
    return Seat(board.student) if board.student else DEFAULT_SEAT


def next_boards(detail: PracticeDetail, parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the addresses of the next boards by the words of their links.

    They are those of the list that the reader came by, and otherwise those of the board's themes, event and difficulty.
    """
    path, after = reverse("practice"), {"after": str(detail.board.pk)}
    if parameters.keys() - {"seat"}:
        scope = next((words for name, words in SCOPES.items() if name in parameters), "")
        return {f"Next board {scope}".strip(): path_with_query(path, {**parameters, **after})}
    lists = {f": {theme.label.text}": {"theme": str(theme.theme.pk)} for theme in detail.themes}
    if slug := detail.board.event_slug:
        lists[f" {SCOPES['event']}"] = {"event": slug}
    if difficulty := detail.board.difficulty:
        lists[f" {SCOPES['difficulty']}"] = {"difficulty": difficulty}
    return {
        f"Next board{words}": path_with_query(path, {**parameters, **filters, **after})
        for words, filters in (lists or {"": {}}).items()
    }
