"""The pages about boards and themes, and voting on them by a plain form."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from boards.analysis import want_costs
from boards.catalogue.deals import first_deals
from boards.catalogue.reading import read_themes
from boards.events.reading import event_of, read_surroundings
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
from pages.boards.themes import count_themes
from pages.evenings.traveller import Traveller
from pages.presenters.ballots import ANCHOR, ballot_of
from pages.presenters.boards import BoardDetail, own_board_of
from pages.presenters.deal_cards import build_cards
from pages.presenters.playing import COSTS_SHOWN, LAST_STEP, BoardPageQuery, Steps
from pages.sharing.sharing import share_of
from pages.site.base import MemberPage, PageView
from themes.labels import get_label_cache, get_revision
from voting import services
from voting.serializers import VOTE

HOME_PAGE_DEALS = 3
PRACTICE_HANDS = {
    **{seat.full_name: seat.key for seat in Seat},
    **{name: ",".join(seat.key for seat in Seat if seat.side == side) for side, name in SIDE_NAMES.items()},
}
"""The choices of hands to practise with, by label: the values of the query parameter `show`."""


class HomePage(PageView):
    """GET / → 200: an introduction, the most popular deals, the newest ones and the themes that have boards."""

    def get(self, request: HttpRequest) -> HttpResponse:
        languages = accepted_languages(request)
        newest, top = first_deals(HOME_PAGE_DEALS)
        cards = {card.board.pk: card for card in build_cards([*newest, *top], languages)}
        context = {
            "newest": [cards[deal.board_id] for deal in newest if deal.board_id in cards],
            "top": [cards[deal.board_id] for deal in top if deal.board_id in cards],
            "ballot": ballot_of(request, [*cards]),
            "themes": [theme for theme in count_themes(get_label_cache(get_revision()), languages) if theme.boards],
        }
        return self.render_page("home.html", context)


def get_board(request: HttpRequest, pk: UUID) -> tuple[Board, bool]:
    """Return the board and whether the answer is private: a draft that its owner or staff may see. Raise Http404.

    No session is read for a browser that sends none, so that what strangers get depends on nobody's cookie.
    """
    board = find_by_key(Board, pk, "deal", "auction_system", "analysis")
    is_draft = board is not None and board.published_at is None
    if board is None or (is_draft and not Board.objects.visible_to(request.user).filter(pk=pk).exists()):
        raise Http404
    return board, is_draft


class BoardPage(PageView):
    """GET /boards/{id} → 200 or 404. A draft is shown only to its owner and to staff, logged in to the admin.

    ?show=north,south shows these hands only, to practise with. The auction and the result are folded. ?step=5 shows the
    board after its fifth call; after the last call come the cards one by one, up to ?step=end. With ?costs=shown the
    steps say what each card costs that may be played, once the worker has computed it (CostsPage).
    """

    section = "boards"

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        query = BoardPageQuery.parse(request.GET)
        visible_hands, step = query.get("show", ()), query.get("step")
        board, is_private = get_board(request, pk)
        costs = query.get("costs") if step is not None and not visible_hands else ""
        # From the primary: the reader comes from CostsPage, whose row a replica may not have yet.
        stored_costs = CardCosts.objects.using(DEFAULT_DB_ALIAS).filter(pk=pk).first() if costs else None
        detail = BoardDetail(board, read_themes(pk), accepted_languages(request), visible_hands, step, stored_costs)
        path, show, last = reverse("board-page", args=[pk]), ",".join(visible_hands), len(detail.stops) - 1
        kept = {name: value for name, value in (("show", show), ("costs", costs)) if value}
        context = {
            **describe_event(board, hides_outcome=detail.hides_outcome),
            "detail": detail,
            "practice_hands": PRACTICE_HANDS,
            "show": show,
            "steps": Steps(path, kept, min(step or 0, last), last),
            "shows_costs": bool(costs),
            "noindex": bool(visible_hands) or step is not None,
            "own": own_board_of(board, self.reader),
        }
        if is_private:
            hidden = {"ballot": None, "share": None, "noindex": True}
            response = self.render_page("boards/board.html", {**context, **hidden}, path=path)
            response["Cache-Control"] = PRIVATE
            return response
        shared_step = step if step is None or step < last else LAST_STEP
        context |= {"ballot": ballot_of(request, [pk]), "share": share_of(board, visible_hands, shared_step)}
        return self.render_page("boards/board.html", context, path=path)


def describe_event(board: Board, *, hides_outcome: bool) -> dict[str, Any]:
    """Return what a board's page shows of its event: its neighbours and, once the result may be seen, other tables."""
    surroundings = read_surroundings(board)
    has_traveller = len(surroundings.tables) > 1 and not hides_outcome
    return {
        "event": event_of(board) if any(surroundings) else None,
        "surroundings": surroundings,
        "traveller": Traveller(surroundings.tables, board.pk, surroundings.most_results) if has_traveller else None,
    }


class CostsPage(PageView):
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
        board, _ = get_board(request, pk)
        want_costs(board, request.META)
        steps = Steps(reverse("board-page", args=[pk]), {"costs": COSTS_SHOWN}, query.get("step", 0), LAST_STEP)
        return HttpResponseRedirect(steps.address(steps.step, "costs"), status=HTTPStatus.SEE_OTHER)


class BoardTextPage(PageView):
    """GET /boards/{id}.txt → 200, the board as plain text for e-mails and forums, or 404."""

    vary = ()

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        board, is_private = get_board(request, pk)
        response = HttpResponse(write_plain_text(record_of(board)), content_type="text/plain; charset=utf-8")
        response["X-Robots-Tag"] = "noindex"
        if is_private:
            response["Cache-Control"] = PRIVATE
        return response


class HandViewerRedirect(PageView):
    """GET /boards/{id}/hand-viewer → 302 to the board in Bridge Base Online's hand viewer, or 404."""

    vary = ()

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        board, is_private = get_board(request, pk)
        response = HttpResponseRedirect(write_handviewer(record_of(board)))
        response["X-Robots-Tag"] = "noindex"
        if is_private:
            response["Cache-Control"] = PRIVATE
        return response


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
        anchor = request.POST.get("anchor", "")
        fragment = f"#{anchor}-{pressed}" if ANCHOR.fullmatch(anchor) else ""
        return HttpResponseRedirect(back.partition("#")[0] + fragment, status=HTTPStatus.SEE_OTHER)
