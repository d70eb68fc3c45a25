"""A wrong board is corrected by its owner, or by staff: /boards/{id}/correct."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django import forms
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, QueryDict
from django.shortcuts import get_object_or_404

from boards.models import SEAT_CHOICES, Board
from boards.services import bulk
from boards.services.edits import editable_values
from boards.services.reviews import change_asked_for, correct_board, lock_own
from bridge.auction import MAX_CALLS, Call, is_over
from bridge.errors import BridgeError
from bridge.formats.typed import (
    keep_explanations,
    read_calls,
    read_card,
    read_cards,
    read_contract,
    write_calls,
    write_cards,
)
from config.edge.security.security_log import log_change
from pages.members.editing import EditPage
from pages.presenters.boards import OwnBoard, corrects_all
from pages.site.two_windows import LinesField, TwoWindows

MAX_LENGTH = MAX_CALLS * 8
OF_FIELDS = {"declarer": "contract", "lead": "opening_lead", "tricks": "result"}
"""The values of which fields of another name are a part."""


class NotationField(LinesField):
    """A notation that people write in many ways. It is compared by what it says, which is "" for a blank field."""

    def __init__(self, *, read: Callable[[str], Any], **options: Any) -> None:
        super().__init__(required=False, max_length=MAX_LENGTH, **options)
        self.read = read

    def clean_text(self, text: str) -> Any:
        try:
            return self.read(text) if text.strip() else ""
        except BridgeError as error:
            raise ValidationError(error.message, error.code) from error

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return super().has_changed(initial, data)
        except ValidationError:
            return True


class CorrectionForm(TwoWindows, forms.Form):
    """What happened at the table. The rules of the API check it; `values` are named as there."""

    wire_names = {"openingLead": "lead", "result": "tricks"}

    contract = NotationField(
        read=read_contract,
        widget=forms.TextInput,
        help_text="Such as 4S, 3NTX or Pass. A new auction sets it, unless you write another one.",
    )
    declarer = forms.ChoiceField(choices=[("", "Not known"), *SEAT_CHOICES], required=False)
    lead = NotationField(
        read=read_card,
        widget=forms.TextInput,
        label="Opening lead",
        help_text="Such as HK. A new play sets it.",
    )
    tricks = forms.IntegerField(
        min_value=0,
        max_value=13,
        required=False,
        label="Tricks that declarer won",
        error_messages=dict.fromkeys(("min_value", "max_value"), "Declarer can win 0 to 13 tricks."),
    )
    auction = NotationField(
        read=read_calls,
        widget=forms.Textarea({"rows": 6}),
        help_text="The dealer's call first, one round on each line: 1N P 2C P. AP means the last passes, X a double,"
        " and ! after a call an alert. Explanations stay with their calls.",
    )
    play = NotationField(
        read=read_cards,
        widget=forms.Textarea({"rows": 13}),
        help_text="One trick on each line, the card led first: HK H3 HA H5, or HK 3 A 5.",
    )

    def __init__(self, data: QueryDict | None, *, instance: Board, asked_for: dict[str, Any]) -> None:
        self.instance = instance
        values = editable_values(instance) | asked_for
        auction, contract = values["auction"] or {"calls": []}, values["contract"] or {"text": "", "declarer": None}
        self.calls = [Call(**call) for call in auction["calls"]]
        initial = {
            "auction": write_calls(self.calls),
            "contract": contract["text"],
            "declarer": contract["declarer"] or "",
            "lead": values["opening_lead"],
            "tricks": values["result"]["tricks"],
            "play": write_cards(values["play"]),
        }
        super().__init__(data, initial=initial)

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or self.cleaned_data
        if "declarer" in self.changed_data and cleaned.get("declarer") and cleaned.get("contract") == "":
            self.add_error("contract", "Write the contract that was played, too.")
        return cleaned

    @property
    def values(self) -> dict[str, Any]:
        """Return what was changed, as boards.services.reviews takes it, and what would else be derived from it."""
        values, changed = self.all_values, {OF_FIELDS.get(name, name) for name in self.changes}
        if "auction" in changed and not is_over([call.call for call in self.cleaned_data["auction"]]):
            changed.add("contract")
        if "play" in changed and not values["play"]:
            changed.add("opening_lead")
        return {name: value for name, value in values.items() if name in changed}

    @property
    def all_values(self) -> dict[str, Any]:
        """Return what the valid form says of the board."""
        now = self.cleaned_data
        calls = [asdict(call) for call in keep_explanations(self.calls, now["auction"] or ())]
        text, declarer = now["contract"], now["declarer"]
        return {
            "auction": {"calls": calls} if calls else None,
            "contract": {"text": text, "declarer": (text != "Pass" and declarer) or None} if text else None,
            "play": list(now["play"]),
            "opening_lead": now["lead"],
            "result": {"tricks": now["tricks"]},
        }


class CorrectPage(EditPage):
    """GET and POST /boards/{id}/correct: as EditPage, also for staff who are logged in to the admin.

    What staff correct readers see at once, and the admin's history of the board says so.
    """

    template = "members/boards/correct.html"

    def setup(self, request: HttpRequest, *args: Any, **options: Any) -> None:
        super().setup(request, *args, **options)
        self.is_for_staff = corrects_all(self.reader)

    def lock(self, pk: UUID) -> None:
        if not self.is_for_staff:
            lock_own(self.member, [pk])
        elif not bulk.lock([pk]):
            raise Http404

    def own_board(self, pk: UUID) -> Board:
        if not self.is_for_staff:
            return super().own_board(pk)
        return get_object_or_404(Board.objects.with_details().select_related("review"), pk=pk)

    def form_of(self, board: Board, data: QueryDict | None = None) -> CorrectionForm:
        return CorrectionForm(data, instance=board, asked_for={} if self.is_for_staff else change_asked_for(board))

    def more(self, own: OwnBoard) -> dict[str, Any]:
        return {"is_for_staff": self.is_for_staff}

    def change(self, pk: UUID, values: dict[str, Any]) -> None:
        if not self.is_for_staff:
            super().change(pk, values)
        elif values:
            board = correct_board(pk, values)
            LogEntry.objects.log_actions(str(self.member.pk), [board], CHANGE, "Corrected contract, auction or play.")

    def report(self, own: OwnBoard) -> str:
        if not self.is_for_staff:
            return super().report(own)
        log_change("boards_changed", change="correct", boards=1)
        return "Corrected. Readers see it now." if own.board.published_at else "Corrected."
