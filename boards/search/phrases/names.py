"""The names of themes, of their types and of auction systems, in all languages, as phrases."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from boards.search.phrases.patterns import Phrase, Scope, Vocabulary, rows_of
from boards.search.phrases.slots import KNOWN
from boards.search.phrases.table import PHRASES
from boards.search.phrases.words import EMPTY, tokenise
from boards.search.words import fold_words
from themes.labels import LabelCache, format_type

OF_THEME = {phrase.theme: phrase for phrase in PHRASES if phrase.theme and phrase.query}
"""The phrases that say the same as a theme."""

MIN_LETTERS = 3
PARTS_OF_NAME = re.compile(r"[/()]")


@lru_cache(maxsize=2)
def vocabulary_of(labels: LabelCache) -> Vocabulary:
    """Return all phrases that are understood with these labels. The table's go before names of the same words."""
    table = (row for phrase in PHRASES for row in rows_of(phrase))
    return Vocabulary(chain(table, named_phrases(labels)), KNOWN)


def named_phrases(labels: LabelCache) -> Iterator[tuple[list[str], Phrase]]:
    """Yield the words of each name with what they mean."""
    for theme in labels.themes.values():
        name = labels.name_of(theme)
        for words, label in names_of(theme.identifier.replace("_", " "), theme.labels.values()):
            yield words, OF_THEME.get(theme.identifier) or phrase_of_theme(name, label)
    for slug in labels.theme_types:
        for words, label in names_of(format_type(slug)):
            yield words, phrase_of_name(f"type={slug}", f"a theme of {label.lower()}", label)
    for system in labels.auction_systems.values():
        for words, label in names_of(system.identifier, system.labels.values()):
            yield words, phrase_of_name(f"system={system.identifier}", f"the system {label}", label)


def phrase_of_theme(identifier: str, name: str) -> Phrase:
    """Return the phrase of a theme, which finds boards that have its name in a text as well."""
    query = f'(theme={identifier} OR "{" ".join(fold_words(name))}")'
    return phrase_of_name(query, f"the theme {name}, or a text with this name", name)


def phrase_of_name(query: str, meaning: str, name: str) -> Phrase:
    return Phrase(Scope.BOARD, "", escape(query), escape(meaning), name)


def escape(text: str) -> str:
    """Return a text in which braces are no slots."""
    return text.replace("{", "{{").replace("}", "}}")


def names_of(identifier: str, labels: Iterable[str] = ()) -> Iterator[tuple[list[str], str]]:
    """Yield the words of a name and its labels, and of both parts of "Endplay / throw-in"."""
    parts = {part.strip(): label for label in (identifier, *labels) for part in (label, *PARTS_OF_NAME.split(label))}
    for part, label in parts.items():
        words = [token.word for token in tokenise(part)]
        # Not the 2 of 2/1, nor "Other".
        if any(word.isalpha() and len(word) >= MIN_LETTERS and word not in EMPTY for word in words):
            yield words, label
