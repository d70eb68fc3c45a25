"""What was probably meant by a text that is not a query: texts to try, the likeliest first."""

import re
from collections.abc import Iterator

from config.values.words import nearest
from search.language.parsing import MEANT, QueryError
from search.language.words import BOARD_WORDS, HAND_WORDS, HOLDERS, SIDE_WORDS

CONDITION = re.compile(r"[^\s()]+")
NO_WORDS = re.compile(r'[()"=<>^*!:]+')
NAMES = [*HOLDERS, *BOARD_WORDS, *HAND_WORDS, *SIDE_WORDS]


def suggestions(text: str, error: QueryError) -> Iterator[str]:
    """Yield what may be meant: the text with the word that is wrong mended, and at last its words alone."""
    if error.position is not None:
        before, behind = text[: error.position], text[error.position + len(error.word) :]
        match error.code:
            case "not_closed":
                yield text + (")" if error.word == "(" else '"')
            case "no_seat":
                condition = CONDITION.match(text, error.position)
                whose = "any" if error.word.lower() in HAND_WORDS else "ns"
                if condition:
                    yield f"{before}{whose}({condition[0]}){text[condition.end() :]}"
            case "syntax":
                yield f"{before}{MEANT.get(error.word, '')}{behind}".strip()
            case "unknown_word":
                if meant := nearest(error.word, NAMES):
                    yield f"{before}{meant}{behind}"
    yield " ".join(NO_WORDS.sub(" ", text).split())
