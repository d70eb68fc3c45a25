"""Text to tree, or what is wrong with a query: a code, a sentence, and the word at which it stands.

    query      = sequence ("OR" sequence)*
    sequence   = part+
    part       = ["-" | "~"] (name "(" query ")" | "(" query ")" | name operator values | word | quoted)
    values     = value ("," value)*

Each character is read once. Only brackets nest, and no deeper than MAX_DEPTH. What the words mean is not known here.
"""

import re
from collections.abc import Iterable
from typing import Literal

from config.api.errors import ValidationFailed
from config.values.words import nearest
from search.language.trees import Node, Term, Tree, Value, join

MAX_SHOWN = 40
"""The characters of a word that a message shows, and that are compared with the words that there are."""

Code = Literal[
    "too_long",  # more characters than a query may have
    "too_many_conditions",
    "too_deep",  # more brackets within one another than a query may have
    "not_closed",  # a bracket or a quotation mark
    "syntax",  # words, operators or brackets stand where they cannot
    "unknown_word",
    "no_seat",  # a condition on a hand or a side, but not on which
    "wrong_place",  # a word of the board within a hand, a word of a side within a hand, and the like
    "wrong_operator",
    "bad_value",
    "unknown_name",  # no theme, theme type or auction system has the name
    "not_signed_in",  # "me" is nobody
    "draft",  # drafts are asked for where published boards are listed
    "too_many_texts",  # may have a phrase
    "too_many_tables",  # would be compared
    "too_many_auctions",  # may have a long auction
    "too_much_work",  # facts are compared
]


class QueryError(ValidationFailed):
    """A text is not a query, or none that can be answered. `position` counts characters from 0 to where `word` begins.

    `suggestion` is a query that was probably meant and that can be answered.
    """

    def __init__(
        self, code: Code, message: str, position: int | None = None, word: str = "", suggestion: str = ""
    ) -> None:
        place = {} if position is None else {"position": position, "word": word}
        meant = {"suggestion": suggestion} if suggestion else {}
        super().__init__(meta={"fields": {"q": [{"code": code, "message": message, **place, **meant}]}})
        self.code, self.message, self.position, self.word = code, message, position, word

    def written_in(self, text: str) -> "QueryError":
        """Return the same error with the word as the reader wrote it: suits may have been read as symbols."""
        if self.position is None:
            return self
        word = text[self.position : self.position + len(self.word)]
        return QueryError(self.code, self.message, self.position, word)

    def suggesting(self, suggestion: str) -> "QueryError":
        """Return the same error with what was probably meant."""
        return QueryError(self.code, self.message, self.position, self.word, suggestion)


def shorten(word: str) -> str:
    """Return a word as a message shows it."""
    return word if len(word) <= MAX_SHOWN else f"{word[: MAX_SHOWN - 1]}…"


def suggest(word: str, known: Iterable[str], otherwise: str) -> str:
    """Return the sentence that names the nearest known word, or else another sentence."""
    match = nearest(word, known)
    return f"Did you mean {match}?" if match else otherwise


MAX_CHARACTERS = 1_000
MAX_CONDITIONS = 50
"""Each value after a comma counts as a condition, since it costs as much."""
MAX_DEPTH = 8

AFTER_SIGN = {"-": "a condition or a bracket", "~": "a word of texts, imps or swing"}

OPERATORS = {each: each for each in ("=", ">=", "<=", ">", "<", "^=", "*=")} | {":": "="}
"""The operators, and which of them each means."""
MEANT = {"=>": ">=", "=<": "<=", "==": "=", ":=": "="}
"""Operators of other languages."""

SPACES = re.compile(r"\s*")
NAME = re.compile(r'[^\s()":=<>^*!,]*')
OPERATOR = re.compile(r"!?[:=<>^*]+")
WORD = re.compile(r'[^\s()"]+')
PLAIN_VALUE = re.compile(r'[^\s()",]*')
OR = re.compile(r'OR(?=[\s()"]|$)')


EQUALS = re.compile(r"(?:\d(?:=\d)+\+?|[1-7](?:NT?|[CDHS♠♥♦♣])X{0,2}=)(?=[\s.,;!?)]|$)", re.IGNORECASE)
"""What has = and is not a condition: the shape 5=4=3=1, and 3NT= that just made."""


class Parser:
    """Reads a text from its beginning to its end. `position` is that of the next character.

    A text that was made of a reader's words may be longer than one that is written, and have more conditions.
    """

    def __init__(self, text: str, *, is_written: bool = True) -> None:
        self.text = text
        self.is_written = is_written
        self.position = 0
        self.depth = 0
        self.conditions = 0

    def parse(self) -> Tree | None:
        """Return the tree of the text, None for one without words. Raise QueryError when it is not a query."""
        if self.is_written and len(self.text) > MAX_CHARACTERS:
            message = f"A query has at most {MAX_CHARACTERS:,} characters, and this one has {len(self.text):,}."
            raise QueryError("too_long", message, MAX_CHARACTERS)
        if (place := self.text.find("\x00")) >= 0:
            raise QueryError("syntax", "A query has no NUL character. Remove it.", place, "\x00")
        tree = self.read_alternatives()
        if self.next:
            raise QueryError("syntax", "This ) was never opened.", self.position, ")")
        return tree

    @property
    def next(self) -> str:
        """Return the next character, "" at the end."""
        return self.text[self.position : self.position + 1]

    def take(self, expression: re.Pattern[str]) -> str:
        """Return what matches here, and go on behind it."""
        match = expression.match(self.text, self.position)
        if match is None:
            return ""
        self.position = match.end()
        return match[0]

    def read_alternatives(self) -> Tree | None:
        """Read up to a closing bracket or the end. Return None when there is nothing."""
        parts: list[Tree] = []
        last_or = None
        while True:
            sequence = self.read_sequence()
            here = self.position
            is_or = bool(self.take(OR))
            if sequence is not None:
                parts.append(sequence)
            elif is_or or last_or is not None:
                at = here if last_or is None else last_or
                raise QueryError("syntax", "OR belongs between two conditions.", at, "OR")
            if not is_or:
                return join("or", parts)
            last_or = here

    def read_sequence(self) -> Tree | None:
        parts: list[Tree] = []
        while not self.is_at_the_end_of_a_sequence():
            parts.append(self.read_part())
        return join("and", parts)

    def is_at_the_end_of_a_sequence(self) -> bool:
        self.take(SPACES)
        return self.next in ("", ")") or OR.match(self.text, self.position) is not None

    def read_part(self) -> Tree:
        start, sign = self.position, self.next
        if sign not in AFTER_SIGN:
            return self.read_operand()
        self.position += 1
        if self.next in ("", *AFTER_SIGN) or self.take(SPACES) or self.is_at_the_end_of_a_sequence():
            raise QueryError("syntax", f"Write {sign} directly before {AFTER_SIGN[sign]}.", start, sign)
        part = self.read_operand()
        return Node("not" if sign == "-" else "optional", (part,), start, part.end)

    def read_operand(self) -> Tree:
        start = self.position
        if self.next == '"':
            value = self.read_value()
            return Term("", "", (value,), self.text[start : self.position], start, self.position)
        name = self.take(NAME)
        if self.next == "(":
            return self.read_group(name, start)
        return self.read_term(name, start)

    def read_group(self, name: str, start: int) -> Node:
        bracket = self.position
        self.depth += 1
        if self.depth > MAX_DEPTH:
            message = f"Brackets may be nested {MAX_DEPTH} deep."
            raise QueryError("too_deep", message, bracket, "(")
        self.position += 1
        part = self.read_alternatives()
        if self.next != ")":
            raise QueryError("not_closed", "This ( is never closed.", bracket, "(")
        self.position += 1
        self.depth -= 1
        if part is None:
            message = f"Put a condition in the brackets: {shorten(name)}(…)." if name else "These brackets are empty."
            raise QueryError("syntax", message, start, name or "()")
        return Node("brackets", (part,), start, self.position, name)

    def read_term(self, name: str, start: int) -> Term:
        here = self.position
        begins = start == 0 or self.text[start - 1] == "(" or self.text[start - 1].isspace()
        written = "" if begins and EQUALS.match(self.text, start) else self.take(OPERATOR)
        if not written:
            self.position = start
            word = self.take(WORD)
            return Term(word, "", (), word, start, self.position)
        operator = self.understand(written, here)
        if not name:
            message = f"Write without spaces what {shorten(written)} compares: contract=4S, south(hcp>=15)."
            if self.text[:here].endswith(")"):
                message = "Compare within the brackets: south(hcp>=15)."
            raise QueryError("syntax", message, here, written)
        values = [self.read_value()]
        while self.next == ",":
            self.position += 1
            values.append(self.read_value())
        if self.next not in ("", ")") and not self.next.isspace():
            raise QueryError("syntax", f"This {self.next} needs a space before it.", self.position, self.next)
        return Term(name, operator, tuple(values), self.text[start : self.position], start, self.position)

    def understand(self, written: str, position: int) -> str:
        """Return the operator that is meant."""
        if written in OPERATORS:
            return OPERATORS[written]
        if written in ("!=", "<>"):
            hint = "Write = and a - before the condition: -contract=4S."
        elif written in MEANT:
            hint = f"Did you mean {MEANT[written]}?"
        else:
            hint = f"Write one of {' '.join(OPERATORS)}"
        raise QueryError("syntax", f"{shorten(written)} is not an operator. {hint}", position, written)

    def read_value(self) -> Value:
        start = self.position
        if self.next != '"':
            text = self.take(PLAIN_VALUE)
            if not text:
                raise QueryError("syntax", "A value is missing here.", start, self.next)
            self.count(start, text)
            return Value(text, start)
        end = self.text.find('"', start + 1)
        if end < 0:
            raise QueryError("not_closed", 'This " is never closed.', start, '"')
        self.position = end + 1
        self.count(start, self.text[start : end + 1])
        return Value(self.text[start + 1 : end], start + 1)

    def count(self, position: int, word: str) -> None:
        self.conditions += 1
        if self.is_written and self.conditions > MAX_CONDITIONS:
            message = f"A query has at most {MAX_CONDITIONS} conditions."
            raise QueryError("too_many_conditions", message, position, word)
