"""What a browser sends of the admin's pages for boards."""

from typing import Any

from django.utils import timezone

from boards.models import Board
from deals.bridge.board import BoardRecord
from deals.bridge.formats.pbn.writer import HEADER, write_pbn

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
