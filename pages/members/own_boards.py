"""GET and POST /account/boards: a member's own boards, and the buttons that publish, take back and delete them."""

from contextlib import nullcontext
from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

from boards.models import Board, PublicationReview
from boards.querysets import BoardQuerySet
from boards.services import bulk
from config.api.errors import ValidationFailed
from config.api.fields import ChoiceField
from config.api.pagination import Page
from config.edge.limits import exports
from config.values.web_addresses import own_path
from pages.members import changes
from pages.members.changes import DRAFT, PUBLISHED, WAITING
from pages.presenters.own_board import OwnBoard, may_publish, word_for_publishing
from pages.site.base import MemberPage
from pages.site.lists import PageNumberQuery, page_context, path_with_query

PAGE_SIZE = 24
LISTS = {
    "": ("All", Q()),
    "drafts": ("Drafts", DRAFT & ~WAITING),
    "waiting": ("Waiting for staff", WAITING),
    "answered": ("Answered by staff", Q(review__state=PublicationReview.State.DECLINED)),
    "published": ("Published", PUBLISHED),
}
"""The lists of a member's boards: the value of `show`, what it is called, and which boards are in it."""


class OwnBoardsQuery(PageNumberQuery):
    show = ChoiceField(choices=[name for name in LISTS if name], required=False, allow_blank=True)


class OwnBoardsPage(MemberPage):
    """GET /account/boards → 200, the member's own boards, 24 a page; `show` is one of LISTS. 302 without sign-in.

    POST with `do` (publish, withdraw, delete) and the ids `board`, or `all` of the list → 303 back to the list, or to
    `next`, with a message. Deleting asks first, with numbers → 200; `confirmed` deletes. Boards of others are passed
    over.
    """

    section = "own-boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        query = OwnBoardsQuery.parse(request.GET)
        show, own = query.get("show", ""), self.own_boards()
        counts = own.order_by().aggregate(
            **{name or "all": Count("pk", filter=condition) for name, (_, condition) in LISTS.items()}
        )
        page = Page(query["page"], PAGE_SIZE, counts[show or "all"])
        boards = own.filter(LISTS[show][1]).select_related("review")[page.first_row : page.first_row + PAGE_SIZE]
        context = {
            "boards": [OwnBoard(board) for board in boards],
            "lists": [
                (name, label, counts[name or "all"])
                for name, (label, _) in LISTS.items()
                if counts[name or "all"] or name in ("", show)
            ],
            "show": show,
            "may_publish": may_publish(),
            "word_for_publishing": word_for_publishing(),
            "noindex": True,
            **page_context(page, reverse("own-boards"), parameters_of(show)),
        }
        return self.render_page("boards/own/list.html", context)

    def post(self, request: HttpRequest) -> HttpResponse:
        show = OwnBoardsQuery.parse(request.GET).get("show", "")
        back = own_path(request.POST.get("next", ""), list_path(show))
        boards = self.chosen_boards(request.POST, show)
        if boards is None:
            messages.warning(request, "Tick the boards first.")
            return HttpResponseRedirect(back, status=HTTPStatus.SEE_OTHER)
        buttons = {"publish": changes.publication(), "withdraw": changes.WITHDRAW, "delete": changes.DELETE}
        change = buttons.get(request.POST.get("do", ""))
        if change is None:
            raise ValidationFailed("This button is not one of the page's. Go back and press one that is.")
        if change is changes.DELETE and "confirmed" not in request.POST:
            return self.ask_to_delete(request.POST, boards, show)
        # A page of boards takes a moment. All of them may take as long as an import.
        with exports.member_permit() if "all" in request.POST else nullcontext():
            messages.success(request, changes.make(change, self.member, boards))
        return HttpResponseRedirect(back, status=HTTPStatus.SEE_OTHER)

    def ask_to_delete(self, post: QueryDict, boards: BoardQuerySet, show: str) -> HttpResponse:
        context = {
            "drafts": bulk.count_boards(boards.drafts()),
            "published": boards.published().count(),
            "chosen": post.getlist("board"),
            "all": "all" in post,
            "path": list_path(show),
            "noindex": True,
        }
        return self.render_page("boards/own/delete.html", context)

    def own_boards(self) -> BoardQuerySet:
        return Board.objects.filter(owner=self.member).order_by("-created_at", "pk")

    def chosen_boards(self, post: QueryDict, show: str) -> BoardQuerySet | None:
        """Return the boards that are ticked, or all of the list. Return None when there are none."""
        if "all" in post:
            return self.own_boards().filter(LISTS[show][1])
        ids = post.getlist("board")[:PAGE_SIZE]
        return self.own_boards().filter(pk__in=map(parse_id, ids)) if ids else None


def parse_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise ValidationFailed("A board's id is not one. Go back to the list and tick the boards again.") from error


def parameters_of(show: str) -> dict[str, str]:
    return {"show": show} if show else {}


def list_path(show: str = "") -> str:
    return path_with_query(reverse("own-boards"), parameters_of(show))
