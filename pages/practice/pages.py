"""Practice: a board whose page tells nothing that its players would not know, asks what they did, and leads on."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from rest_framework import serializers

from boards.analysis import want_costs
from boards.catalogue.reading import Search, read_themes
from boards.collections.classes import count_answer_of_class
from boards.practice import forget_unplayed
from boards.records import record_of
from boards.searching.parameters import parse_selection
from bridge.names import SEAT_KEYS
from bridge.seats import Seat
from config.api.errors import ApiError, RateLimited
from config.api.fields import ChoiceField, UUIDField
from config.api.serializers import QuerySerializer
from config.api.views import PRIVATE
from config.edge.limits.dear_reads import keep_permit
from config.edge.limits.posts import add_headers
from config.values.languages import accepted_languages
from config.values.words import format_count
from pages.boards.views import BoardView
from pages.collections.finding import CollectionView, find_place, visible_entries
from pages.practice.moment import AnswersField, Moment, first_moment, whose_turn
from pages.practice.next_board import EASY, find_board, find_in_collection, find_in_event
from pages.practice.quiz import LIMITS, count_answer
from pages.presenters.boards import PracticeDetail, boards_path
from pages.presenters.playing import StepField
from pages.search.gallery import filters_of, theme_of
from pages.site.base import SeeOther, path_with_query
from themes.labels import latest_label_cache

SCOPES = {
    "theme": "of this theme",
    "event": "of this event",
    "difficulty": "of this difficulty",
    "q": "of this search",
    "collection": "of this collection",
}
"""What the link to the next board says, by the filter that found this one."""


MAX_CODE = 20
"""The characters of a class's code as somebody may type it."""


class PracticeQuery(QuerySerializer):
    seat = ChoiceField(choices=SEAT_KEYS, required=False, allow_blank=True)
    step = StepField(required=False)
    order = ChoiceField(choices=[EASY], required=False, allow_blank=True)
    collection = UUIDField(required=False)
    code = serializers.CharField(required=False, allow_blank=True, max_length=MAX_CODE)
    said = AnswersField(required=False, allow_blank=True)


class NextQuery(PracticeQuery):
    after = UUIDField(required=False)


REPLYING = ("home", "today")
"""The pages that ask and reply themselves: the values of `back` in their forms, and the names of their routes."""


class SaidQuery(QuerySerializer):
    """The answers so far on a page of REPLYING, from the first question of its day on."""

    said = AnswersField(required=False, allow_blank=True)


class AnswerForm(QuerySerializer):
    said = serializers.CharField()
    back = ChoiceField(choices=REPLYING, required=False)


class PracticeStart(CollectionView):
    """GET /practice with the filters of GET /api/boards → 302 to the newest of these boards, or 200: there is none.

    ?after=ID leads to the next deal. ?collection=ID leads through the boards of a collection, or 404; with ?code= the
    answers are a class's, too.
    """

    section = "boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        query, filters = NextQuery.parse(request.GET), filters_of(request.GET)
        after, order, seat = query.get("after"), query.get("order", ""), query.get("seat", "")
        if "collection" in query:
            collection = self.find_collection(query["collection"])
            board_id = find_in_collection([entry.board_id for entry in visible_entries(collection, self.caller)], after)
            filters, order = {"collection": str(collection.pk), "code": query.get("code", "")}, ""
            list_path = reverse("collection-page", args=[collection.pk])
        else:
            selection = replace(parse_selection(request.GET), sort="newest")
            if filters.keys() == {"event"} and not order:
                board_id = find_in_event(filters["event"], after)
            else:
                search = Search(selection, keep_permit)
                board_id, labels = find_board(search, after, order, seat_of(seat))
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
        return self.render_page("practice/end.html", context)


class PracticePage(BoardView, CollectionView):
    """GET /practice/{id} → 200 or 404: the hand of who has a decision, the auction up to that call, and a question.

    ?step=3 is the first question from that step on, of whose turn it is then, or of ?seat=south. Until ?step=end
    neither the title, the themes, another hand nor the number of calls is sent. POST `said` → 303 to the same step with
    ?said=2C after the answers before: it tells what was called at the table, what the field did, and what readers
    said so far, and asks the next question, or shows everything after the last. 400 for what is not possible, 429 or
    503 with Retry-After and the page. A GET counts nothing.
    """

    section = "boards"
    is_anonymous = True
    noindex = True

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return self.show(self.read_moment(pk))

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        self.cache_control = PRIVATE
        asked = self.read_moment(pk)
        form = AnswerForm.parse(request.POST)
        moment = asked.answered(form["said"])
        question, said = moment.answers[-1]
        question.check(said)
        try:
            usage = LIMITS.count("answers", request.META)
        except ApiError as error:  # The reader can wait, or go on without an answer.
            wait = format_count(int(error.headers["Retry-After"]), "second")
            notice = f"Answers cannot be counted just now. Answer again in {wait}, or go on without."
            response = self.show(moment.before(), {"notice": notice}, status=error.status_code)
            add_headers(response, error.headers)
            return response
        count_answer(moment.board, question, said)
        if code := moment.kept["code"]:
            count_answer_of_class(code, moment.board, question.key, said)
        if question.is_lead:
            with suppress(RateLimited):  # the reply says then that they are not computed
                want_costs(moment.board, request.META)
        reply = moment.here
        if "back" in form:
            reply = path_with_query(reverse(form["back"]), {"said": moment.said_so_far})
        response = SeeOther(f"{reply}#answer")
        add_headers(response, LIMITS.headers(usage))
        return response

    def read_moment(self, pk: UUID) -> Moment:
        """Return where the reader stands. Raise ValidationError, ValidationFailed or Http404."""
        parameters = self.request.GET
        query = PracticeQuery.parse(parameters)
        parse_selection(parameters).condition(latest_label_cache())  # refuses a filter that is not valid
        board, collection, seat = self.find_board(pk), query.get("collection"), query.get("seat", "")
        forget_unplayed([board])
        kept = {**filters_of(parameters), "order": query.get("order", "")}
        kept |= {"collection": str(collection or ""), "seat": seat, "code": query.get("code", "")}
        place = find_place(collection, pk, self.caller) if collection else None
        if place and not place.collection.is_public:
            self.hide()
        named, said = seat_of(seat), query.get("said") or ()
        if "step" not in query:
            return first_moment(board, named, kept, place).after(said)
        step = query["step"]
        return Moment(board, named or whose_turn(record_of(board), step), step, kept, place, said)

    def show(self, moment: Moment, more: dict[str, Any] | None = None, status: int = HTTPStatus.OK) -> HttpResponse:
        themes, languages = read_themes(moment.board.pk), accepted_languages(self.request)
        detail = PracticeDetail(moment.board, themes, languages, (moment.seat.key,), moment.shown_step)
        context = {
            **moment.context(detail),
            "place": moment.place,
            "next_boards": next_boards(detail, moment.kept) if detail.is_revealed else {},
            **(more or {}),
        }
        return self.render_page("practice/board.html", context, path=moment.path, status=status)


def seat_of(key: str) -> Seat | None:
    return next((seat for seat in Seat if seat.key == key), None)


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
