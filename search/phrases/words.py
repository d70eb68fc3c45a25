"""A text that somebody typed, as words in one form."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from search.words import fold


class Token(NamedTuple):
    """A word in small letters without accents, and where it stands in the text."""

    word: str
    start: int
    end: int


SUIT_WORDS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "♤": "s", "♡": "h", "♢": "d", "♧": "c"}
DASHES = str.maketrans("–—−‑", "----")
APOSTROPHES = str.maketrans("’‘`´", "''''")

STRAIN = r"(?:c|d|h|s|nt?|sa|ba)"
CALL = rf"(?:p|pass|xx?|[1-7]{STRAIN})"
WHOLE = re.compile(rf"[-+]?\d+(?:(?:-|=|\.\.)\d+)*[-+]?|\d{{4}}(?:-\d\d){{1,2}}|{CALL}(?:-{CALL})+")
"""What a hyphen does not part: -1, 15-17, 4-4-4-1, 5=4=3=1, 2026-05, 1n-p-2c."""

DAY_FIRST = re.compile(r"(0?[1-9]|[12]\d|3[01])[./](0?[1-9]|1[0-2])[./]((?:19|20)\d\d)")
"""31.12.2025 and 1/2/2026, the day first."""

PIECES = re.compile(r"[^\s/\-&,;]+|&")
CONTRACT_AND_RESULT = re.compile(rf"([1-7]{STRAIN}x{{0,2}})([-+]\d{{1,2}}|=)")
NUMBER_AND_WORD = re.compile(r"(\d+\+?)(cm|[a-z]{3,})")
"""6nt+1, 3nt=; and 15hcp, 5spades, 4cm (a card major), but not 3nt and 4th."""
EDGES = " .,;:?!'\"()[]…"

ALONE = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
"""A symbol of a suit that stands by itself."""


def tokenise(text: str, abbreviations: Mapping[str, str], start: int = 0) -> list[Token]:
    """Return the words of a text, those that are abbreviated as in full. Positions count from `start`."""
    tokens = (token for match in re.finditer(r"\S+", text) for token in split_word(match[0], start + match.start()))
    return [token._replace(word=abbreviations.get(token.word, token.word)) for token in tokens]


def split_word(written: str, start: int) -> Iterator[Token]:
    """Yield the words of what stands between two spaces: one, or those that hyphens and slashes join."""
    text = written.translate(DASHES).translate(APOSTROPHES)
    inner = text.strip(EDGES)
    start += text.find(inner) if inner else 0
    whole = fold_token(inner)
    if WHOLE.fullmatch(whole) or whole in ("w/", "w/o"):
        yield Token(whole, start, start + len(inner))
        return
    if parts := DAY_FIRST.fullmatch(whole):
        yield Token(f"{parts[3]}-{parts[2]:0>2}-{parts[1]:0>2}", start, start + len(inner))
        return
    if parts := CONTRACT_AND_RESULT.fullmatch(whole):
        yield from two_tokens(parts, start)
        return
    for piece in PIECES.finditer(inner):
        place, word = start + piece.start(), fold_token(piece[0].strip(EDGES))
        if not word:
            continue
        if parts := NUMBER_AND_WORD.fullmatch(word):
            yield from two_tokens(parts, place)
        else:
            yield Token(word, place, start + piece.end())


def two_tokens(parts: re.Match[str], start: int) -> Iterator[Token]:
    middle = start + len(parts[1])
    yield Token(parts[1], start, middle)
    yield Token(parts[2], middle, middle + len(parts[2]))


def fold_token(text: str) -> str:
    """Return a word in its one form: ♠K is sk, South's is south, d'appel is dappel."""
    if text in SUIT_WORDS:
        return ALONE[SUIT_WORDS[text]]
    for symbol, letter in SUIT_WORDS.items():
        text = text.replace(symbol, letter)
    return fold(text).removesuffix("'s").replace("'", "").replace("&", "and")
