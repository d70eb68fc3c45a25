"""GET and POST /account/boards: a member's own boards, and the buttons that publish, take back and delete them."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import NamedTuple
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from accounts.models import Account
from boards.models import Board, PublicationReview
from boards.querysets import BoardQuerySet
from boards.services import bulk, reviews
from boards.services.reviews import Publishing, publishing
from config.api.errors import ValidationFailed
from config.api.fields import ChoiceField
from config.api.pagination import Page
from config.edge.limits import exports
from config.edge.security.security_log import log_change
from config.values.web_addresses import own_path
from config.values.words import format_count
from pages.presenters.boards import OwnBoard
from pages.site.base import MemberPage, PageNumberQuery, SeeOther, page_context, path_with_query

MAX_SECONDS = 20
"""How long one press goes on, which proxies wait for. The rest needs another press."""

DRAFT = Q(published_at=None)
PUBLISHED = Q(published_at__isnull=False)
CHANGED = Q(review__changes__isnull=False)
WAITING = Q(review__state=PublicationReview.State.WAITING)


class Change(NamedTuple):
    """A change that a button makes. `done` says what was done with the boards of a number, such as "3 boards".

    `concerns` are the boards that it can change. Each press takes the first of them, and leaves fewer.
    """

    concerns: Q
    make: Callable[[Account, Sequence[UUID]], list[Board]]
    done: str


def changes() -> dict[str, Change]:
    """Return the changes by their buttons. Boards are published at once, or after a review by staff."""
    is_open = publishing() is Publishing.OPEN
    concerns = DRAFT if is_open else DRAFT & ~WAITING
    done = "Published {boards}." if is_open else "Asked staff to publish {boards}."
    return {
        "publish": Change(concerns, reviews.ask_to_publish, done),
        "withdraw": Change(PUBLISHED | WAITING, reviews.withdraw, "Took back {boards}."),
        "keep": Change(CHANGED, reviews.take_back_changes, "Took back the change of {boards}."),
        "delete": Change(DRAFT, reviews.delete_drafts, "Deleted {boards}."),
    }


def make_change(name: str, member: Account, boards: BoardQuerySet) -> str:
    """Change those of the boards that are the member's, a few hundred at a time. Return what was done as a text."""
    change = changes()[name]
    unchanged = boards.exclude(change.concerns).count()
    progress = bulk.run(
        boards.filter(change.concerns), lambda board_ids: change.make(member, board_ids), seconds=MAX_SECONDS
    )
    if progress.changed:
        log_change("own_boards_changed", change=name, boards=progress.changed)
    unchanged += progress.seen - progress.changed
    sentences = [
        change.done.format(boards=format_count(progress.changed, "board")),
        f"{format_count(unchanged, 'board')} needed no change." * bool(unchanged),
        "There are more: press the button again to go on." * bool(progress.last),
    ]
    return " ".join(filter(None, sentences))


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
            "publishing": publishing(),
            **page_context(page, reverse("own-boards"), show=show),
        }
        return self.render_page("boards/own/list.html", context)

    def post(self, request: HttpRequest) -> HttpResponse:
        show = OwnBoardsQuery.parse(request.GET).get("show", "")
        back = own_path(request.POST.get("next", ""), list_path(show))
        boards = self.chosen_boards(request.POST, show)
        if boards is None:
            messages.warning(request, "Tick the boards first.")
            return SeeOther(back)
        button = request.POST.get("do", "")
        if button not in changes():
            raise ValidationFailed("This button is not one of the page's. Go back and press one that is.")
        if button == "delete" and "confirmed" not in request.POST:
            return self.ask_to_delete(request.POST, boards, show)
        # A page of boards takes a moment. All of them may take as long as an import.
        with exports.member_permit() if "all" in request.POST else nullcontext():
            messages.success(request, make_change(button, self.member, boards))
        return SeeOther(back)

    def ask_to_delete(self, post: QueryDict, boards: BoardQuerySet, show: str) -> HttpResponse:
        context = {
            "drafts": bulk.count_boards(boards.drafts()),
            "published": boards.published().count(),
            "chosen": post.getlist("board"),
            "all": "all" in post,
            "path": list_path(show),
        }
        return self.render_page("boards/own/delete.html", context)

    def own_boards(self) -> BoardQuerySet:
        return Board.objects.filter(owner=self.member).order_by("-created_at", "pk")

    def chosen_boards(self, post: QueryDict, show: str) -> BoardQuerySet | None:
        """Return the boards that are ticked, or all of the list. Return None when there are none."""
        if "all" in post:
            return self.own_boards().filter(LISTS[show][1])
        try:
            ids = [UUID(text) for text in post.getlist("board")[:PAGE_SIZE]]
        except ValueError as error:
            raise ValidationFailed("A board's id is not one. Go back to the list and tick the boards again.") from error
        return self.own_boards().filter(pk__in=ids) if ids else None


def list_path(show: str = "") -> str:
    return path_with_query(reverse("own-boards"), {"show": show})
