"""GET and POST /account/boards: a member's own boards, and the buttons that publish, take back and delete them."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from accounts.models import Account
from boards.identity import MAX_SLUG_LENGTH
from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.services import bulk, reviews
from boards.services.reviews import Publishing, publishing
from config.api.errors import ValidationFailed
from config.api.fields import ChoiceField, StringField
from config.api.pagination import Page
from config.database.rows import count_up_to
from config.edge.limits import exports
from config.edge.limits.dear_reads import DEAR_ROWS, take_permit_for
from config.edge.security.security_log import log_change
from config.values.web_addresses import own_path
from config.values.words import format_count
from pages.members.own_evenings import (
    DRAFT,
    LISTS,
    PUBLISHED,
    WAITING,
    OwnEvening,
    find_boards,
    in_order,
    list_tables,
    matching,
    read_evenings,
    read_hands,
)
from pages.presenters.boards import OwnBoard
from pages.site.base import MemberPage, PageNumberQuery, SeeOther, page_context, path_with_query

MAX_SEARCH_LENGTH = 100
MANY = ("all", "evening")
"""What a form sends that means more boards than those that are ticked."""

MAX_SECONDS = 20
"""How long one press goes on, which proxies wait for. The rest needs another press."""

CHANGED = Q(review__changes__isnull=False)


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
        "There are more: press the button again to continue." * bool(progress.last),
    ]
    return " ".join(filter(None, sentences))


EVENINGS = 12
PAGE_SIZE = 24
"""The evenings of a page, and the boards of a page of one evening."""


class OwnBoardsQuery(PageNumberQuery):
    show = ChoiceField(choices=[name for name in LISTS if name], required=False, allow_blank=True, default="")
    q = StringField(max_length=MAX_SEARCH_LENGTH, required=False, allow_blank=True, default="")
    evening = StringField(max_length=MAX_SLUG_LENGTH, required=False, allow_blank=True, default="")


class OwnBoardsPage(MemberPage):
    """GET /account/boards → 200, the member's own boards by evening, 12 a page. 302 without sign-in.

    `show` is one of LISTS, `q` has words to find, and `evening` is the key of one, whose boards are listed, 24 a page.
    POST with `do` (publish, withdraw, delete) and the ids `board`, or `all` of the list, or `evening`, all of the list
    that are of this one → 303 back to the list, or to `next`, with a message. Deleting asks first, with numbers → 200;
    `confirmed` deletes. Boards of others are passed over.
    """

    section = "own-boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        query = OwnBoardsQuery.parse(request.GET)
        show, text, key = query["show"], query["q"], query["evening"]
        take_permit_for(count_up_to(DEAR_ROWS + 1, self.own_boards()))
        found = self.own_boards().filter(matching(text))
        totals = found.aggregate(**{name or "all": Count("pk", filter=each) for name, (_, each) in LISTS.items()})
        page, evenings = read_shown(found.filter(LISTS[show][1]), key, query["page"])
        context = {
            **query,
            "evenings": evenings,
            "lists": [
                (label, totals[name or "all"], list_path(name, text), name == show)
                for name, (label, _) in LISTS.items()
                if totals[name or "all"] or name in ("", show)
            ],
            "total": totals[show or "all"],
            "publishing": publishing(),
            "list_path": list_path(show, text),
            **page_context(page, reverse("own-boards"), show=show, q=text, evening=key),
        }
        return self.render_page("members/boards/list.html", context)

    def post(self, request: HttpRequest) -> HttpResponse:
        query = OwnBoardsQuery.parse(request.GET)
        back = own_path(request.POST.get("next", ""), list_path(query["show"], query["q"], query["evening"]))
        boards = self.chosen_boards(request.POST, query)
        if boards is None:
            messages.warning(request, "Tick the boards first.")
            return SeeOther(back)
        button = request.POST.get("do", "")
        if button not in changes():
            raise ValidationFailed("This page has no such button. Go back and press another.")
        if button == "delete" and "confirmed" not in request.POST:
            return self.ask_to_delete(request.POST, boards, query)
        # A page of boards takes a moment. All of them may take as long as an import.
        with nullcontext() if request.POST.keys().isdisjoint(MANY) else exports.member_permit():
            messages.success(request, make_change(button, self.member, boards))
        return SeeOther(back)

    def ask_to_delete(self, post: QueryDict, boards: BoardQuerySet, query: dict[str, Any]) -> HttpResponse:
        context = {
            "drafts": bulk.count_boards(boards.drafts()),
            "published": boards.published().count(),
            "chosen": [(name, value) for name in ("board", *MANY) for value in post.getlist(name)],
            "path": list_path(query["show"], query["q"], query["evening"]),
        }
        return self.render_page("members/boards/delete.html", context)

    def own_boards(self) -> BoardQuerySet:
        return Board.objects.filter(owner=self.member).order_by("-created_at", "pk")

    def chosen_boards(self, post: QueryDict, query: dict[str, Any]) -> BoardQuerySet | None:
        """Return the boards that are ticked, or all of the list or of an evening. Return None when there are none."""
        if not post.keys().isdisjoint(MANY):
            listed = self.own_boards().filter(LISTS[query["show"]][1], matching(query["q"]))
            return listed if "all" in post else find_boards(listed, post.get("evening", ""))
        try:
            ids = [UUID(text) for text in post.getlist("board")[:PAGE_SIZE]]
        except ValueError as error:
            raise ValidationFailed(
                "A board's id is not valid. Go back to the list and tick the boards again."
            ) from error
        return self.own_boards().filter(pk__in=ids) if ids else None


def read_shown(boards: BoardQuerySet, key: str, number: int) -> tuple[Page, list[OwnEvening]]:
    """Return a page of the evenings of these boards or, with a key, one evening with a page of its boards."""
    evenings = [evening for evening in read_evenings(boards) if key in ("", evening.key)]
    if not key:
        page = Page(number, EVENINGS, len(evenings))
        evenings = evenings[page.first_row : page.first_row + EVENINGS]
        list_tables(boards, evenings)
    else:
        page = Page(number, PAGE_SIZE, sum(evening.tables for evening in evenings))
        for evening in evenings:
            rows = in_order(boards.filter(evening.condition))[page.first_row : page.first_row + PAGE_SIZE]
            evening.boards = [OwnBoard(board) for board in rows]
    read_hands(boards, evenings)
    return page, evenings


def list_path(show: str = "", q: str = "", evening: str = "") -> str:
    return path_with_query(reverse("own-boards"), {"show": show, "q": q, "evening": evening})
