"""The page on which a member changes a collection: its texts, who may read it, its boards and their notes."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from accounts.models import Account
from boards.collections import services
from boards.collections.serializers import CollectionChangesSerializer, PutBoardSerializer
from boards.collections.services import Place
from boards.models import MAX_BOARDS, Collection
from config.api.errors import ValidationFailed
from config.database.transactions import retry_conflicts
from pages.collections.edits import (
    TEXTS,
    Edit,
    Field,
    read_notes,
    read_positions,
    read_press,
)
from pages.collections.finding import CollectedBoard, address_of, read_boards
from pages.collections.members import REFUSALS, WHO_READS_IT, find_own, form_context, said, see
from pages.site.base import MemberPage
from pages.site.lists import PageNumberQuery, page_context
from pages.site.page_fields import overtaken_by

BOARDS_OF_PAGE = 20
"""With notes as long as they may be, these boards make a form of at most 180 kB: a body may have 256."""

MOVES: dict[str, Callable[[int], int]] = {
    "up": lambda at: at - 1,
    "down": lambda at: at + 1,
    "top": lambda at: 1,
}
"""The buttons that move a board, and the position to which each moves it from its own."""


class Row(NamedTuple):
    """A board of the page, with the note and the position that its fields have."""

    board: CollectedBoard
    note: str
    was: str
    position: str


class MyCollectionPage(MemberPage):
    """GET /account/collections/{id}?page → 200: the forms that change it, or 404.

    POST the texts, or the notes and positions of the boards with the button of one → 303 to what was changed, else the
    page with all that was typed: 400 or 403 with what is wrong, 409 with what was changed elsewhere meanwhile. Two
    windows lose nothing: what comes back as it was shown is left alone.
    """

    section = "my-collections"

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return self.show(find_own(pk, self.member))

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        post = request.POST.dict()
        try:
            return self.change_texts(pk, post) if has_texts(post) else self.change_boards(pk, post)
        except REFUSALS as error:
            return self.show(find_own(pk, self.member), post, [said(error)], error.status_code)

    def change_texts(self, pk: UUID, post: dict[str, str]) -> HttpResponse:
        edits = {name: Edit.read(post, name) for name in TEXTS if name in post}
        changed = {name: edit.typed for name, edit in edits.items() if edit.is_changed}
        form = CollectionChangesSerializer(data=changed, partial=True)
        form.is_valid(raise_exception=True)
        if overtaken := store_texts(self.member, pk, edits, form.validated_data):
            return self.show(find_own(pk, self.member), post, overtaken, HTTPStatus.CONFLICT)
        messages.success(self.request, "Saved.")
        return see(reverse("my-collection", args=[pk]))

    def change_boards(self, pk: UUID, post: dict[str, str]) -> HttpResponse:
        collection = find_own(pk, self.member)
        button, board_id = read_press(post)
        check_fields(post)
        notes, positions = read_notes(post), read_positions(post) if button == "save" else {}
        overtaken, stands_at = store_boards(self.member, pk, notes, positions, button, board_id)
        if overtaken:
            return self.show(collection, post, overtaken, HTTPStatus.CONFLICT)
        if button == "remove":
            messages.success(self.request, "The board is taken out of the collection.")
        if stands_at is None:
            return see(self.path_of(collection, 0, "boards"))
        return see(self.path_of(collection, stands_at, f"{button}-{board_id}"))

    def path_of(self, collection: Collection, row: int, anchor: str) -> str:
        """Return the address of a button of a board on its page, so that the reader goes on there."""
        number = row // BOARDS_OF_PAGE + 1
        page = f"?page={number}" if number > 1 else ""
        return f"{reverse('my-collection', args=[collection.pk])}{page}#{anchor}"

    def show(
        self,
        collection: Collection,
        post: Mapping[str, str] | None = None,
        errors: Sequence[str] = (),
        status: int = HTTPStatus.OK,
    ) -> HttpResponse:
        """Show the page, with what was typed where that is not stored."""
        post = post or {}
        number = PageNumberQuery.parse(self.request.GET)["page"]
        collected = read_boards(collection, self.member, (), number, BOARDS_OF_PAGE)
        is_conflict = status == HTTPStatus.CONFLICT
        fields = {name: Field.of(post, name, getattr(collection, name), is_conflict) for name in TEXTS}
        is_of_texts = has_texts(post)
        context = {
            "collection": collection,
            "collected": collected,
            "rows": [self.row_of(post, board, is_conflict) for board in collected.boards],
            "address": "" if collection.visibility == Collection.Visibility.PRIVATE else address_of(collection),
            "who_reads_it": WHO_READS_IT[collection.visibility],
            "why_closed": services.CLOSED if services.is_closed(collection) else "",
            "hidden": collected.hidden[:BOARDS_OF_PAGE],
            "limit": MAX_BOARDS,
            "was": {name: field.was for name, field in fields.items()},
            "errors_of_boards": () if is_of_texts else errors,
            **form_context(
                {name: field.text for name, field in fields.items()},
                errors if is_of_texts else (),
                collection,
            ),
            **page_context(collected.page, reverse("my-collection", args=[collection.pk])),
        }
        return self.render_page("boards/collections/edit.html", context, status=status)

    def row_of(self, post: Mapping[str, str], board: CollectedBoard, is_conflict: bool) -> Row:
        pk = board.entry.board_id
        note = Field.of(post, f"note-{pk}", board.entry.note, is_conflict)
        return Row(board, note.text, note.was, post.get(f"position-{pk}", str(board.position)))


def check_fields(post: Mapping[str, str]) -> None:
    """Raise ValidationFailed for fields of more boards than a page has: each costs work under the locks."""
    named = {board_id for kind, _, board_id in (name.partition("-") for name in post) if kind in ("note", "position")}
    if len(named) > BOARDS_OF_PAGE:
        raise ValidationFailed(f"A page has {BOARDS_OF_PAGE} boards. Send the fields of no others.")


def has_texts(post: Mapping[str, str]) -> bool:
    """Tell the form with the texts from the one with the boards."""
    return any(name in post for name in TEXTS)


@retry_conflicts
@transaction.atomic
def store_texts(member: Account, pk: UUID, edits: Mapping[str, Edit], texts: Mapping[str, Any]) -> list[str]:
    """Store the texts, or nothing: return in words what something else has changed meanwhile."""
    collection = services.lock_own(account=member, collection_id=pk)
    stored = {name: getattr(collection, name) for name in edits}
    overtaken = [
        overtaken_by(name.capitalize(), stored[name])
        for name, edit in edits.items()
        if edit.is_overtaken_by(stored[name])
    ]
    if not overtaken:
        services.change_collection(collection=collection, owner=member, **texts)
    return overtaken


@retry_conflicts
@transaction.atomic
def store_boards(
    member: Account,
    collection_id: UUID,
    edits: Mapping[UUID, Edit],
    positions: Mapping[UUID, int],
    button: str,
    board_id: UUID | None,
) -> tuple[list[str], int | None]:
    """Store the changed notes, and do what the button says. Return what was overtaken, and where its board stands then.

    Where something else has changed a note or taken out its board meanwhile, store nothing and return that in words.
    Raise Http404 for a board that is not in the collection.
    """
    collection = services.lock_own(account=member, collection_id=collection_id)
    places = services.visible_places(collection, member)
    order = [place.board_id for place in places]
    if button != "remove" and board_id not in (None, *order):
        raise Http404
    changed = {pk: edit for pk, edit in edits.items() if edit.is_changed}
    if overtaken := find_overtaken(places, changed, positions):
        return overtaken, None
    if board_id and button in MOVES:
        positions = {board_id: MOVES[button](order.index(board_id) + 1)}
    places = services.with_notes(places, {pk: clean_note(edit.typed) for pk, edit in changed.items()})
    places = services.arrange(places, positions)
    services.change_collection(collection=collection, owner=member, places=places)
    if board_id and button == "remove":
        services.remove_board(account=member, collection_id=collection_id, board_id=board_id)
        return [], None
    order = [place.board_id for place in places]
    return [], order.index(board_id) if board_id else None


def find_overtaken(places: Sequence[Place], changed: Mapping[UUID, Edit], positions: Mapping[UUID, int]) -> list[str]:
    """Return in words which notes something else has changed meanwhile, and which boards are there no longer."""
    stored = dict(places)
    overtaken = [
        overtaken_by(f"Note on board {position}", note)
        for position, (pk, note) in enumerate(places, 1)
        if pk in changed and changed[pk].is_overtaken_by(note)
    ]
    for pk in dict.fromkeys([*changed, *positions]):
        if pk not in stored:
            note = f" Your note on it: “{changed[pk].typed}”." if pk in changed else ""
            overtaken.append(f"A board that you changed here is no longer among these.{note}")
    return overtaken


def clean_note(text: str) -> str:
    """Return a note as it is stored. Raise ValidationError for one that is too long."""
    form = PutBoardSerializer(data={"note": text})
    form.is_valid(raise_exception=True)
    note: str = form.validated_data["note"]
    return note


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
def delete(member: Account, pk: UUID) -> None:
    services.delete_collection(services.lock_own(account=member, collection_id=pk))
