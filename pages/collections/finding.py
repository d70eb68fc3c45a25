"""A collection for its reader, and its boards as cards."""

from collections.abc import Container, Sequence
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import SafeString

from boards.collections.reading import Caller, find_hidden
from boards.collections.services import CollectionEntry
from boards.drawing.mini_hands import draw_mini
from boards.models import Board, Collection, CollectionBoard
from config.api.pagination import Page
from pages.presenters.deal_cards import DealCard
from pages.sharing.sharing import FRAME_SIZE, write_frame
from pages.site.base import PageView


class CollectionView(PageView):
    """The base of what shows a collection to whoever may read it."""

    section = "collections"

    @property
    def caller(self) -> Caller:
        return self.reader or AnonymousUser()

    def find_collection(self, pk: UUID) -> Collection:
        """Return a collection that the caller may read. Raise Http404. Hide the answer unless it is public."""
        readable = Collection.objects.readable_by(self.caller).select_related("owner")
        collection = get_object_or_404(readable, pk=pk)
        if not collection.is_public:
            self.hide()
        return collection


def share_of(collection: Collection) -> dict[str, str]:
    """Return how others get a collection, as sharing/share.html shows it; nothing for a private one."""
    if collection.visibility == Collection.Visibility.PRIVATE:
        return {}
    routes = ("collection-page", "lesson", "collection-embed")
    page, lesson, frame = (settings.PUBLIC_BASE_URL + reverse(route, args=[collection.pk]) for route in routes)
    return {"address": page, "lesson": lesson, "frame": write_frame(frame, collection.title, *FRAME_SIZE)}


class CollectedBoard(NamedTuple):
    """A board of a collection as its page shows it. `position` counts from 1 among those that the reader may see."""

    entry: CollectionBoard
    card: DealCard
    position: int

    @property
    def cards(self) -> list[DealCard]:
        return [self.card]

    @property
    def hands(self) -> SafeString:
        return draw_mini(self.card.board.deal.cards, self.card.board.board_number)

    @property
    def is_draft(self) -> bool:
        return self.card.board.published_at is None


class CollectedPage(NamedTuple):
    """A page of a collection's boards, the ids of all that its reader may see, and what `find_hidden` finds."""

    page: Page
    boards: Sequence[CollectedBoard]
    board_ids: Container[UUID]
    hidden: Sequence[CollectionEntry]


def visible_entries(collection: Collection, caller: Caller) -> list[CollectionBoard]:
    """Return the entries whose boards the caller may see, in their order, without the boards."""
    return list(collection.entries.filter(board__in=Board.objects.visible_to(caller)))


class PlaceInCollection(NamedTuple):
    """Where a board stands in a collection for its reader. `position` counts from 1."""

    collection: Collection
    entry: CollectionBoard
    position: int
    total: int

    @property
    def note(self) -> str:
        return self.entry.note


def find_place(collection_id: UUID, board_id: UUID, caller: Caller) -> PlaceInCollection | None:
    """Return where a board stands in a collection that the caller may read, None where it is not in one."""
    collection = Collection.objects.readable_by(caller).filter(pk=collection_id).first()
    entries = visible_entries(collection, caller) if collection else []
    for position, entry in enumerate(entries, 1):
        if collection and entry.board_id == board_id:
            return PlaceInCollection(collection, entry, position, len(entries))
    return None


def read_boards(
    collection: Collection, caller: Caller, languages: Sequence[str], number: int, size: int
) -> CollectedPage:
    """Return a page of the boards that the caller may see, each as a card. It takes a fixed number of queries."""
    entries = visible_entries(collection, caller)
    page = Page(number, size, len(entries))
    board_ids = {entry.board_id for entry in entries}
    shown = entries[page.first_row : page.first_row + size]
    boards = Board.objects.visible_to(caller).with_details().in_bulk([entry.board_id for entry in shown])
    return CollectedPage(
        page,
        [
            CollectedBoard(entry, DealCard(board, board.themes.all(), languages), position)
            for position, entry in enumerate(shown, page.first_row + 1)
            if (board := boards.get(entry.board_id))
        ],
        board_ids,
        find_hidden(collection, caller, board_ids),
    )
