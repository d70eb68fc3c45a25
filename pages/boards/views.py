"""The pages about boards and themes, and voting on them by a plain form."""

from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from boards.analysis import want_costs
from boards.catalogue.reading import read_themes
from boards.events.naming import event_of
from boards.events.reading import read_surroundings
from boards.models import Board, CardCosts
from boards.records import record_of
from bridge.formats.handviewer import write_handviewer
from bridge.formats.plain_text import write_plain_text
from bridge.names import SIDE_NAMES
from bridge.seats import Seat
from config.api.views import PRIVATE
from config.database.rows import find_by_key
from config.values.languages import accepted_languages
from config.values.web_addresses import own_path
from pages.evenings.traveller import Traveller
from pages.presenters.ballots import ballot_of
from pages.presenters.boards import BoardDetail, OwnBoard, corrects_all
from pages.presenters.playing import COSTS_SHOWN, LAST_STEP, BoardPageQuery, Steps
from pages.sharing.sharing import share_of, share_of_traveller
from pages.site.base import MemberPage, PageView, SeeOther
from voting import services
from voting.serializers import VOTE

PRACTICE_HANDS = {
    **{seat.full_name: seat.key for seat in Seat},
    **{name: ",".join(seat.key for seat in Seat if seat.side == side) for side, name in SIDE_NAMES.items()},
}
"""The choices of hands to practise with, by label: the values of the query parameter `show`."""


class BoardView(PageView):
    """The base of what shows one board."""

    def find_board(self, pk: UUID) -> Board:
        """Return the board. Raise Http404. A draft is for its owner and for staff, and no cache keeps the answer.

        No session is read for a browser that sends none, so that what strangers get depends on nobody's cookie.
        """
        board = find_by_key(Board, pk, "deal", "auction_system", "analysis")
        if board is None:
            raise Http404
        if board.published_at is None:
            if not Board.objects.visible_to(self.request.user).filter(pk=pk).exists():
                raise Http404
            self.hide()
        return board


class BoardPage(BoardView):
    """GET /boards/{id} → 200 or 404. A draft is shown only to its owner and to staff, logged in to the admin.

    ?show=north,south shows these hands only. ?step=5 shows the board after its fifth call, up to ?step=end, and with
    ?costs=shown what each card costs that may be played (CostsPage).
    """

    section = "boards"

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        query = BoardPageQuery.parse(request.GET)
        visible_hands, step = query.get("show", ()), query.get("step")
        board = self.find_board(pk)
        is_published = board.published_at is not None
        costs = query.get("costs", "") if step is not None and not visible_hands else ""
        # From the primary: the reader comes from CostsPage, whose row a replica may not have yet.
        stored_costs = CardCosts.objects.using(DEFAULT_DB_ALIAS).filter(pk=pk).first() if costs else None
        detail = BoardDetail(board, read_themes(pk), accepted_languages(request), visible_hands, step, stored_costs)
        path, show = reverse("board-page", args=[pk]), ",".join(visible_hands)
        steps = detail.steps_on(path, show=show, costs=costs)
        shared_step = step if step is None or step < steps.last else LAST_STEP
        self.noindex |= bool(visible_hands) or step is not None
        context = {
            **describe_event(board, hides_outcome=detail.hides_outcome),
            "detail": detail,
            "practice_hands": PRACTICE_HANDS,
            "show": show,
            "steps": steps,
            "shows_costs": bool(costs),
            "own": OwnBoard(board) if self.reader and self.reader.pk == board.owner_id else None,
            "corrects": corrects_all(self.reader),
            "ballot": ballot_of(request, [pk]) if is_published else None,
            "share": share_of(board, visible_hands, shared_step) if is_published else None,
        }
        return self.render_page("boards/board.html", context, path=path)


def describe_event(board: Board, *, hides_outcome: bool) -> dict[str, Any]:
    """Return what a board's page shows of its event: its neighbours and, once the result may be seen, other tables."""
    surroundings = read_surroundings(board)
    has_traveller = len(surroundings.tables) > 1 and not hides_outcome
    return {
        "event": event_of(board) if any(surroundings) else None,
        "surroundings": surroundings,
        "traveller": Traveller(surroundings.tables, board.pk, surroundings.most_results) if has_traveller else None,
        "traveller_share": share_of_traveller(board) if has_traveller else None,
    }


class CostsPage(BoardView):
    """POST /boards/{id}/costs with `step` → 303 to this step of the board, which shows what each card costs, or 404.

    The worker computes the costs of a board once. RateLimited when the client has asked for too many boards. GET → 302
    to the board.
    """

    section = "boards"
    is_anonymous = True
    cache_control = PRIVATE

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return HttpResponseRedirect(reverse("board-page", args=[pk]))

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        query = BoardPageQuery.parse(request.POST)
        want_costs(self.find_board(pk), request.META)
        steps = Steps(reverse("board-page", args=[pk]), {"costs": COSTS_SHOWN}, query.get("step", 0), LAST_STEP)
        return SeeOther(steps.address(steps.step, "costs"))


class BoardTextPage(BoardView):
    """GET /boards/{id}.txt → 200, the board as plain text for e-mails and forums, or 404."""

    vary = ()
    is_unlisted = True

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        text = write_plain_text(record_of(self.find_board(pk)))
        return HttpResponse(text, content_type="text/plain; charset=utf-8")


class HandViewerRedirect(BoardView):
    """GET /boards/{id}/hand-viewer → 302 to the board in Bridge Base Online's hand viewer, or 404."""

    vary = ()
    is_unlisted = True

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return HttpResponseRedirect(write_handviewer(record_of(self.find_board(pk))))


class VotePage(MemberPage):
    """POST /boards/{id}/vote with the button pressed → 303 to the page in `next`, at that button, or 404.

    The button `up` or `down` has the vote of PUT /api/voting/{boardId} as its value: its own, or none.
    GET → 302 to the board, for whoever has just signed in to vote.
    """

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return HttpResponseRedirect(reverse("board-page", args=[pk]))

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        pressed = "up" if "up" in request.POST else "down"
        value = VOTE.run_validation({"vote": request.POST.get(pressed)})["vote"]
        services.cast_vote(account=self.member, board_id=pk, value=value)
        back = own_path(request.POST.get("next", ""), reverse("board-page", args=[pk]))
        return SeeOther(f"{back.partition('#')[0]}#vote-{pk}-{pressed}")
