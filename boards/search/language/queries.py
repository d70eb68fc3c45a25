"""The condition that a text means, and the parts of a text."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from boards.search.conditions import EVERY_BOARD, AllOf, AnyOf, Condition, Not, OneOf, Words, either, every
from boards.search.language.parsing import (
    Code,
    Group,
    Joined,
    Negated,
    QueryError,
    Term,
    Tree,
    Value,
    parse_tree,
    shorten,
    suggest,
)
from boards.search.language.values import Given, Names, one_of
from boards.search.language.words import (
    BOARD_WORDS,
    HAND_WORDS,
    HOLDERS,
    SIDE_WORDS,
    STATES,
    Holder,
    Word,
)
from boards.search.words import fold_words


def parse_query(text: str, names: Names) -> Condition:
    """Return the condition that a text means. Raise QueryError when it is no query.

    Who may see a draft or a hidden board is not decided here: join the condition with one that says so.
    """
    tree = parse_tree(text)
    condition = EVERY_BOARD if tree is None else Reading(names).read(tree)
    if count_values(condition) > MAX_VALUES:
        message = f"This asks for too much at once: for more than {MAX_VALUES:,} cards, shapes and other values."
        raise QueryError("too_many_conditions", message, 0, "")
    return condition


MAX_VALUES = 1_000
"""The values that are compared in all, those of each hand that may be meant counted: what a search costs at most."""


def count_values(condition: Condition) -> int:
    match condition:
        case AllOf(parts=parts) | AnyOf(parts=parts):
            return sum(map(count_values, parts))
        case Not(part=part):
            return count_values(part)
        case OneOf(values=values):
            return len(values)
        case _:
            return 1


class Chip(NamedTuple):
    """A condition that stands for itself in a query. `rest` is the query without it."""

    text: str
    start: int
    end: int
    rest: str


def split_query(text: str) -> list[Chip]:
    """Return the conditions that a query joins by spaces. Alternatives are one chip. Raise QueryError for no query.

    Words are not looked up: a text that parse_query refuses may have chips.
    """
    tree = parse_tree(text)
    if tree is None:
        return []
    parts = tree.parts if isinstance(tree, Joined) and tree.by == "and" else (tree,)
    texts = [text[part.start : part.end] for part in parts]
    return [
        Chip(texts[index], part.start, part.end, " ".join(texts[:index] + texts[index + 1 :]))
        for index, part in enumerate(parts)
    ]


@dataclass(frozen=True)
class Scope:
    """Where a condition stands: on the board, or within a holder. `prefix` is what the names of facts begin with."""

    words: Mapping[str, Word]
    prefix: str = ""
    holder: Holder | None = None


BOARD = Scope(BOARD_WORDS)


class Reading:
    """Reads trees with the names that the database knows."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def read(self, tree: Tree, scope: Scope = BOARD) -> Condition:
        match tree:
            case Joined(by="or", parts=parts):
                return either(self.read(part, scope) for part in parts)
            case Joined(parts=parts):
                return every(self.read(part, scope) for part in parts)
            case Negated(part=part):
                return Not(self.read(part, scope))
            case Group(name="", part=part):
                return self.read(part, scope)
            case Group():
                return self.read_group(tree, scope)
            case Term():
                return self.read_term(tree, scope)

    def read_group(self, group: Group, scope: Scope) -> Condition:
        holder = HOLDERS.get(group.name.lower())
        if holder is None:
            raise unknown_holder(group)
        if scope.holder is not None:
            message = f"{holder.name} cannot stand within {scope.holder.name}(…): write one after the other."
            raise QueryError("wrong_place", message, group.start, group.name)
        return either(
            every([condition, self.read(group.part, Scope(holder.words, prefix, holder))])
            for condition, prefix in holder.cases
        )

    def read_term(self, term: Term, scope: Scope) -> Condition:
        if not term.operator:
            return read_words(term, scope)
        word = scope.words.get(term.name.lower())
        if word is None:
            raise unknown_word(term, scope)
        check_operator(term, word)
        return either(self.read_values(term, word, scope.prefix))

    def read_values(self, term: Term, word: Word, prefix: str) -> Iterator[Condition]:
        for value in term.values:
            given = self.given(term, word, value)
            yield word.condition(term.operator, word.reader.read(given), prefix)

    def given(self, term: Term, word: Word, value: Value) -> Given:
        return Given(
            word=word.name,
            example=word.example,
            operator=term.operator,
            text=value.text,
            position=value.position,
            is_quoted=value.is_quoted,
            names=self.names,
        )


def check_operator(term: Term, word: Word) -> None:
    position = term.start + len(term.name)
    if term.operator not in word.reader.operators:
        message = f"{word.name} takes {one_of(word.reader.operators)}: {word.example}."
        raise QueryError("wrong_operator", message, position, term.operator)
    if term.operator in ("<", "<=", ">", ">=") and len(term.values) > 1:
        message = f"{term.operator} compares with one value: {word.example}."
        raise QueryError("wrong_operator", message, position, term.operator)


def unknown_holder(group: Group) -> QueryError:
    """Return what is wrong with a name before brackets."""
    name = group.name.lower()
    code: Code = "unknown_word"
    if name in HAND_WORDS:
        code, message = "syntax", f"{name} stands within a seat: south({HAND_WORDS[name].example})."
    elif name in SIDE_WORDS:
        code, message = "syntax", f"{name} stands within a side: ns({SIDE_WORDS[name].example})."
    elif name in BOARD_WORDS:
        code, message = "syntax", f"{name} has no brackets: {BOARD_WORDS[name].example}."
    else:
        hint = suggest(name, HOLDERS, f"Write one of {one_of(HOLDERS)}.")
        message = f"{shorten(group.name)} is no seat. {hint}"
    return QueryError(code, message, group.start, group.name)


def unknown_word(term: Term, scope: Scope) -> QueryError:
    """Return what is wrong with a name before an operator that does not stand for anything in this scope."""
    name, text = term.name.lower(), shorten(term.text)
    code: Code = "wrong_place"
    if name in HOLDERS:
        code, message = "syntax", f"Say what of {name}: {HOLDERS[name].example}."
    elif name in HAND_WORDS:
        code = "no_seat" if scope.holder is None else code
        message = f"Say of which seat: south({text})."
    elif name in SIDE_WORDS:
        code = "no_seat" if scope.holder is None else code
        message = f"Say of which side: ns({text})."
    elif name in BOARD_WORDS:
        message = f"{name} is of the board: write it outside of these brackets."
    elif name in ELSEWHERE:
        code, message = "unknown_word", ELSEWHERE[name]
    else:
        code, hint = "unknown_word", suggest(name, scope.words, f"Write one of {one_of(scope.words)}.")
        message = f"{shorten(term.name)} is no word. {hint}"
    return QueryError(code, message, term.start, term.name)


ELSEWHERE = {
    **dict.fromkeys(("sort", "order"), "The order is no condition: choose it beside the search (sort=top)."),
    **dict.fromkeys(
        ("commentary", "title", "text", "explanation"),
        'Words of texts stand alone: finesse, or "safety play".',
    ),
}
"""Words of other languages, and how this one says it."""

EXAMPLES = "contract=4S, south(hcp>=15) or theme=stayman"
JOINING = {
    "and": "A space is and: leave this word out.",
    "or": "Did you mean OR?",
    "not": "Write - directly before what is not to be.",
}


SYMBOLS = str.maketrans("♠♥♦♣", "SHDC")
BID = re.compile(r"[1-7](?:[CDHS]|NT?)X{0,2}")
CALL = re.compile(r"PASS|P|XX?|[1-7](?:[CDHS]|NT?)")
FIGURES = re.compile(r"[-–+.=0-9]+")
"""What stands alone and is hardly looked for in texts: a contract, an auction, numbers."""


def read_words(term: Term, scope: Scope) -> Words:
    """Return the condition that one of the board's texts has what stands alone: a word, or words in quotes."""
    quoted = term.values[0].text if term.values else None
    if quoted is None and is_of_language(term.name):
        raise no_condition(term)
    if scope.holder is not None:
        examples = " or ".join(word.example for word in [*scope.words.values()][3:5])
        message = f"{shorten(term.text)} says nothing of {scope.holder.name}(…). Write a condition such as {examples}."
        raise QueryError("wrong_place", message, term.start, term.text)
    if quoted is None and (meant := meant_by(term.name)):
        raise QueryError("unknown_word", f"{shorten(term.text)} is no condition. {meant}", term.start, term.text)
    words = fold_words(term.name if quoted is None else quoted)
    if not words:
        message = f"{shorten(term.text)} has no letter and no digit. Write one such as {EXAMPLES}."
        raise QueryError("bad_value", message, term.start, term.text)
    return Words(" ".join(words))


def is_of_language(name: str) -> bool:
    """Tell whether a word means something in the language, so that it is hardly looked for in texts."""
    known = (BOARD_WORDS, HAND_WORDS, SIDE_WORDS, HOLDERS, JOINING, STATES)
    return any(name.lower() in words for words in known)


def meant_by(name: str) -> str:
    """Return what was probably meant by a contract, an auction or a number that stands alone, "" for other words."""
    text = name.translate(SYMBOLS).upper()
    if BID.fullmatch(text):
        return f"Did you mean contract={text}?"
    if "-" in text and all(map(CALL.fullmatch, text.split("-"))):
        return f"Did you mean auction^={shorten(text)}?"
    if FIGURES.fullmatch(text) and any(map(str.isdigit, text)):
        return "Write of what: result=-2, level=3, south(hcp>=15). In quotes it is looked for in texts."
    return ""


def no_condition(term: Term) -> QueryError:
    """Return what is wrong with a word of the language that stands alone."""
    shown, name = shorten(term.text), term.name.lower()
    word = BOARD_WORDS.get(name) or HAND_WORDS.get(name) or SIDE_WORDS.get(name)
    if word:
        example = word.example if name in BOARD_WORDS else f"{'south' if name in HAND_WORDS else 'ns'}({word.example})"
        message = f"{name} needs a value: {example}."
    elif name in HOLDERS:
        message = f"Say what of {name}: {HOLDERS[name].example}."
    elif name in JOINING:
        message = f"{shown} is no condition. {JOINING[name]}"
    else:
        message = f"{shown} is no condition. Did you mean is:{name}?"
    return QueryError("unknown_word", message, term.start, term.text)
