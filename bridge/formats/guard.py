"""Reading a file one record at a time, so that a fault of a reader costs the one record at which it shows."""

import logging
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import TypeVar

from bridge.formats.outcomes import Outcome, RecordError

logger = logging.getLogger(__name__)

READER_FAILED = "reader_failed"

Part = TypeVar("Part")


def read_each(
    parts: Iterable[Part],
    read: Callable[[Part, int], Iterable[Outcome]],
    before: int = 0,
    line_of: Callable[[Part], int] = attrgetter("line"),
) -> Iterator[Outcome]:
    """Yield what comes of the parts of a file. `read` is given each of them with the number of the records before it.

    Where it raises anything, that is our fault and not the file's: the part ends in one failed record, the log has the
    traceback, and the next part is read. A part may be read by another `read_each`, of its own parts: the innermost
    fails. Want of memory passes through, and so does what the `parts` themselves raise, such as a broken connection.
    """
    for part in parts:
        try:
            for outcome in read(part, before):
                before = outcome.record
                yield outcome
        except MemoryError:
            raise
        except Exception:  # whatever it is: the records beside it are sound
            before += 1
            line = line_of(part)
            logger.exception("A reader failed at record %d, line %d.", before, line)
            message = (
                "The service failed at this record; its log has the reason. Report this, and send the record along."
            )
            yield RecordError(before, "", line, READER_FAILED, message)
