"""The files of phrases and words: each example is read as its phrase, and a wrong line is named."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from search.conditions import EVERY_BOARD
from search.language.queries import parse_query
from search.language.understanding import understand
from search.phrases.patterns import Scope, expand
from search.phrases.phrasebook import ENGLISH, Phrasebook, WrongLine, read_phrasebook
from search.phrases.slots.days import Today
from tests.search.language.known import REFERENCE, TODAY


def test_there_are_enough_phrases_and_no_two_are_written_alike() -> None:
    assert len(ENGLISH.phrases) >= 400
    rows = Counter(row for phrase in ENGLISH.phrases for row in phrase.rows)
    assert [row for row, times in rows.items() if times > 1] == []


def test_each_example_is_read_as_its_phrase_and_is_a_query() -> None:
    wrong = {}
    for phrase in ENGLISH.phrases:
        understood = understand(phrase.example, REFERENCE, TODAY)
        read = [part.match.phrase for part in understood.parts if part.match]
        if phrase not in read and phrase.scope is not Scope.HOLDER:
            wrong[phrase.id] = understood.query
        if (
            any(part.is_leftover for part in understood.parts)
            or parse_query(phrase.example, REFERENCE, None, TODAY) == EVERY_BOARD
        ):
            wrong[phrase.id] = understood.query
    assert wrong == {}


def test_each_phrase_says_what_it_means() -> None:
    for phrase in ENGLISH.phrases:
        for part in understand(phrase.example, REFERENCE, TODAY).parts:
            assert part.meaning, phrase.id
            assert "{" not in part.meaning, phrase.id


def test_a_pattern_stands_for_rows_of_words() -> None:
    assert expand("(a|b c) [d] {suit}") == [
        ["a", "d", "{suit}"],
        ["a", "{suit}"],
        ["b", "c", "d", "{suit}"],
        ["b", "c", "{suit}"],
    ]


def test_days_are_those_of_the_calendar() -> None:
    today = Today(TODAY)
    assert (today.week, today.last_week) == ("2026-11-23..2026-11-29", "2026-11-16..2026-11-22")
    assert (today.month, today.last_month, today.year, today.last_year) == ("2026-11", "2026-10", 2026, 2025)
    assert (today.yesterday, today.past_week) == (str(date(2026, 11, 26)), "2026-11-21..2026-11-27")


Writer = Callable[..., Phrasebook]


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    """Write the files of another language, and return its phrasebook."""

    def write(phrases: str, synonyms: str = "") -> Phrasebook:
        folder = tmp_path / "eo"
        folder.mkdir(exist_ok=True)
        (folder / "phrases.txt").write_text(f"language: eo\n{phrases}", encoding="utf-8")
        (folder / "synonyms.txt").write_text(f"# Words\nlanguage: eo\n{synonyms}", encoding="utf-8")
        return read_phrasebook(folder, ENGLISH)

    return write


def test_a_language_has_its_own_words_and_phrases_before_the_english_ones(write: Writer) -> None:
    book = write(
        "malplena, hand: malplena en pikoj\n  (<nenio>|malplena) {suit}\n  {suit}=0\n  -> nenio en {suit}\n",
        "<nenio>: nenio, neniu\nsuit spades: piko\n",
    )
    phrase = book.by_id["malplena"]
    assert (book.phrases[0], phrase.rows[0]) == (phrase, ("nenio", "{suit}"))
    assert (phrase.query, phrase.meaning, phrase.scope) == ("{suit}=0", "nenio en {suit}", Scope.HAND)
    assert [value.query for word in ("piko", "spade") for _, value in book.slots["suit"].read([[word]], 0)] == [
        "spades",
        "spades",
    ]
    assert book.by_id["down"] is ENGLISH.by_id["down"] and book.lists["empty"] == ENGLISH.lists["empty"]


INCOMPLETE = "Write “id: example”, and below it patterns and “query -> meaning”."
WRONG = {
    "pass out\n  all pass\n  is:passedout -> passed out": INCOMPLETE,
    "void: void\n  shortest=0 -> a void": INCOMPLETE,
    "void: void\n  void\n  shortest=0": INCOMPLETE,
    "void, seat: void\n  void\n  shortest=0 -> a void": "Behind an id write hand, side, holder, “of …” or “theme …”.",
    "void: void\n  (void|chicane\n  shortest=0 -> a void": "A ( is never closed.",
    "void: void\n  void)\n  shortest=0 -> a void": "The pattern “void)” has a bracket too many, or says nothing.",
    "void: void\n  void;\n  shortest=0 -> a void": "The pattern “” has a bracket too many, or says nothing.",
    "void: void\n  <empty>\n  shortest=0 -> a void": "synonyms.txt has no list <empty>.",
    "void: void\n  void {colour}\n  shortest=0 -> a void": "There is no slot {colour}.",
    "void: void\n  void {suit}; void\n  {suit}=0 -> a void": "{suit} is not in every pattern.",
    "void: void\n  void\n  shortest=0 -> a void in {suit}": "{suit} is not in every pattern.",
    "void: void\n  void {suit}\n  lead={suit.name} -> a void": "{suit} has no name.",
    "void: void\n  void {suit}\n  {suit=0 -> a void": "expected '}' before end of string",
    "void: void\n  void\n  (shortest=0 -> a void": "This ( is never closed.",
    "a: a\n  a\n  hcp=0 -> a\na: b\n  b\n  hcp=0 -> b": "Another phrase has this id or this example.",
}


def test_a_wrong_phrase_is_named_with_its_line(write: Writer) -> None:
    said = {}
    for phrases in WRONG:
        with pytest.raises(WrongLine) as error:
            write(phrases + "\n")
        said[phrases] = str(error.value)
    lines = {phrases: 4 if phrases.startswith("a: a") else 2 for phrases in WRONG}
    lines["a: a\n  a\n  hcp=0 -> a\na: b\n  b\n  hcp=0 -> b"] = 5
    assert said == {phrases: f"eo/phrases.txt, line {lines[phrases]}: {message}" for phrases, message in WRONG.items()}


def test_a_wrong_list_is_named_with_its_line(write: Writer) -> None:
    for synonyms, message in {
        "suit spades piko": "line 3: Write a list as in “suit spades: spade, pique”.",
        "suit spades: piko\nsuit spades: pikoj": "line 4: The list “suit spades” is there already.",
    }.items():
        with pytest.raises(WrongLine) as error:
            write("", f"{synonyms}\n")
        assert str(error.value) == f"eo/synonyms.txt, {message}"


def test_a_file_names_its_language(tmp_path: Path) -> None:
    (tmp_path / "synonyms.txt").write_text("language: fr\n", encoding="utf-8")
    with pytest.raises(WrongLine, match="line 1: Write “language: "):
        read_phrasebook(tmp_path, ENGLISH)
