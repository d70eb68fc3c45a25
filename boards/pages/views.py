"""Boards for people who look at them."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import serializers

from boards.models import Board
from boards.pages.gallery import gallery_of
from boards.pages.presenters import Sheet, Tile
from config.api.serializers import QuerySerializer
from config.api.views import PRIVATE
from config.site.languages import accepted_languages
from config.site.pages import PageView
from deals.bridge.names import SEAT_KEYS, SIDE_NAMES
from deals.bridge.seats import Seat
from themes.models import Theme
from themes.naming import named

A_FEW = 3
PRACTICE = {
    **{seat.full_name: seat.key for seat in Seat},
    **{name: ",".join(seat.key for seat in Seat if seat.side == side) for side, name in SIDE_NAMES.items()},
}
"""The hands that can be looked at alone, as the query's `show` names them."""


class HomePage(PageView):
    """GET / → 200: what this is, the newest and the best voted boards, the themes."""

    def get(self, request: HttpRequest) -> HttpResponse:
        languages = accepted_languages(request)
        boards = Board.objects.published().with_details()
        context = {
            "newest": [Tile(board, languages) for board in boards.newest_first()[:A_FEW]],
            "top": [Tile(board, languages) for board in boards.top_first()[:A_FEW] if board.is_liked],
            "themes": named(Theme.objects.in_order(), languages),
        }
        return self.page("home.html", context)


class GalleryPage(PageView):
    """GET /boards with the parameters of GET /api/boards → 200, or 400: the form with what is wrong."""

    section = "boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        gallery = gallery_of(request.GET, accepted_languages(request))
        context = {"gallery": gallery, "noindex": not gallery.is_indexed}
        status = HTTPStatus.BAD_REQUEST if gallery.errors else HTTPStatus.OK
        return self.page("boards/gallery.html", context, path=gallery.address, status=status)


class ShowQuery(QuerySerializer):
    show = serializers.CharField(required=False, allow_blank=True)

    def validate_show(self, value: str) -> tuple[str, ...]:
        """The named seats in the table's order; () for all of them."""
        seats = [seat for seat in value.split(",") if seat]
        if not set(seats) <= set(SEAT_KEYS):
            raise serializers.ValidationError("Name hands by their seats: north, east, south, west.")
        return tuple(seat for seat in SEAT_KEYS if seat in seats) if len(set(seats)) < len(SEAT_KEYS) else ()


def shown_board(request: HttpRequest, pk: str) -> tuple[Board, bool]:
    """The board, and whether it is this reader's alone: a draft shown to its owner or to staff.

    The session is asked only about a draft, so that what everybody may see depends on nobody's cookie.
    """
    boards = Board.objects.with_details()
    board = boards.published().filter(pk=pk).first()
    if board:
        return board, False
    board = boards.visible_to(request.user).filter(pk=pk).first()
    if board is None:
        raise Http404
    return board, True


class BoardPage(PageView):
    """GET /boards/{id} → 200 or 404; a draft only for its owner and staff who are logged in to the admin.

    ?show=north,south shows these hands alone, to practise with: all else is folded away.
    """

    section = "boards"

    def get(self, request: HttpRequest, pk: str) -> HttpResponse:
        shown = ShowQuery.parse(request.GET).get("show", ())
        board, is_private = shown_board(request, pk)
        context = {
            "sheet": Sheet(board, accepted_languages(request), shown),
            "practice": PRACTICE,
            "showing": ",".join(shown),
            "noindex": bool(shown) or is_private,
        }
        response = self.page("boards/board.html", context)
        if is_private:
            response["Cache-Control"] = PRIVATE
        return response


class BoardTextPage(PageView):
    """GET /boards/{id}.txt → 200, the board as plain text for mails and forums, or 404."""

    vary = ()

    def get(self, request: HttpRequest, pk: str) -> HttpResponse:
        board, is_private = shown_board(request, pk)
        response = HttpResponse(Sheet(board, ()).plain_text, content_type="text/plain; charset=utf-8")
        response["X-Robots-Tag"] = "noindex"
        if is_private:
            response["Cache-Control"] = PRIVATE
        return response


class ThemesPage(PageView):
    """GET /themes → 200: the themes by type, in the reader's language.

    Without the number of boards under each: counting all links of a million boards for every visitor is too dear.
    """

    section = "themes"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(
            "boards/themes.html", {"themes": named(Theme.objects.in_order(), accepted_languages(request))}
        )
