"""The tables of a deal on the page of one of them."""

from itertools import product
from typing import Any

import pytest
from django.test import Client

from boards.models import Board
from tests.boards.events.evenings import table
from tests.boards.events.test_event_pages import cells
from tests.boards.pages.opening import open_page
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db

OWN_MATCH = "IMPs: against the other table of this match."
ALL_TABLES = "Cross-IMPs: average against all other tables."


def rows_of(page: Document, *columns: int) -> list[tuple[str, ...]]:
    """Return these columns of the traveller, or all, without its head."""
    if not page.all("section", **{"class": "traveller part-wide"}):
        return []
    rows = cells(page)
    start = next(place for place, row in enumerate(rows) if row[:1] == ["Table"])
    return [tuple(row[column] for column in columns or range(len(row))) for row in rows[start + 1 :]]


def page_of(client: Client, board: Board, query: str = "") -> Document:
    return open_page(client, f"/boards/{board.pk}{query}")


def of_match(home: str, visit: str, tricks: int | None, seed: int = 1, **values: Any) -> Board:
    """Publish a table at which four spades by South won so many tricks."""
    return table(seed, 1, "4S", "S", tricks, home_team=home, visit_team=visit, **values)


def test_two_tables_of_a_match_show_the_swing(client: Client) -> None:
    opened = table(1, 1, "4S", "S", 10, room="Open", scoring="IMP")
    table(1, 1, "3NT", "N", 8, room="Closed", scoring="IMP")
    page = page_of(client, opened)
    assert rows_of(page, 0, 3, 4, 5) == [
        ("Open room, this board", "=made", "+420", "+10"),
        ("Closed room", "−1down 1", "−50", "−10"),
    ]
    assert OWN_MATCH in page.html and "Cross-IMPs" not in page.html


def test_more_tables_show_matchpoints_the_best_score_first(client: Client) -> None:
    results = (("1", "1NT", "S", 7), ("2", "1NT", "S", 8), ("3", "4S", "E", 6), ("4", "1NT", "S", 7))
    first, *_ = [table(1, 1, contract, declarer, tricks, table=name) for name, contract, declarer, tricks in results]
    page = page_of(client, first)
    assert rows_of(page, 0, 4, 5) == [
        *(("Table 3", "+200", "6"), ("Table 2", "+120", "4")),
        *(("Table 1, this board", "+90", "1"), ("Table 4", "+90", "1")),
    ]
    assert "a top is 6." in page.html


def test_the_two_tables_of_each_match_are_compared_with_each_other_and_stand_together(client: Client) -> None:
    here, there = of_match("Lions", "Bears", 10, table="1"), of_match("bears ", "LIONS", 9, table="2")
    of_match("Wolves", "Hares", 11, room="Open"), of_match("Wolves", "Hares", 11, room="Closed")
    of_match("Cats", "Dogs", 10, table="5"), of_match("Dogs", "Cats", None, table="6")
    table(1, 1, "Pass", "S", None, home_team="Owls", visit_team="Lions")
    page = page_of(client, here)
    assert rows_of(page, 0, 4, 5, 6) == [
        ("Wolves – Hares, open room", "+450", "0", "+4.6"),
        ("Wolves – Hares, closed room", "+450", "0", "+4.6"),
        ("Cats – Dogs, table 5", "+420", "–", "+3.4"),
        ("Lions – Bears, table 1, this board", "+420", "+10", "+3.4"),
        ("Bears – LIONS, table 2", "−50", "−10", "−8.8"),
        ("Owls – Lions", "0", "–", "−7.2"),
        ("Dogs – Cats, table 6", "–", "–", "–"),
    ]
    assert f"{OWN_MATCH} {ALL_TABLES}" in page.html
    assert page.links()["Bears – LIONS, table 2"] == f"/boards/{there.pk}"


NO_MATCHES = {
    "stored twice": [("Lions", "Bears", "Open", "1")] * 2,
    "one room of each match": [("Lions", "Bears", "Open", "1"), ("Wolves", "Hares", "Closed", "1")],
    "teams not known": [("Lions", "", "Open", ""), ("Lions", "Lions", "Closed", ""), ("", "", "", "")],
    "teams of eight": [("Lions", "Bears", *place) for place in product(("Open", "Closed"), "12")],
}


def test_tables_that_are_not_two_of_a_match_are_compared_with_all_others(client: Client) -> None:
    for seed, (name, places) in enumerate(NO_MATCHES.items()):
        first, *_ = [
            of_match(home, visit, tricks, seed, room=room, table=number, scoring="IMP")
            for tricks, (home, visit, room, number) in enumerate(places, 9)
        ]
        page = page_of(client, first)
        assert {len(row) for row in rows_of(page)} == {6} and "Cross-IMPs" in page.html, name


def test_a_table_without_a_result_is_not_compared_and_one_score_with_nothing(client: Client) -> None:
    first = table(1, 1, "4S", "S", 10, table="1")
    table(1, 1, "3NT", "S", None, table="3")
    assert [len(row) for row in rows_of(page_of(client, first))] == [5, 5]
    table(1, 1, "Pass", "S", None, table="2")
    assert rows_of(page_of(client, first), 0, 1, 3, 4, 5) == [
        ("Table 1, this board", "4♠ Sfour spades by South", "=made", "+420", "+9"),
        ("Table 2", "Passpassed out", "–", "0", "−9"),
        ("Table 3", "3NT Sthree no trump by South", "–", "–", "–"),
    ]


def test_it_links_to_the_other_tables_and_there_is_none_for_one_table_and_in_practice(client: Client) -> None:
    alone = table(1, 1, "4S", "S", 10, home_team="Lions", visit_team="Bears", room="Open")
    table(1, 1, "3NT", "S", 9, published=False), table(1, 1, "3NT", "S", 8, event="Saturday pairs")
    assert rows_of(page_of(client, alone)) == []
    there = table(1, 1, "4S", "S", 11, home_team="Lions", visit_team="Bears", room="Closed")
    page = page_of(client, alone)
    assert (len(rows_of(page)), page.links()["Closed room"]) == (2, f"/boards/{there.pk}")
    assert rows_of(page_of(client, alone, "?show=south")) == []
