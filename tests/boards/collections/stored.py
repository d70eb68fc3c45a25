"""Collections as a test stores and reads them."""

from collections.abc import Iterable
from typing import Any

from accounts.models import Account
from boards.collections import services
from boards.collections.services import CollectionEntry, Texts
from boards.models import Board, Collection

LIST = "/api/collections"


def store(owner: Account, *boards: Board, title: str = "Lesson", note: str = "", **texts: Any) -> Collection:
    """Store a collection. A note may name the board: "Note on {title}"."""
    places = [CollectionEntry(board.pk, note.format(title=board.title)) for board in boards]
    return services.create_collection(owner=owner, texts=Texts(title, **texts), places=places)[0]


def url_of(collection: Collection, board: Board | None = None) -> str:
    return f"{LIST}/{collection.pk}" + (f"/boards/{board.pk}" if board else "")


def sent(boards: Iterable[Board], **more: Any) -> list[dict[str, Any]]:
    """Return boards as the API takes them."""
    return [{"boardId": str(board.pk), **more} for board in boards]


def shown(answer: Any) -> list[str]:
    """Return the ids of the boards that an answer shows."""
    return [each["boardId"] for each in answer.json()["boards"]]


def order(collection: Collection) -> list[Any]:
    return list(collection.entries.values_list("board_id", flat=True))
