"""What the bridge core raises and what its readers report."""

from dataclasses import dataclass


class BridgeError(ValueError):
    """A breach of the rules of bridge or of a notation.

    `code` is stable snake_case for programs, `message` a sentence for people; `str(error)` is the message.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotationError(BridgeError):
    """A BridgeError at a known line of a file, from 1."""

    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(code, message)
        self.line = line


@dataclass(frozen=True, slots=True)
class RecordError:
    """One record of a file that cannot be kept, and why.

    `record` counts the file's records from 1, good and bad alike; `line` is the offending tag's where it
    is known, else the line where the record begins, from 1.
    """

    record: int
    line: int
    code: str
    message: str
