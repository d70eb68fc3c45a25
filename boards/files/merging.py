"""Filling the empty texts of a stored board from a record of the same board."""

from typing import Any

from boards.models import Board
from boards.records import decode_call, encode_call
from bridge.auction import Call
from bridge.board import TEXTS

FILLED = (
    *("board_number", "commentary", "auction_system_id", "system_text"),
    *(name for name, text in TEXTS.items() if not text.identifying),
)
"""The columns that a further record fills where they are empty. What is there already stays."""


def fill_texts(board: Board, other: Board) -> list[str]:
    """Fill the empty texts and explanations of a board from another with the same fingerprint.

    Return the names of the columns that were changed, without "_id".
    """
    changed = [name for name in FILLED if not getattr(board, name) and getattr(other, name)]
    if board.auction_system_id and "system_text" in changed:
        changed.remove("system_text")
    for name in changed:
        setattr(board, name, getattr(other, name))
    auction = fill_explanations(board.auction, other.auction)
    if auction != board.auction:
        board.auction = auction
        changed.append("auction")
    return [name.removesuffix("_id") for name in changed]


def fill_explanations(calls: list[Any] | None, others: list[Any] | None) -> list[Any] | None:
    """Return stored calls with the explanations that only the others have. Both are the same calls."""
    if not calls or not others:
        return calls
    return [fill_call(call, other) for call, other in zip(calls, others, strict=True)]


def fill_call(stored: Any, other: Any) -> Any:
    call, further = decode_call(stored), decode_call(other)
    if call["explanation"] or not further["explanation"]:
        return stored
    return encode_call(Call(call["call"], call["alert"] or further["alert"], further["explanation"]))
