"""What the bridge core raises and what its readers report."""

from dataclasses import dataclass


class BridgeError(ValueError):
    """Something breaks the laws of bridge or the rules of a notation.

    `code` is stable snake_case for programs. `message`, also `str(error)`, is a sentence for people.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotationError(BridgeError):
    """A BridgeError at a known line of a file, counted from 1."""

    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(code, message)
        self.line = line


@dataclass(frozen=True, slots=True)
class RecordError:
    """One record of a file that cannot be kept, and the reason.

    `record` counts the file's records from 1, good and bad alike. `line`, from 1, is the offending tag's where
    that is known, else the one where the record begins.
    """

    record: int
    line: int
    code: str
    message: str
