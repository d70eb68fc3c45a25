"""The page on which staff publish a member's board that waits, or accept a change of one, or answer with a sentence."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from rest_framework.exceptions import ValidationError

from boards.admin.filters import WAITING, PublishedFilter
from boards.drawing.html_diagrams import render_html
from boards.forms import AnswerForm
from boards.models import Board
from boards.records import diagram_of, facts_of, record_of
from boards.services.edits import describe_changes
from boards.services.reviews import accept_change, decline, publish_seen
from bridge.replay import calls_of
from config.admin.options import LargeTableAdmin
from config.api.errors import Conflict, field_errors
from config.edge.security.security_log import acting_account, log_change


class ReviewForm(AnswerForm):
    """The answer, which publishing does without, and when the owner had asked for what the page shows."""

    asked_at = forms.DateTimeField(widget=forms.HiddenInput)

    def clean(self) -> None:
        if "publish" in self.data:
            self.errors.pop("sentence", None)


class ReviewPage(LargeTableAdmin):
    """The page of a board that waits, for staff who may change boards."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.review_view)
        return [path("<uuid:board_id>/review/", view, name="boards_board_review"), *super().get_urls()]

    def review_view(self, request: HttpRequest, board_id: UUID) -> HttpResponseBase:
        """Show the board as it is now, or what is to be changed. Do what its owner has not changed since, or answer."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        board = get_object_or_404(Board.objects.with_details().select_related("owner", "review"), pk=board_id)
        review = getattr(board, "review", None)
        seen = {"asked_at": review.asked_at.isoformat()} if review else {}
        form = ReviewForm(request.POST) if request.method == "POST" else ReviewForm(initial=seen)
        if form.is_valid():
            return self.answer(request, board, form)
        changes = review.changes if review else None
        return self.show_page(
            request,
            "review",
            f"Publish {board}?" if changes is None else f"Change {board}?",
            board=board,
            review=review,
            differences=describe_changes(board, changes or {}),
            diagram=render_html(diagram_of(board)),
            explained=[call for call in calls_of(record_of(board)) if call.explanation],
            facts=facts_of(board),
            form=form,
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
                self.message_user(request, f"The board cannot be changed so. {refusal_of(error)}", messages.ERROR)
                return HttpResponseRedirect(page)
        elif "publish" in request.POST:
            name, message, said = "accept", "Published for its owner.", "Published: readers see it now."
            changed = publish_seen([board.pk], looked_at=looked_at, asked_only=True)
        else:
            name, message, said = "decline", "Answered its owner.", "Answered its owner."
            sentence = form.cleaned_data["sentence"]
            changed = decline([board.pk], by=acting_account(), sentence=sentence, looked_at=looked_at)
        if not changed:
            text = "Nothing was done: the owner has changed the board or taken it back, or others have answered."
            self.message_user(request, text, messages.WARNING)
            return HttpResponseRedirect(page)
        LogEntry.objects.log_actions(str(request.user.pk), changed, CHANGE, message)
        log_change("boards_changed", change=name, boards=1)
        self.message_user(request, said, messages.SUCCESS)
        return HttpResponseRedirect(list_of_waiting())


def refusal_of(error: ValidationError | Conflict) -> str:
    """Return what a rule says, in sentences."""
    if isinstance(error, Conflict):
        return str(error.detail)
    return " ".join(reason["message"] for reasons in field_errors(error.detail).values() for reason in reasons)


def list_of_waiting() -> str:
    return f"{reverse('admin:boards_board_changelist')}?{PublishedFilter.parameter_name}={WAITING}"
