"""A member edits a board of their own: /boards/{id}/edit."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from rest_framework.exceptions import ValidationError

from boards.models import Board
from boards.models.board import choices_of
from boards.services.reviews import Publishing, edit_board, lock_own, publishing
from config.database.transactions import retry_conflicts
from config.edge.security.security_log import log_change
from config.values.labels import best_label
from config.values.languages import accepted_languages
from pages.presenters.boards import OwnBoard
from pages.site.base import MemberPage
from pages.site.two_windows import LineField, LinesField, TwoWindows
from themes.models import Theme


class Labelled:
    """A field of a form whose choices have labels in the reader's language."""

    languages: Sequence[str] = ()

    def label_from_instance(self, obj: Any) -> str:
        return best_label(obj.labels, self.languages, obj.identifier).text


class LabelledChoiceField(Labelled, forms.ModelChoiceField):
    pass


class LabelledChoicesField(Labelled, forms.ModelMultipleChoiceField):
    widget = forms.CheckboxSelectMultiple


class BoardForm(TwoWindows, forms.ModelForm):
    """What a member may change. boards.services.reviews has the rules: an unchanged value is never refused."""

    wire_names = {"auctionSystem": "auction_system"}

    class Meta:
        model = Board
        fields = ("title", "difficulty", "auction_system", "commentary", "themes")
        field_classes = {
            "title": LineField,
            "auction_system": LabelledChoiceField,
            "commentary": LinesField,
            "themes": LabelledChoicesField,
        }
        widgets = {"commentary": forms.Textarea({"rows": 10})}

    def __init__(self, *args: Any, languages: Sequence[str], **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("auction_system", "themes"):
            cast(Labelled, self.fields[name]).languages = languages
        cast(LabelledChoiceField, self.fields["auction_system"]).empty_label = "Not known"
        cast(forms.ChoiceField, self.fields["difficulty"]).choices = [("", "Not said"), *choices_of("difficulty")]
        cast(LabelledChoicesField, self.fields["themes"]).queryset = Theme.objects.ordered_by_type()

    @property
    def values(self) -> dict[str, Any]:
        """Return what was changed, as boards.services.reviews.edit_board takes it."""
        values = self.changes
        if "auction_system" in values:
            system = values.pop("auction_system")
            values["auctionSystem"] = system and system.pk
        if "themes" in values:
            values["themes"] = [str(theme.pk) for theme in values["themes"]]
        return values


class EditPage(MemberPage):
    """GET /boards/{id}/edit → 200, the form; 404 for a board of somebody else. POST → 303 to the board.

    400 shows what is wrong beside its field. 409 shows what somebody has stored meanwhile beside what was sent, and
    the next press saves.
    """

    section = "own-boards"

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return self.show(self.form_of(self.own_board(pk)))

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        form = self.store(pk)
        return self.show(form) if form.errors else self.lead_to_board(pk)

    @retry_conflicts
    @transaction.atomic
    def store(self, pk: UUID) -> BoardForm:
        """Store what was changed, or nothing where the form then has errors."""
        lock_own(self.member, [pk])
        form = self.form_of(self.own_board(pk), self.request.POST)
        if form.is_valid():
            try:
                edit_board(self.member, pk, form.values)
            except ValidationError as error:
                form.refuse(error)
        return form

    def lead_to_board(self, pk: UUID) -> HttpResponse:
        log_change("own_boards_changed", change="edit", boards=1)
        waits = "It is a draft and waits for staff." if OwnBoard(self.own_board(pk)).is_waiting else ""
        messages.success(self.request, f"Saved. {waits}".strip())
        return HttpResponseRedirect(reverse("board-page", args=[pk]), status=HTTPStatus.SEE_OTHER)

    def own_board(self, pk: UUID) -> Board:
        own = Board.objects.filter(owner=self.member).with_details().select_related("review")
        if board := own.filter(pk=pk).first():
            return board
        raise Http404

    def form_of(self, board: Board, data: QueryDict | None = None) -> BoardForm:
        return BoardForm(data, instance=board, languages=accepted_languages(self.request))

    def show(self, form: BoardForm) -> HttpResponse:
        board = self.own_board(form.instance.pk)  # that of the form has what was typed
        is_published = board.published_at is not None
        context = {
            "own": OwnBoard(board),
            "form": form,
            "must_wait": is_published and publishing() is Publishing.REVIEW,
            "is_closed": is_published and publishing() is Publishing.OFF,
            "noindex": True,
        }
        return self.render_page("boards/own/edit.html", context, status=form.status)
