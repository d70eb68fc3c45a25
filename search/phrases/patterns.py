"""Phrases, the patterns that they are written with, and the longest one that begins at a word.

A pattern is words in the singular: "void in {suit}; {suit} void". ; separates patterns, (a|b) is either, [a] may be
missing, {suit} is a slot. The words of all patterns stand in a tree, so that a text is read in one way from left to
right, whatever there is to find.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from itertools import product
from typing import NamedTuple

from config.values.words import is_slip
from search.language.parsing import Parser, QueryError
from search.language.trees import Tree
from search.phrases.slots.days import Today
from search.phrases.slots.reading import Slot, Value, Words

MAX_SKIPPED = 2
"""How many words that say nothing may stand between two words of a phrase."""

PLURAL = re.compile(r"(?<=..)ies$|s$")

MIN_LENGTH = 5
"""The letters of a word that may have a slip."""

Values = Mapping[str, Value]


class Scope(Enum):
    """What a phrase is about."""

    HAND = "hand"
    SIDE = "side"
    BOARD = "board"
    HOLDER = "holder"  # whose hand it is


@dataclass(frozen=True, eq=False)
class Phrase:
    """What players say, declared once.

    `rows` has its words and slots in each way of writing it, `query` is a text of the search language and `meaning` the
    same in words, both with slots. Boards with the theme of this identifier are meant, too. `example` is what a reader
    may type. "with" behind the phrase is about the hand of its `subject`.
    """

    id: str
    scope: Scope
    rows: tuple[tuple[str, ...], ...]
    query: str
    meaning: str
    example: str
    theme: str = ""
    subject: str = ""

    def write(self, values: Values, today: date) -> str:
        dated = {name: value.on(today) for name, value in values.items()}
        return self.query.format(**dated, today=Today(today))

    def read(self, values: Values, today: date) -> Tree | None:
        """Return the condition, None where these values make none: 31 February."""
        try:
            return Parser(self.write(values, today), is_written=False).parse()
        except QueryError:
            return None

    def explain(self, values: Values) -> str:
        return self.meaning.format(**{name: value.words for name, value in values.items()})


class UnreadablePattern(ValueError):
    """A pattern has a bracket too many, or one too few."""


PARTS = re.compile(r"[()\[\]|]|[^\s()\[\]|]+")


def expand(pattern: str) -> list[list[str]]:
    """Return the rows of words and slots that a pattern stands for."""
    rows, rest = read_alternatives(PARTS.findall(pattern))
    if rest or not all(rows):
        raise UnreadablePattern(f"The pattern “{pattern.strip()}” has a bracket too many, or says nothing.")
    return rows


def read_alternatives(parts: Sequence[str]) -> tuple[list[list[str]], Sequence[str]]:
    """Return the rows up to the closing bracket or the end, and what follows."""
    found: list[list[str]] = []
    rows: list[list[str]] = [[]]
    while parts and parts[0] not in ")]":
        first, *parts = parts
        if first == "|":
            found, rows = [*found, *rows], [[]]
            continue
        choices = [[first]]
        if first in "([":
            choices, parts = read_alternatives(parts)
            if not parts:
                raise UnreadablePattern(f"A {first} is never closed.")
            choices, parts = [*choices, *([[]] if first == "[" else [])], parts[1:]
        rows = [[*row, *choice] for row, choice in product(rows, choices)]
    return [*found, *rows], parts


@dataclass
class Node:
    """What may follow some words: a word, a slot, or nothing more of a phrase."""

    words: "dict[str, Node]" = field(default_factory=dict)
    slots: "dict[str, Node]" = field(default_factory=dict)
    phrase: Phrase | None = None


class Match(NamedTuple):
    """A phrase that was read from one token to before another."""

    phrase: Phrase
    values: Values
    start: int
    end: int


class Vocabulary:
    """Phrases by their words, and the words themselves, each also by what is left without one of its letters."""

    def __init__(
        self,
        phrases: Iterable[Phrase],
        slots: Mapping[str, Slot],
        known: Collection[str] = (),
        empty: Collection[str] = (),
        skipped: Collection[str] = (),
    ) -> None:
        self.root = Node()
        self.slots, self.known, self.empty, self.skipped = slots, set(known), empty, skipped
        for phrase in phrases:
            for row in phrase.rows:
                self.add(row, phrase)
        self.shortened: dict[str, set[str]] = defaultdict(set)
        for word in self.known:
            if len(word) >= MIN_LENGTH - 1:
                for short in without_a_letter(word):
                    self.shortened[short].add(word)

    def add(self, row: Sequence[str], phrase: Phrase) -> None:
        node = self.root
        for part in row:
            if part.startswith("{"):
                node = node.slots.setdefault(part[1:-1], Node())
            else:
                self.known.add(part)
                node = node.words.setdefault(part, Node())
        node.phrase = node.phrase or phrase

    def forms(self, word: str) -> tuple[str, ...]:
        """Return how a word may be read: as it stands, without the s of a plural, without a slip."""
        single = PLURAL.sub(lambda ending: "y" * (ending[0] == "ies"), word) if word.isalpha() else word
        if word in self.known or single in self.known:
            return (word, single) if single in self.known and single != word else (word,)
        if len(word) < MIN_LENGTH or word in self.empty or not word.isalpha():
            return (word,)
        return (word, *sorted(self.near(word) | {near.removesuffix("s") for near in self.near(single)}))

    def near(self, word: str) -> set[str]:
        """Return the known words that this one is with a slip of one letter, or of two exchanged."""
        candidates = {each for short in without_a_letter(word) for each in self.shortened.get(short, ())}
        return {each for each in candidates if abs(len(each) - len(word)) < 2 and is_slip(word, each)}

    def matcher(self, tokens: Iterable[str]) -> "Matcher":
        return Matcher(self, [self.forms(token) for token in tokens])


class Matcher:
    """Finds phrases among the words of a text. Each slot is read once at each of them."""

    def __init__(self, vocabulary: Vocabulary, words: Words) -> None:
        self.vocabulary = vocabulary
        self.words = words
        self.values: dict[tuple[str, int], list[tuple[int, Value]]] = {}

    def longest(self, start: int) -> Match | None:
        """Return the phrase that takes the most of the words that begin at a token."""
        return max(self.matches(self.vocabulary.root, start, start, {}), key=lambda match: match.end, default=None)

    def matches(self, node: Node, start: int, at: int, values: Values) -> Iterator[Match]:
        """Yield the phrases that go on from a node at a token."""
        if node.phrase:
            yield Match(node.phrase, values, start, at)
        last = min(at + MAX_SKIPPED, len(self.words) - 1)
        while at <= last:
            for form in self.words[at]:
                if following := node.words.get(form):
                    yield from self.matches(following, start, at + 1, values)
            for name, following in node.slots.items():
                for end, value in self.slot(name.rstrip("2"), at):
                    yield from self.matches(following, start, end, {**values, name: value})
            if at == start or self.words[at][0] not in self.vocabulary.skipped:
                return
            at += 1

    def slot(self, name: str, at: int) -> list[tuple[int, Value]]:
        """Return how a slot may be read at a token, each reading once."""
        if (name, at) not in self.values:
            self.values[name, at] = list(dict.fromkeys(self.vocabulary.slots[name].read(self.words, at)))
        return self.values[name, at]


def without_a_letter(word: str) -> set[str]:
    """Return the word, and what is left of it without each of its letters."""
    return {word, *(word[:place] + word[place + 1 :] for place in range(len(word)))}
