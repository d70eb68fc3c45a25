"""What a browser sends of the admin's pages for boards."""

import re
from typing import Any

from django.test import Client
from django.utils import timezone

from boards.models import Board
from bridge.board import BoardRecord
from bridge.formats.pbn.writer import HEADER, write_pbn
from tests.config.admin.opened_pages import OpenedForm

LIST = "/admin/boards/board/"
UPLOAD = f"{LIST}upload/"


def page_of_many(*boards: Board) -> dict[str, Any]:
    """Return the hidden fields of the page that asks about these boards; about all of the list, if there are none."""
    return {
        "_selected_action": [str(board.pk) for board in boards],
        "select_across": "" if boards else "1",
        "until": timezone.now().isoformat(),
        "changed": "0",
        "seen": "0",
    }


def pbn(*records: BoardRecord) -> bytes:
    return (HEADER + "".join(map(write_pbn, records))).encode()


def messages_of(client: Client, path: str = LIST) -> list[str]:
    return [str(message) for message in client.get(path).context["messages"]]


def send_form(client: Client, page: Any, **values: Any) -> Any:
    """Press the button of a page that asks, or that goes on."""
    text = page.content.decode()
    (target,) = re.findall(r'<form method="post" action="([^"]*)">', text)
    sent = OpenedForm(text[text.index(f'action="{target}"') :]).sent
    return client.post(target.replace("&amp;", "&"), {**sent, **values})


def unsaid(page: Any, *words: str) -> list[str]:
    """Return those of the words that a page does not have."""
    text = page if isinstance(page, str) else page.content.decode()
    return [each for each in words if each not in text]
