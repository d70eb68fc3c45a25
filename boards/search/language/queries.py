"""The condition that a text means, and the parts of a text: the query parameter q."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from boards.search.conditions import EVERY_BOARD, AllOf, AnyOf, Condition, Not, OneOf, Words, either, every
from boards.search.language.parsing import Code, Node, Parser, QueryError, Term, Tree, shorten, suggest
from boards.search.language.values import Given, one_of
from boards.search.language.words import BOARD_WORDS, HAND_WORDS, HOLDERS, SIDE_WORDS, STATES, Holder, Word
from boards.search.words import fold_words
from themes.labels import LabelCache, get_label_cache, get_revision

MAX_VALUES = 1_000
"""The values that are compared in all, those of each hand that may be meant counted: what a search costs at most."""


def condition_of(text: str, labels: LabelCache, account_id: str | None) -> Condition:
    """Return what the text asks. Raise QueryError, which says at which word it is wrong.

    A name that these labels do not have is looked up in those that the database has now.
    """
    try:
        return parse_query(text, labels, account_id)
    except QueryError as error:
        if error.code != "unknown_name":
            raise
    return parse_query(text, get_label_cache(get_revision()), account_id)


@lru_cache(maxsize=16)  # a request asks for it three times: to refuse it, to search, and to compare labels
def parse_query(text: str, labels: LabelCache, account_id: str | None) -> Condition:
    """Return the condition that a text means. Raise QueryError when it is no query.

    Who may see a draft or a hidden board is not decided here: join the condition with one that says so.
    """
    tree = Parser(text).parse()
    condition = EVERY_BOARD if tree is None else Reading(labels, account_id).read(tree)
    if count_values(condition) > MAX_VALUES:
        message = f"This asks for too much at once: for more than {MAX_VALUES:,} cards, shapes and other values."
        raise QueryError("too_many_conditions", message, 0, "")
    return condition


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
    rest: str


def split_query(text: str) -> list[Chip]:
    """Return the conditions that a query joins by spaces. Alternatives are one chip. Raise QueryError for no query.

    Words are not looked up: a text that condition_of refuses may have chips.
    """
    tree = Parser(text).parse()
    if tree is None:
        return []
    parts = tree.parts if isinstance(tree, Node) and tree.kind == "and" else (tree,)
    texts = [text[part.start : part.end] for part in parts]
    return [Chip(each, " ".join(texts[:index] + texts[index + 1 :])) for index, each in enumerate(texts)]


BOARD = Holder("", ((EVERY_BOARD, ""),), BOARD_WORDS, "")
"""What a condition is on that stands in no hand and no side."""


class Reading:
    """Reads trees with the names that the database knows, and the caller's id, None for a stranger.

    A condition stands within a holder. `prefix` is what the names of its facts begin with.
    """

    def __init__(self, labels: LabelCache, account_id: str | None) -> None:
        self.labels = labels
        self.account_id = account_id

    def read(self, tree: Tree, holder: Holder = BOARD, prefix: str = "") -> Condition:
        match tree:
            case Node(kind="or", parts=parts):
                return either(self.read(part, holder, prefix) for part in parts)
            case Node(kind="and", parts=parts):
                return every(self.read(part, holder, prefix) for part in parts)
            case Node(kind="not", parts=(part,)):
                return Not(self.read(part, holder, prefix))
            case Node(name="", parts=(part,)):
                return self.read(part, holder, prefix)
            case Node():
                return self.read_group(tree, holder)
            case Term(operator=""):
                return read_words(tree, holder)
            case Term():
                return either(self.read_values(tree, holder, prefix))

    def read_group(self, group: Node, outer: Holder) -> Condition:
        holder = HOLDERS.get(group.name.lower())
        if holder is None:
            raise unknown_holder(group)
        if outer is not BOARD:
            message = f"{holder.name} cannot stand within {outer.name}(…): write one after the other."
            raise QueryError("wrong_place", message, group.start, group.name)
        (part,) = group.parts
        return either(every([case, self.read(part, holder, prefix)]) for case, prefix in holder.cases)

    def read_values(self, term: Term, holder: Holder, prefix: str) -> Iterator[Condition]:
        word = holder.words.get(term.name.lower())
        if word is None:
            raise unknown_word(term, holder)
        check_operator(term, word)
        for value in term.values:
            place = (word.name, word.example, term.operator, value.text, value.position, prefix)
            yield word.condition(word.reader.read(Given(*place, self.labels, self.account_id)), prefix)


def check_operator(term: Term, word: Word) -> None:
    position = term.start + len(term.name)
    if term.operator not in word.reader.operators:
        message = f"{word.name} takes {one_of(word.reader.operators)}: {word.example}."
        raise QueryError("wrong_operator", message, position, term.operator)
    if term.operator in ("<", "<=", ">", ">=") and len(term.values) > 1:
        message = f"{term.operator} compares with one value: {word.example}."
        raise QueryError("wrong_operator", message, position, term.operator)


WRITTEN = {
    **{name: holder.example for name, holder in HOLDERS.items()},
    **{name: f"ns({word.example})" for name, word in SIDE_WORDS.items()},
    **{name: f"south({word.example})" for name, word in HAND_WORDS.items()},
    **{name: word.example for name, word in BOARD_WORDS.items()},
}
"""An example of each word where it may stand."""


def unknown_holder(group: Node) -> QueryError:
    """Return what is wrong with a name before brackets."""
    name = group.name.lower()
    if name not in WRITTEN:
        hint = suggest(name, HOLDERS, f"Write one of {one_of(HOLDERS)}.")
        return QueryError("unknown_word", f"{shorten(group.name)} is no seat. {hint}", group.start, group.name)
    where = "stands within a seat" if name in HAND_WORDS else "stands within a side"
    message = f"{name} {'has no brackets' if name in BOARD_WORDS else where}: {WRITTEN[name]}."
    return QueryError("syntax", message, group.start, group.name)


def unknown_word(term: Term, holder: Holder) -> QueryError:
    """Return what is wrong with a name before an operator that does not stand for anything in this holder."""
    name, text = term.name.lower(), shorten(term.text)
    code: Code
    if name in HOLDERS:
        code, message = "syntax", f"Say what of {name}: {HOLDERS[name].example}."
    elif name in HAND_WORDS or name in SIDE_WORDS:
        code = "no_seat" if holder is BOARD else "wrong_place"
        message = f"Say of which seat: south({text})." if name in HAND_WORDS else f"Say of which side: ns({text})."
    elif name in BOARD_WORDS:
        code, message = "wrong_place", f"{name} is of the board: write it outside of these brackets."
    elif name in ELSEWHERE:
        code, message = "unknown_word", ELSEWHERE[name]
    else:
        hint = suggest(name, holder.words, f"Write one of {one_of(holder.words)}.")
        code, message = "unknown_word", f"{shorten(term.name)} is no word. {hint}"
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


def read_words(term: Term, holder: Holder) -> Words:
    """Return the condition that one of the board's texts has what stands alone: a word, or words in quotes."""
    quoted = term.values[0].text if term.values else None
    if quoted is None and any(term.name.lower() in words for words in (WRITTEN, JOINING, STATES)):
        raise no_condition(term)
    if holder is not BOARD:
        examples = " or ".join(word.example for word in [*holder.words.values()][3:5])
        message = f"{shorten(term.text)} says nothing of {holder.name}(…). Write a condition such as {examples}."
        raise QueryError("wrong_place", message, term.start, term.text)
    if quoted is None and (meant := meant_by(term.name)):
        raise QueryError("unknown_word", f"{shorten(term.text)} is no condition. {meant}", term.start, term.text)
    words = fold_words(term.name if quoted is None else quoted)
    if not words:
        message = f"{shorten(term.text)} has no letter and no digit. Write one such as {EXAMPLES}."
        raise QueryError("bad_value", message, term.start, term.text)
    return Words(" ".join(words))


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
    if name in BOARD_WORDS or name in HAND_WORDS or name in SIDE_WORDS:
        message = f"{name} needs a value: {WRITTEN[name]}."
    elif name in HOLDERS:
        message = f"Say what of {name}: {WRITTEN[name]}."
    elif name in JOINING:
        message = f"{shown} is no condition. {JOINING[name]}"
    else:
        message = f"{shown} is no condition. Did you mean is:{name}?"
    return QueryError("unknown_word", message, term.start, term.text)
