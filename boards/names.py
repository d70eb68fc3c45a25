"""What a board is called on pages and in the admin, so that boards of the same number are told apart."""

from typing import TYPE_CHECKING

from boards.events.dates import in_words

if TYPE_CHECKING:
    from boards.models import Board


def name_of(board: "Board") -> str:
    """Return the title, else what `origin_of` says, else the number; "" for a board without any of them."""
    return board.title or origin_of(board) or heading_of(board)


def full_name_of(board: "Board") -> str:
    """Return the title and where the board was played. Both are there where only both tell boards apart."""
    names = (name_of(board), origin_of(board))
    return " · ".join(dict.fromkeys(name for name in names if name))


def origin_of(board: "Board") -> str:
    """Say where and when the board was played, as in "Board 7 of Friday pairs, 20 November 2026, The club".

    A room or a table follows, since each table of a deal is a board. Return "" for a board without an event.
    """
    if not board.event:
        return ""
    number = heading_of(board)
    parts = (board.event, board.stage, in_words(board.date), board.site, *table_of(board))
    where = ", ".join(part for part in parts if part)
    return f"{number} of {where}" if number else where


def heading_of(board: "Board") -> str:
    return f"Board {board.board_number}" if board.board_number else ""


def table_of(board: "Board") -> tuple[str, str]:
    """Return the room and the table, as in "open room" and "table 3", each "" when it is not known."""
    return f"{board.room.lower()} room" if board.room else "", f"table {board.table}" if board.table else ""
