"""An evening from one table: /events/{slug}?table=3, ?room=Open and ?pair=7."""

import pytest
from django.test import Client

from boards.events.tables import Table
from pages.presenters.tables import TableChoice, choices_of
from tests.boards.events.evenings import SLUG, read, table
from tests.pages.evenings.test_event_pages import PAGE
from tests.pages.opening import facts_of, open_page, queries_of

OUR = f"{PAGE}/our"

pytestmark = pytest.mark.django_db


def choices(client: Client, query: str = "") -> dict[str, str]:
    links = open_page(client, PAGE + query).links()
    return {name: href for name, href in links.items() if name.startswith(("Table", "Pair", "Open", "Closed"))}


def test_each_row_leads_to_the_board_of_the_table_and_has_its_contract_and_score(client: Client) -> None:
    first, second = (table(1, 1, "4S", "S", tricks, table=str(tricks)) for tricks in (8, 10))
    table(2, 2, "3NT", "N", 9, table="8")
    asked = open_page(client, PAGE)
    assert ([found["name"] for found, _ in asked.all("input", id="seat")], asked.texts("form", action=OUR)) == (
        ["table"],
        ["Where did you sit? Your table Our evening Ranking"],
    )
    page = open_page(client, PAGE, table="10")
    assert page.links()["Board 1"] == f"/boards/{second.pk}"
    assert facts_of(page) == [
        "N · NoneTable 10: 4♠ Sfour spades by South +420best +420worst −100",
        "E · NSTable 10: not played",
    ]
    assert page.links()["Show all tables"] == PAGE
    assert (page.is_indexed(), page.canonical()) == (False, f"http://testserver{PAGE}")
    assert open_page(client, PAGE, table="8").links()["Board 1"] == f"/boards/{first.pk}"
    assert queries_of(client, f"{PAGE}?table=10").popitem()[1] == queries_of(client, PAGE).popitem()[1]


def test_an_unknown_table_is_told_which_ones_there_are_and_all_boards_are_shown(client: Client) -> None:
    for number in ("1", "2"):
        table(1, 1, "4S", "S", 10, table=number, pair_ns=number, pair_ew=f"1{number}")
    page = open_page(client, PAGE, table="9")
    (said,) = page.texts("p", **{"class": "notice"})
    assert said == "Table 9 played none of these boards. These did: Table 1, Table 2. Show all tables"
    assert "not played" in facts_of(page)[0] and page.links()["Table 2"] == "?table=2"
    assert [*choices(client, "?pair=9")] == ["Pair 1", "Pair 2", "Pair 11", "Pair 12"]
    assert choices(client, "?table=1") == {}
    assert open_page(client, PAGE).all("input", name="pair")
    for query in ("?side=x", "?pair=1&side=north", "?room=x", f"?table={'1' * 81}", "?table=1&table=2"):
        assert client.get(PAGE + query).status_code == 400, query
    hostile = open_page(client, PAGE, table="<b>9</b>")
    assert "Table <b>9</b> played" in hostile.texts("p", **{"class": "notice"})[0] and "<b>9" not in hostile.html


def test_pages_of_a_long_evening_stay_at_the_table(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        table(number, number, "4S", "S", 10, table="1"), table(number, number, "4S", "S", 9, table="2")
    monkeypatch.setattr("pages.evenings.events.DEALS_OF_PAGE", 1)
    assert open_page(client, PAGE, table="2").links()["Next page"] == f"{PAGE}?table=2&page=2"


def deals_of(*seating: tuple[int, str, str]) -> list[list[Table]]:
    """Store tables, each with its board and its pairs. Return those of each board."""
    for number, pair_ns, pair_ew in seating:
        table(number, number, "4S", "S", 10, pair_ns=pair_ns, pair_ew=pair_ew)
    return [deal.tables for deal in read().deals]


def test_a_pair_has_one_number_on_both_sides_in_a_howell() -> None:
    deals = deals_of((1, "1", "2"), (2, "3", "1"))
    assert [each.parameters for each in choices_of(deals, TableChoice())] == [{"pair": pair} for pair in "123"]
    assert [TableChoice(pair="1").find(tables) for tables in deals] == [tables[0] for tables in deals]
    assert TableChoice(pair="2").find(deals[1]) is None


def test_two_lines_with_the_same_numbers_are_told_apart_in_a_mitchell() -> None:
    deals = deals_of((1, "2", "1"), (1, "1", "2"))
    names = [each.name for each in choices_of(deals, TableChoice())]
    assert names == ["Pair 1 NS", "Pair 2 NS", "Pair 1 EW", "Pair 2 EW"]
    found = [TableChoice(pair="1", side=side).find(deals[0]) for side in ("", "NS", "EW")]
    assert [each and (each.pair_ns, each.pair_ew) for each in found] == [("1", "2"), ("1", "2"), ("2", "1")]


def test_a_choice_that_finds_two_tables_names_both(client: Client) -> None:
    teams = {"home_team": "Lions", "visit_team": "Bears", "table": "1"}
    for room in ("Closed", "Open"):
        last = table(1, 1, "4S", "S", 10, room=room, **teams)
    names = {"Open room, table 1": "?room=Open&table=1", "Closed room, table 1": "?room=Closed&table=1"}
    assert choices(client, "?table=1") == choices(client, "?room=Open&table=7") == names
    page = open_page(client, f"/events/{SLUG}", room="Open", table="1")
    assert page.links()["Board 1"] == f"/boards/{last.pk}" and choices(client, "?room=Open&table=1") == {}
    deals = deals_of((2, "2", "1"), (2, "1", "2"))
    closer = TableChoice(pair="1").alternatives(deals)
    assert [each.name for each in closer] == ["Pair 1 NS", "Pair 1 EW"]
    assert TableChoice(pair="1", side="NS").alternatives(deals) == []


def test_an_evening_of_one_table_asks_for_none(client: Client) -> None:
    table(1, 1, "4S", "S", 10, table="1"), table(2, 2, "4S", "S", 10, table="1")
    assert not open_page(client, PAGE).all("form", action=OUR)
