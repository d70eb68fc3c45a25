"""A member's own collections: the list, making one, and adding a board to one."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import serializers

from boards.collections import services
from boards.collections.reading import count_boards, find_deals_of
from boards.collections.serializers import MAX_QUERY_LENGTH, PutBoardSerializer
from boards.collections.services import CollectionEntry, Texts
from boards.models import MAX_BOARDS, MAX_COLLECTIONS, Board, Collection
from bridge.texts import clean_lines
from config.api.errors import LimitReached, PermissionRefused
from config.api.fields import UUIDField
from config.api.serializers import QuerySerializer
from config.edge.limits.dear_reads import keep_permit
from pages.collections.choosing import show_boards
from pages.collections.forms import CollectionForm
from pages.presenters.boards import BoardPreview
from pages.site.base import MemberPage, SeeOther

WHO_READS_IT: dict[str, str] = {
    Collection.Visibility.PRIVATE: "Only you can see it.",
    Collection.Visibility.LINK: "Anyone with the link can see it.",
    Collection.Visibility.PUBLIC: "Everybody can see it.",
}


class OwnCollectionView(MemberPage):
    """The base of the pages about a member's own collections."""

    section = "my-collections"

    @property
    def own_collections(self) -> QuerySet[Collection]:
        return Collection.objects.filter(owner=self.member).order_by("-created_at", "id")

    def find_own(self, pk: UUID) -> Collection:
        """Return one. Raise Http404 for one of somebody else: nobody learns that there is one."""
        return get_object_or_404(self.own_collections, pk=pk)

    def find_board(self, pk: UUID) -> Board:
        return get_object_or_404(Board.objects.visible_to(self.member), pk=pk)

    def store_entry(self, collection: Collection, board_id: UUID, fields: dict[str, Any]) -> None:
        """Put a board into a collection, by the rules of the API. Its note counts as it is stored, and not as sent."""
        place = PutBoardSerializer(data={**fields, "note": clean_lines(fields["note"])} if "note" in fields else fields)
        place.is_valid(raise_exception=True)
        services.put_board(account=self.member, collection_id=collection.pk, board_id=board_id, **place.validated_data)


class MyCollectionsPage(OwnCollectionView):
    """GET /account/collections → 200: the member's collections, the newest first."""

    def get(self, request: HttpRequest) -> HttpResponse:
        context = {"listed": count_boards(list(self.own_collections), self.member), "limit": MAX_COLLECTIONS}
        return self.render_page("collections/mine.html", context)


class SourceQuery(QuerySerializer):
    search = serializers.CharField(required=False, allow_blank=True, max_length=MAX_QUERY_LENGTH)


class NewCollectionPage(OwnCollectionView):
    """GET /account/collections/new → 200: the form. POST → 303 to the new collection, or 400: the form with its errors.

    `search` is a query of GET /api/boards, and `board` names one board. The form has a box for one board of each deal
    that the search finds, at most MAX_BOARDS. Those that are ticked are sent as `board`.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        search, named = self.read(request.GET)
        if named and not services.visible_ids(named, self.member):
            raise Http404
        return self.show(search, named, CollectionForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        search, named = self.read(request.POST)
        visible = services.visible_ids(named, self.member)
        if named and not visible:
            raise Http404
        form = CollectionForm(request.POST)
        if form.is_valid():
            places = [CollectionEntry(pk) for pk in named if pk in visible]
            try:
                collection, _ = services.create_collection(owner=self.member, texts=Texts(**form.texts), places=places)
            except (serializers.ValidationError, PermissionRefused, LimitReached) as error:
                form.refuse(error)
            else:
                messages.success(request, f"“{collection.title}” was made. {WHO_READS_IT[collection.visibility]}")
                return SeeOther(reverse("my-collection", args=[collection.pk]))
        return self.show(search, named, form)

    def read(self, query: QueryDict) -> tuple[str | None, list[UUID]]:
        """Return the search, None where there is none, and the boards that are named, each once."""
        named = [UUIDField().run_validation(each) for each in query.getlist("board")]
        return SourceQuery.parse(query).get("search"), list(dict.fromkeys(named))

    def show(self, search: str | None, named: Sequence[UUID], form: CollectionForm) -> HttpResponse:
        """Show the form. All boards are ticked at first, and after a mistake those that were."""
        found = None if search is None else find_deals_of(QueryDict(search), self.member, keep_permit)
        choices = show_boards(found.ids if found else named, self.member)
        ticked = set(named) if form.is_bound else {choice.board.pk for choice in choices}
        context = {
            "search": search,
            "found": found,
            "choices": [(choice, choice.board.pk in ticked) for choice in choices],
            "limit": MAX_BOARDS,
            "form": form,
        }
        return self.render_page("collections/new.html", context, status=form.status)


class BoardQuery(QuerySerializer):
    board = UUIDField()


class ChosenQuery(BoardQuery):
    collection = UUIDField()
    note = serializers.CharField(required=False, allow_blank=True)


class AddBoardPage(OwnCollectionView):
    """GET /account/collections/add?board=ID → 200: the member's collections to choose from, or 404.

    POST `board`, `collection` and `note` → 303 to the board, which is at the end of the collection then.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        board = self.find_board(BoardQuery.parse(request.GET)["board"])
        own = self.own_collections.only("title", "visibility")
        context = {
            "board": board,
            "name": BoardPreview(board).full_name,
            "listed": [(each.pk, each.title) for each in own if not services.is_closed(each)],
        }
        return self.render_page("collections/add.html", context)

    def post(self, request: HttpRequest) -> HttpResponse:
        chosen = ChosenQuery.parse(request.POST)
        board, collection = self.find_board(chosen["board"]), self.find_own(chosen["collection"])
        self.store_entry(collection, board.pk, {"note": chosen["note"]} if chosen.get("note") else {})
        messages.success(request, f"The board is in your collection “{collection.title}”.")
        return SeeOther(reverse("board-page", args=[board.pk]))
