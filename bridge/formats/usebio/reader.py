"""Reading USEBIO: each table is turned into PBN and read as such."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import BinaryIO

from bridge.board import BoardRecord
from bridge.errors import NotationError
from bridge.formats.outcomes import Outcome, ReadBoard, RecordError, SkippedRecord, TableWithoutDeal
from bridge.formats.pbn.reader import MAX_BOARD_NAME, read_pbn
from bridge.formats.usebio.document import parse
from bridge.formats.usebio.games import Game, Unplayed, games

USEBIO = re.compile(rb"\s*+(?:<[?!][^<]*+)*+<USEBIO[\s/>]", re.IGNORECASE)
"""What such a file begins with: declarations and comments, and then its root."""


def read_usebio(
    stream: BinaryIO, check: Callable[[BoardRecord], None] = BoardRecord.check, *, strict: bool = False
) -> Iterator[Outcome]:
    """Yield what comes of the tables in order, and of the deals that no table played.

    The document is read whole, since its hands may stand behind the results. Parameters and rules are those of
    `read_pbn`. A table without a contract or hands is passed over.
    """
    try:
        document = parse(stream)
    except NotationError as error:
        yield RecordError(1, "", error.line, error.code, error.message)
        return
    for record, game in enumerate(games(document), start=1):
        yield _unplayed(record, game) if isinstance(game, Unplayed) else _read(record, game, check, strict)


def _unplayed(record: int, line: Unplayed) -> Outcome:
    remark = RecordError if line.is_error else SkippedRecord
    return remark(record, line.board[:MAX_BOARD_NAME], line.line, line.code, line.message)


def _read(record: int, game: Game, check: Callable[[BoardRecord], None], strict: bool) -> Outcome:
    """Read a game as PBN."""
    text = "\n".join(line for line, _ in game.lines)
    (outcome,) = read_pbn(BytesIO(text.encode()), check, strict=strict)
    return _placed(outcome, record, game)


def _placed(outcome: Outcome, record: int, game: Game) -> Outcome:
    """Return the outcome with its number and line in the document. Where it lies in no line, the game's."""
    if isinstance(outcome, ReadBoard):
        warnings = tuple(
            replace(warning, record=record, line=game.lines[warning.line - 1][1]) for warning in outcome.warnings
        )
        return replace(outcome, record=record, warnings=warnings, line=game.line)
    if isinstance(outcome, TableWithoutDeal):
        read_with = outcome.read_with
        outcome = replace(outcome, read_with=lambda deal: _placed(read_with(deal), record, game))
    line = game.line if isinstance(outcome, SkippedRecord) else game.lines[outcome.line - 1][1]
    return replace(outcome, record=record, line=line)
