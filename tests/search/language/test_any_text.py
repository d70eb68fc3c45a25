"""Any text at all: it is a query or raises QueryError, and takes time in proportion to its length."""

from collections.abc import Callable
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from search.conditions import Words, every
from search.language.parsing import MAX_CHARACTERS
from search.language.queries import parse_query
from search.language.trees import write
from search.language.understanding import understand
from search.language.words import BOARD_WORDS, HAND_WORDS, HOLDERS
from search.phrases.parts import join_parts
from tests.search.language.known import LABELS, TODAY, parse, refusal
from tests.search.language.test_errors import ERRORS, unmarked
from tests.search.language.test_meaning import MEANINGS, SAME
from tests.steps import steps_of

WRONG = [unmarked(text) for rows in ERRORS.values() for *texts, _ in rows for text in texts]
TEXTS = [*MEANINGS, *(text for pair in SAME for text in pair), *WRONG]
PIECES = [*'()-:=<>^*,."! xX0123456789SHDC', "..", "OR", " OR ", ">=", "^="]
PIECES += [*BOARD_WORDS, *HAND_WORDS, *HOLDERS]


@st.composite
def mutated(draw: Callable[..., Any]) -> str:
    """Return a text of the tests with a few pieces put in, taken out or put in place of others."""
    text = " ".join(draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 3)))
        text = text[:start] + draw(st.sampled_from(["", *PIECES])) + text[stop:]
    return text


QUERIES = st.recursive(
    st.sampled_from([text for text in MEANINGS if text.strip()]),
    lambda parts: (
        parts.map("({})".format)
        | parts.map("-({})".format)
        | st.lists(parts, min_size=2, max_size=3).map("  ".join)
        | st.lists(parts, min_size=2, max_size=3).map(" OR ".join)
    ),
    max_leaves=8,
)

ANY_TEXT = (
    st.text(max_size=60)
    | st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
    | mutated()
    | st.tuples(mutated(), st.characters(), mutated()).map("".join)
)


@settings(max_examples=120, deadline=None)
@given(ANY_TEXT)
def test_any_text_is_a_query_or_raises_a_query_error(text):
    error = refusal(text)
    if error is not None:
        assert error.message
        assert 0 <= error.position <= len(text)
        assert text.startswith(error.word, error.position)


@settings(max_examples=60, deadline=None)
@given(QUERIES)
def test_the_parts_of_a_query_are_its_conditions(text):
    if refusal(text):  # it is too long or too deep
        return
    understood = understand(text, LABELS, TODAY)
    assert every(parse(write(tree)) for part in understood.parts if (tree := join_parts([part]))) == every(
        [parse(text)]
    )
    assert parse(understood.query) == parse(text)


def steps(text: str) -> int:
    """Return how many lines of Python are run, and functions called, to read the text."""
    return steps_of(refusal, text)


GROWING = ["level=1 ", "vul=ns OR ", "-level=1 ", "any(hcp=1 -aces=1) ", "(vul=ns) ", "contrac", "5=", "1N-", "SA"]
GROWING += ["(", ")", "-", '"', " ", "1", "..", ",", "<"]
BEGINNINGS = ["", "level=", "south(cards=", "south(shape=", "auction^=", "date=", "theme=", "is:", 'vul="']


def test_twice_the_text_takes_at_most_twice_the_steps():
    dear = []
    for beginning, unit in product(BEGINNINGS, GROWING):
        most = (MAX_CHARACTERS - len(beginning)) // len(unit) // 2
        for half in {12, most}:
            if half * 2 * len(unit) + len(beginning) > MAX_CHARACTERS:
                continue
            once, twice = steps(beginning + unit * half), steps(beginning + unit * half * 2)
            if twice > 2.5 * once + 200:  # a sentence about an error costs some
                dear.append((beginning, unit, half, once, twice))
    assert dear == []


def test_names_are_looked_up_only_where_they_are_asked_for():
    nothing: Any = None
    parse_query("vul=ns level=1", nothing, None, TODAY)


def test_a_word_that_begins_as_calls_do_is_read_at_once():
    """An expression that could read XX in two ways would try them all."""
    assert parse("X" * 999 + "z") == Words("x" * 40)
