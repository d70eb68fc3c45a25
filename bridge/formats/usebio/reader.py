"""Reading USEBIO: each table, and each deal that no table played, is turned into a game of PBN and read as such.

So are the rankings.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from bridge.board import BoardRecord
from bridge.errors import BridgeError, NotationError
from bridge.formats.guard import read_each
from bridge.formats.outcomes import Check, Outcome, RecordError, RecordRemark, SkippedRecord, place
from bridge.formats.pbn.reader import MAX_BOARD_NAME, read_pbn
from bridge.formats.raw_records import Blocks
from bridge.formats.usebio.document import Document, Node, parse, read_whole
from bridge.formats.usebio.games import (
    Deals,
    Game,
    deal_of,
    find_scored_together,
    is_played,
    places_of,
    ranking_of,
    start_of,
    table_of,
)

USEBIO = re.compile(rb"\s*+(?:<[?!][^<]*+)*+<USEBIO[\s/>]", re.IGNORECASE)
"""What such a file begins with: declarations and comments, and then its root."""


_NOT_PLAYED = "The line has no contract: the board was not played there."


def read_usebio(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield what comes of the tables in order, and of the deals that no table played, by the rules of `read_pbn`.

    The document is read whole, since its hands may follow the results.
    """
    try:
        data = read_whole(blocks)
    except NotationError as error:
        yield RecordError(1, "", error.line, error.code, error.message)
        return
    yield from read_each([data], partial(_read_document, check, strict), line_of=lambda _: 1)


def _read_document(check: Check, strict: bool, data: bytes, _: int) -> Iterator[Outcome]:
    try:
        document = parse(data)
    except NotationError as error:
        yield RecordError(1, "", error.line, error.code, error.message)
        return
    parts = _Reader(document, check, strict=strict).parts()
    yield from read_each(parts, lambda part, before: part.read(before))


def _line_in_document(game: Game, remark: RecordRemark) -> dict[str, Any]:
    """Return the line of the document for the line of a game that a remark names."""
    return {"line": game.line if isinstance(remark, SkippedRecord) else game.lines[remark.line - 1][1]}


class _Part(NamedTuple):
    """A board with its tables, a deal or a ranking, and how it is read."""

    line: int
    read: Callable[[int], Iterator[Outcome]]


class _Reader:
    """Reads the parts of a document as games of PBN."""

    def __init__(self, document: Document, check: Check, *, strict: bool) -> None:
        self.document, self.check, self.strict = document, check, strict
        self.deals = Deals(document)
        document.together = find_scored_together(document)

    def parts(self) -> Iterator[_Part]:
        """Yield the boards in order, then the deals that no table played, and the rankings."""
        yield from (_Part(board.line, partial(self.read_board, board)) for board in self.document.boards)
        yield from (_Part(board.line, partial(self.read_deal, board)) for board in self.deals.not_played())
        yield from (_Part(places[0].line, partial(self.read_ranking, places)) for places in places_of(self.document))

    def read_board(self, board: Node, before: int) -> Iterator[Outcome]:
        number = board.text("BOARD_NUMBER")[:MAX_BOARD_NAME]
        deal = self.deals.of(board) if any(map(is_played, board.tables)) else None
        start = start_of(self.document, board, None if isinstance(deal, BridgeError) else deal)

        def read_table(table: Node, before: int) -> Iterator[Outcome]:
            if not is_played(table):
                yield SkippedRecord(before + 1, number, table.line, "not_played", _NOT_PLAYED)
            elif isinstance(deal, BridgeError):
                yield RecordError(before + 1, number, table.line, deal.code, deal.message)
            else:
                yield self.read_game(table_of(self.document, start, table), before)

        return read_each(board.tables, read_table, before)

    def read_deal(self, board: Node, before: int) -> Iterator[Outcome]:
        yield self.read_game(start_of(self.document, board, deal_of(board)), before)

    def read_ranking(self, places: list[Node], before: int) -> Iterator[Outcome]:
        yield self.read_game(ranking_of(self.document, places), before)

    def read_game(self, game: Game, before: int) -> Outcome:
        text = "\n".join(line for line, _ in game.lines)
        outcome = next(read_pbn([text.encode()], self.check, self.strict))
        return place(outcome, before + 1, partial(_line_in_document, game), game.line)
