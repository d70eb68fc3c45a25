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
from pages.boards.views import BoardView
from pages.collections.finding import CollectionView, PlaceInCollection, find_place, visible_entries
from pages.practice.next_board import EASY, find_board, find_in_collection, find_in_event
from pages.practice.quiz import LIMITS, Question, count_answer, question_at, read_counts, table_before_lead
from pages.presenters.boards import PracticeDetail, boards_path
from pages.presenters.playing import StepField, Steps
from pages.search.gallery import filters_of, theme_of
from pages.site.base import SeeOther, path_with_query
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
    said = serializers.CharField(required=False, allow_blank=True)


class NextQuery(PracticeQuery):
    after = UUIDField(required=False)


REPLYING = ("home", "today")
"""The pages that ask and reply themselves: the values of `back` in their forms, and the names of their routes."""


class SaidQuery(QuerySerializer):
    said = serializers.CharField(required=False, allow_blank=True)


class AnswerForm(QuerySerializer):
    said = serializers.CharField()
    back = ChoiceField(choices=REPLYING, required=False)


class PracticeStart(CollectionView):
    """GET /practice with the filters of GET /api/boards → 302 to the newest of these boards, or 200: there is none.

    ?after=ID leads to the next deal. ?collection=ID leads through the boards of a collection, or 404.
    """

    section = "boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        query, filters = NextQuery.parse(request.GET), filters_of(request.GET)
        after, order, seat = query.get("after"), query.get("order", ""), query.get("seat", "")
        if "collection" in query:
            collection = self.find_collection(query["collection"])
            board_id = find_in_collection([entry.board_id for entry in visible_entries(collection, self.caller)], after)
            filters, order = {"collection": str(collection.pk)}, ""
            list_path = reverse("collection-page", args=[collection.pk])
        else:
            selection = replace(parse_selection(request.GET), sort="newest")
            if filters.keys() == {"event"} and not order:
                board_id = find_in_event(filters["event"], after)
            else:
                board_id, labels = find_board(selection, after, order, seat or DEFAULT_SEAT.key)
                theme = theme_of(filters, labels)
                filters |= {"theme": str(theme.pk)} if theme else {}
            list_path = path_with_query(boards_path(), filters)
        parameters = {**filters, "order": order, "seat": seat}
        if board_id:
            return HttpResponseRedirect(path_with_query(reverse("practice-board", args=[board_id]), parameters))
        self.noindex = True
        context = {
            "is_end": after is not None,
            "start_path": path_with_query(request.path, parameters),
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
    seat: Seat
    step: int
    kept: dict[str, str]
    place: PlaceInCollection | None

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
        parameters = {**self.kept, "seat": "" if seat is student_of(self.board) else seat.key, "said": said}
        last = len(calls_of(self.record)) + 1
        return Steps(reverse("practice-board", args=[self.board.pk]), parameters, min(self.step, last), last)


class PracticePage(BoardView, CollectionView):
    """GET /practice/{id} → 200 or 404: the hand of ?seat=south and the auction up to the call ?step=3.

    Until ?step=end neither the title, the themes, another hand nor the number of calls is sent. POST `said` → 303 to
    the same step with ?said=2C, which tells what was called at the table and what readers said so far; 400 for what is
    not possible, 429 or 503 with Retry-After and the page. A GET counts nothing.
    """

    section = "boards"
    is_anonymous = True
    noindex = True

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        moment, said = self.read_moment(pk)
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
        self.cache_control = PRIVATE
        moment, _ = self.read_moment(pk)
        form = AnswerForm.parse(request.POST)
        said = form["said"]
        question = moment.check(said)
        try:
            usage = LIMITS.count("answers", request.META)
        except ApiError as error:  # The reader can wait, or go on without an answer.
            wait = format_count(int(error.headers["Retry-After"]), "second")
            notice = f"Answers cannot be counted just now. Answer again in {wait}, or go on without."
            response = self.show(moment, {"notice": notice}, status=error.status_code)
            add_headers(response, error.headers)
            return response
        count_answer(moment.board, question, said)
        if question.is_lead:
            with suppress(RateLimited):  # the reply says then that they are not computed
                want_costs(moment.board, request.META)
        reply = moment.steps(said=said).address(moment.step, "answer")
        if "back" in form:
            reply = f"{path_with_query(reverse(form['back']), {'said': said})}#answer"
        response = SeeOther(reply)
        add_headers(response, LIMITS.headers(usage))
        return response

    def read_moment(self, pk: UUID) -> tuple[Moment, str]:
        """Return where the reader stands, and what was said. Raise ValidationError, ValidationFailed or Http404."""
        parameters = self.request.GET
        query = PracticeQuery.parse(parameters)
        parse_selection(parameters).condition(latest_label_cache())  # refuses a filter that is not valid
        board, collection = self.find_board(pk), query.get("collection")
        kept = {**filters_of(parameters), "order": query.get("order", ""), "collection": str(collection or "")}
        place = find_place(collection, pk, self.caller) if collection else None
        if place and not place.collection.is_public:
            self.hide()
        seat = next((seat for seat in Seat if seat.key == query.get("seat")), student_of(board))
        return Moment(board, seat, query.get("step", 0), kept, place), query.get("said", "")

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
            **(more or {}),
        }
        return self.render_page("boards/practice.html", context, path=steps.path, status=status)


def student_of(board: Board) -> Seat:
    """Return the seat that is asked where no other is named: the one that a teacher's file names, else South."""
    return Seat(board.student) if board.student else DEFAULT_SEAT


def next_boards(detail: PracticeDetail, parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the addresses of the next boards by the words of their links.

    They are those of the list that the reader came by, and otherwise those of the board's themes, event and difficulty.
    """
    path, after = reverse("practice"), {"after": str(detail.board.pk)}
    if any(value for name, value in parameters.items() if name != "seat"):
        scope = next((words for name, words in SCOPES.items() if parameters.get(name)), "")
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
