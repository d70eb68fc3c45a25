"""The statistics that dealer programs write behind the boards, such as "Generated 1000 hands" and tables of numbers."""

import re
from dataclasses import dataclass

from bridge.formats.outcomes import SkippedRecord

_LINE = re.compile(
    rb"""(?:\A|(?<=[\r\n]))[ \t]*+
    (?:(?:Generated|Produced)[ \t]++[0-9]++[ \t]++hands | Initial[ ]random[ ]seed | Time[ ]needed | Frequency)\b""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(slots=True)
class Statistics:
    """What a file has of them so far. They are said once, and all further text without a board belongs to them."""

    is_found: bool = False

    def skip(self, record: int, line: int) -> list[SkippedRecord]:
        """Return what is said of them: nothing the second time."""
        message = "The text behind the boards looks like the statistics of a dealer program. It was left out."
        said = [] if self.is_found else [SkippedRecord(record, "", line, "text_after_boards", message)]
        self.is_found = True
        return said

    def include(self, text: bytes) -> bool:
        """Tell whether a text without a board, which has boards before it, belongs to them."""
        return self.is_found or _LINE.search(text) is not None


def split_statistics(data: bytes, *ends: bytes) -> tuple[bytes, bytes]:
    """Split a file's last record before them. They begin behind all of `ends`, the signs with which boards end."""
    end = max(map(data.rfind, ends))
    line = _LINE.search(data, end + 1) if end >= 0 else None
    return (data[: line.start()], data[line.start() :]) if line else (data, b"")
