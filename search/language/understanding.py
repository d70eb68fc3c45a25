"""Players' words within a query are read as phrases before the language reads the rest (search.phrases)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import NamedTuple

from search.language.explaining import explain
from search.language.meaning import can_answer
from search.language.parsing import OR, Parser
from search.language.trees import Node, Term, Tree, join, negate, write
from search.language.words import HOLDERS
from search.phrases.parts import OF_A_HAND, Part, all_of, join_parts
from search.phrases.reading import WordReader
from search.words import fold_words
from themes.labels import LabelCache

SUIT = re.compile(r"!([shdc])\b", re.IGNORECASE)
"""The suits as players write them in a chat: 4!s."""
SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
PUNCTUATION = re.compile(r"(?<!\S)([\w'♠♥♦♣-]+)[!:](?=\s|$)")
"""A word with what ends it and is not an operator."""
OPERATORS = re.compile(r'[=<>^*()"]')
ALONE = re.compile(r"(?<!\S)(?:[-~:!]+(?!\S)|-+(?=-)|-(?=[^\w\s]+(?!\S)))")
"""A dash between words, or before a sign. Beside operators it is a - that stands wrong, and is refused."""


NO_BOARD = Node("or", (), 0, 0)
"""Any of no conditions: what signs alone mean. A text without any sign asks nothing, and finds every board."""


class Understood(NamedTuple):
    """What a text means: its tree with conditions in place of words, and its parts in their order.

    `in_texts` is the query that looks for all of it in texts instead, "" where that is not another meaning.
    """

    tree: Tree | None
    parts: tuple[Part, ...]
    in_texts: str = ""

    @property
    def query(self) -> str:
        """Return the text of the search language that means the same."""
        return write(self.tree) if self.tree and not self.is_wordless else ""

    @property
    def is_wordless(self) -> bool:
        """Tell whether it is signs alone, which find no board."""
        return self.tree is NO_BOARD


def understand(text: str, labels: LabelCache, today: date) -> Understood:
    """Return what a text means. Raise QueryError for broken brackets, quotation marks and operators.

    Names before operators are not looked up: a text that SearchText.condition refuses may have parts.
    """
    plain = PUNCTUATION.sub(r"\1 ", SUIT.sub(lambda match: f" {SYMBOLS[match[1].lower()]}", text))
    if not OPERATORS.search(plain):
        plain = ALONE.sub(lambda match: " " * len(match[0]), plain)
    tree = Parser(plain).parse()
    pieces = [*Rewriting(plain, labels, today).pieces_of(tree)] if tree else []
    parts = tuple(part for piece in pieces for part in piece.parts)
    is_phrase = any(part.match for part in parts) and all(part.match or part.is_leftover for part in parts)
    in_texts = f'"{" ".join(plain.split())}"' if is_phrase else ""
    understood = join("and", (piece.tree for piece in pieces if piece.tree))
    if understood is None and text.strip() and not fold_words(OR.sub("", plain)):
        return Understood(NO_BOARD, (Part(0, len(text), None, "signs without a word, which find no board"),))
    return Understood(understood, parts, in_texts)


class Piece(NamedTuple):
    """A part of a tree with conditions in place of words, None where the words say nothing."""

    tree: Tree | None
    parts: Sequence[Part] = ()


class Rewriting:
    """Reads the words of a text's tree as phrases. What has an operator or quotation marks stays as it is."""

    def __init__(self, text: str, labels: LabelCache, today: date) -> None:
        self.text = text
        self.labels = labels
        self.today = today

    def can_answer(self, tree: Tree) -> bool:
        return can_answer(tree, self.labels)

    def rewrite(self, tree: Tree, *, in_hand: bool = False) -> Tree | None:
        return join("and", (piece.tree for piece in self.pieces_of(tree, in_hand=in_hand) if piece.tree))

    def pieces_of(self, tree: Tree, *, in_hand: bool = False) -> Iterator[Piece]:
        """Yield what is joined by and: words that follow each other are one piece."""
        parts = tree.parts if isinstance(tree, Node) and tree.kind == "and" else (tree,)
        for are_words, group in groupby(parts, is_words):
            if are_words:
                yield self.read_words([*group], in_hand=in_hand)
                continue
            for part in group:
                condition = self.rewrite_part(part, in_hand=in_hand)
                meaning = explain(condition) if condition else ""
                yield Piece(condition, [Part(part.start, part.end, condition, meaning)])

    def read_words(self, words: Sequence[Tree], *, in_hand: bool) -> Piece:
        """Return the piece of words. In the brackets of a hand, others than those about a hand stay as they are."""
        parts = WordReader(self.text, self.labels, self.today, self.can_answer).read(words[0].start, words[-1].end)
        if not in_hand:
            return Piece(self.join(parts), parts)
        if all(part.scope in OF_A_HAND and not part.holder for part in parts):
            return Piece(all_of(parts), parts)
        return Piece(join("and", words))

    def join(self, parts: Sequence[Part]) -> Tree | None:
        """Return the condition of all parts; of each by itself where together they cannot be asked of one hand.

        "NS good suit 13 losers" is a good suit of one hand and the losers of both.
        """
        condition = join_parts(parts)
        if condition is None or self.can_answer(condition):
            return condition
        each = (join_parts([part]) for part in parts)
        return join("and", (tree for tree in each if tree and self.can_answer(tree)))

    def rewrite_part(self, part: Tree, *, in_hand: bool) -> Tree | None:
        match part:
            case Node(kind="or", parts=parts):
                return join("or", filter(None, (self.rewrite(each, in_hand=in_hand) for each in parts)))
            case Node(kind="not", parts=(inner,)):
                condition = self.rewrite(inner, in_hand=in_hand)
                return negate(condition) if condition else part
            case Node(kind="brackets", name=name, parts=(inner,)):
                condition = self.rewrite(inner, in_hand=in_hand or name.lower() in HOLDERS)
                if condition:
                    return replace(part, parts=(condition,))
                return part if name else None
        return part


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
