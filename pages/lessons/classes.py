"""Classes: where pupils type a code, and where their teacher opens a class and sees what it answered."""

from http import HTTPStatus
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import serializers

from boards.collections import classes
from boards.models import Board, LessonClass
from config.api.errors import LimitReached, PermissionRefused
from config.api.fields import ChoiceField
from config.api.pagination import Page
from config.api.serializers import QuerySerializer
from pages.collections.finding import share_of, visible_entries
from pages.collections.members import OwnCollectionView
from pages.lessons.answers import AnsweredBoard
from pages.practice.pages import MAX_CODE
from pages.practice.quiz import LIMITS
from pages.site.base import PageNumberQuery, PageView, SeeOther, page_context, path_with_query

BOARDS_OF_PAGE = 10


class ClassQuery(QuerySerializer):
    code = serializers.CharField(required=False, allow_blank=True, max_length=MAX_CODE)


class ClassPage(PageView):
    """GET /class → 200: a field for a code. GET /class/{code}, ?code= → 302 to the first question, 404 with the field.

    Codes are tried within the limits of answers.
    """

    noindex = True

    def get(self, request: HttpRequest, code: str = "") -> HttpResponse:
        typed = code or ClassQuery.parse(request.GET).get("code", "")
        if not typed:
            return self.render_page("lessons/class.html", {})
        self.hide()
        LIMITS.count("codes", request.META)
        found = classes.find_class(typed)
        if not found:
            context = {"typed": typed, "canonical": ""}
            return self.render_page("lessons/class.html", context, status=HTTPStatus.NOT_FOUND)
        parameters = {"collection": str(found.collection_id), "code": str(found.code)}
        return HttpResponseRedirect(path_with_query(reverse("practice"), parameters))


class OwnClassesPage(OwnCollectionView):
    """GET /account/collections/{id}/classes → 200: the lesson's link and its classes, or 404.

    POST → 303 to a new class, 403 for a private collection, 409 for too many.
    """

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = self.find_own(pk)
        context = {
            "collection": collection,
            "share": share_of(collection),
            "listed": classes.classes_of(self.member).filter(collection=collection),
            "limit": classes.MAX_CLASSES,
            "days": classes.KEPT_DAYS,
        }
        return self.render_page("lessons/classes.html", context)

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        self.find_own(pk)
        try:
            opened = classes.open_class(owner=self.member, collection_id=pk)
        except (PermissionRefused, LimitReached) as error:
            messages.error(request, str(error.detail))
            return SeeOther(reverse("own-classes", args=[pk]))
        return SeeOther(reverse("own-class", args=[opened.pk]))


class ActionQuery(QuerySerializer):
    do = ChoiceField(choices=["close", "delete"])


class OwnClassPage(OwnCollectionView):
    """GET /account/classes/{id}?page → 200: a class's code and, question by question, what it answered, or 404.

    POST `do`=close or delete → 303 to the class, or to those of its collection.
    """

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        shown = self.find_class(pk)
        answers = classes.read_answers(shown)
        answered = {board_id for board_id, _ in answers}
        lesson = enumerate(visible_entries(shown.collection, self.member), 1)
        numbers = [(entry.board_id, number) for number, entry in lesson if entry.board_id in answered]
        page = Page(PageNumberQuery.parse(request.GET)["page"], BOARDS_OF_PAGE, len(numbers))
        numbers = numbers[page.first_row : page.first_row + BOARDS_OF_PAGE]
        boards = Board.objects.select_related("deal", "auction_system").in_bulk([board_id for board_id, _ in numbers])
        context = {
            "class": shown,
            "address": settings.PUBLIC_BASE_URL + reverse("class-of-code", args=[shown.code]) if shown.code else "",
            "code_address": settings.PUBLIC_BASE_URL + reverse("class"),
            "days": classes.KEPT_DAYS,
            "boards": [AnsweredBoard(boards[key], number, answers) for key, number in numbers if key in boards],
            **page_context(page, request.path),
        }
        return self.render_page("lessons/answers.html", context)

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        changed = self.find_class(pk)
        if ActionQuery.parse(request.POST)["do"] == "close":
            classes.close_class(changed)
            return SeeOther(request.path)
        classes.delete_class(changed)
        messages.success(request, "The class and its answers were deleted.")
        return SeeOther(reverse("own-classes", args=[changed.collection_id]))

    def find_class(self, pk: UUID) -> LessonClass:
        return get_object_or_404(classes.classes_of(self.member), pk=pk)
