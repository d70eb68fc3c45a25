"""Reading USEBIO: each table is turned into PBN and read as such."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import BinaryIO

from deals.bridge.board import BoardRecord
from deals.bridge.errors import NotationError
from deals.bridge.formats.outcomes import Outcome, ReadBoard, RecordError, SkippedRecord
from deals.bridge.formats.pbn.reader import MAX_BOARD_NAME, read_pbn
from deals.bridge.formats.usebio.document import parse
from deals.bridge.formats.usebio.games import Game, Unplayed, games

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
    """Read a game, and give the outcome its line in the document."""
    text = "\n".join(line for line, _ in game.lines)
    (outcome,) = read_pbn(BytesIO(text.encode()), check, strict=strict)
    if isinstance(outcome, ReadBoard):
        warnings = tuple(
            replace(warning, record=record, line=game.lines[warning.line - 1][1]) for warning in outcome.warnings
        )
        return replace(outcome, record=record, warnings=warnings)
    return replace(outcome, record=record, line=game.lines[outcome.line - 1][1])
