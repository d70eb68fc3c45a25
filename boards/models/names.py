"""What a board is called on pages and in the admin, so that boards of the same number are told apart."""

from typing import TYPE_CHECKING, Protocol

from bridge.dates import in_words
from bridge.texts import line_for_people

if TYPE_CHECKING:
    from boards.models.board import Board


class SeatedTable(Protocol):
    """What tells the tables of a deal apart: a Board, a row of one, or its record."""

    @property
    def room(self) -> str: ...
    @property
    def table(self) -> str: ...
    @property
    def pair_ns(self) -> str: ...
    @property
    def pair_ew(self) -> str: ...


def name_of(board: "Board") -> str:
    """Return the title, else the deal's, else "Board 7 of Friday pairs, 20 November 2026", else "Board 7", else ""."""
    return title_of(board) or _event_name(board) or heading_of(board)


def title_of(board: "Board") -> str:
    """Return the title of the board, else that of its deal, as people read it."""
    return line_for_people(board.title or board.deal_title)


def origin_of(board: "Board", *, with_table: bool = True) -> str:
    """Say of a board of an event what its name does not: for one with a title all of it, else stage, site and table.

    Each table of a deal is a board, so that room or table may be all that tells two boards apart.
    """
    if not board.event:
        return ""
    parts = (
        _event_name(board) if title_of(board) else "",
        board.stage,
        board.site,
        *(table_of(board) if with_table else ()),
    )
    return ", ".join(part for part in parts if part)


def full_name_of(board: "Board", *, with_table: bool = True) -> str:
    """Return the name and the origin, which together tell the board from all others; its deal without the table."""
    separator = " · " if title_of(board) else ", "
    return separator.join(part for part in (name_of(board), origin_of(board, with_table=with_table)) if part)


def _event_name(board: "Board") -> str:
    event = event_name_of(board)
    return " of ".join(part for part in (heading_of(board), event) if part) if event else ""


def event_name_of(board: "Board", length: int = 200) -> str:
    """Return the event with its date, as in "Friday pairs, 20 November 2026"; "" for a board of none.

    A longer name is cut. Its date stays.
    """
    name = board.event if len(board.event) <= length else f"{board.event[: length - 1]}…"
    return ", ".join(filter(None, (name, in_words(board.date)))) if name else ""


def heading_of(board: "Board") -> str:
    return f"Board {board.board_number}" if board.board_number else ""


def table_of(board: SeatedTable) -> tuple[str, str, str]:
    """Name the room, the table and its pairs, as in "open room", "table 3" and "3 v 7", each "" when not known."""
    room = f"{board.room.lower()} room" if board.room else ""
    pairs = f"{board.pair_ns or '?'} v {board.pair_ew or '?'}" if board.pair_ns or board.pair_ew else ""
    return room, f"table {board.table}" if board.table else "", pairs
