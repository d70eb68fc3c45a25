"""The table of phrases: each example is read as its phrase, and what it means is a query."""

from collections import Counter

from boards.search.conditions import EVERY_BOARD
from boards.search.language.queries import parse_query
from boards.search.language.understanding import understand
from boards.search.phrases.patterns import Scope, expand
from boards.search.phrases.table import PHRASES
from boards.search.phrases.table.times import of_month, week
from tests.boards.search.language.known import REFERENCE, TODAY


def test_there_are_enough_phrases_and_no_two_are_written_alike() -> None:
    rows = [tuple(row) for phrase in PHRASES for pattern in phrase.patterns.split(";") for row in expand(pattern)]
    assert len(PHRASES) >= 150
    assert [row for row, times in Counter(rows).items() if times > 1] == []
    assert [example for example, times in Counter(phrase.example for phrase in PHRASES).items() if times > 1] == []


def test_each_example_is_read_as_its_phrase_and_is_a_query() -> None:
    wrong = {}
    for phrase in PHRASES:
        understood = understand(phrase.example, REFERENCE, TODAY)
        read = [part.match.phrase for part in understood.parts if part.match]
        if phrase not in read and phrase.scope is not Scope.HOLDER:
            wrong[phrase.example] = understood.query
        if (
            any(part.is_leftover for part in understood.parts)
            or parse_query(phrase.example, REFERENCE, None, TODAY) == EVERY_BOARD
        ):
            wrong[phrase.example] = understood.query
    assert wrong == {}


def test_each_phrase_says_what_it_means() -> None:
    for phrase in PHRASES:
        for part in understand(phrase.example, REFERENCE, TODAY).parts:
            assert part.meaning, phrase.example
            assert "{" not in part.meaning, phrase.example


def test_a_pattern_stands_for_rows_of_words() -> None:
    assert expand("(a|b c) [d] {suit}") == [
        ["a", "d", "{suit}"],
        ["a", "{suit}"],
        ["b", "c", "d", "{suit}"],
        ["b", "c", "{suit}"],
    ]


def test_days_are_those_of_the_calendar() -> None:
    assert of_month(2026, 3) == "date=2026-03"
    assert week(1)({}, TODAY) == "date=2026-11-16..2026-11-22"
