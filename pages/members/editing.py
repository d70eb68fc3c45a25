"""A member edits a board of their own: /boards/{id}/edit."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.exceptions import ValidationError

from boards.models import Board
from boards.models.board import choices_of
from boards.services.reviews import change_asked_for, edit_board, lock_own_tables
from config.api.errors import Conflict
from config.database.transactions import retried_transaction
from config.edge.security.security_log import log_change
from config.values.labels import best_label
from config.values.languages import accepted_languages
from pages.presenters.boards import OwnBoard
from pages.site.base import MemberPage, SeeOther
from pages.site.two_windows import LineField, LinesField, TwoWindows
from themes.models import Theme


class AskedForm(TwoWindows, forms.ModelForm):
    """A form of a board of one's own, with what its owner has asked staff to change."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, initial=change_asked_for(options["instance"]), **options)

    @property
    def values(self) -> dict[str, Any]:
        """Return what was changed, as boards.services.reviews.edit_board takes it."""
        return self.changes


class BoardForm(AskedForm):
    """What a member may change, and has asked staff to change. An unchanged value is never refused."""

    wire_names = {"auctionSystem": "auction_system"}

    class Meta:
        model = Board
        fields = ("title", "difficulty", "auction_system", "commentary", "themes")
        field_classes = {"title": LineField, "commentary": LinesField}
        widgets = {"commentary": forms.Textarea({"rows": 10}), "themes": forms.CheckboxSelectMultiple}

    def __init__(self, *args: Any, languages: Sequence[str], **options: Any) -> None:
        super().__init__(*args, **options)
        fields: dict[str, Any] = self.fields
        for name in ("auction_system", "themes"):
            fields[name].label_from_instance = lambda row: best_label(row.labels, languages, row.identifier).text
        fields["auction_system"].empty_label = "Not known"
        fields["difficulty"].choices = [("", "Not said"), *choices_of("difficulty")]
        fields["themes"].queryset = Theme.objects.ordered_by_type()

    @property
    def values(self) -> dict[str, Any]:
        values = self.changes
        if "auction_system" in values:
            values["auction_system"] = values["auction_system"] and values["auction_system"].pk
        if "themes" in values:
            values["themes"] = [str(theme.pk) for theme in values["themes"]]
        return values


class EditPage(MemberPage):
    """GET /boards/{id}/edit → 200, the form; 404 for a board of somebody else. POST → 303 to the board.

    400 shows what is wrong beside its field. 409 shows what somebody has stored meanwhile beside what was sent, and
    the next press saves; or that another board is the same. CorrectPage is another form of the same board.
    """

    section = "own-boards"
    template = "members/boards/edit.html"

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return self.show(self.form_of(self.own_board(pk)))

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        form = self.store(pk)
        if form.errors:
            return self.show(form)
        messages.success(request, self.report(OwnBoard(self.own_board(pk))))
        return SeeOther(reverse("board-page", args=[pk]))

    @retried_transaction
    def store(self, pk: UUID) -> Any:
        """Return the form. Store what was changed, or nothing where the form then has errors."""
        self.lock(pk)
        form = self.form_of(self.own_board(pk), self.request.POST)
        if form.is_valid():
            try:
                self.change(pk, form.values)
            except (ValidationError, Conflict) as error:
                form.refuse(error)
        return form

    def lock(self, pk: UUID) -> None:
        lock_own_tables(self.member, pk)

    def change(self, pk: UUID, values: dict[str, Any]) -> None:
        edit_board(self.member, pk, values)

    def report(self, own: OwnBoard) -> str:
        """Log what was saved, and return it as a sentence."""
        log_change("own_boards_changed", change="edit", boards=1)
        if own.review is None or not own.is_waiting:
            return "Saved."
        if own.review.is_change:
            return "Saved. Readers see the old version until staff have reviewed your change."
        return "Saved. It is a draft and waits for staff."

    def own_board(self, pk: UUID) -> Board:
        own = Board.objects.filter(owner=self.member).with_details()
        return get_object_or_404(own.select_related("review"), pk=pk)

    def form_of(self, board: Board, data: QueryDict | None = None) -> Any:
        return BoardForm(data, instance=board, languages=accepted_languages(self.request))

    def show(self, form: Any) -> HttpResponse:
        own = OwnBoard(self.own_board(form.instance.pk))  # The board of the form has what was typed.
        return self.render_page(self.template, {"own": own, "form": form, **self.more(own)}, status=form.status)

    def more(self, own: OwnBoard) -> dict[str, Any]:
        """Return what only the template of this page shows."""
        return {}
