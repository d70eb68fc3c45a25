"""The steps of a guide: a command in each language, and the answer that all of them are said to get."""

from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt

from pages.site.guides import LANGUAGES

ANSWERS = ("json", "text")
ILLUSTRATION = "http"
"""A block that shows what somebody else sends. It is neither a command nor an answer."""


@dataclass(frozen=True)
class Step:
    commands: dict[str, str]
    answer_kind: str
    answer: str


class Misplaced(Exception):
    """A block of a guide is not part of a step. The sentence says which."""


def steps_of(text: str) -> list[Step]:
    """Return the steps of a guide. Raise Misplaced for a block that stands outside, or a step that lacks one."""
    blocks = [
        (token.info.strip(), token.content) for token in MarkdownIt("commonmark").parse(text) if token.type == "fence"
    ]
    blocks = [block for block in blocks if block[0] != ILLUSTRATION]
    size = len(LANGUAGES) + 1
    return [make_step(blocks[start : start + size]) for start in range(0, len(blocks), size)]


def make_step(blocks: Sequence[tuple[str, str]]) -> Step:
    *commands, answer = blocks
    if [kind for kind, _ in commands] != list(LANGUAGES) or answer[0] not in ANSWERS:
        raise Misplaced(f"A step is {[*LANGUAGES, 'an answer']}, not {[kind for kind, _ in blocks]}: {blocks[0][1]}")
    return Step(dict(commands), *answer)
