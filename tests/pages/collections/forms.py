"""What a member's browser sends of the pages of collections."""

import re
from dataclasses import dataclass
from typing import Any

from django.test import Client

from boards.models import Board, Collection
from pages.collections.forms import CollectionForm
from tests.pages.documents import Document
from tests.pages.opening import open_page

MINE = "/account/collections"
UNTOUCHED = ("Lesson", ["One", "Two", "Three"], [""] * 3)


def titles(collection: Collection) -> list[str]:
    return list(collection.entries.values_list("board__title", flat=True))


def send(phone: Client, path: str, **fields: Any) -> Any:
    return phone.post(path, {name: str(value) for name, value in fields.items()})


@dataclass(frozen=True)
class Desk:
    """A member who changes a collection on its page."""

    phone: Client
    collection: Collection
    boards: list[Board]

    @property
    def url(self) -> str:
        return f"{MINE}/{self.collection.pk}"

    @property
    def page(self) -> Document:
        return open_page(self.phone, self.url)

    @property
    def stored(self) -> tuple[str, list[str], list[str]]:
        """Return the title of the collection, those of its boards, and the notes on them."""
        self.collection.refresh_from_db()
        return (
            self.collection.title,
            titles(self.collection),
            list(self.collection.entries.values_list("note", flat=True)),
        )

    def send(self, **fields: Any) -> Any:
        return send(self.phone, self.url, **fields)

    def press(self, button: str, board: Board, **typed: Any) -> Any:
        """Press a button of a board, after typing its note or position: note="…", position=3."""
        fields = {f"{name}-{board.pk}": value for name, value in typed.items()}
        return self.send(**self.form_of_boards() | fields, **{button: board.pk})

    def form_of_boards(self) -> dict[str, str]:
        """Return what a browser sends of the form with the boards, without a button: the page as it was opened."""
        return {name: value for name, value in self.fields().items() if re.search(r"-[0-9a-f]{8}-", name)}

    def form_of_texts(self) -> dict[str, str]:
        names = CollectionForm.base_fields
        return {name: value for name, value in self.fields().items() if name.removeprefix("initial-") in names}

    def fields(self) -> dict[str, str]:
        page = self.page
        return page.form_values() | {found["name"]: text for found, text in page.all("textarea") if "name" in found}
