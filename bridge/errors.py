"""What the bridge core raises."""


class BridgeError(ValueError):
    """Something breaks the laws of bridge or the rules of a notation.

    `code` is stable snake_case for programs. `message`, also `str(error)`, is a sentence for people. `part` names the
    tag or the text of a record that is at fault, where the code alone does not tell.
    """

    def __init__(self, code: str, message: str, part: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.part = part


class NotationError(BridgeError):
    """A BridgeError at a known line of a file, counted from 1."""

    def __init__(self, code: str, message: str, line: int, part: str = "") -> None:
        super().__init__(code, message, part)
        self.line = line
