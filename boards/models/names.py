"""What a board is called on pages and in the admin, so that boards of the same number are told apart."""

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from django.db.models import Model
from django.utils.text import capfirst

from bridge.board import TEXTS
from bridge.dates import in_words
from bridge.markup import line_for_people

if TYPE_CHECKING:
    from boards.models.board import Board


def name_of(board: "Board") -> str:
    """Return the title, else "Board 7 of Friday pairs, 20 November 2026", else "Board 7", else ""."""
    return title_of(board) or _event_name(board) or heading_of(board)


def title_of(board: "Board") -> str:
    """Return the title as people read it."""
    return line_for_people(board.title)


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


def table_of(board: SeatedTable) -> tuple[str, str, str]:
    """Name the room, the table and its pairs, as in "open room", "table 3" and "3 v 7", each "" when not known."""
    room = f"{board.room.lower()} room" if board.room else ""
    pairs = f"{board.pair_ns or '?'} v {board.pair_ew or '?'}" if board.pair_ns or board.pair_ew else ""
    return room, f"table {board.table}" if board.table else "", pairs


def facts_of(board: "Board") -> dict[str, str]:
    """Return what is known of where and how the board was played, by its labels."""
    teams = " – ".join(filter(None, (board.home_team, board.visit_team)))
    texts = {name: shown_text(board, name) for name in TEXTS}
    texts |= {"title": "", "date": in_words(board.date), "home_team": teams, "visit_team": ""}
    texts |= {"pair_ns": table_of(board)[-1], "pair_ew": ""}
    return {fact_label(type(board), name): text for name, text in texts.items() if text}


def shown_text(board: "Board", name: str) -> str:
    """Return a text of the board as a page shows it: a choice by its label."""
    column: Any = board._meta.get_field(name)
    value = getattr(board, name)
    return dict(column.flatchoices).get(value, value)


@cache
def fact_label(model: type[Model], name: str) -> str:
    column: Any = model._meta.get_field(name)
    return {"home_team": "Teams", "pair_ns": "Pairs"}.get(name) or capfirst(column.verbose_name)
