"""A member's own collections: the list, making one, and adding a board to one."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import serializers

from accounts.models import Account
from boards.collections import services
from boards.collections.reading import collections_of, count_boards, find_boards
from boards.collections.serializers import MAX_QUERY_LENGTH, PutBoardSerializer
from boards.collections.services import Place, Texts
from boards.models import MAX_BOARDS, MAX_COLLECTIONS, Board, Collection
from boards.models.names import full_name_of
from bridge.texts import clean_lines
from config.api.errors import LimitReached, PermissionRefused
from config.api.fields import UUIDField
from config.api.serializers import QuerySerializer
from pages.collections.forms import CollectionForm
from pages.site.base import MemberPage, SeeOther

REFUSALS = (serializers.ValidationError, PermissionRefused, LimitReached)
"""What a form shows together with all that was typed."""

WHO_READS_IT: dict[str, str] = {
    Collection.Visibility.PRIVATE: "Only you see it.",
    Collection.Visibility.LINK: "Whoever has its address sees it.",
    Collection.Visibility.PUBLIC: "Everybody sees it.",
}


def see(path: str) -> HttpResponseRedirect:
    """Lead a browser to a page after it has sent a form."""
    return SeeOther(path)


def own_collections(member: Account) -> QuerySet[Collection]:
    return Collection.objects.filter(owner=member).order_by("-created_at", "id")


class MyCollectionsPage(MemberPage):
    """GET /account/collections → 200: the member's collections, the newest first."""

    section = "my-collections"

    def get(self, request: HttpRequest) -> HttpResponse:
        rows = collections_of(self.member).rows.order_by("-created_at", "id")
        context = {"listed": count_boards(list(rows), self.member), "limit": MAX_COLLECTIONS}
        return self.render_page("boards/collections/mine.html", context)


class SourceQuery(QuerySerializer):
    search = serializers.CharField(required=False, allow_blank=True, max_length=MAX_QUERY_LENGTH)
    board = UUIDField(required=False)


class NewCollectionPage(MemberPage):
    """GET /account/collections/new → 200: the form. POST → 303 to the new collection, or 400: the form with its errors.

    `search` is a query of GET /api/boards, whose first MAX_BOARDS boards it begins with, and `board` names one board.
    """

    section = "my-collections"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.show(SourceQuery.parse(request.GET), CollectionForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        source = SourceQuery.parse(request.POST)
        form = CollectionForm(request.POST)
        if form.is_valid():
            try:
                places, _ = self.find_places(source)
                collection, _ = services.create_collection(owner=self.member, texts=Texts(**form.texts), places=places)
            except REFUSALS as error:
                form.refuse(error)
            else:
                messages.success(request, f"“{collection.title}” is made. {WHO_READS_IT[collection.visibility]}")
                return see(reverse("my-collection", args=[collection.pk]))
        return self.show(source, form)

    def find_places(self, source: Mapping[str, Any]) -> tuple[list[Place], int]:
        """Return the boards to begin with, and how many the search finds. Raise Http404 for an unknown board."""
        if "board" in source:
            board = get_object_or_404(Board.objects.visible_to(self.member), pk=source["board"])
            return [Place(board.pk)], 1
        if "search" not in source:
            return [], 0
        found = find_boards(QueryDict(source["search"]), self.member)
        return [Place(pk) for pk in found.ids], found.total

    def show(self, source: Mapping[str, Any], form: CollectionForm) -> HttpResponse:
        places, total = self.find_places(source)
        context = {"source": source, "boards": len(places), "total": total, "limit": MAX_BOARDS, "form": form}
        return self.render_page("boards/collections/new.html", context, status=form.status)


class BoardQuery(QuerySerializer):
    board = UUIDField()


class ChosenQuery(BoardQuery):
    collection = UUIDField()
    note = serializers.CharField(required=False, allow_blank=True)


class AddBoardPage(MemberPage):
    """GET /account/collections/add?board=ID → 200: the member's collections to choose from, or 404.

    POST `board`, `collection` and `note` → 303 to the board, which is at the end of the collection then.
    """

    section = "my-collections"

    def get(self, request: HttpRequest) -> HttpResponse:
        board = self.find_board(BoardQuery.parse(request.GET)["board"])
        own = own_collections(self.member).only("title", "visibility")
        listed = [(each.pk, each.title) for each in own if not services.is_closed(each)]
        new = reverse("collection-new") + "?" + urlencode({"board": board.pk})
        context = {"board": board, "name": full_name_of(board) or "Untitled board", "listed": listed}
        context |= {"new_path": new}
        return self.render_page("boards/collections/add.html", context)

    def post(self, request: HttpRequest) -> HttpResponse:
        chosen = ChosenQuery.parse(request.POST)
        board = self.find_board(chosen["board"])
        collection = find_own(chosen["collection"], self.member)
        note = {"note": clean_lines(chosen["note"])} if chosen.get("note") else {}
        place = PutBoardSerializer(data=note)
        place.is_valid(raise_exception=True)
        services.put_board(account=self.member, collection_id=collection.pk, board_id=board.pk, **place.validated_data)
        messages.success(request, f"The board is in your collection “{collection.title}”.")
        return see(reverse("board-page", args=[board.pk]))

    def find_board(self, pk: UUID) -> Board:
        return get_object_or_404(Board.objects.visible_to(self.member), pk=pk)


def find_own(pk: UUID, member: Account) -> Collection:
    """Return a collection of the member's. Raise Http404 for one of somebody else: nobody learns that there is one."""
    collection = own_collections(member).filter(pk=pk).first()
    if collection is None:
        raise Http404
    return collection
