"""Looking at boards for auctions and phrases: each is read once for all of a search, and few enough are."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from search.conditions import Condition, every
from search.index import finding, looking
from search.index.finding import IS_PUBLISHED, find_page, resolved
from search.index.folding import fold_all
from search.index.pages import NOTHING, find
from search.language.parsing import QueryError
from tests import factories
from tests.linear import MAX_RATIO
from tests.search.language.known import parse
from tests.search.plain import PlainBoard, all_plain_boards, plain_numbers
from tests.search.ways import postgresql_only
from tests.steps import steps_of

pytestmark = pytest.mark.django_db

CALLS = ("1NT Pass 3NT Pass Pass Pass", "Pass Pass 1S 2H 4S Pass Pass Pass", "Pass Pass Pass Pass")
AUCTIONS = ("?-P-P-P", "P-?-?-P", "?-?-P-P", "P-P-?-P", "?-P-?", "P-?-P-P", "?-P-P-?", "P-P-P-?")


@pytest.fixture(scope="module")
def boards(rows_of_module: None) -> list[PlainBoard]:
    for number in range(1, 13):
        text = "A safety play in clubs." if number % 2 else "Play for safety."
        factories.board(number, number=number, calls=CALLS[number % 3], published=number < 12, commentary=text)
    fold_all()
    return all_plain_boards()


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[set[int]]:
    """Return the board numbers of those that were looked at, a set for each look."""
    seen: list[set[int]] = []

    def look(condition: Condition, limit: int, looked_for: Sequence[Any]) -> Any:
        numbers = find(condition, 0, 100, None, NOTHING).numbers
        names = {board.number: board.board.board_number for board in all_plain_boards()}
        seen.append({names[number] or 0 for number in numbers})
        return looking.look(condition, limit, looked_for)

    monkeypatch.setattr(finding, "look", look)
    return seen


def numbers_of(text: str) -> list[int]:
    return find_page(every([IS_PUBLISHED, parse(text)]), 0, 100).numbers


def any_of(auctions: Sequence[str]) -> str:
    return " OR ".join(f"auction*={calls}" for calls in auctions)


NARROWED = {
    "board=1..3 auction*=?-P-P-P": {1, 2, 3},
    "board=1..3 (auction*=?-P-P-P OR auction*=P-?-?-P)": {1, 2, 3},
    "board=1..9 OR auction*=?-P-P-?": {10, 11},  # it finds the others in any case
    "-(board=1..9 OR auction*=?-P-P-?)": {10, 11},
    "board=1..3 -auction*=?-P-P-P": {1, 2, 3},
    "(board=1..3 auction*=?-P-P-P) OR (board=5 -auction*=P-P-?-P)": {1, 2, 3, 5},
    "board=1..6 (board=2..9 OR auction*=?-P-P-?) (board=3..4 OR auction*=?-?-P-P)": {1, 2, 5, 6},
}


@pytest.mark.usefixtures("boards")
def test_boards_are_looked_at_once_and_only_where_the_rest_does_not_decide(looked_at: list[set[int]]) -> None:
    for text, numbers in NARROWED.items():
        found = find_page(every([IS_PUBLISHED, parse(text)]), 0, 100).numbers
        assert found == plain_numbers(every([IS_PUBLISHED, parse(text)]), all_plain_boards()), text
        (seen,) = looked_at
        assert seen <= numbers and (seen == numbers or connection.vendor == "postgresql"), text
        looked_at.clear()


@postgresql_only  # SQLite's rows decide phrases
@pytest.mark.usefixtures("boards")
def test_a_phrase_and_an_auction_are_looked_for_in_boards_that_may_have_both(looked_at: list[set[int]]) -> None:
    assert len(numbers_of('"safety play" auction*=?-1S-?')) == 2
    assert looked_at == [{1, 4, 7, 10}]  # with these words, and 1S
    assert len(numbers_of('"safety play" OR "play for safety"')) == 11
    assert len(numbers_of('-"safety play" board=1..2')) == 1


def test_a_search_reads_no_more_for_many_conditions_than_for_one(boards: list[PlainBoard]) -> None:
    def statements(text: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            numbers_of(text)
        return len(captured)

    one, both = statements(any_of(AUCTIONS[:1])), statements(f'({any_of(AUCTIONS)}) -"safety play"')
    assert both <= one


def test_twice_the_conditions_cost_at_most_two_and_a_half_times(boards: list[PlainBoard]) -> None:
    lasts = ("P-P-?", "P-?-P", "1S-?", "7N-?", "X-?", "2C-?", "P-?", "?-P")
    auctions = [f"{'?-' * length}{last}" for length in range(1, 6) for last in lasts]
    for join in (" OR ", " ", " OR -"):
        conditions = [f"auction*={calls}" for calls in auctions]
        once, twice = (
            steps_of(lambda text: find_page(every([IS_PUBLISHED, parse(text)]), 0, 5), join.join(conditions[:size]))
            for size in (20, 40)
        )
        assert twice <= MAX_RATIO * once, join


def test_a_resolved_condition_stays_as_it_is(boards: list[PlainBoard]) -> None:
    for text in (*NARROWED, '"safety play"', "swing>=1 auction*=?-P-P-P", "~swing>=1 OR auction*=P-?-P"):
        condition = resolved(every([IS_PUBLISHED, parse(text)]))
        assert resolved(condition) == condition, text


def code_of(text: str) -> str:
    with pytest.raises(QueryError) as error:
        numbers_of(text)
    return error.value.code


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAX_AUCTIONS", "MAX_ROWS", "MAX_TEXTS"):
        monkeypatch.setattr(finding, name, 8)
    monkeypatch.setattr(finding, "FEW", 2)


@pytest.mark.usefixtures("boards", "few")
def test_all_conditions_of_a_search_share_the_boards_that_it_looks_at() -> None:
    assert len(numbers_of(f"board=1..8 ({any_of(AUCTIONS[:2])})")) == 8
    assert code_of("auction*=?-P-P-P") == "too_many_auctions"
    assert code_of(f"board=1..8 ({any_of(AUCTIONS[:4])})") == "too_many_auctions"
    assert len(numbers_of(f"board=1..4 ({any_of(AUCTIONS[:4])})")) == 4
    with pytest.raises(QueryError) as error:
        numbers_of(f"board=1..8 ({any_of(AUCTIONS[:4])})")
    assert error.value.message.startswith("More than 4 boards may have one of 4 auctions or phrases. Ask for fewer")


@postgresql_only
@pytest.mark.usefixtures("boards")
def test_texts_are_read_up_to_so_many_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "MAX_LETTERS", 400)
    assert len(numbers_of('board=1..2 "safety play"')) == 1
    assert code_of('"safety play"') == "too_many_texts"
