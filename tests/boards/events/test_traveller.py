"""The tables of a deal on the page of one of them."""

import pytest
from django.test import Client

from boards.models import Board
from tests.boards.events.evenings import table
from tests.boards.events.test_event_pages import cells, open_page

pytestmark = pytest.mark.django_db


def traveller(client: Client, board: Board, query: str = "") -> list[list[str]]:
    """Return the rows of the traveller, without its head."""
    page = open_page(client, f"/boards/{board.pk}{query}")
    if not page.all("section", **{"class": "traveller"}):
        return []
    rows = cells(page)
    start = next(place for place, row in enumerate(rows) if row[:1] == ["Table"])
    return rows[start + 1 :]


def seen(rows: list[list[str]], *columns: int) -> list[tuple[str, ...]]:
    return [tuple(row[column] for column in columns) for row in rows]


def test_two_tables_of_a_match_show_the_swing(client: Client) -> None:
    opened = table(1, 1, "4S", "S", 10, room="Open", scoring="IMP")
    table(1, 1, "3NT", "N", 8, room="Closed", scoring="IMP")
    assert seen(traveller(client, opened), 0, 3, 4, 5) == [
        ("Open room, this board", "=made", "+420", "+10"),
        ("Closed room", "−1down 1", "−50", "−10"),
    ]
    assert "IMPs: the swing between the two tables." in open_page(client, f"/boards/{opened.pk}").html


def test_more_tables_show_matchpoints_the_best_score_first(client: Client) -> None:
    results = (("1", "1NT", "S", 7), ("2", "1NT", "S", 8), ("3", "4S", "E", 6), ("4", "1NT", "S", 7))
    first, *_ = [
        table(1, 1, contract, declarer, tricks, table=name) for name, contract, declarer, tricks in results
    ]
    assert seen(traveller(client, first), 0, 4, 5) == [
        ("Table 3", "+200", "6"),
        ("Table 2", "+120", "4"),
        ("Table 1, this board", "+90", "1"),
        ("Table 4", "+90", "1"),
    ]
    assert "a top is 6." in open_page(client, f"/boards/{first.pk}").html


def test_three_tables_scored_in_imps_show_the_mean(client: Client) -> None:
    first = table(1, 1, "4S", "S", 10, table="1", scoring="IMP")
    table(1, 1, "4S", "S", 10, table="2", scoring="IMP")
    table(1, 1, "4S", "S", 9, table="3", scoring="IMP")
    assert seen(traveller(client, first), 4, 5) == [("+420", "+5"), ("+420", "+5"), ("−50", "−10")]


def test_a_table_without_a_result_is_shown_and_not_compared(client: Client) -> None:
    first = table(1, 1, "4S", "S", 10, table="1")
    table(1, 1, "Pass", "S", None, table="2")
    table(1, 1, "3NT", "S", None, table="3")
    rows = traveller(client, first)
    assert seen(rows, 0, 3, 4, 5) == [
        ("Table 1, this board", "=made", "+420", "+9"),
        ("Table 2", "–", "0", "−9"),
        ("Table 3", "–", "–", "–"),
    ]
    assert rows[1][1] == "Passpassed out"


def test_nothing_is_compared_without_two_scores(client: Client) -> None:
    first = table(1, 1, "4S", "S", 10, table="1")
    table(1, 1, "3NT", "S", None, table="2")
    assert [len(row) for row in traveller(client, first)] == [5, 5]


def test_there_is_none_for_one_table_for_drafts_and_in_practice(client: Client) -> None:
    alone = table(1, 1, "4S", "S", 10)
    table(1, 1, "3NT", "S", 9, published=False)
    table(1, 1, "3NT", "S", 8, event="Saturday pairs")
    assert traveller(client, alone) == []
    table(1, 1, "2NT", "S", 9)
    assert len(traveller(client, alone)) == 2
    assert traveller(client, alone, "?show=south") == []


def test_the_page_links_to_the_other_tables(client: Client) -> None:
    here = table(1, 1, "4S", "S", 10, home_team="Lions", visit_team="Bears", room="Open")
    there = table(1, 1, "4S", "S", 11, home_team="Lions", visit_team="Bears", room="Closed")
    links = open_page(client, f"/boards/{here.pk}").links()
    assert links["Closed room"] == f"/boards/{there.pk}"
    table(1, 1, "4S", "S", 9, home_team="Wolves", visit_team="Hares", room="Open")
    links = open_page(client, f"/boards/{here.pk}").links()
    assert links["Lions – Bears, closed room"] == f"/boards/{there.pk}"
