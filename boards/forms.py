"""The form fields that pages for many boards have in common: the admin's and the members'."""

from io import BytesIO
from typing import Any
from zipfile import ZIP_STORED, ZipFile

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

from boards.models import Board, Event
from boards.models.reviews import MAX_SENTENCE_LENGTH
from boards.models.uploads import MAX_NAME_LENGTH
from boards.validators import validate_pbn_line
from bridge.dates import write
from bridge.formats.dates import read_date
from bridge.formats.foreign_files import NOT_A_BRIDGE_FILE, refuse
from bridge.formats.raw_records import BLOCK_SIZE
from bridge.texts import to_one_line
from themes.labels import format_type
from themes.models import Theme

FORMATS_READ = (
    "PBN, LIN, USEBIO, RBN, a dealing machine's file (DLM, DUP, BRI, DGE), links to a hand viewer, or a"
    " ZIP of such files. Up to 16 MiB."
)
EVENT_LENGTH = Board._meta.get_field("event").max_length or 0


class DateInput(forms.DateInput):
    """A browser's own field for a date, which needs no JavaScript."""

    input_type = "date"

    def __init__(self, **options: Any) -> None:
        super().__init__(format="%Y-%m-%d", **options)


class ThemeField(forms.ModelChoiceField):
    """A list of all themes, which needs no JavaScript."""

    def __init__(self, **options: Any) -> None:
        super().__init__(Theme.objects.ordered_by_type(), **options)

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj} ({format_type(obj.type).lower()})"


class EventForm(forms.Form):
    """The event of boards: its name, its site and its date. `texts` has those that are filled."""

    event = forms.CharField(
        max_length=EVENT_LENGTH,
        required=False,
        validators=[validate_pbn_line],
        help_text="The tournament or match, such as Friday pairs.",
    )
    site = forms.CharField(
        max_length=EVENT_LENGTH, required=False, validators=[validate_pbn_line], help_text="Where it was held."
    )
    date = forms.DateField(required=False, label="Date played", widget=DateInput)

    @property
    def texts(self) -> dict[str, str]:
        day = self.cleaned_data["date"]
        found = {name: to_one_line(self.cleaned_data[name]) for name in ("event", "site")}
        found["date"] = write(day) if day else ""
        return {name: text for name, text in found.items() if text}


class ImportForm(EventForm):
    """What the boards of a file get: all of them the theme, and those without an event, site or date these."""

    field_order = ("theme", "event", "site", "date")
    theme = ThemeField(required=False, help_text="All boards of the file get this theme.")

    @property
    def themes(self) -> list[Theme]:
        theme = self.cleaned_data["theme"]
        return [theme] if theme else []


def refuse_foreign(file: UploadedFile) -> None:
    """Refuse a picture, a document or a spreadsheet by its first bytes, before anything of it is stored or read."""
    head = file.read(BLOCK_SIZE)
    file.seek(0)
    if message := refuse(head):
        raise ValidationError(message, code=NOT_A_BRIDGE_FILE)


class FileForm(forms.Form):
    """A file that is uploaded, or two that belong together: deals, and the results of the tables that played them."""

    file = forms.FileField(max_length=MAX_NAME_LENGTH, validators=[refuse_foreign], help_text=FORMATS_READ)
    second = forms.FileField(
        max_length=MAX_NAME_LENGTH,
        required=False,
        validators=[refuse_foreign],
        label="Second file",
        help_text="The results if the first file has only deals, or the deals. The two are joined by board number.",
    )
    renumbered = forms.BooleanField(
        required=False,
        label="The boards are renumbered",
        help_text="Dealer and vulnerability are not compared with the board numbers.",
    )

    def read(self) -> dict[str, Any]:
        """Return name and content of the file, or of an archive of both, and whether the boards are renumbered."""
        first, second = self.cleaned_data["file"], self.cleaned_data["second"]
        name, content = first.name, first.read()
        if second:
            data = BytesIO()
            with ZipFile(data, "w", ZIP_STORED) as archive:
                archive.writestr(f"0/{first.name}", content)
                archive.writestr(f"1/{second.name}", second.read())  # Both may have the same name.
            name, content = f"{first.name} + {second.name}", data.getvalue()
        return {"name": name, "content": content, "renumbered": self.cleaned_data["renumbered"]}


class ChosenEventForm(EventForm):
    """The form for boards that are stored. Something has to be filled."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not self.texts:
            raise ValidationError("Fill at least one field.", code="required")
        return cleaned


class RenameForm(EventForm):
    """All three texts of an event. `texts` has the blank ones too."""

    field_order = ("event", "date", "site")
    date = forms.CharField(  # type: ignore[assignment]  # a form's field replaces that of its base
        max_length=Board._meta.get_field("date").max_length,
        required=False,
        label="Date played",
        help_text="Such as 20 November 2026. What is not known is written with question marks: 2026.11.??",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["event"].required = True

    def clean_date(self) -> str:
        """Read a date in one of the ways in which files write it. Take a text that an event has already as it is."""
        text: str = self.cleaned_data["date"]
        if not text or Event.objects.filter(date=text).exists():
            return text
        if not (read := read_date(text).text):
            raise ValidationError("Write a date such as 20 November 2026 or 2026.11.20.", code="invalid")
        return read

    @property
    def texts(self) -> dict[str, str]:
        return {name: to_one_line(self.cleaned_data[name]) for name in self.fields}


class ChosenThemeForm(forms.Form):
    theme = ThemeField(help_text="The boards keep their other themes.")


class AnswerForm(forms.Form):
    sentence = forms.CharField(
        max_length=MAX_SENTENCE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Why not, or what to change. The owner sees this beside the board.",
    )
