"""The condition that the tree of a text means, or at which word it is wrong."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from search.conditions import EVERY_BOARD, Compared, Condition, Not, Words, either, every
from search.language.parsing import Code, QueryError, shorten, suggest
from search.language.trees import Node, Term, Tree
from search.language.values import Given, one_of
from search.language.words import BOARD_WORDS, HAND_WORDS, HOLDERS, SIDE_WORDS, Holder, Word
from search.words import fold_words
from themes.labels import LabelCache


@lru_cache(maxsize=512)  # a word that comes again and again makes the same condition
def can_answer(tree: Tree, labels: LabelCache) -> bool:
    """Tell whether a tree that was made of words can be answered with these labels, for a stranger."""
    try:
        Reading(labels, None).read(tree)
    except QueryError:
        return False
    return True


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
            case Node(kind="optional", parts=(Term(operator="") as term,)):
                return replace(read_words(term, holder), is_optional=True)
            case Node(kind="optional", parts=(part,)):
                condition = self.read(part, holder, prefix)
                if not isinstance(condition, Compared):
                    message = "Write ~ directly before a word of texts, imps or swing."
                    raise QueryError("syntax", message, tree.start, "~")
                return replace(condition, is_of_newest=True)
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
        return QueryError("unknown_word", f"{shorten(group.name)} is not a seat. {hint}", group.start, group.name)
    where = "belongs in the brackets of a hand" if name in HAND_WORDS else "belongs in the brackets of a side"
    message = f"{name} {'has no brackets' if name in BOARD_WORDS else where}: {WRITTEN[name]}."
    return QueryError("syntax", message, group.start, group.name)


def unknown_word(term: Term, holder: Holder) -> QueryError:
    """Return what is wrong with a name before an operator that does not stand for anything in this holder."""
    name, text = term.name.lower(), shorten(term.text)
    code: Code
    if name in HOLDERS:
        code, message = "syntax", f"Put a condition in the brackets: {HOLDERS[name].example}."
    elif name in HAND_WORDS or name in SIDE_WORDS:
        code = "no_seat" if holder is BOARD else "wrong_place"
        message = f"Name the hand: south({text})." if name in HAND_WORDS else f"Name the side: ns({text})."
    elif name in BOARD_WORDS:
        code, message = "wrong_place", f"{name} is about the board: write it outside these brackets."
    elif name in ELSEWHERE:
        code, message = "unknown_word", ELSEWHERE[name]
    else:
        hint = suggest(name, holder.words, f"Write one of {one_of(holder.words)}.")
        code, message = "unknown_word", f"Unknown search word: {shorten(term.name)}. {hint}"
    return QueryError(code, message, term.start, term.name)


ELSEWHERE = {
    **dict.fromkeys(("sort", "order"), "Sorting is not part of the search. Use sort=top."),
    **dict.fromkeys(
        ("commentary", "title", "text", "explanation"),
        'Words of texts stand alone: finesse, or "safety play".',
    ),
}
"""Words of other languages, and how this one says it."""

EXAMPLES = "contract=4S, south(hcp>=15) or theme=stayman"


def read_words(term: Term, holder: Holder) -> Words:
    """Return the condition that one of the board's texts has these words, one after the other."""
    if holder is not BOARD:
        examples = " or ".join(word.example for word in [*holder.words.values()][3:5])
        message = f"{shorten(term.text)} says nothing of {holder.name}(…). Write a condition such as {examples}."
        raise QueryError("wrong_place", message, term.start, term.text)
    words = fold_words(term.values[0].text if term.values else term.name)
    if not words:
        message = f"{shorten(term.text)} has neither a letter nor a digit. Write one such as {EXAMPLES}."
        raise QueryError("bad_value", message, term.start, term.text)
    return Words(" ".join(words))
