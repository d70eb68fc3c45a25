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


def keys(of: Board) -> tuple[object, object]:
    return tuple(found and found.pk for found in neighbours(of))  # type: ignore[return-value]  # always two


def test_neighbours_follow_the_numbers_and_not_the_time_of_publication() -> None:
    third, first, tenth, unnumbered = (board(number) for number in (3, 1, 10, None))
    board(2, event="Saturday pairs")
    factories.board(number=2)
    assert [keys(each) for each in (first, third, tenth, unnumbered)] == [
        (None, third.pk),
        (first.pk, tenth.pk),
        (third.pk, unnumbered.pk),
        (tenth.pk, None),
    ]
    assert [each.pk for each in boards_of_event(SLUG)] == [first.pk, third.pk, tenth.pk, unnumbered.pk]


def test_stages_follow_each_other_and_numbers_begin_anew_in_each() -> None:
    boards = [board(number, stage=stage) for stage in ("Round 2", "Round 10") for number in (1, 2)]
    assert [each.pk for each in boards_of_event(SLUG)] == [each.pk for each in boards]
    assert keys(boards[1]) == (boards[0].pk, boards[2].pk)


def test_a_neighbour_is_another_deal_at_the_same_table() -> None:
    def both(number: int) -> list[Board]:
        return [table(number, number, "1NT", "S", 7, room=room) for room in ("Closed", "Open")]

    closed, opened = zip(*(both(number) for number in (1, 2, 3)), strict=True)
    assert keys(closed[1]) == (closed[0].pk, closed[2].pk)
    assert keys(opened[1]) == (opened[0].pk, opened[2].pk)
    alone = table(4, 4, "3NT", "S", 9, room="Open")
    assert neighbours(closed[2])[1] == (alone.pk, 4, "Open", "")


def test_the_same_number_with_another_deal_is_a_neighbour() -> None:
    one, other = sorted((board(1), board(1)), key=lambda each: each.deal_id.hex)
    assert (keys(one), keys(other)) == ((None, other.pk), (one.pk, None))


def test_drafts_have_no_neighbours_and_are_none() -> None:
    first, second, third = (board(number) for number in (1, 2, 3))
    draft = board(4, published=False)
    assert (keys(draft), keys(third)) == ((None, None), (second.pk, None))
    unpublish_boards([second.pk])
    assert keys(first) == (None, third.pk)
    assert keys(factories.board(number=2)) == (None, None)


def test_the_tables_of_a_deal_are_sorted_by_room_and_number() -> None:
    expected = [
        table(1, 1, "4S", "S", 10 - place, table=name, room=room)
        for place, (room, name) in enumerate([("Open", ""), ("Closed", "2"), ("Closed", "10"), ("Closed", "A")])
    ]
    here = expected[0]
    table(1, 1, "3NT", "S", 9, event="Saturday pairs")
    table(1, 1, "3NT", "S", 8, published=False)
    found = read_surroundings(here).tables
    assert {each.pk for each in found} == {each.pk for each in expected}
    assert [each.table for each in found] == ["", "A", "2", "10"]
    assert (found[0].contract, found[0].declarer, found[0].tricks) == ("4S", "S", 10)


def test_more_tables_than_a_page_shows_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [table(1, 1, "1NT", "S", tricks) for tricks in (6, 7, 8)]
    assert len(read_surroundings(tables[0]).tables) == 3
    monkeypatch.setattr(reading, "MAX_TABLES", 2)
    assert read_surroundings(tables[0]).tables == ()


def test_the_surroundings_take_one_query_among_many_boards_as_among_few() -> None:
    middle = board(50)
    for numbers in ((49, 51), (47, 48, 52, 53)):
        for number in numbers:
            board(number)
        with CaptureQueriesContext(connection) as queries:
            assert len([found for found in neighbours(middle) if found]) == 2
        assert len(queries) == 1


def test_an_event_is_stored_once_under_the_name_of_its_first_board() -> None:
    board(1), board(2, event=" friday  PAIRS ")
    event = Event.objects.get()
    assert (event.slug, event.name, event.date, event.site) == (SLUG, "Friday pairs", "2026.11.20", "The club")
    assert str(event) == "Friday pairs, 20 November 2026, The club"


def test_a_board_that_moves_to_another_event_has_its_neighbours_there(service: object) -> None:
    first, second = board(1), board(2)
    response = service.patch(f"/api/deals/{second.deal_id}/boards/{second.pk}", {"event": "Saturday pairs"})
    second.refresh_from_db()
    assert response.json()["eventSlug"] == second.event_slug != SLUG
    assert (keys(first), keys(second)) == ((None, None), (None, None))
    assert Event.objects.count() == 2
