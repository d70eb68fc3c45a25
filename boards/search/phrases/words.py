"""A text that somebody typed, as words in one form."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from boards.search.words import fold


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


def tokenise(text: str, start: int = 0) -> list[Token]:
    """Return the words of a text. Places count from `start`."""
    return [token for match in re.finditer(r"\S+", text) for token in split_word(match[0], start + match.start())]


def split_word(written: str, start: int) -> Iterator[Token]:
    """Yield the words of what stands between two spaces: one, or those that hyphens and slashes join."""
    text = written.translate(DASHES).translate(APOSTROPHES)
    inner = text.strip(EDGES)
    start += text.find(inner) if inner else 0
    whole = fold_token(inner)
    if WHOLE.fullmatch(whole) or whole in ("with", "without"):
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
    word = fold(text).removesuffix("'s").replace("'", "").replace("&", "and")
    return ABBREVIATED.get(word, word)


ABBREVIATED = {
    "bal": "balanced",
    "bd": "board",
    "bds": "boards",
    "dbl": "double",
    "dbld": "doubled",
    "dble": "double",
    "hcps": "hcp",
    "nv": "nonvulnerable",
    "opp": "opponent",
    "opps": "opponents",
    "pts": "points",
    "rdbl": "redouble",
    "unbal": "unbalanced",
    "versus": "against",
    "vs": "against",
    "xd": "doubled",
    "xxd": "redoubled",
    "w/": "with",
    "w/o": "without",
}


SKIPPED = frozenset(("of", "in", "on", "the", "a", "an", "is", "are", "was", "were", "with", "his", "her"))
"""Words that may stand within a phrase without being one of its words: void in the spade suit."""

EMPTY_WORDS = """
    a about action actions after again against all alle also always am an and any anybody anyone anything are as ask
    asking asks at auction auctions avec away battle be because been before begin beginning begins begun being between
    bidding board boards both but by call called can card cards cases club combien combined con contract contracts could
    course cuantas dans das day de deal deals dealt decision dem den der des di did die difficulty dla do does donne
    donnes du e each een ein eine einen either el en end ended ending ends especially et ett evening evenings event
    events ever every everyone example examples exercise exercises exist exists fact few finally find finding first fois
    followed for found from fur gegen get getting give given gives gli go going good got had hand hande handen hands
    happen happened happens has have having he held hello her here het hi his hoe hold holder holding holds how however
    hur i if il im in instance interesting into is it its just keep kind kinds la laid las last le learn les lesson
    lessons let level levels lie like list little livello lo look looking looks los lot lots luck main mains mani mano
    manos many match matches maybe me med met mit moment more most much my na near need never nice night nights niva
    niveau nivel now number occur occurs och of off oft ofta often ohne old on one ones only opened opener opens
    opponents opposite or other others ou our out over pair para partner people per perhaps pick plan play played player
    players plays please pour poziom practice practise problem problems put quante quick quite rather real really result
    same search seat see seem seen session sessions shape she should show showing shown shows side sides situation so
    some somebody someone something sometimes somewhere sort start started starting starts still stopped student
    students stufe stuff such take taken takes team tegen than thank thanks that the their them theme themes then there
    these they thing things think this those though time times to together too topic tournament tournaments training try
    trying two type types typical un una und une uno up us use used using usual usually utan vaak van veces very volte
    von voor w wanna want was way we well went were what when where whether which while who whose why wie will win wins
    wish with within without won worse would y yes you your z ze zeige zum zur
"""
EMPTY = frozenset(EMPTY_WORDS.split())
"""Words that say nothing about a board. What is part of a phrase is read before they are dropped."""

VAGUE_WORDS = """
    bid bids common contain contains hits lead leading leads led low raise raised small suit suits table tables trick
    tricks trump trumps
"""
VAGUE = frozenset(VAGUE_WORDS.split())
"""Words that many texts have, and that say nothing beside phrases. Alone they are looked for in texts."""
