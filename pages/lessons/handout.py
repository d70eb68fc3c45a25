"""A lesson on paper: what a pupil sees of each board, and overleaf all four hands with what happened."""

from collections.abc import Sequence
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse

from boards.models import Board, CollectionBoard
from boards.practice import forget_unplayed, read_fields
from bridge.auction import AUCTION_COLUMNS, in_rows
from bridge.board import BoardRecord
from bridge.field import FieldTable
from bridge.names import format_call
from bridge.replay import calls_of
from config.api.pagination import Page
from pages.collections.finding import CollectionView, visible_entries
from pages.practice.moment import start_of
from pages.practice.quiz import Question
from pages.presenters.boards import HandRecord
from pages.site.base import PageNumberQuery, page_context

BOARDS_OF_SHEET = 12
"""The boards of one sheet of paper, in three columns: questions on its front, answers on its back."""

BOARDS_OF_PAGE = 24

Rows = list[list[str | None]]


class HandoutBoard(HandRecord):
    """A board of a hand-out, by its number in the lesson. Its question is the first of the seat that is asked."""

    columns = AUCTION_COLUMNS

    def __init__(self, board: Board, number: int, entry: CollectionBoard, field: Sequence[FieldTable]) -> None:
        super().__init__(board, number)
        self.note, self.moment = entry.note, start_of(board, entry=entry, field=field)
        self.seat = self.moment.seat

    @property
    def heading(self) -> str:
        return f"Board {self.number}"

    @property
    def record(self) -> BoardRecord:
        return self.moment.record

    @property
    def question(self) -> Question | None:
        return self.moment.question

    @property
    def calls(self) -> Rows:
        """Return the whole auction in rows from West to South."""
        return self.rows(len(calls_of(self.record)))

    @property
    def calls_so_far(self) -> Rows:
        """Return the auction up to the question, which stands for the call that is asked."""
        return self.rows(self.moment.shown_step, *["?"] * bool(self.question and not self.question.is_lead))

    def rows(self, calls: int, *more: str) -> Rows:
        said = [format_call(call.call) for call in calls_of(self.record)[:calls]]
        return in_rows(self.record.dealer, [*said, *more])


class HandoutPage(CollectionView):
    """GET /lessons/{id}/hand-out?page → 200: its boards from 1 on for paper, 24 a page, or 404."""

    noindex = True

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        collection = self.find_collection(pk)
        entries = visible_entries(collection, self.caller)
        page = Page(PageNumberQuery.parse(request.GET)["page"], BOARDS_OF_PAGE, len(entries))
        shown = self.read_boards(entries[page.first_row : page.first_row + BOARDS_OF_PAGE], page.first_row + 1)
        if page.page > 1 and not shown:
            raise Http404
        context = {
            "collection": collection,
            "sheets": [shown[start : start + BOARDS_OF_SHEET] for start in range(0, len(shown), BOARDS_OF_SHEET)],
            **page_context(page, request.path),
        }
        return self.render_page("lessons/handout.html", context)

    def read_boards(self, entries: list[CollectionBoard], first: int) -> list[HandoutBoard]:
        visible = Board.objects.visible_to(self.caller).select_related("deal", "auction_system")
        boards = visible.in_bulk([entry.board_id for entry in entries])
        forget_unplayed(boards.values())
        fields = read_fields(boards.values())
        return [
            HandoutBoard(boards[entry.board_id], number, entry, fields.get(entry.board_id, ()))
            for number, entry in enumerate(entries, first)
            if entry.board_id in boards
        ]
