"""The tables of a deal on the page of one of them."""

from itertools import product
from typing import Any

import pytest
from django.test import Client

from boards.models import Board
from tests.boards.events.evenings import table
from tests.boards.events.test_event_pages import cells, open_page

pytestmark = pytest.mark.django_db


def traveller(client: Client, board: Board, query: str = "") -> list[list[str]]:
    """Return the rows of the traveller, without its head."""
    page = open_page(client, f"/boards/{board.pk}{query}")
    if not page.all("section", **{"class": "traveller part-wide"}):
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
    page = open_page(client, f"/boards/{opened.pk}")
    assert "IMPs: against the other table of this match." in page.html and "Cross-IMPs" not in page.html


def test_more_tables_show_matchpoints_the_best_score_first(client: Client) -> None:
    results = (("1", "1NT", "S", 7), ("2", "1NT", "S", 8), ("3", "4S", "E", 6), ("4", "1NT", "S", 7))
    first, *_ = [table(1, 1, contract, declarer, tricks, table=name) for name, contract, declarer, tricks in results]
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
    assert seen(traveller(client, first), 4, 5) == [("+420", "+5.0"), ("+420", "+5.0"), ("−50", "−10.0")]
    page = open_page(client, f"/boards/{first.pk}")
    assert "Cross-IMPs: average against all other tables." in page.html and "of this match" not in page.html


def of_match(home: str, visit: str, tricks: int | None, **values: Any) -> Board:
    """Publish a table at which four spades by South won so many tricks."""
    return table(1, 1, "4S", "S", tricks, home_team=home, visit_team=visit, **values)


def test_the_two_tables_of_each_match_are_compared_with_each_other_and_stand_together(client: Client) -> None:
    here = of_match("Lions", "Bears", 10, table="1")
    of_match("bears ", "LIONS", 9, table="2")
    of_match("Wolves", "Hares", 11, room="Open")
    of_match("Wolves", "Hares", 11, room="Closed")
    of_match("Cats", "Dogs", 10, table="5")
    of_match("Dogs", "Cats", None, table="6")
    table(1, 1, "Pass", "S", None, home_team="Owls", visit_team="Lions")
    assert seen(traveller(client, here), 0, 4, 5, 6) == [
        ("Wolves – Hares, open room", "+450", "0", "+4.6"),
        ("Wolves – Hares, closed room", "+450", "0", "+4.6"),
        ("Cats – Dogs, table 5", "+420", "–", "+3.4"),
        ("Lions – Bears, table 1, this board", "+420", "+10", "+3.4"),
        ("Bears – LIONS, table 2", "−50", "−10", "−8.8"),
        ("Owls – Lions", "0", "–", "−7.2"),
        ("Dogs – Cats, table 6", "–", "–", "–"),
    ]
    html = open_page(client, f"/boards/{here.pk}").html
    assert "IMPs: against the other table of this match. Cross-IMPs: average against all other tables." in html


def test_the_same_teams_in_another_round_are_another_match(client: Client) -> None:
    first = of_match("Lions", "Bears", 10, stage="Round 1")
    of_match("Bears", "Lions", 9, stage="Round 1")
    of_match("Lions", "Bears", 11, stage="Round 2")
    assert seen(traveller(client, first), 4, 5) == [("+420", "+10"), ("−50", "−10")]


NO_MATCHES = {
    "stored twice": [("Lions", "Bears", "Open", "1")] * 2,
    "one room of each match": [("Lions", "Bears", "Open", "1"), ("Wolves", "Hares", "Closed", "1")],
    "teams not known": [("Lions", "", "Open", ""), ("Lions", "Lions", "Closed", ""), ("", "", "", "")],
    "teams of eight": [("Lions", "Bears", *place) for place in product(("Open", "Closed"), "12")],
}


def test_tables_that_are_not_two_of_a_match_are_compared_with_all_others(
    client: Client, subtests: pytest.Subtests
) -> None:
    for name, places in NO_MATCHES.items():
        with subtests.test(name):
            Board.objects.all().delete()
            first, *_ = [
                of_match(home, visit, tricks, room=room, table=number, scoring="IMP")
                for tricks, (home, visit, room, number) in enumerate(places, 9)
            ]
            assert {len(row) for row in traveller(client, first)} == {6}
            assert "Cross-IMPs" in open_page(client, f"/boards/{first.pk}").html


def test_matchpoints_stay_where_the_scoring_names_them(client: Client) -> None:
    first = of_match("Lions", "Bears", 10, scoring="MP")
    of_match("Bears", "Lions", 9, scoring="MP")
    assert seen(traveller(client, first), 5) == [("2",), ("0",)]


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
