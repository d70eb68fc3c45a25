"""The markup that BridgeComposer writes into the texts of its PBN files, which PBN itself does not have.

Only the texts of its own files are read so, which it marks at their beginning. Those of another file, above all of one
that this service wrote, are kept as they are, and `markup.for_people` is what pages show of them.
"""

import re
from dataclasses import replace
from functools import partial
from typing import Any

from bridge.auction import Auction
from bridge.board import BoardRecord
from bridge.formats.outcomes import Outcome, ReadBoard
from bridge.texts import clean_lines, resolve_html, to_one_line

_HEADER = re.compile(rb"^%[ \t]*(?:Creator:[ \t]*BridgeComposer|BC[A-Z])", re.IGNORECASE | re.MULTILINE)
_plain = partial(resolve_html, sign=re.compile(r"\\([SHDC])"))


def is_from_bridge_composer(head: bytes) -> bool:
    return _HEADER.search(head) is not None


def drop_markup(outcome: Outcome) -> Outcome:
    """Return the outcome with suit symbols for `\\S \\H \\D \\C`, entities resolved and tags dropped."""
    if not isinstance(outcome, ReadBoard):
        return outcome
    board = outcome.content
    lines: dict[str, Any] = {
        name: to_one_line(_plain(getattr(board, name))) for name in ("title", "event", "site", "stage")
    }
    content = replace(board, auction=_explained(board), commentary=clean_lines(_plain(board.commentary)), **lines)
    return replace(outcome, content=content)


def _explained(board: BoardRecord) -> Auction | None:
    auction = board.auction
    if auction is None or not any(call.explanation for call in auction.calls):
        return auction
    calls = (
        replace(call, explanation=to_one_line(_plain(call.explanation))) if call.explanation else call
        for call in auction.calls
    )
    return Auction(auction.dealer, tuple(calls))
