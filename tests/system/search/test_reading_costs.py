"""What it costs to read each phrase again and again, at greater length than tests/search/phrases."""

from search.phrases.phrasebook import ENGLISH
from tests.search.phrases.test_reading import MEANT, more_than_linear


def test_twice_of_each_phrase_costs_at_most_two_and_a_half_times() -> None:
    examples = {*MEANT, *(phrase.example for phrase in ENGLISH.phrases)}
    assert more_than_linear(f"{text} " for text in sorted(examples) if '"' not in text and "(" not in text) == {}
