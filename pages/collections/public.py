"""The pages of collections for everybody who may read them: the list, one, its file, and its frame on another site."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.urls import reverse

from boards.collections.reading import count_boards, owner_name, read_contents
from boards.files.exporting import ExportedBoard, file_header, read_exported
from boards.models import Board, Collection, CollectionBoard
from boards.records import diagram_of
from bridge.formats.files import FileFormat
from config.api.pagination import Page, read_page
from config.edge.limits.exports import stream
from config.values.labels import Label
from config.values.languages import accepted_languages
from deals.views import PbnRenderer
from pages.boards.hand_records import MAX_RECORDS, read_sheets
from pages.collections.finding import CollectionView, read_boards, share_of, visible_entries
from pages.presenters.ballots import ballot_of
from pages.presenters.boards import BoardPreview
from pages.sharing.embed import FramedPage
from pages.sharing.feed import item_of_board
from pages.site.base import PageNumberQuery, PageView, page_context, path_with_query
from pages.site.feeds import answer_feed

COLLECTIONS_OF_PAGE = 24
BOARDS_OF_PAGE = 12
"""As many as a list of boards shows: a page stays within 60 kB with its styles."""


class CollectionsPage(PageView):
    """GET /collections?page → 200: the public collections, newest first, or 404 past the end."""

    section = "collections"

    def get(self, request: HttpRequest) -> HttpResponse:
        number = PageNumberQuery.parse(request.GET)["page"]
        rows = Collection.objects.public().select_related("owner").newest_first("published_at")
        page, shown = read_page(rows, {"page": number, "pageSize": COLLECTIONS_OF_PAGE})
        if number > 1 and not shown:
            raise Http404
        context = {
            "listed": [
                (each, owner_name(each.collection.owner) or "a member") for each in count_boards(shown, AnonymousUser())
            ],
            **page_context(page, request.path),
        }
        return self.render_page("collections/list.html", context, path=context["path"])


class CollectionPage(CollectionView):
    """GET /collections/{id}?page → 200: its boards in order with their notes, or 404."""

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = self.find_collection(pk)
        number = PageNumberQuery.parse(request.GET)["page"]
        collected = read_boards(collection, self.caller, accepted_languages(request), number, BOARDS_OF_PAGE)
        if number > 1 and not collected.boards:
            raise Http404
        context = {
            "collection": collection,
            "owner": owner_name(collection.owner) or "a member",
            "is_own": collection.owner_id == self.caller.pk,
            "collected": collected,
            "ballot": ballot_of(request, [each.entry.board_id for each in collected.boards if not each.is_draft]),
            "share": share_of(collection),
            **page_context(collected.page, reverse("collection-page", args=[pk])),
        }
        return self.render_page("collections/collection.html", context, path=context["path"])


class CollectionPractice(CollectionView):
    """GET /collections/{id}/practice → 302 to its boards in their order, one hand each (PracticeStart), or 404.

    /lessons/{id} does the same: it is the link for pupils, which says nothing of what they will be asked.
    """

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        self.find_collection(pk)
        return HttpResponseRedirect(path_with_query(reverse("practice"), {"collection": str(pk)}))


class CollectionRecordsPage(CollectionView):
    """GET /collections/{id}/print?page → 200: its hand records in its order, or 404."""

    noindex = True

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = self.find_collection(pk)
        entries = visible_entries(collection, self.caller)
        page = Page(PageNumberQuery.parse(request.GET)["page"], MAX_RECORDS, len(entries))
        keys = [entry.board_id for entry in entries[page.first_row : page.first_row + MAX_RECORDS]]
        if page.page > 1 and not keys:
            raise Http404
        context = {
            "sheets": read_sheets(Board.objects.visible_to(self.caller), keys, page.first_row + 1),
            "label": Label(collection.title, collection.language),
            "list_path": reverse("collection-page", args=[pk]),
            **page_context(page, request.path),
        }
        return self.render_page("boards/hand_records.html", context)


class CollectionFeed(CollectionView):
    """GET /collections/{id}.atom → 200: its published boards in its order with their notes, or 404."""

    vary = ()

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = self.find_collection(pk)
        entries = visible_entries(collection, AnonymousUser())
        boards = Board.objects.published().select_related("deal").in_bulk([each.board_id for each in entries])
        items = (
            item_of_board(
                board,
                title=BoardPreview(board).full_name,
                description=entry.note or diagram_of(board).title,
                updateddate=max(board.updated_at, collection.updated_at),
            )
            for entry in entries
            if (board := boards.get(entry.board_id))
        )
        path = reverse("collection-page", args=[pk])
        return answer_feed(collection.title, path, request.path, items, collection.description, collection.language)


class CollectionEmbed(CollectionView, FramedPage):
    """GET /collections/{id}/embed → 200: the names of its boards with their notes, or 404.

    A frame shows what a stranger may read, whoever is signed in: nothing private stands in another site's page.
    """

    caller = AnonymousUser()

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = self.find_collection(pk)
        entries = read_contents(collection, self.caller).boards
        boards = [(entry, BoardPreview(entry.board).full_name) for entry in entries]
        context = {"collection": collection, "boards": boards}
        return self.render_page("collections/embed.html", context, path=reverse("collection-page", args=[pk]))


class CollectionFile(CollectionView):
    """GET /collections/{id}.pbn → 200: its boards in order as a PBN file, within the limits of exports, or 404."""

    vary = ()
    name = "collection"

    def get(self, request: HttpRequest, pk: UUID) -> StreamingHttpResponse:
        entries = visible_entries(self.find_collection(pk), self.caller)
        content_type = f"{PbnRenderer.media_type}; charset={PbnRenderer.charset}"
        response = stream(request, "boards", self.write_boards(entries), content_type)
        response["Content-Disposition"] = f'attachment; filename="{self.name}-{pk}.pbn"'
        return response

    def write_boards(self, entries: Sequence[CollectionBoard]) -> Iterator[bytes]:
        """Yield a file of these boards, as far as the caller may see them. They are some hundreds at most."""
        exported = read_exported([entry.board_id for entry in entries], Board.objects.visible_to(self.caller))
        yield file_header(FileFormat.PBN).encode()
        found = [(entry, exported[entry.board_id]) for entry in entries if entry.board_id in exported]
        yield "".join(self.write_board(*each, number) for number, each in enumerate(found, 1)).encode()

    def write_board(self, entry: CollectionBoard, board: ExportedBoard, number: int) -> str:
        return board.write(FileFormat.PBN)


class LessonFile(CollectionFile):
    """GET /lessons/{id}.pbn → 200: the same, with the boards numbered from 1 and their notes in the commentaries."""

    name = "lesson"

    def write_board(self, entry: CollectionBoard, board: ExportedBoard, number: int) -> str:
        return board.in_lesson(number, entry.note).write(FileFormat.PBN)
