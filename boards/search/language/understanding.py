"""Players' words within a query are read as phrases before the language reads the rest (boards.search.phrases)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from boards.search.language.explaining import explain
from boards.search.language.meaning import is_query
from boards.search.language.parsing import Node, Parser, Term, Tree, join
from boards.search.language.words import HOLDERS
from boards.search.phrases.parts import OF_A_HAND, Part, write_query
from boards.search.phrases.reading import WordReader
from themes.labels import LabelCache

SUIT = re.compile(r"!([shdc])\b", re.IGNORECASE)
"""The suits as players write them in a chat: 4!s."""
SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
PUNCTUATION = re.compile(r"(?<!\S)([\w'♠♥♦♣-]+)[!:](?=\s|$)")
"""A word with what ends it and is no operator."""
EQUALS = re.compile(r"(?<!\S)(\d(?:=\d)+\+?|[1-7](?:NT?|[CDHS♠♥♦♣])X{0,2}=)(?=[\s.,;!?]|$)", re.IGNORECASE)
"""What has = and is no condition: the shape 5=4=3=1, and 3NT= that just made. A wide one stands for theirs."""
OPERATORS = re.compile(r'[=<>^*()"]')
ALONE = re.compile(r"(?<!\S)(?:[-~:!]+(?!\S)|-+(?=-)|-(?=[^\w\s]+(?!\S)))")
"""A dash between words, or before a sign. Beside operators it is a - that stands wrong, and is refused."""


class Understood(NamedTuple):
    """What a text means: its tree with conditions in place of words, the same as a query, and its parts in their order.

    `in_texts` is the query that looks for all of it in texts instead, "" where that is no other meaning.
    """

    tree: Tree | None
    query: str
    parts: tuple[Part, ...]
    in_texts: str


@lru_cache(maxsize=16)  # a request asks for it several times: to refuse it, to search, to say what was understood
def understand(text: str, labels: LabelCache, today: date) -> Understood:
    """Return what a text means. Raise QueryError for broken brackets, quotation marks and operators.

    Names before operators are not looked up: a text that condition_of refuses may have parts.
    """
    plain = PUNCTUATION.sub(r"\1 ", SUIT.sub(lambda match: f" {SYMBOLS[match[1].lower()]}", text))
    plain = EQUALS.sub(lambda match: match[1].replace("=", "\uff1d"), plain)
    if not OPERATORS.search(plain):
        plain = ALONE.sub(lambda match: " " * len(match[0]), plain)
    tree = Parser(plain).parse()
    pieces = [*Rewriting(plain, labels, today).pieces_of(tree)] if tree else []
    parts = tuple(part for piece in pieces for part in piece.parts)
    is_phrase = any(part.match for part in parts) and all(part.match or part.is_leftover for part in parts)
    in_texts = f'"{" ".join(plain.split())}"' if is_phrase else ""
    rewritten = join_pieces("and", pieces)
    return Understood(rewritten.tree, rewritten.text, parts, in_texts)


class Piece(NamedTuple):
    """A part of a tree with conditions in place of words, and its text: None and "" where the words say nothing."""

    tree: Tree | None
    text: str
    parts: Sequence[Part] = ()


NOTHING = Piece(None, "")


def join_pieces(by: Literal["and", "or"], pieces: Iterable[Piece]) -> Piece:
    """Return pieces as one. Those that say nothing are left out."""
    known = [piece for piece in pieces if piece.tree]
    tree = join(by, [piece.tree for piece in known if piece.tree])
    return Piece(tree, (" OR " if by == "or" else " ").join(piece.text for piece in known))


class Rewriting:
    """Reads the words of a text's tree as phrases. What has an operator or quotation marks stays as it is."""

    def __init__(self, text: str, labels: LabelCache, today: date) -> None:
        self.text = text
        self.labels = labels
        self.today = today

    def can_answer(self, query: str) -> bool:
        return is_query(query, self.labels)

    def rewrite(self, tree: Tree, *, in_hand: bool = False) -> Piece:
        return join_pieces("and", self.pieces_of(tree, in_hand=in_hand))

    def pieces_of(self, tree: Tree, *, in_hand: bool = False) -> Iterator[Piece]:
        """Yield what is joined by and: words that follow each other are one piece."""
        parts = tree.parts if isinstance(tree, Node) and tree.kind == "and" else (tree,)
        for are_words, group in groupby(parts, is_words):
            if are_words:
                words = [*group]
                yield self.read_words(words, in_hand=in_hand)
                continue
            for part in group:
                piece = self.rewrite_part(part, in_hand=in_hand)
                meaning = explain(piece.tree) if piece.tree else ""
                yield piece._replace(parts=[Part(part.start, part.end, piece.text, meaning)])

    def read_words(self, words: Sequence[Tree], *, in_hand: bool) -> Piece:
        """Return the piece of words. In the brackets of a hand, others than those about a hand stay as they are."""
        start, end = words[0].start, words[-1].end
        parts = WordReader(self.text, self.labels, self.today, self.can_answer).read(start, end)
        if in_hand:
            if not all(part.scope in OF_A_HAND and not part.holder for part in parts):
                return Piece(join("and", [*words]), self.text[start:end])
            query = " ".join(part.query for part in parts)
        else:
            query = write_query(parts)
        return Piece(Parser(query, is_written=False).parse(), query, parts)

    def rewrite_part(self, part: Tree, *, in_hand: bool) -> Piece:
        as_it_is = Piece(part, self.text[part.start : part.end])
        match part:
            case Node(kind="or", parts=parts):
                return join_pieces("or", [self.rewrite(each, in_hand=in_hand) for each in parts])
            case Node(kind="not", parts=(inner,)):
                piece = self.rewrite(inner, in_hand=in_hand)
                is_one = isinstance(piece.tree, Term) or (piece.tree and piece.tree.kind == "brackets")
                text = f"-{piece.text}" if is_one else f"-({piece.text})"
                return Piece(replace(part, parts=(piece.tree,)), text) if piece.tree else as_it_is
            case Node(kind="brackets", name=name, parts=(inner,)):
                piece = self.rewrite(inner, in_hand=in_hand or name.lower() in HOLDERS)
                if piece.tree:
                    return Piece(replace(part, parts=(piece.tree,)), f"{name}({piece.text})")
                return as_it_is if name else NOTHING
        return as_it_is


def is_words(tree: Tree) -> bool:
    """Tell whether a part of a text is plain words, in brackets or not. "-1" is a word, of a result."""
    match tree:
        case Term():
            return not tree.operator and not tree.values
        case Node(kind="not", parts=(Term() as term,)):
            return is_words(term) and term.name.isdecimal()
        case Node(kind="brackets", name="", parts=(inner,)):
            return is_words(inner)
        case Node(kind="and", parts=parts):
            return all(map(is_words, parts))
    return False
