"""The page on which a member changes a collection: its texts, who may read it, its boards and their notes."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from rest_framework import serializers

from accounts.models import Account
from boards.collections import services
from boards.collections.services import OF_ENTRY, CollectionEntry
from boards.models import MAX_BOARDS, Collection
from bridge.seats import SEATS
from config.api.errors import PermissionRefused, ValidationFailed
from config.api.fields import ChoiceField, UUIDField
from config.api.pagination import NaturalField
from config.api.serializers import QuerySerializer
from config.database.transactions import retried_transaction
from config.edge.limits.dear_reads import keep_permit
from pages.collections.choosing import find_to_add, show_boards
from pages.collections.finding import read_boards, share_of, visible_entries
from pages.collections.forms import BOARDS_OF_PAGE, BoardsForm, CollectionForm, RowForm
from pages.collections.members import WHO_READS_IT, OwnCollectionView
from pages.presenters.playing import StepField
from pages.site.base import PageNumberQuery, SeeOther, page_context, path_with_query
from search.language.parsing import MAX_CHARACTERS

MOVES_IN_SIGHT = ("up", "down")
MOVES: dict[str, Callable[[int], int]] = {"up": lambda at: at - 1, "down": lambda at: at + 1, "top": lambda at: 1}
"""The buttons that move a board, and the position to which each moves it from its own."""

PRESSES = ("save", "remove", *MOVES)
"""The buttons of a board. The value of each is the board's id; that of the "save" above all boards is blank."""

TAKEN_OUT = "taken_out"
"""What the session keeps of a board that was just taken out, until a page has offered to put it back."""


class Press(NamedTuple):
    """A button, and the board that it belongs to: None is the one above all boards."""

    button: str
    board_id: UUID | None


class EditQuery(PageNumberQuery):
    find = serializers.CharField(required=False, allow_blank=True, max_length=MAX_CHARACTERS)


class PutQuery(QuerySerializer):
    put = UUIDField()
    note = serializers.CharField(required=False, allow_blank=True)
    seat = ChoiceField(choices=SEATS, required=False, allow_blank=True)
    step = StepField(required=False)
    position = NaturalField(required=False, min_value=1, max_value=MAX_BOARDS)


class MyCollectionPage(OwnCollectionView):
    """GET /account/collections/{id}?page&find → 200: the forms that change it, or 404. `find` finds boards to add.

    POST the texts, or the notes and positions of the boards with the button of one → 303 to what was changed, else the
    page with all that was typed: 400 or 403 with what is wrong, 409 with what was changed elsewhere meanwhile. POST
    `put`, the id of a board, with its note and position or without → 303 to the board, which is in the collection then.
    """

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return self.show(self.find_own(pk))

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = self.find_own(pk)
        if any(name in request.POST for name in CollectionForm.base_fields):
            texts = store_texts(self.member, pk, request.POST)
            if texts.errors:
                return self.show(collection, texts=texts)
            messages.success(request, "Saved.")
            return SeeOther(reverse("my-collection", args=[pk]))
        if "put" in request.POST:
            return self.put_board(collection)
        press = read_press(request.POST)
        boards, row, taken_out = store_boards(self.member, pk, request.POST, press)
        if boards.errors:
            return self.show(collection, boards=boards)
        if press.board_id is None:
            row = (EditQuery.parse(request.GET)["page"] - 1) * BOARDS_OF_PAGE
        elif taken_out:
            board_id, *kept = taken_out
            request.session[TAKEN_OUT] = [str(pk), str(board_id), *kept, row + 1]
            row = max(row - 1, 0)  # the board before it, which is there still
        elif press.button == "remove":
            messages.success(request, "The board was taken out of the collection.")
        return self.lead_to(pk, press, row)

    def lead_to(self, pk: UUID, press: Press, row: int) -> HttpResponse:
        """Lead to the page that has the row, and to the board's button as far as that is in sight."""
        anchor = f"{press.button if press.button in MOVES_IN_SIGHT else 'board'}-{press.board_id}"
        number = row // BOARDS_OF_PAGE + 1
        page = f"?page={number}" if number > 1 else ""
        is_of_all = press.board_id is None or press.button == "remove"
        return SeeOther(f"{reverse('my-collection', args=[pk])}{page}#{'boards' if is_of_all else anchor}")

    def put_board(self, collection: Collection) -> HttpResponse:
        """Add a board at the end, or put one back to where it was. Lead back to a search that has found it."""
        wanted = dict(PutQuery.parse(self.request.POST))
        board_id = wanted.pop("put")
        self.store_entry(collection, board_id, wanted)
        messages.success(self.request, "The board is in the collection.")
        if words := EditQuery.parse(self.request.GET).get("find"):
            path = reverse("my-collection", args=[collection.pk])
            return SeeOther(f"{path_with_query(path, {'find': words})}#add")
        order = [entry.board_id for entry in visible_entries(collection, self.member)]
        return self.lead_to(collection.pk, Press("put", board_id), order.index(board_id) if board_id in order else 0)

    def find_taken_out(self, collection: Collection) -> dict[str, Any] | None:
        """Return the board that was just taken out of the collection, once, with what the collection said of it."""
        kept = self.request.session.pop(TAKEN_OUT, None)
        if not kept or kept[0] != str(collection.pk):
            return None
        _, board_id, *fields = kept
        boards = show_boards([UUID(board_id)], self.member)
        return {"board": boards[0], **dict(zip((*OF_ENTRY, "position"), fields, strict=True))} if boards else None

    def show(
        self, collection: Collection, *, texts: CollectionForm | None = None, boards: BoardsForm | None = None
    ) -> HttpResponse:
        """Show the page. `texts` or `boards` are a form that was sent and not stored."""
        query = EditQuery.parse(self.request.GET)
        collected = read_boards(collection, self.member, (), query["page"], BOARDS_OF_PAGE)
        form = texts or CollectionForm(collection=collection)
        sent = boards.rows if boards else {}
        words = query.get("find", "").strip()
        found, error = find_to_add(words, self.member, keep_permit) if words else ([], "")
        context = {
            "collection": collection,
            "collected": collected,
            "rows": [
                (board, sent.get(board.entry.board_id) or RowForm(None, board.entry, board.position))
                for board in collected.boards
            ],
            "share": share_of(collection),
            "who_reads_it": WHO_READS_IT[collection.visibility],
            "why_closed": services.CLOSED if services.is_closed(collection) else "",
            "hidden": collected.hidden[:BOARDS_OF_PAGE],
            "limit": MAX_BOARDS,
            "form": form,
            "errors_of_boards": boards.errors if boards else (),
            "taken_out": self.find_taken_out(collection),
            "words": words,
            "found": [(board, board.board.pk in collected.board_ids) for board in found],
            "error_of_words": error,
            **page_context(collected.page, reverse("my-collection", args=[collection.pk])),
        }
        return self.render_page("collections/edit.html", context, status=(boards or form).status)


def read_press(post: QueryDict) -> Press:
    """Return which button was pressed, and of which board. Raise ValidationFailed for another form."""
    pressed = [name for name in PRESSES if name in post]
    if len(pressed) != 1:
        raise ValidationFailed("Press one of the page's buttons.")
    (name,) = pressed
    is_of_all = name == "save" and not post[name]
    return Press(name, None if is_of_all else UUIDField().run_validation(post[name]))


@retried_transaction
def store_texts(member: Account, pk: UUID, post: QueryDict) -> CollectionForm:
    """Store the texts, or nothing where the form then has errors."""
    collection = services.lock_own(account=member, collection_id=pk)
    form = CollectionForm(post, collection)
    if form.is_valid():
        try:
            services.change_collection(collection=collection, owner=member, **form.texts)
        except PermissionRefused as error:
            form.refuse(error)
    return form


@retried_transaction
def store_boards(
    member: Account, collection_id: UUID, post: QueryDict, press: Press
) -> tuple[BoardsForm, int, CollectionEntry | None]:
    """Store the changed rows, and do what the button says, or nothing where the form then has errors.

    Return the row at which the button's board is then or was, from 0, and the place of a board that was taken out and
    can be put back. Raise Http404 for a board that is not in the collection.
    """
    collection = services.lock_own(account=member, collection_id=collection_id)
    places = services.visible_places(collection, member)
    button, board_id = press
    is_visible = board_id in {place.board_id for place in places}
    if board_id and button != "remove" and not is_visible:
        raise Http404
    form = BoardsForm(post, places)
    if form.errors:
        return form, 0, None
    places = services.arrange(services.with_changes(places, form.places), form.positions)
    if board_id and button in MOVES:
        places = services.arrange(places, {board_id: MOVES[button](row_of(board_id, places) + 1)})
    try:
        services.change_collection(collection=collection, owner=member, places=places)
    except PermissionRefused as error:
        form.refuse(error)
        return form, 0, None
    row = row_of(board_id, places) if board_id and is_visible else 0
    if board_id and button == "remove":
        services.remove_board(account=member, collection_id=collection_id, board_id=board_id)
        return form, row, places[row] if is_visible else None
    return form, row, None


def row_of(board_id: UUID, places: Sequence[CollectionEntry]) -> int:
    return [place.board_id for place in places].index(board_id)


class DeletePage(OwnCollectionView):
    """GET /account/collections/{id}/delete → 200: whether to delete it. POST → 303 to the member's collections."""

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = self.find_own(pk)
        context = {"collection": collection, "boards": collection.entries.count()}
        return self.render_page("collections/delete.html", context)

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        title = self.find_own(pk).title
        delete(self.member, pk)
        messages.success(request, f"“{title}” was deleted. Its boards stay.")
        return SeeOther(reverse("my-collections"))


@retried_transaction
def delete(member: Account, pk: UUID) -> None:
    services.delete_collection(services.lock_own(account=member, collection_id=pk))
