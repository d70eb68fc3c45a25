"""A board in a frame on another site. No page but a FramedPage may be framed."""

from functools import cached_property
from html import escape
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse

from boards.models import Board
from bridge.replay import calls_of
from config.database.rows import find_by_key
from config.edge.middleware import write_policy
from pages.presenters.boards import AnnotatedCall, BoardDetail
from pages.presenters.stepping import BoardPageQuery, Steps
from pages.site.base import PageView

MAX_AUCTION = 5000
"""The bytes that an auction may take in a frame of 30 kB, by CALL_SIZE and NOTE_SIZE. The board's page has any."""

CALL_SIZE, NOTE_SIZE = 130, 180
"""The markup of a call, and of a footnote without its text, in bytes."""


class EmbeddedDetail(BoardDetail):
    """A board in a frame: without what its calls mean, or without its auction, where these would be too large."""

    @property
    def has_long_auction(self) -> bool:
        return self.size_of_calls > MAX_AUCTION

    @property
    def size_of_calls(self) -> int:
        return CALL_SIZE * len(calls_of(self.record))

    @cached_property
    def auction_table(self) -> list[list[AnnotatedCall | None]]:
        explanations = [call.explanation for call in calls_of(self.record) if call.explanation]
        size_of_notes = sum(NOTE_SIZE + len(escape(text).encode()) for text in explanations)
        rows = super().auction_table
        if self.size_of_calls + size_of_notes <= MAX_AUCTION:
            return rows
        return [[each and each._replace(footnote=0) for each in row] for row in rows]


class FramedPage(PageView):
    """A page that any site may show in a frame.

    Its answer to a reader who has it already says so too, or a browser would add the refusal to its copy.
    """

    vary = ()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        if response.status_code == HTTPStatus.OK:
            policy = {**settings.SECURE_CSP, "frame-ancestors": ["*"]}
            response["Content-Security-Policy"] = write_policy(policy)
        if response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
            response.xframe_options_exempt = True  # type: ignore[attr-defined]  # Django's name
        return response

    def render_board(self, board: Board, query: dict[str, Any]) -> HttpResponse:
        """Show a published board at the step and with the hands that the query names."""
        hands, step = query.get("show", ()), query.get("step")
        detail = EmbeddedDetail(board, (), (), hands, step)
        show, last = {"show": ",".join(hands)} if hands else {}, len(detail.stops) - 1
        path = reverse("board-embed", args=[board.pk])
        context = {
            "detail": detail,
            "steps": Steps(path, show, min(step or 0, last), last),
        }
        return self.render_page("boards/embed.html", context, path=reverse("board-page", args=[board.pk]))


class BoardEmbed(FramedPage):
    """GET /boards/{id}/embed → 200, or 404 for a draft. `show` and `step` as on the board's page."""

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        query = BoardPageQuery.parse(request.GET)
        board = find_by_key(Board, pk, "deal", "auction_system", "analysis")
        if board is None or board.published_at is None:
            raise Http404
        return self.render_board(board, query)
