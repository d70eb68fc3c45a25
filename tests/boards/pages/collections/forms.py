"""What a member's browser sends of the pages of collections."""

import re
from typing import Any

from django.test import Client

from boards.models import Board, Collection
from boards.pages.collections.edits import TEXTS
from tests.boards.pages.opening import open_page

MINE = "/account/collections"


def titles(collection: Collection) -> list[str]:
    return list(collection.entries.values_list("board__title", flat=True))


def send(phone: Client, path: str, **fields: Any) -> Any:
    return phone.post(path, {name: str(value) for name, value in fields.items()})


def fields_of(phone: Client, url: str) -> dict[str, str]:
    """Return what a browser sends of the form with the boards, without a button: the page as it was opened."""
    return {name: value for name, value in all_fields(phone, url).items() if re.search(r"-[0-9a-f]{8}-", name)}


def texts_of(phone: Client, url: str) -> dict[str, str]:
    """Return what a browser sends of the form with the texts."""
    return {name: value for name, value in all_fields(phone, url).items() if name.removeprefix("was-") in TEXTS}


def all_fields(phone: Client, url: str) -> dict[str, str]:
    page = open_page(phone, url)
    return page.form_values() | {found["name"]: text for found, text in page.all("textarea") if "name" in found}


def press(phone: Client, url: str, button: str, board: Board, **typed: Any) -> Any:
    """Press a button of a board, after typing its note or position: note="…", position=3."""
    fields = {f"{name}-{board.pk}": value for name, value in typed.items()}
    return send(phone, url, **fields_of(phone, url) | fields, **{button: board.pk})
