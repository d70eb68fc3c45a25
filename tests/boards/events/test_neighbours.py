"""The boards before and after a board of an event, and the other tables of its deal."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.bulk import unpublish_boards
from boards.events import reading
from boards.events.reading import boards_of_event, neighbours, read_surroundings
from boards.models import Board, Event
from tests import factories
from tests.boards.events.evenings import SLUG, board, table

pytestmark = pytest.mark.django_db

NONE = (None, None)


def keys(of: Board) -> tuple[object, ...]:
    return tuple(found and found.pk for found in neighbours(of))


def test_one_query_finds_neighbours_by_stage_and_number_and_not_by_the_time_of_publication() -> None:
    places = (("", 1), ("", 3), ("", 10), ("", None), ("Round 2", 1), ("Round 10", 1))
    boards = [board(number, stage=stage) for stage, number in reversed(places)][::-1]
    board(2, event="Saturday pairs"), factories.board(number=2)
    pks = [each.pk for each in boards]
    assert [each.pk for each in boards_of_event(SLUG)] == pks
    with CaptureQueriesContext(connection) as queries:
        assert [keys(each) for each in boards] == list(zip([None, *pks], [*pks[1:], None], strict=False))
    assert len(queries) == len(boards)


def test_a_neighbour_is_another_deal_at_the_same_table() -> None:
    closed, opened = [
        [table(number, number, "1NT", "S", 7, room=room) for number in (1, 2, 3)] for room in ("Closed", "Open")
    ]
    for first, second, third in (closed, opened):
        assert keys(second) == (first.pk, third.pk)
    alone = table(4, 4, "3NT", "S", 9, room="Open")
    assert neighbours(closed[2])[1] == (alone.pk, 4, "Open", "")
    one, other = sorted((board(5, stage="Final"), board(5, stage="Final")), key=lambda each: each.deal_id.hex)
    assert (keys(one)[1], keys(other)[0]) == (other.pk, one.pk), "the same number, with another deal"


def test_drafts_have_no_neighbours_and_are_none() -> None:
    first, second, third = (board(number) for number in (1, 2, 3))
    draft = board(4, published=False)
    assert (keys(draft), keys(third), keys(factories.board(number=2))) == (NONE, (second.pk, None), NONE)
    unpublish_boards([second.pk])
    assert keys(first) == (None, third.pk)


def test_the_tables_of_a_deal_are_sorted_by_room_and_number_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    places = (("Open", ""), ("Closed", "2"), ("Closed", "10"), ("Closed", "A"))
    tables = [table(1, 1, "4S", "S", 10 - place, table=name, room=room) for place, (room, name) in enumerate(places)]
    table(1, 1, "3NT", "S", 9, event="Saturday pairs"), table(1, 1, "3NT", "S", 8, published=False)
    found = read_surroundings(tables[0]).tables
    assert [each.pk for each in found] == [tables[place].pk for place in (0, 3, 1, 2)]
    assert (found[0].contract, found[0].declarer, found[0].tricks) == ("4S", "S", 10)
    monkeypatch.setattr(reading, "MAX_TABLES", 3)
    assert read_surroundings(tables[0]).tables == ()


def test_an_event_is_stored_once_under_the_name_of_its_first_board() -> None:
    board(1), board(2, event=" friday  PAIRS ")
    event = Event.objects.get()
    assert (event.slug, event.name, event.date, event.site) == (SLUG, "Friday pairs", "2026.11.20", "The club")
    assert str(event) == "Friday pairs, 20 November 2026, The club"
