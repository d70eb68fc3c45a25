"""The pages on which staff publish what members ask for, accept a change, or answer: by evening, and board by board.


The buttons of an evening are those of its list (boards.admin.bulk), which they name by its filters.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, Min
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from rest_framework.exceptions import ValidationError

from accounts.models import Account
from boards.admin.filters import WAITING, PublishedFilter
from boards.drawing.auction_and_play import draw_auction, draw_play
from boards.drawing.html_diagrams import draw_outcome, render_html
from boards.forms import AnswerForm
from boards.models import Board, PublicationReview
from boards.models.names import event_name_of
from boards.records import diagram_of, facts_of, record_of
from boards.services.edits import changes_of, describe_changes
from boards.services.reviews import accept_change, decline, publish_seen, shown_of
from config.admin.options import LargeTableAdmin
from config.api.errors import Conflict, field_errors
from config.edge.security.security_log import acting_account, log_change

MAX_EVENINGS = 50
OF_EVENING = ("owner", "event", "date", "site")
"""The columns of a board that say whose evening it is of."""


class ReviewForm(AnswerForm):
    """The answer, which publishing does without, and since when the page's board and change are as it shows them."""

    asked_at = forms.DateTimeField(widget=forms.HiddenInput)

    def clean(self) -> None:
        if "publish" in self.data:
            self.errors.pop("sentence", None)


class ReviewPage(LargeTableAdmin):
    """What waits, by evening, and the page of a board that waits, for staff who may change boards."""

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("waiting/", wrap(self.waiting_view), name="boards_board_waiting"),
            path("<uuid:board_id>/review/", wrap(self.review_view), name="boards_board_review"),
            *super().get_urls(),
        ]

    def waiting_view(self, request: HttpRequest) -> HttpResponseBase:
        """List the evenings of members that wait, the one that waits longest first."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        opened_at = timezone.now().isoformat()  # before anything is read: nobody has seen what changes later
        evenings = list(waiting_evenings(MAX_EVENINGS + 1))
        return self.show_page(
            request,
            "waiting",
            "Waiting for staff",
            evenings=evenings[:MAX_EVENINGS],
            has_more=len(evenings) > MAX_EVENINGS,
            opened_at=opened_at,
            form=AnswerForm(auto_id=False),
        )

    def review_view(self, request: HttpRequest, board_id: UUID) -> HttpResponseBase:
        """Show the board as it is now, or what is to be changed. Do what its owner has not changed since, or answer."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        board = get_object_or_404(Board.objects.with_details().select_related("owner", "review"), pk=board_id)
        review = getattr(board, "review", None)
        seen = {"asked_at": shown_of(review).isoformat()} if review else {}
        form = ReviewForm(request.POST) if request.method == "POST" else ReviewForm(initial=seen)
        if form.is_valid():
            return self.answer(request, board, form)
        return self.show_page(
            request,
            "review",
            f"Change {board}?" if review and review.is_change else f"Publish {board}?",
            board=board,
            review=review,
            differences=describe_changes(board, changes_of(review)),
            diagram=render_html(diagram_of(board)),
            auction=draw_auction(record_of(board)),
            outcome=SafeString(draw_outcome(diagram_of(board))),
            play=draw_play(record_of(board)),
            facts=facts_of(board),
            form=form,
            following=page_after(board),
            back=list_of_waiting(),
        )

    def answer(self, request: HttpRequest, board: Board, form: ReviewForm) -> HttpResponseBase:
        looked_at, page = form.cleaned_data["asked_at"], reverse("admin:boards_board_review", args=[board.pk])
        review = getattr(board, "review", None)
        if "publish" in request.POST and review and review.is_change:
            name, message, said = "accept-change", "Changed for its owner.", "Changed: readers see it now."
            try:
                changed = accept_change(board.pk, looked_at=looked_at)
            except (ValidationError, Conflict) as error:
                self.message_user(request, f"This change is not possible. {refusal_of(error)}", messages.ERROR)
                return HttpResponseRedirect(page)
        elif "publish" in request.POST:
            name, message, said = "accept", "Published for its owner.", "Published: readers see it now."
            changed = publish_seen([board.pk], looked_at=looked_at, asked_only=True)
        else:
            name, message, said = "decline", "Answered its owner.", "Answered its owner."
            sentence = form.cleaned_data["sentence"]
            changed = decline([board.pk], by=acting_account(), sentence=sentence, looked_at=looked_at)
        if not changed:
            text = "Nothing was done: the board was changed, taken back or answered in the meantime."
            self.message_user(request, text, messages.WARNING)
            return HttpResponseRedirect(page)
        LogEntry.objects.log_actions(str(request.user.pk), changed, CHANGE, message)
        log_change("boards_changed", change=name, boards=1)
        self.message_user(request, said, messages.SUCCESS)
        return HttpResponseRedirect(page_after(board) or list_of_waiting())


def refusal_of(error: ValidationError | Conflict) -> str:
    """Return what a rule says, in sentences."""
    if isinstance(error, Conflict):
        return str(error.detail)
    return " ".join(reason["message"] for reasons in field_errors(error.detail).values() for reason in reasons)


def list_of_waiting() -> str:
    return reverse("admin:boards_board_waiting")


def page_after(board: Board) -> str:
    """Return the page of the next board of the same owner and evening that waits, "" after the last."""
    waiting = Board.objects.filter(review__state=PublicationReview.State.WAITING, number__lt=board.number)
    of_evening = waiting.filter(**{name: getattr(board, name) for name in OF_EVENING})
    following = of_evening.order_by("-number").values_list("pk", flat=True).first()
    return reverse("admin:boards_board_review", args=[following]) if following else ""


def waiting_evenings(limit: int) -> Iterator[dict[str, Any]]:
    """Yield so many evenings of members that wait: whose, how much, since when, and the addresses of what to do."""
    columns = {name: f"board__{name}" for name in OF_EVENING}
    found = PublicationReview.objects.waiting().order_by().values_list(*columns.values())
    rows = found.annotate(
        since=Min("asked_at"),
        boards=Count("pk"),
        deals=Count("board__deal", distinct=True),
        number=Max("board__number"),
    ).order_by("since", *columns.values())[:limit]
    owners = Account.objects.in_bulk({row[0] for row in rows})
    first = dict(Board.objects.filter(number__in=[row[-1] for row in rows]).values_list("number", "pk"))
    for owner_id, event, date, site, since, boards, deals, number in rows:
        exact = zip(OF_EVENING, (owner_id, event, date, site), strict=True)
        query = urlencode({PublishedFilter.parameter_name: WAITING, **{f"{name}__exact": text for name, text in exact}})
        yield {
            "owner": owners[owner_id],
            "name": event_name_of(Board(event=event, date=date)) or "Boards without an event",
            "site": site,
            "since": since,
            "boards": boards,
            "deals": deals,
            "first": first.get(number),
            "publish": f"{reverse('admin:boards_board_bulk', args=['accept'])}?{query}",
            "decline": f"{reverse('admin:boards_board_bulk', args=['decline'])}?{query}",
            "list": f"{reverse('admin:boards_board_changelist')}?{query}",
        }
