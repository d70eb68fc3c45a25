"""The page on which a member changes a collection: its texts, who may read it, its boards and their notes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from accounts.models import Account
from boards.collections import services
from boards.models import MAX_BOARDS, Collection
from config.api.errors import PermissionRefused, ValidationFailed
from config.api.fields import UUIDField
from config.database.transactions import retried_transaction
from pages.collections.finding import read_boards, share_of
from pages.collections.forms import BOARDS_OF_PAGE, BoardsForm, CollectionForm, RowForm
from pages.collections.members import WHO_READS_IT, OwnCollectionView
from pages.site.base import PageNumberQuery, SeeOther, page_context

MOVES: dict[str, Callable[[int], int]] = {"up": lambda at: at - 1, "down": lambda at: at + 1, "top": lambda at: 1}
"""The buttons that move a board, and the position to which each moves it from its own."""

PRESSES = ("save", "remove", *MOVES)
"""The buttons of a board. The value of each is the board's id; that of the "save" above all boards is blank."""


class MyCollectionPage(OwnCollectionView):
    """GET /account/collections/{id}?page → 200: the forms that change it, or 404.

    POST the texts, or the notes and positions of the boards with the button of one → 303 to what was changed, else the
    page with all that was typed: 400 or 403 with what is wrong, 409 with what was changed elsewhere meanwhile.
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
        press = read_press(request.POST)
        boards, row = store_boards(self.member, pk, request.POST, press)
        if boards.errors:
            return self.show(collection, boards=boards)
        if press.button == "remove":
            messages.success(request, "The board is taken out of the collection.")
        # To the button on the page that has the board now, so that the reader goes on there.
        anchor = "boards" if row is None else f"{press.button}-{press.board_id}"
        number = (row or 0) // BOARDS_OF_PAGE + 1
        page = f"?page={number}" if number > 1 else ""
        return SeeOther(f"{reverse('my-collection', args=[pk])}{page}#{anchor}")

    def show(
        self, collection: Collection, *, texts: CollectionForm | None = None, boards: BoardsForm | None = None
    ) -> HttpResponse:
        """Show the page. `texts` or `boards` are a form that was sent and not stored."""
        number = PageNumberQuery.parse(self.request.GET)["page"]
        collected = read_boards(collection, self.member, (), number, BOARDS_OF_PAGE)
        form = texts or CollectionForm(collection=collection)
        sent = boards.rows if boards else {}
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
            **page_context(collected.page, reverse("my-collection", args=[collection.pk])),
        }
        return self.render_page("boards/collections/edit.html", context, status=(boards or form).status)


class Press(NamedTuple):
    """A button, and the board that it belongs to: None is the one above all boards."""

    button: str
    board_id: UUID | None


def read_press(post: QueryDict) -> Press:
    """Return which button was pressed, and of which board. Raise ValidationFailed for another form."""
    pressed = [name for name in PRESSES if name in post]
    if len(pressed) != 1:
        raise ValidationFailed("Press one button of the page.")
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


def new_positions(press: Press, form: BoardsForm, order: Sequence[UUID]) -> dict[UUID, int]:
    """Return where the button puts boards, from 1: those of the fields, or the one board that it moves."""
    if press.button == "save":
        return form.positions
    if press.board_id and press.button in MOVES:
        return {press.board_id: MOVES[press.button](order.index(press.board_id) + 1)}
    return {}


@retried_transaction
def store_boards(member: Account, collection_id: UUID, post: QueryDict, press: Press) -> tuple[BoardsForm, int | None]:
    """Store the changed notes, and do what the button says, or nothing where the form then has errors.

    Return the row at which the button's board is then, from 0. Raise Http404 for a board that is not in the collection.
    """
    collection = services.lock_own(account=member, collection_id=collection_id)
    places = services.visible_places(collection, member)
    order = [place.board_id for place in places]
    button, board_id = press
    if button != "remove" and board_id not in (None, *order):
        raise Http404
    form = BoardsForm(post, places)
    if form.errors:
        return form, None
    places = services.arrange(services.with_notes(places, form.notes), new_positions(press, form, order))
    try:
        services.change_collection(collection=collection, owner=member, places=places)
    except PermissionRefused as error:
        form.refuse(error)
        return form, None
    if board_id and button == "remove":
        services.remove_board(account=member, collection_id=collection_id, board_id=board_id)
        return form, None
    order = [place.board_id for place in places]
    return form, order.index(board_id) if board_id else None


class DeletePage(OwnCollectionView):
    """GET /account/collections/{id}/delete → 200: whether to delete it. POST → 303 to the member's collections."""

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = self.find_own(pk)
        context = {"collection": collection, "boards": collection.entries.count()}
        return self.render_page("boards/collections/delete.html", context)

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        title = self.find_own(pk).title
        delete(self.member, pk)
        messages.success(request, f"“{title}” is deleted. Its boards stay.")
        return SeeOther(reverse("my-collections"))


@retried_transaction
def delete(member: Account, pk: UUID) -> None:
    services.delete_collection(services.lock_own(account=member, collection_id=pk))
