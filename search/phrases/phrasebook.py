"""The phrases and words of a language, from two files that anybody can edit: phrases.txt and synonyms.txt.

Each file says in its head how it is written. A line that is wrong stops the start, with its number.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from bridge.names import SUIT_NAMES
from search.language.parsing import Parser, QueryError
from search.phrases.patterns import Phrase, Scope, UnreadablePattern, expand
from search.phrases.slots import make_slots
from search.phrases.slots.days import Today
from search.phrases.slots.reading import Slot, Value

FOLDER = Path(__file__).parent
PHRASE = re.compile(r"(?P<id>[^\s,:]+)(?P<about>(?:, [^,:]+)*): (?P<example>\S.*)")
LIST = re.compile(r"(?P<name><[a-z-]+>|[a-z-]+)(?: (?P<value>[^\s:]+))?: (?P<words>\S.*)")
NAMED = re.compile(r"<[a-z-]+>")
SLOT = re.compile(r"\{[^}]*\}")
MAX_DEPTH = 5
"""How deep lists of words may have other lists in them."""

Words = dict[str, dict[str, tuple[str, ...]]]
"""The spellings of each value of a list: {"suit": {"spades": ("spade", …)}}. A list without values has "" alone."""


class Entry(NamedTuple):
    """A line of a file that begins at its edge, and the lines behind it that begin with blanks."""

    path: Path
    number: int
    head: str
    body: list[str]


class WrongLine(ValueError):
    """A line of a file of words that cannot be read. The message begins with the file and the line."""

    def __init__(self, entry: Entry, message: str) -> None:
        super().__init__(f"{entry.path.parent.name}/{entry.path.name}, line {entry.number}: {message}")


def read_entries(path: Path) -> Iterator[Entry]:
    """Yield what a file has, but for comments and the line that names its language."""
    entries: list[Entry] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        if entries and line[0].isspace():
            entries[-1].body.append(line.strip())
        else:
            entries.append(Entry(path, number, line.rstrip(), []))
    language, *others = entries or [Entry(path, 1, "", [])]
    if language.head != f"language: {path.parent.name}":
        raise WrongLine(language, f"Write “language: {path.parent.name}” before all else.")
    return iter(others)


def read_synonyms(path: Path) -> tuple[Words, dict[str, str]]:
    """Return the lists of words of a file, and the pattern of each <list>. Raise WrongLine."""
    words: Words = defaultdict(dict)
    named: dict[str, str] = {}
    for entry in read_entries(path):
        match = LIST.fullmatch(" ".join([entry.head, *entry.body]))
        if match is None:
            raise WrongLine(entry, "Write a list as in “suit spades: spade, pique”.")
        name, value, spellings = match["name"], match["value"] or "", match["words"].split(", ")
        if name in named or value in words.get(name, ()):
            raise WrongLine(entry, f"The list “{entry.head.partition(':')[0]}” is there already.")
        if NAMED.fullmatch(name):
            named[name] = f"({'|'.join(spellings)})"
        else:
            words[name][value] = tuple(spellings)
    return words, named


@dataclass(frozen=True, eq=False)
class Phrasebook:
    """What players say in a language: phrases, lists of words, and the pattern that each <list> stands for."""

    words: Words
    named: Mapping[str, str]
    phrases: tuple[Phrase, ...] = ()

    @cached_property
    def lists(self) -> Mapping[str, frozenset[str]]:
        """Return the words of each list that has no values, such as "empty"."""
        return {name: frozenset(values[""]) for name, values in self.words.items() if "" in values}

    @cached_property
    def abbreviations(self) -> Mapping[str, str]:
        return {short: word for word, shorts in self.words["short"].items() for short in shorts}

    @cached_property
    def slots(self) -> Mapping[str, Slot]:
        return make_slots(self.words)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Return the numbers that are words."""
        return frozenset(word for spellings in self.words["number"].values() for word in spellings)

    @cached_property
    def by_id(self) -> Mapping[str, Phrase]:
        return {phrase.id: phrase for phrase in reversed(self.phrases)}

    @cached_property
    def of_themes(self) -> Mapping[str, Phrase]:
        """Return the phrases that say the same as a theme, by its identifier."""
        return {phrase.theme: phrase for phrase in reversed(self.phrases) if phrase.theme}

    def value_of(self, slot: str, word: str) -> Value | None:
        """Return the value of a slot that a word stands for, in the plural too."""
        readings = self.slots[slot].read([(word, word.removesuffix("s"))], 0)
        return next((value for _, value in readings), None)

    @cached_property
    def slot_words(self) -> frozenset[str]:
        """Return the words that slots read. They may have slips like those of patterns."""
        spellings = (each for name, values in self.words.items() if "" not in values for each in values.values())
        return frozenset(word for of_value in spellings for text in of_value for word in text.split() if len(word) > 1)


def read_phrasebook(folder: Path, first: Phrasebook | None = None) -> Phrasebook:
    """Return the phrasebook of a language. Its own words and phrases go before those of the first language.

    Raise WrongLine.
    """
    words, named = read_synonyms(folder / "synonyms.txt")
    if first:
        for name, values in first.words.items():
            words[name] = {key: (*words[name].get(key, ()), *spellings) for key, spellings in values.items()}
        named = {**first.named, **named}
    phrases = PhraseReader(Phrasebook(words, named)).read(folder / "phrases.txt")
    return Phrasebook(words, named, (*phrases, *(first.phrases if first else ())))


SCOPES = {scope.value: scope for scope in Scope}


class PhraseReader:
    """Reads the phrases of a file with the words of its language."""

    def __init__(self, book: Phrasebook) -> None:
        self.book = book

    def read(self, path: Path) -> Iterator[Phrase]:
        """Yield the phrases of a file. Raise WrongLine."""
        known = set[str]()
        for entry in read_entries(path):
            phrase = self.read_phrase(entry)
            if not known.isdisjoint((phrase.id, f": {phrase.example}")):
                raise WrongLine(entry, "Another phrase has this id or this example.")
            known |= {phrase.id, f": {phrase.example}"}
            yield phrase

    def read_phrase(self, entry: Entry) -> Phrase:
        match = PHRASE.fullmatch(entry.head)
        *patterns, last = entry.body or [""]
        query, arrow, meaning = last.rpartition("-> ")
        if not query and patterns:
            *patterns, query = patterns
        if match is None or not (patterns and arrow):
            raise WrongLine(entry, "Write “id: example”, and below it patterns and “query -> meaning”.")
        about = dict(f"scope {each}".split()[-2:] for each in match["about"].split(", ")[1:])
        scope = SCOPES.get(about.pop("scope", "board"))
        theme, subject = about.pop("theme", ""), about.pop("of", "")
        if about or scope is None:
            raise WrongLine(entry, "Behind an id write hand, side, holder, “of …” or “theme …”.")
        rows = tuple(self.rows_of(entry, "; ".join(patterns)))
        query = for_each_suit(query.strip())
        self.check_slots(entry, rows, query, meaning)
        return Phrase(match["id"], scope, rows, query, meaning, match["example"], theme, subject)

    def rows_of(self, entry: Entry, patterns: str) -> Iterator[tuple[str, ...]]:
        """Yield the words and slots of a phrase in each way of writing it."""
        for _ in range(MAX_DEPTH):
            for name in {*NAMED.findall(patterns)}:
                if name not in self.book.named:
                    raise WrongLine(entry, f"synonyms.txt has no list {name}.")
                patterns = patterns.replace(name, self.book.named[name])
        for pattern in patterns.split(";"):
            try:
                yield from map(tuple, expand(pattern))
            except UnreadablePattern as error:
                raise WrongLine(entry, str(error)) from None

    def check_slots(self, entry: Entry, rows: Iterable[tuple[str, ...]], query: str, meaning: str) -> None:
        """Raise WrongLine for a slot or an attribute that does not exist, and for a query that is not one."""
        in_rows = [{part[1:-1] for part in row if part.startswith("{")} for row in rows]
        for name in set[str]().union(*in_rows):
            if name.rstrip("2") not in self.book.slots:
                raise WrongLine(entry, f"There is no slot {{{name}}}.")
        for name, _, attribute in (each.partition(".") for each in slots_used(entry, query, meaning)):
            if name != "today" and not all(name in slots for slots in in_rows):
                raise WrongLine(entry, f"{{{name}}} is not in every pattern.")
            values = Today if name == "today" else self.book.slots[name.rstrip("2")].values
            if attribute and not hasattr(values, attribute):
                raise WrongLine(entry, f"{{{name}}} has no {attribute}.")


def slots_used(entry: Entry, query: str, meaning: str) -> list[str]:
    """Return the slots that a query and its meaning have, with their attributes. Raise WrongLine for a broken one."""
    try:
        Parser(SLOT.sub("x", query), is_written=False).parse()
        return [name for text in (query, meaning) for _, name, *_ in Formatter().parse(text) if name]
    except ValueError as error:
        raise WrongLine(entry, str(error)) from None
    except QueryError as error:
        raise WrongLine(entry, error.message) from None


def for_each_suit(query: str) -> str:
    """Return a query with {each} as one for any of the suits."""
    if "{each" not in query:
        return query
    suits = SUIT_NAMES.items()
    queries = (query.replace("{each}", name).replace("{each.letter}", letter) for letter, name in suits)
    return f"({' OR '.join(queries)})"


ENGLISH = read_phrasebook(FOLDER / "en")
