"""A member edits a board of their own: /boards/{id}/edit."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from rest_framework.exceptions import ValidationError

from boards.models import Board
from boards.models.board import choices_of
from boards.ownership import ChangedMeanwhile, digest_of, edit_board
from boards.reviews import Publishing, publishing
from bridge.texts import clean_lines, to_one_line
from config.api.handlers import field_errors
from config.edge.security.security_log import log_change
from config.values.labels import best_label
from config.values.languages import accepted_languages
from pages.presenters.own_board import OwnBoard
from pages.site.base import MemberPage
from themes.models import Theme

WIRE_NAMES = {"auction_system": "auctionSystem"}
"""What the API calls the fields of the form that it calls otherwise."""


class Labelled:
    """A field of a form whose choices have labels in the reader's language."""

    languages: Sequence[str] = ()

    def label_from_instance(self, obj: Any) -> str:
        return best_label(obj.labels, self.languages, obj.identifier).text


class LabelledChoiceField(Labelled, forms.ModelChoiceField):
    pass


class LabelledChoicesField(Labelled, forms.ModelMultipleChoiceField):
    widget = forms.CheckboxSelectMultiple


class BoardForm(forms.ModelForm):
    """What a member may change. boards.ownership has the rules: an unchanged value is never refused."""

    commentary = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=Board._meta.get_field("commentary").help_text,
    )

    class Meta:
        model = Board
        fields = ("title", "difficulty", "auction_system", "commentary", "themes")
        field_classes = {"auction_system": LabelledChoiceField, "themes": LabelledChoicesField}

    def __init__(self, *args: Any, languages: Sequence[str], **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("auction_system", "themes"):
            cast(Labelled, self.fields[name]).languages = languages
        cast(LabelledChoiceField, self.fields["auction_system"]).empty_label = "Not known"
        cast(forms.ChoiceField, self.fields["difficulty"]).choices = [("", "Not said"), *choices_of("difficulty")]
        cast(LabelledChoicesField, self.fields["themes"]).queryset = Theme.objects.ordered_by_type()

    def clean_title(self) -> str:
        return to_one_line(str(self.cleaned_data["title"]))

    def clean_commentary(self) -> str:
        return clean_lines(str(self.cleaned_data["commentary"]))

    @property
    def values(self) -> dict[str, Any]:
        """Return what was sent, as boards.ownership.edit_board takes it."""
        values = {WIRE_NAMES.get(name, name): value for name, value in self.cleaned_data.items()}
        system = values["auctionSystem"]
        themes = [str(theme.pk) for theme in values["themes"]]
        return {**values, "auctionSystem": system and system.pk, "themes": themes}

    def show_errors(self, error: ValidationError) -> None:
        """Show beside its field what the rules say of it."""
        names = {wire: name for name, wire in WIRE_NAMES.items()}
        for path, reasons in field_errors(error.detail).items():
            name = path.split(".")[0]
            field = names.get(name, name) if names.get(name, name) in self.fields else None
            self.add_error(field, [reason["message"] for reason in reasons])


class EditPage(MemberPage):
    """GET /boards/{id}/edit → 200, the form; 404 for a board of somebody else. POST → 303 to the board.

    400 shows what is wrong beside its field. 409 shows what somebody has stored meanwhile beside what was sent, and
    the next press saves.
    """

    section = "own-boards"

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        board = self.own_board(pk)
        return self.show(board, self.form_of(board))

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        form = self.form_of(self.own_board(pk), request.POST)
        if form.is_valid():
            try:
                board = edit_board(self.member, pk, form.values, seen=request.POST.get("seen", ""))
            except ValidationError as error:
                form.show_errors(error)
            except ChangedMeanwhile as error:
                return self.show(self.own_board(pk), form, conflict=str(error.detail))
            else:
                return self.lead_to_board(request, board)
        return self.show(self.own_board(pk), form, seen=request.POST.get("seen", ""))

    def lead_to_board(self, request: HttpRequest, board: Board) -> HttpResponse:
        log_change("own_boards_changed", change="edit", boards=1)
        waits = "It is a draft and waits for staff." if OwnBoard(board).is_waiting else ""
        messages.success(request, f"Saved. {waits}".strip())
        return HttpResponseRedirect(reverse("board-page", args=[board.pk]), status=HTTPStatus.SEE_OTHER)

    def own_board(self, pk: UUID) -> Board:
        own = Board.objects.filter(owner=self.member).with_details().select_related("review")
        if board := own.filter(pk=pk).first():
            return board
        raise Http404

    def form_of(self, board: Board, data: Any = None) -> BoardForm:
        return BoardForm(data, instance=board, languages=accepted_languages(self.request))

    def show(self, board: Board, form: BoardForm, *, seen: str = "", conflict: str = "") -> HttpResponse:
        is_published = board.published_at is not None
        context = {
            "own": OwnBoard(board),
            "form": form,
            "seen": seen or digest_of(board),
            "conflict": conflict,
            "stored": list(describe_differences(self.form_of(board), form)) if conflict else (),
            "must_wait": is_published and publishing() is Publishing.REVIEW,
            "is_closed": is_published and publishing() is Publishing.OFF,
            "noindex": True,
        }
        status = HTTPStatus.CONFLICT if conflict else HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
        return self.render_page("boards/own/edit.html", context, status=status)


def describe_differences(stored: BoardForm, sent: BoardForm) -> Iterator[tuple[str, str]]:
    """Yield the label and the stored text of each field of which something else was sent."""
    for field in stored:
        value, other = stored.initial.get(field.name), sent.cleaned_data.get(field.name)
        if field.name == "themes":
            same, text = set(value or ()) == set(other or ()), ", ".join(map(str, value or ()))
        elif field.name == "auction_system":
            same, text = value == (other and other.pk), str(stored.instance.auction_system or "")
        else:
            same, text = (value or "") == (other or ""), str(value or "")
        if not same:
            yield str(field.label), text or "nothing"
