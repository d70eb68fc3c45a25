"""Matches of teams in an event: who sat where, IMPs, victory points, and the page of a match."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from boards.events.matches import Match, find_matches
from boards.events.reading import read_evening
from boards.models import Board
from tests.boards.events.evenings import SLUG, board, table
from tests.boards.events.test_event_pages import HOSTILE, cells, open_page

pytestmark = pytest.mark.django_db

PAGE = f"/events/{SLUG}"


def play(number: int, tricks: int | None, home: str = "Lions", visit: str = "Bears", **values: Any) -> Board:
    """Publish a table at which four spades by South won so many tricks. Each stage has deals of its own."""
    seed = number + 100 * len(values.get("stage", ""))
    return table(seed, number, "4S", "S", tricks, home_team=home, visit_team=visit, **values)


def swapped(number: int, tricks: int, others: int, **values: Any) -> tuple[Board, Board]:
    """Publish both tables of a board, at each of which the home team sits North-South."""
    return play(number, tricks, table="1", **values), play(number, others, "Bears", "Lions", table="2", **values)


def matches() -> list[Match]:
    evening = read_evening(SLUG, 1, 100)
    assert evening
    return find_matches(evening.deals)


def path_of(page: int = 1, **query: str) -> str:
    names = {"home": "Lions", "visit": "Bears", **query, **({"page": str(page)} if page > 1 else {})}
    return f"{PAGE}/match?{urlencode(names)}"


TOLD: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "swapped": ({"table": "1"}, {"home": "Bears", "visit": "Lions", "table": "2"}),
    "swapped in rooms": ({"room": "Closed"}, {"home": "BEARS", "visit": "lions ", "room": "Open"}),
    "rooms": ({"room": "Open"}, {"room": "Closed"}),
    "room before table": ({"room": "Open", "table": "EW"}, {"room": "Closed", "table": "NS"}),
    "directions": ({"table": "NS"}, {"table": "EW"}),
    "section": ({"table": "A NS"}, {"table": "A EW"}),
}
NOT_TOLD: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "tables only": ({"table": "1"}, {"table": "2"}),
    "nothing said": ({}, {}),
    "stored twice": ({"room": "Open"}, {"room": "Open"}),
    "one team": ({"room": "Open", "visit": ""}, {"room": "Closed", "visit": ""}),
    "the same team": ({"room": "Open", "visit": "LIONS"}, {"room": "Closed", "visit": "Lions"}),
    "other stage": ({"room": "Open", "stage": "Final"}, {"room": "Closed"}),
}


def test_the_file_tells_which_team_sat_north_south(subtests: pytest.Subtests) -> None:
    for name, (first, second) in TOLD.items():
        with subtests.test(name):
            Board.objects.all().delete()
            play(1, 10, **first), play(1, 9, **second)
            (match,) = matches()
            lions_first = match.home == "Lions"
            assert {match.home.casefold(), match.visit.strip().casefold()} == {"lions", "bears"}
            assert match.imps == ((10, 0) if lions_first else (0, 10))


def test_two_tables_are_no_match_where_nothing_tells_who_sat_where() -> None:
    for name, (first, second) in NOT_TOLD.items():
        Board.objects.all().delete()
        play(1, 10, **first), play(1, 9, **second)
        assert matches() == [], name


def test_a_match_counts_all_its_boards_and_compares_those_with_two_scores(client: Client) -> None:
    swapped(1, 10, 9)  # +420 and −50: 10 IMPs
    swapped(2, 9, 10)  # −100 and +620: 12 IMPs to the others
    swapped(3, 10, 10)
    play(4, 10)
    (swapped(5, 10, 11), play(5, None, table="3"))  # an overtrick; a third table without a result changes nothing
    play(6, 10), play(6, None, "Bears", "Lions")
    (match,) = matches()
    assert (match.home, match.visit, match.compared, match.imps) == ("Bears", "Lions", 4, (13, 10))
    rows = cells(open_page(client, path_of()))[2:]
    shown = [[cell.replace("\ufe0e", "") for cell in row] for row in rows]
    four, made, down = "4♠ Sfour spades by South", "=made", "−1down 1"
    assert [[row[0], *row[4:6]] for row in shown] == [
        ["1", f"Board 1: {four} {down}", "−50"],
        ["2", f"Board 2: {four} {made}", "+620"],
        ["3", f"Board 3: {four} {made}", "+420"],
        ["4", "–", "–"],
        ["5", f"Board 5: {four} +1made +1", "+650"],
        ["6", f"Board 6: {four}", "–"],
    ]
    assert [row[1:4] for row in shown] == [
        ["", "10", "0 – 10"],
        ["12", "", "12 – 10"],
        ["", "", "12 – 10"],
        ["–", "–", "12 – 10"],
        ["1", "", "13 – 10"],
        ["–", "–", "13 – 10"],
    ]


def test_four_tables_of_the_same_teams_are_not_compared() -> None:
    for room in ("Open", "Closed"):
        play(1, 10, room=room, table="1"), play(1, 9, room=room, table="2")
    assert matches() == []


def test_the_event_lists_its_matches_with_imps_and_victory_points(client: Client) -> None:
    for number in (1, 2):
        swapped(number, 9, 10)
        play(number, 10, "Wolves", "Hares", room="Open"), play(number, 10, "Wolves", "Hares", room="Closed")
    page = open_page(client, PAGE)
    assert page.texts("h2") == ["Matches", "Boards"]
    assert cells(page)[:3] == [
        ["Teams", "Boards", "IMPs", "Victory points"],
        ["Bears – Lions", "2", "22 – 0", "20.00 – 0.00"],
        ["Wolves – Hares", "2", "0 – 0", "10.00 – 10.00"],
    ]
    assert "World Bridge Federation" in page.html
    assert page.links()["Wolves – Hares"] == f"{PAGE}/match?home=Wolves&visit=Hares"


def test_an_evening_without_teams_has_no_matches(client: Client) -> None:
    table(1, 1, "4S", "S", 10, table="1"), table(1, 1, "4S", "S", 9, table="2")
    page = open_page(client, PAGE)
    assert page.texts("h2") == [] and "Victory points" not in page.html


def test_each_stage_has_its_match_of_the_same_teams(client: Client) -> None:
    for stage, tricks in (("Round 2", 9), ("Round 10", 10)):
        swapped(1, tricks, 10, stage=stage), swapped(2, tricks, 10, stage=stage)
    page = open_page(client, PAGE)
    assert page.texts("caption") == ["Round 2", "Round 10", "Round 2", "Round 10"]
    assert [match.imps for match in matches()] == [(22, 0), (0, 0)]
    second = open_page(client, path_of(stage="round  10"))
    assert second.texts("dd") == ["0 – 0", "10.00 – 10.00", "2"]
    assert second.canonical() == f"http://testserver{PAGE}/match?home=Bears&visit=Lions&stage=Round+10"
    assert client.get(path_of(stage="Round 1")).status_code == 404
    assert client.get(path_of()).status_code == 404


def test_a_stage_with_a_slash_in_its_name_is_another_one(client: Client) -> None:
    swapped(1, 10, 9, stage="A")
    swapped(2, 10, 9, stage="A/B")
    assert open_page(client, path_of(stage="A")).texts("dd")[2] == "1"


def test_a_match_that_goes_on_over_pages_counts_all_its_boards_on_each(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stage in ("Final", "Round 1", "Semi-final"):
        swapped(1, 9, 10, stage=stage), swapped(2, 9, 10, stage=stage)
    monkeypatch.setattr("boards.pages.evenings.events.DEALS_OF_PAGE", 3)
    pages = [cells(open_page(client, f"{PAGE}?page={number}")) for number in (1, 2)]
    assert [[row[1:3] for row in rows if row[0] == "Bears – Lions"] for rows in pages] == [[["2", "22 – 0"]] * 2] * 2
    monkeypatch.setattr("boards.pages.evenings.events.DEALS_OF_PAGE", 6)
    assert [row[1:3] for row in cells(open_page(client, PAGE)) if row[0] == "Bears – Lions"] == [["2", "22 – 0"]] * 3


def test_a_stage_of_too_many_tables_has_no_matches(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    swapped(1, 9, 10), swapped(2, 9, 10)
    monkeypatch.setattr("boards.events.reading.MAX_STAGE_TABLES", 3)
    assert client.get(path_of()).status_code == 404
    monkeypatch.setattr("boards.events.reading.MAX_STAGE_TABLES", 4)
    assert client.get(path_of()).status_code == 200


def test_more_matches_than_a_page_lists_are_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for home in ("Cats", "Dogs", "Owls"):
        play(1, 10, home, "Hares", room="Open"), play(1, 9, home, "Hares", room="Closed")
    monkeypatch.setattr("boards.pages.evenings.events.MAX_MATCHES", 2)
    assert "1 more match of these stages is not listed." in open_page(client, PAGE).texts("p")
    monkeypatch.setattr("boards.pages.evenings.events.MAX_MATCHES", 3)
    assert "not listed" not in open_page(client, PAGE).html


def test_a_long_match_comes_in_pages_with_the_sums_of_all(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2, 3):
        swapped(number, 9, 10)
    monkeypatch.setattr("boards.pages.evenings.matches.BOARDS_OF_PAGE", 2)
    first, second = open_page(client, path_of()), open_page(client, path_of(page=2))
    assert [row[3] for row in cells(second)[2:]] == ["32 – 0"]
    assert [page.texts("dd")[0] for page in (first, second)] == ["32 – 0"] * 2
    assert first.links()["Next page"] == f"{PAGE}/match?home=Bears&visit=Lions&page=2"
    assert client.get(path_of(page=3)).status_code == 404


def test_the_page_of_a_match_leads_to_both_tables_and_back(client: Client) -> None:
    here = play(1, 10, room="Open")
    there = play(1, 9, room="Closed")
    page = open_page(client, path_of(home=" BEARS ", visit="lions"))
    assert page.texts("h1") == ["Lions – Bears"]
    targets = [found["href"] for found, text in page.all("a") if text.startswith("Board 1:")]
    assert targets == [f"/boards/{here.pk}", f"/boards/{there.pk}"]
    assert page.links()["All boards of Friday pairs"] == PAGE


PAGES = {
    200: ("home=Lions&visit=Bears",),
    404: ("home=Lions&visit=Wolves", "home=Lions&visit=Lions", "home=Lions&visit=Bears&stage=Final"),
    400: (
        *("home=Lions", "home=Lions&visit=", "home=Lions&visit=Bears&visit=Bears", "home=Lions&visit=%00"),
        *(f"home=Lions&visit={'B' * 201}", "home=Lions&visit=Bears&page=x"),
    ),
}


def test_only_a_match_that_was_played_has_a_page(client: Client) -> None:
    swapped(1, 10, 9)
    for status, queries in PAGES.items():
        for query in queries:
            assert client.get(f"{PAGE}/match?{query}").status_code == status, query
            elsewhere = client.get(f"/events/nothing/match?{query}").status_code
            assert elsewhere in ({400, 404} if status == 400 else {404}), query


def test_names_of_teams_are_shown_as_texts(client: Client) -> None:
    values = {"home_team": HOSTILE, "visit_team": f"{HOSTILE} 2", "stage": HOSTILE}
    table(1, 1, "4S", "S", 10, room="Open", **values), table(1, 1, "4S", "S", 9, room="Closed", **values)
    link = open_page(client, PAGE).links()[f"{HOSTILE} – {HOSTILE} 2"]
    for path in (PAGE, link):
        page = open_page(client, path)
        assert "<script>" not in page.html
        assert HOSTILE in " ".join(text for tag in ("a", "h1", "th") for text in page.texts(tag))


def test_a_draft_is_in_no_match(client: Client) -> None:
    play(1, 10, room="Open"), play(1, 9, room="Closed", published=False), board(2)
    assert matches() == []
    assert client.get(path_of()).status_code == 404


def test_more_boards_and_matches_take_no_more_queries(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def queries(path: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            open_page(client, path)
        return len(captured)

    monkeypatch.setattr("boards.pages.evenings.events.DEALS_OF_PAGE", 1)
    swapped(1, 10, 9), swapped(2, 10, 9)
    few = [queries(path) for path in (PAGE, path_of())]
    for number in range(3, 6):
        swapped(number, 10, 9)
        play(number, 10, "Cats", "Dogs", room="Open"), play(number, 9, "Cats", "Dogs", room="Closed")
    assert [queries(path) for path in (PAGE, path_of())] == few
