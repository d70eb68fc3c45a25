"""The page on which a member changes a collection: its texts, who may read it, its boards and their notes."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from rest_framework import serializers

from boards.collections import services
from boards.collections.serializers import CollectionChangesSerializer, PutBoardSerializer
from boards.models import MAX_BOARDS, Collection
from boards.pages.collections.finding import address_of, read_boards
from boards.pages.collections.members import TEXTS, find_own, form_context, see, typed, typed_texts
from boards.pages.evenings.events import PageNumberQuery, page_context
from config.api.fields import ChoiceField, UUIDField
from config.api.pagination import NaturalField
from config.api.serializers import QuerySerializer
from config.database.transactions import retry_conflicts
from config.site.pages import MemberPage, join_messages

BOARDS_OF_PAGE = 30
MOVES = {"up": {"by": -1}, "down": {"by": 1}, "top": {"position": 1}}
"""What the buttons of a board do, beside storing its note."""


class RowForm(QuerySerializer):
    """A board's form. Its texts are checked by PutBoardSerializer."""

    board = UUIDField()
    do = ChoiceField(choices=["save", "remove", *MOVES])
    note = serializers.CharField(required=False, allow_blank=True)
    position = NaturalField(required=False, min_value=1, max_value=MAX_BOARDS)
    shown = NaturalField(required=False)


class MyCollectionPage(MemberPage):
    """GET /account/collections/{id}?page → 200: the forms that change it, or 404.

    POST the texts, or `board` with `do` (save, up, down, top, remove) and its `note` → 303 to what was changed, or 400:
    the page with what is wrong. Two windows lose nothing: each move begins with the order that is stored.
    """

    section = "my-collections"

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return self.show(find_own(pk, self.member))

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = find_own(pk, self.member)
        if "board" in request.POST:
            return self.change_board(collection)
        values = typed_texts(request.POST)
        form = CollectionChangesSerializer(data=values, partial=True)
        try:
            form.is_valid(raise_exception=True)
        except serializers.ValidationError as error:
            return self.show(collection, values, join_messages(error))
        store_texts(self.member, pk, form.validated_data)
        messages.success(request, "Saved.")
        return see(reverse("my-collection", args=[pk]))

    def change_board(self, collection: Collection) -> HttpResponse:
        row = RowForm.parse(self.request.POST)
        board_id, chosen = row["board"], row["do"]
        place = {"account": self.member, "collection_id": collection.pk, "board_id": board_id}
        if not collection.entries.filter(board_id=board_id).exists():
            raise Http404
        if chosen == "remove":
            services.remove_board(**place)
            return see(self.path_of(collection, 0, "boards"))
        note = PutBoardSerializer(data={"note": typed(row.get("note", ""))})
        note.is_valid(raise_exception=True)
        # A number that is as it was shown moves nothing, whatever another window has moved meanwhile.
        is_other = chosen == "save" and row.get("position") not in (None, row.get("shown"))
        position = {"position": row["position"]} if is_other else {}
        stands_at = services.put_board(**place, **note.validated_data, **MOVES.get(chosen, position))
        return see(self.path_of(collection, stands_at - 1, f"board-{board_id}"))

    def path_of(self, collection: Collection, row: int, anchor: str) -> str:
        """Return the address of a board on its page, so that the reader goes on where it is now."""
        number = row // BOARDS_OF_PAGE + 1
        page = f"?page={number}" if number > 1 else ""
        return f"{reverse('my-collection', args=[collection.pk])}{page}#{anchor}"

    def show(
        self, collection: Collection, values: dict[str, Any] | None = None, error: str = ""
    ) -> HttpResponse:
        number = PageNumberQuery.parse(self.request.GET)["page"]
        collected = read_boards(collection, self.member, (), number, BOARDS_OF_PAGE)
        stored = {name: getattr(collection, name) for name in TEXTS}
        context = {
            "collection": collection,
            "collected": collected,
            "address": ""
            if collection.visibility == Collection.Visibility.PRIVATE
            else address_of(collection),
            "limit": MAX_BOARDS,
            **form_context(stored | (values or {}), error),
            **page_context(collected.page, reverse("my-collection", args=[collection.pk])),
        }
        status = HTTPStatus.BAD_REQUEST if error else HTTPStatus.OK
        return self.render_page("boards/collections/edit.html", context, status=status)


@retry_conflicts
@transaction.atomic
def store_texts(member: Any, pk: UUID, texts: dict[str, Any]) -> None:
    collection = services.lock_own(account=member, collection_id=pk)
    services.change_collection(collection=collection, owner=member, **texts)


class DeleteCollectionPage(MemberPage):
    """GET /account/collections/{id}/delete → 200: whether to delete it. POST → 303 to the member's collections."""

    section = "my-collections"

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = find_own(pk, self.member)
        context = {"collection": collection, "boards": collection.entries.count(), "noindex": True}
        return self.render_page("boards/collections/delete.html", context)

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = find_own(pk, self.member)
        delete(self.member, pk)
        messages.success(request, f"“{collection.title}” is deleted. Its boards stay.")
        return see(reverse("my-collections"))


@retry_conflicts
@transaction.atomic
def delete(member: Any, pk: UUID) -> None:
    services.delete_collection(services.lock_own(account=member, collection_id=pk))
