"""What a member's browser sends of the pages of collections."""

import re
from typing import Any

from django.test import Client

from boards.models import Board, Collection
from boards.pages.collections import edits
from tests.config.site.documents import Document

MINE = "/account/collections"


def titles(collection: Collection) -> list[str]:
    return list(collection.entries.values_list("board__title", flat=True))


def send(phone: Client, path: str, **fields: Any) -> Any:
    return phone.post(path, {name: str(value) for name, value in fields.items()})


def fields_of(phone: Client, url: str) -> dict[str, str]:
    """Return what a browser sends of the form with the boards, without a button: the page as it was opened."""
    page = Document(phone.get(url))
    inputs = {found["name"]: found.get("value", "") for found, _ in page.all("input") if "name" in found}
    texts = {found["name"]: text.removeprefix("\n") for found, text in page.all("textarea") if "name" in found}
    return {name: value for name, value in {**inputs, **texts}.items() if re.search(r"-[0-9a-f]{8}-", name)}


def press(phone: Client, url: str, button: str, board: Board | None, **typed: Any) -> Any:
    """Press a button of a board, after typing its note or position: note="…", position=3."""
    fields = fields_of(phone, url) | {f"{name}-{board and board.pk}": value for name, value in typed.items()}
    return send(phone, url, **fields, **{button: board.pk if board else ""})


def texts_of(phone: Client, url: str) -> dict[str, str]:
    """Return what a browser sends of the form with the texts."""
    page = Document(phone.get(url))
    names = ("title", "language", *(f"was-{name}" for name in edits.TEXTS))
    inputs = {found["name"]: found["value"] for found, _ in page.all("input") if found.get("name") in names}
    (description,) = [text for found, text in page.all("textarea") if found.get("name") == "description"]
    (chosen,) = [found["value"] for found, _ in page.all("option") if "selected" in found]
    return {**inputs, "description": description.removeprefix("\n"), "visibility": chosen}
