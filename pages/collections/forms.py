"""The forms of the page that changes a collection: its texts, and the notes and positions of the boards of a page."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django import forms
from django.forms.models import model_to_dict
from django.http import QueryDict
from rest_framework.exceptions import APIException

from boards.collections import services
from boards.collections.serializers import CollectionChangesSerializer
from boards.collections.services import OF_ENTRY, CollectionEntry
from boards.models import MAX_BOARDS, SEAT_CHOICES, Collection, CollectionBoard
from bridge.auction import MAX_CALLS
from config.api.errors import ValidationFailed
from config.api.fields import UUIDField
from config.values.languages import MAX_TAG_LENGTH
from pages.site.two_windows import LineField, LinesField, TwoWindows

BOARDS_OF_PAGE = 20
"""With notes as long as they may be, these boards make a form of at most 140 kB: a body may have 256."""

MAX_NOTE_LENGTH = CollectionBoard._meta.get_field("note").max_length


class CollectionForm(TwoWindows, forms.Form):
    """What a collection says of itself. The rules are the API's. What would be refused now is not a choice."""

    title = LineField(
        max_length=Collection._meta.get_field("title").max_length, widget=forms.TextInput({"autocomplete": "off"})
    )
    description = LinesField(
        max_length=Collection._meta.get_field("description").max_length,
        required=False,
        widget=forms.Textarea({"rows": 4}),
    )
    language = forms.CharField(
        label="Language of these texts",
        help_text="A language tag, such as en, nl or pt-BR, for screen readers and translation.",
        max_length=MAX_TAG_LENGTH,
        required=False,
        widget=forms.TextInput({"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}),
    )
    visibility = forms.ChoiceField(
        label="Who may read it",
        help_text="Private: only you. By link: anyone with the link; it is listed nowhere. Public: everybody, with"
        " your name.",
        choices=Collection.Visibility.choices,
    )

    def __init__(self, data: QueryDict | None = None, collection: Collection | None = None) -> None:
        stored = model_to_dict(collection or Collection(), fields=list(self.base_fields))
        super().__init__(data, initial=stored, auto_id="%s")
        kept = {stored["visibility"], self["visibility"].value()}
        self.fields["visibility"].widget.choices = [
            (value, label)
            for value, label in Collection.Visibility.choices
            if value in kept or services.why_not(value, collection) is None
        ]

    def clean(self) -> None:
        super().clean()
        checked = CollectionChangesSerializer(data=self.changes, partial=True)
        if not checked.is_valid():
            self.show_errors(checked.errors)
        self.texts: dict[str, Any] = checked.validated_data


class RowForm(TwoWindows, forms.Form):
    """What a collection says of a board, and its position, which moves it in the order that is stored."""

    last_write_wins = ("position",)
    note = LinesField(max_length=MAX_NOTE_LENGTH, required=False, widget=forms.Textarea({"rows": 2}))
    seat = forms.ChoiceField(choices=[("", "as the board says"), *SEAT_CHOICES], required=False)
    step = forms.IntegerField(
        min_value=0, max_value=MAX_CALLS, required=False, widget=forms.NumberInput({"inputmode": "numeric"})
    )
    position = forms.IntegerField(
        min_value=1, max_value=MAX_BOARDS, required=False, widget=forms.NumberInput({"inputmode": "numeric"})
    )

    def __init__(self, data: QueryDict | None, place: CollectionEntry | CollectionBoard, position: int | None) -> None:
        stored = {**{name: getattr(place, name) for name in OF_ENTRY}, "position": position}
        super().__init__(data, prefix=str(place.board_id), initial=stored, auto_id="%s")
        self.fields["note"].label = f"Note on board {position}"
        self.fields["seat"].label = f"Practice of board {position} asks"
        self.fields["step"].label = f"Calls before the first question of board {position}"
        self.fields["position"].label = f"Position of board {position}"

    def add_prefix(self, field_name: str) -> str:
        return f"{field_name}-{self.prefix}"


FIELDS_OF_ROW = tuple(f"{name}-" for name in RowForm.base_fields)
"""How the names of the fields of a row begin. The id of its board follows."""


class BoardsForm:
    """The rows that were sent, by the ids of their boards: since a page was opened they may have moved to others."""

    def __init__(self, post: QueryDict, places: Sequence[CollectionEntry]) -> None:
        """Raise ValidationFailed for rows of more boards than a page has: each costs work under the locks."""
        named = dict.fromkeys(name.partition("-")[2] for name in post if name.startswith(FIELDS_OF_ROW))
        if len(named) > BOARDS_OF_PAGE:
            raise ValidationFailed(f"A page has {BOARDS_OF_PAGE} boards. Send no fields of others.")
        stored = {place.board_id: (place, position) for position, place in enumerate(places, 1)}
        ids = [UUIDField().run_validation(board_id) for board_id in named]
        self.rows = {
            board_id: RowForm(post, *stored.get(board_id, (CollectionEntry(board_id), None))) for board_id in ids
        }
        self.errors: list[str] = []
        self.status = HTTPStatus.OK
        for board_id, row in self.rows.items():
            self.check(row, is_there=board_id in stored)

    def check(self, row: RowForm, *, is_there: bool) -> None:
        is_valid = row.is_valid()
        if not is_there and row.changed_data:
            note = f" Your note on it: “{row['note'].value()}”." if "note" in row.changed_data else ""
            self.errors.append(f"A board that you changed is no longer on this page.{note}")
            self.status = HTTPStatus.CONFLICT
        elif not is_valid:
            self.errors += [f"{field.label}: {error}" for field in row for error in field.errors]
            self.status = max(self.status, row.status)

    def refuse(self, error: APIException) -> None:
        self.errors.append(str(error.detail))
        self.status = HTTPStatus(error.status_code)

    @property
    def places(self) -> dict[UUID, dict[str, Any]]:
        """Return what was changed of each board but for its position."""
        changed = {board_id: row.changes for board_id, row in self.rows.items()}
        return {pk: {name: row[name] for name in OF_ENTRY if name in row} for pk, row in changed.items()}

    @property
    def positions(self) -> dict[UUID, int]:
        """Return the positions that were typed. A blank one moves nothing."""
        typed = {board_id: row.changes.get("position") for board_id, row in self.rows.items()}
        return {board_id: position for board_id, position in typed.items() if position}
