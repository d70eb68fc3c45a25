"""Keys: 24 bytes that sort boards. Eight are a moment, in microseconds since 1970, and sixteen the board's id.

The newest board has the greatest key, so that lists go from the greatest to the least. Databases compare bytes as
Python does.
"""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from boards.models import Board

KEY_LENGTH = 24
START = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def make_key(moment: datetime, board_id: UUID) -> bytes:
    """Return the key of a moment, of which none before 1970 differs from another, and an id."""
    return max(0, (moment - START) // MICROSECOND).to_bytes(8) + board_id.bytes


def key_of(board: Board) -> bytes:
    """Return the key of a published board or a draft."""
    return make_key(board.published_at or board.created_at, board.pk)


def past_keys(board: Board) -> list[bytes]:
    """Return all keys that the board can have had."""
    moments = {board.created_at, board.published_at, board.first_published_at} - {None}
    return [make_key(moment, board.pk) for moment in moments if moment]


def moment_of(key: bytes) -> datetime:
    return START + int.from_bytes(key[:8]) * MICROSECOND


def id_of(key: bytes) -> UUID:
    return UUID(bytes=key[8:])
