"""The names of themes, of their types and of auction systems, in all languages, as phrases."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

from search.phrases.patterns import Phrase, Scope, Vocabulary
from search.phrases.phrasebook import Phrasebook
from search.phrases.words import tokenise
from search.words import fold_words
from themes.labels import LabelCache, format_type

MIN_LETTERS = 3
PARTS_OF_NAME = re.compile(r"[/()]")


@lru_cache(maxsize=2)
def vocabulary_of(labels: LabelCache, book: Phrasebook) -> Vocabulary:
    """Return all phrases that are understood with these labels. The book's go before names of the same words."""
    phrases = chain(book.phrases, named_phrases(labels, book))
    return Vocabulary(phrases, book.slots, book.slot_words, book.lists["empty"], book.lists["skipped"])


def named_phrases(labels: LabelCache, book: Phrasebook) -> Iterator[Phrase]:
    """Yield a phrase for each name."""
    for theme in labels.themes.values():
        name = labels.name_of(theme)
        for row, label in names_of(book, theme.identifier.replace("_", " "), theme.labels.values()):
            # Boards that have the name in a text are meant as well.
            query = f'(theme={name} OR "{" ".join(fold_words(label))}")'
            phrase = phrase_of_name(row, query, f"the theme {label}, or a text with this name", label)
            same = book.of_themes.get(theme.identifier)
            yield replace(same, rows=(row,)) if same else phrase
    for slug in labels.theme_types:
        for row, label in names_of(book, format_type(slug)):
            yield phrase_of_name(row, f"type={slug}", f"a theme of {label.lower()}", label)
    for system in labels.auction_systems.values():
        for row, label in names_of(book, system.identifier, system.labels.values()):
            yield phrase_of_name(row, f"system={system.identifier}", f"the system {label}", label)


def phrase_of_name(row: tuple[str, ...], query: str, meaning: str, name: str) -> Phrase:
    return Phrase("", Scope.BOARD, (row,), escape(query), escape(meaning), name)


def escape(text: str) -> str:
    """Return a text in which braces are not slots."""
    return text.replace("{", "{{").replace("}", "}}")


def names_of(book: Phrasebook, identifier: str, labels: Iterable[Any] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the words of a name and its labels, and of both parts of "Endplay / throw-in"."""
    names = (identifier, *(label for label in labels if isinstance(label, str)))  # labels of SQL may be anything
    parts = {part.strip(): name for name in names for part in (name, *PARTS_OF_NAME.split(name))}
    for part, label in parts.items():
        words = tuple(token.word for token in tokenise(part, book.abbreviations))
        # Not the 2 of 2/1, nor "Other".
        if any(word.isalpha() and len(word) >= MIN_LETTERS and word not in book.lists["empty"] for word in words):
            yield words, label
