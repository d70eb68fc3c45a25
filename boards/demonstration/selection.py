"""Which deals make up the set, and what is said about them: the data beside this file."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

_FILE = Path(__file__).with_name("selection.toml")


@dataclass(frozen=True, slots=True)
class Choice:
    """`seed` deals the cards; `tricks`, with best play after the lead, are -1 when nothing is played.

    `theme` is an identifier, "" where the board shows none of the themes.
    """

    number: int
    seed: int
    tricks: int
    title: str
    commentary: str
    theme: str = ""


def choices() -> tuple[Choice, ...]:
    """In the order of the boards."""
    with _FILE.open("rb") as stream:
        return tuple(Choice(**board) for board in tomllib.load(stream)["board"])
