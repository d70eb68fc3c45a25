"""What a member typed on the page that changes a collection, and what stood there when the page was opened.

What comes back as it was is left alone, whatever has become of it meanwhile. What was changed here and elsewhere is
shown again, so that neither change is lost unseen.
"""

from collections.abc import Mapping
from hashlib import sha256
from operator import itemgetter
from typing import NamedTuple, Self
from uuid import UUID

from rest_framework import serializers

from boards.models import MAX_BOARDS
from config.api.errors import ValidationFailed
from config.api.fields import UUIDField
from config.api.pagination import NaturalField

TEXTS = ("title", "description", "language", "visibility")
"""The fields of a collection's form, as the API names them."""

PRESSES = ("save", "up", "down", "top", "remove")
"""The buttons of a board. The value of each is the board's id; that of the "save" above all boards is blank."""


def as_typed(text: str) -> str:
    """Return what was typed. A browser sends CRLF for the end of a line, and counts it as one character before."""
    return text.replace("\r\n", "\n")


def digest_of(text: str) -> str:
    """Return what stands for a text in a page: the text itself may be long."""
    return sha256(text.encode()).hexdigest()[:16]


class Edit(NamedTuple):
    """A text as it was typed, and the digest of what stood there when the page was opened, "" where it says none."""

    typed: str
    opened: str

    @classmethod
    def read(cls, post: Mapping[str, str], name: str) -> Self:
        return cls(as_typed(post[name]), post.get(f"was-{name}", ""))

    @property
    def is_changed(self) -> bool:
        return digest_of(self.typed) != self.opened

    def is_overtaken_by(self, stored: str) -> bool:
        """Tell whether something else has changed the text meanwhile, to another one than was typed."""
        return self.is_changed and self.opened not in ("", digest_of(stored)) and stored != self.typed


class Field(NamedTuple):
    """What a field of the page shows, and the digest of what it says was there before."""

    text: str
    was: str

    @classmethod
    def of(cls, post: Mapping[str, str], name: str, stored: str, is_conflict: bool) -> Self:
        """Return what was changed as it was typed, and all else as it is stored.

        After a conflict the reader has seen what is stored, so that sending the field again replaces it.
        """
        edit = Edit.read(post, name) if name in post else None
        if edit is None or not edit.is_changed:
            return cls(stored, digest_of(stored))
        return cls(edit.typed, digest_of(stored) if is_conflict else edit.opened)


def read_press(post: Mapping[str, str]) -> tuple[str, UUID | None]:
    """Return which button was pressed, and of which board. Raise ValidationFailed for another form."""
    pressed = [name for name in PRESSES if name in post]
    if len(pressed) != 1:
        raise ValidationFailed("Press one button of the page.")
    (name,) = pressed
    if name == "save" and not post[name]:
        return name, None
    return name, UUIDField().run_validation(post[name])


def read_notes(post: Mapping[str, str]) -> dict[UUID, Edit]:
    """Return what was typed about each board of the page."""
    names = [name for name in post if name.startswith("note-")]
    return {UUIDField().run_validation(name.removeprefix("note-")): Edit.read(post, name) for name in names}


def read_positions(post: Mapping[str, str]) -> dict[UUID, int]:
    """Return the positions that were typed, the lowest first, without those that are as they were shown.

    Such a number moves nothing, whatever another window has moved meanwhile. Raise ValidationError for no number.
    """
    field, positions = NaturalField(min_value=1, max_value=MAX_BOARDS), {}
    for name, text in post.items():
        board_id = name.removeprefix("position-")
        if name != board_id and text.strip() and text != post.get(f"shown-{board_id}"):
            try:
                positions[UUIDField().run_validation(board_id)] = field.run_validation(text)
            except serializers.ValidationError as error:
                raise serializers.ValidationError({"position": error.detail}) from error
    return dict(sorted(positions.items(), key=itemgetter(1)))
