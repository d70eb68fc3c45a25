"""Matches of teams in an event: who sat where, IMPs, victory points, and the tables of a deal on a board's page."""

from itertools import product
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

import pytest
from django.test import Client

from boards.events.matches import Match, find_matches
from boards.models import Board
from tests.boards.events.evenings import SLUG, board, read, table
from tests.pages.documents import Document
from tests.pages.evenings.test_event_pages import cells
from tests.pages.opening import open_page, page_of

pytestmark = pytest.mark.django_db

PAGE = f"/events/{SLUG}"


def play(number: int, tricks: int | None, home: str = "Lions", visit: str = "Bears", **values: Any) -> Board:
    """Publish a table at which four spades by South won so many tricks. Each stage has deals of its own."""
    seed = values.pop("seed", crc32(f"{values.get('stage')} {number}".encode()))
    return table(seed, number, "4S", "S", tricks, home_team=home, visit_team=visit, **values)


def swapped(number: int, tricks: int, others: int, **values: Any) -> tuple[Board, Board]:
    """Publish both tables of a board, at each of which the home team sits North-South."""
    return play(number, tricks, table="1", **values), play(number, others, "Bears", "Lions", table="2", **values)


def matches() -> dict[str, Match]:
    """Return the matches of the event by stage."""
    return {match.stage: match for match in find_matches(read().deals)}


def path_of(page: int = 1, **query: str) -> str:
    names = {"home": "Lions", "visit": "Bears", **query, **({"page": str(page)} if page > 1 else {})}
    return f"{PAGE}/match?{urlencode(names)}"


Places = dict[str, tuple[dict[str, Any], ...]]
TOLD: Places = {
    "swapped": ({"table": "1"}, {"home": "Bears", "visit": "Lions", "table": "2"}),
    "swapped in rooms": ({"room": "Closed"}, {"home": "BEARS", "visit": "lions ", "room": "Open"}),
    "rooms": ({"room": "Open"}, {"room": "Closed"}),
    "room before table": ({"room": "Open", "table": "EW"}, {"room": "Closed", "table": "NS"}),
    "directions": ({"table": "NS"}, {"table": "EW"}),
    "section": ({"table": "A NS"}, {"table": "A EW"}),
}
NOT_TOLD: Places = {
    "tables only": ({"table": "1"}, {"table": "2"}),
    "nothing said": ({}, {}),
    "stored twice": ({"room": "Open"}, {"room": "Open"}),
    "one team": ({"room": "Open", "visit": ""}, {"room": "Closed", "visit": ""}),
    "the same team": ({"room": "Open", "visit": "LIONS"}, {"room": "Closed", "visit": "Lions"}),
    "other stage": ({"room": "Open", "stage": "Final"}, {"room": "Closed"}),
    "four tables": tuple({"table": name} for name in ("NS", "EW", "A NS", "A EW")),
    "a draft": ({"room": "Open"}, {"room": "Closed", "published": False}),
}


def test_two_tables_are_a_match_where_the_file_tells_which_team_sat_north_south(client: Client) -> None:
    for stage, places in (TOLD | NOT_TOLD).items():
        for tricks, place in zip((10, 9, 10, 9), places, strict=False):
            play(1, tricks, **{"stage": stage, **place})
    found = matches()
    assert found.keys() == TOLD.keys()
    for stage, match in found.items():
        assert {match.home.casefold(), match.visit.strip().casefold()} == {"lions", "bears"}, stage
        assert match.imps == ((10, 0) if match.home == "Lions" else (0, 10)), stage
    for stage in (*TOLD, *NOT_TOLD):
        assert client.get(path_of(stage=stage)).status_code == (200 if stage in TOLD else 404), stage


def test_a_match_counts_all_its_boards_and_compares_those_with_two_scores(client: Client) -> None:
    swapped(1, 10, 9)  # +420 and −50: 10 IMPs
    swapped(2, 9, 10)  # −100 and +620: 12 IMPs to the others
    swapped(3, 10, 10)
    play(4, 10)
    (swapped(5, 10, 11), play(5, None, table="3"))  # an overtrick; a third table without a result changes nothing
    play(6, 10), play(6, None, "Bears", "Lions")
    match = matches()[""]
    assert (match.home, match.visit, match.compared, match.imps) == ("Bears", "Lions", 4, (13, 10))
    four, made, down = "4♠ Sfour spades by South", "=made", "−1down 1"
    assert [row[:5] for row in cells(open_page(client, path_of()))[2:]] == [
        ["1", "", "10", "0 – 10", f"{four} {down}, board 1 −50"],
        ["2", "12", "", "12 – 10", f"{four} {made}, board 2 +620"],
        ["3", "", "", "12 – 10", f"{four} {made}, board 3 +420"],
        ["4", "–", "–", "12 – 10", "not played"],
        ["5", "1", "", "13 – 10", f"{four} +1made +1, board 5 +650"],
        ["6", "–", "–", "13 – 10", f"{four}, board 6 –"],
    ]


def test_the_event_lists_its_matches_with_imps_and_points(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    table(9, 9, "4S", "S", 10, table="1"), table(9, 9, "4S", "S", 9, table="2")
    page = open_page(client, PAGE)
    assert page.texts("h2") == ["1 board, 2 results"] and "Victory points" not in page.html
    for number in (1, 2):
        swapped(number, 9, 10)
        play(number, 10, "Wolves", "Hares", room="Open"), play(number, 10, "Wolves", "Hares", room="Closed")
    page = open_page(client, PAGE)
    assert page.texts("h2") == ["3 boards, 10 results", "Matches"]
    assert cells(page)[:3] == [
        ["Teams", "Boards", "IMPs", "Victory points"],
        ["Bears – Lions", "2", "22 – 0", "20.00 – 0.00"],
        ["Wolves – Hares", "2", "0 – 0", "10.00 – 10.00"],
    ]
    assert "World Bridge Federation" in page.html and "not shown" not in page.html
    assert page.links()["Wolves – Hares"] == f"{PAGE}/match?home=Wolves&visit=Hares"
    monkeypatch.setattr("pages.evenings.events.MAX_MATCHES", 1)
    assert "1 more match of these stages is not shown." in open_page(client, PAGE).texts("p")


def test_each_stage_has_its_match_of_the_same_teams(client: Client) -> None:
    for stage, tricks in (("Round 2", 9), ("Round 10", 10), ("Round 10/B", 9)):
        swapped(1, tricks, 10, stage=stage), swapped(2, tricks, 10, stage=stage)
    page, rounds = open_page(client, PAGE), ["Round 2", "Round 10", "Round 10/B"]
    assert page.texts("caption") == page.texts("h3") == rounds
    assert [match.imps for match in matches().values()] == [(22, 0), (0, 0), (22, 0)]
    second = open_page(client, path_of(stage="round  10"))
    assert second.texts("dd") == ["0 – 0", "10.00 – 10.00", "2"]
    assert second.canonical() == f"http://testserver{PAGE}/match?home=Bears&visit=Lions&stage=Round+10"
    assert [client.get(path).status_code for path in (path_of(stage="Round 1"), path_of())] == [404, 404]


def test_the_parts_of_a_stage_are_one_match_with_points_for_the_whole(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = {"room": "Open"}, {"room": "Closed"}
    for number, stage, tricks in ((1, "Final, segment 1", (10, 9)), (2, "Final, segment 2 of 2", (9, 10))):
        teams = {"home": "Lions", "visit": "Bears"} if number == 1 else {"home": "Bears", "visit": "Lions"}
        for room, won in zip(rooms, tricks, strict=True):
            play(number, won, stage=stage, **teams, **room)
    swapped(3, 10, 9, stage="Finalists, set 1"), swapped(4, 10, 10, stage="Finalists")
    for deals_of_page in (40, 1):
        monkeypatch.setattr("pages.evenings.events.DEALS_OF_PAGE", deals_of_page)
        assert ["Bears – Lions", "2", "0 – 22", "0.00 – 20.00"] in cells(open_page(client, PAGE))
    assert list(matches()) == ["Final", "Finalists"]
    whole = open_page(client, path_of(stage="Final"))
    assert whole.texts("dd") == ["0 – 22", "0.00 – 20.00", "2", "0 – 10", "0 – 12"]
    assert [row[3] for row in cells(whole)[2:]] == ["0 – 10", "0 – 22"]
    part = open_page(client, whole.links()["0 – 12"])
    assert part.texts("dd")[0] == "0 – 12" and "Final, segment 2 of 2" in part.html


def test_a_swiss_has_standings_by_round_and_a_knock_out_has_none(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meet(stage: str, home: str, visit: str, tricks: int) -> None:
        play(1, tricks, home, visit, stage=stage, room="Open"), play(1, 10, home, visit, stage=stage, room="Closed")

    for meeting in (
        *(("Round 1", "Lions", "Bears", 9), ("Round 1", "Cats", "Dogs", 10)),
        *(("Round 2", "Bears", "Cats", 9), ("Round 10", "Cats", "Lions", 10)),
    ):
        meet(*meeting)
    assert "Standings" not in open_page(client, PAGE).texts("h2"), "the losers have played once, as in a knock-out"
    meet("Round 2", "lions", "Dogs", 10)
    for deals_of_page in (40, 2):
        monkeypatch.setattr("pages.evenings.events.DEALS_OF_PAGE", deals_of_page)
        page = open_page(client, PAGE)
        assert cells(page)[:5] == [
            ["Team", "Victory points", "Round 1", "Round 2", "Round 10"],
            ["Cats", "38.09", "10.00", "18.09", "10.00"],
            ["Lions", "21.91", "1.91", "10.00", "10.00"],
            ["Bears", "20.00", "18.09", "1.91", "–"],
            ["Dogs", "20.00", "10.00", "10.00", "–"],
        ], deals_of_page
    assert "Standings" not in open_page(client, f"{PAGE}?page=2").texts("h2")


def test_a_match_counts_all_its_boards_on_each_page_it_is_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for stage in ("Final", "Round 1", "Semi-final"):
        swapped(1, 9, 10, stage=stage), swapped(2, 9, 10, stage=stage)
    for deals_of_page, matches_of_pages in ((3, (2, 2)), (6, (3,))):
        monkeypatch.setattr("pages.evenings.events.DEALS_OF_PAGE", deals_of_page)
        for number, count in enumerate(matches_of_pages, 1):
            rows = cells(open_page(client, f"{PAGE}?page={number}"))
            assert [row[1:3] for row in rows if row[0] == "Bears – Lions"] == [["2", "22 – 0"]] * count


def test_a_long_match_has_pages_and_too_long_a_stage_no_match(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2, 3):
        swapped(number, 9, 10)
    monkeypatch.setattr("pages.evenings.matches.BOARDS_OF_PAGE", 2)
    monkeypatch.setattr("boards.events.reading.MAX_STAGE_TABLES", 6)
    first, second = open_page(client, path_of()), open_page(client, path_of(page=2))
    assert [row[3] for row in cells(second)[2:]] == ["32 – 0"]
    assert [page.texts("dd")[0] for page in (first, second)] == ["32 – 0"] * 2
    assert first.links()["Next page"] == f"{PAGE}/match?home=Bears&visit=Lions&page=2"
    assert client.get(path_of(page=3)).status_code == 404
    monkeypatch.setattr("boards.events.reading.MAX_STAGE_TABLES", 5)
    assert client.get(path_of()).status_code == 404


PAGES = {
    404: ("home=Lions&visit=Wolves", "home=Lions&visit=Lions", "home=Lions&visit=Bears&stage=Final"),
    400: (
        *("home=Lions", "home=Lions&visit=", "home=Lions&visit=Bears&visit=Bears", "home=Lions&visit=%00"),
        *(f"home=Lions&visit={'B' * 201}", "home=Lions&visit=Bears&page=x"),
    ),
}


def test_a_board_that_neither_or_one_table_played_is_said_to_be_not_played_once(client: Client) -> None:
    swapped(1, 10, 9)
    one, other = {"home_team": "Lions", "visit_team": "Bears"}, {"home_team": "Bears", "visit_team": "Lions"}
    unplayed = [board(2, 2, **teams) for teams in (one, other)]
    play(3, 10, seed=3), board(3, 3, **other)
    page = open_page(client, path_of())
    assert [row[4:] for row in cells(page)[3:]] == [
        ["not played, board 2"],
        ["not played, board 3", "4♠ Sfour spades by South =made, board 3 +420"],
    ]
    assert [found["colspan"] for found, text in page.all("td") if "not played" in text] == ["2", "1"]
    assert page.links()["not played, board 2"] in {f"/boards/{each.pk}" for each in unplayed}


def test_the_page_of_a_match_leads_to_both_tables_and_only_one_that_was_played_has_a_page(client: Client) -> None:
    tables = [play(1, tricks, room=room) for room, tricks in (("Open", 10), ("Closed", 9))]
    page = open_page(client, path_of(home=" BEARS ", visit="lions"))
    assert page.texts("h1") == ["Lions – Bears"]
    targets = [found["href"] for found, text in page.all("a") if text.endswith(", board 1")]
    assert targets == [f"/boards/{each.pk}" for each in tables]
    assert page.links()["All boards of Friday pairs"] == PAGE
    assert client.get("/events/nothing/match?home=Lions&visit=Bears").status_code == 404
    for status, queries in PAGES.items():
        for query in queries:
            assert client.get(f"{PAGE}/match?{query}").status_code == status, query


# --- The tables of a deal on the page of one of them ---------------------------------------------------------


OWN_MATCH = "IMPs: against the other table of this match."
ALL_TABLES = "Cross-IMPs: average against all other tables."


def rows_of(page: Document, *columns: int) -> list[tuple[str, ...]]:
    """Return these columns of the traveller, or all, without its head."""
    if not page.all("section", **{"class": "card traveller"}):
        return []
    rows = cells(page)
    start = next(place for place, row in enumerate(rows) if row[:1] == ["Table"])
    return [tuple(row[column] for column in columns or range(len(row))) for row in rows[start + 1 :]]


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


def test_butler_shows_the_datum_and_the_imps_against_it(client: Client) -> None:
    for scoring, datum, points in (
        ("Butler", "Butler, datum +90", ("+8", "−4", "−5")),
        ("IMP;Butler-2", "Butler, datum −50", ("+10", "0", "−2")),
    ):
        played = [table(1, 1, "4S", "S", tricks, scoring=scoring, table=str(tricks), date="") for tricks in (8, 9, 10)]
        page = page_of(client, played[0])
        assert tuple(points for (points,) in rows_of(page, 5)) == points and page.texts("abbr").count(datum) == 1
        Board.objects.all().delete()


def test_an_adjusted_score_stands_in_the_place_of_the_contract_with_its_points(client: Client) -> None:
    given = {"contract": None, "tricks": None, "adjustment": "A60-40"}
    first = table(1, 1, "4S", "S", 10, table="1")
    table(1, 1, "4S", "S", 9, table="2"), board(1, 1, table="3", **given)
    assert rows_of(page_of(client, first), 0, 1, 3, 4, 5)[1:] == [
        ("Table 2", "4♠ Sfour spades by South", "−1down 1", "−50", "0.5"),
        ("Table 3", "A60-40", "–", "–", "2.4"),
    ]
    assert ["Table 3", "A60-40", "–", "–", "–", "2.4"] in cells(open_page(client, f"{PAGE}/results"))
    teams = {"home_team": "Lions", "visit_team": "Bears"}
    table(2, 2, "4S", "S", 9, room="Closed", **teams), board(2, 2, room="Open", **teams, **given)
    assert matches()[""].imps == (3, 0)
    assert "A60-40" in open_page(client, f"{PAGE}/match?home=Lions&visit=Bears").html


def test_a_board_with_fewer_scores_than_others_of_its_stage_is_enlarged_to_their_number(client: Client) -> None:
    first, *_ = [table(1, 1, "4S", "S", 9 + place, table=str(place), scoring="MP") for place in (1, 2)]
    for place in (1, 2, 3):
        table(2, 2, "1NT", "N", place, table=str(place)), table(2, 2, "1NT", "N", place, table=str(place), stage="Two")
    board(2, 2, contract=None), table(3, 3, "1NT", "N", None), table(4, 4, "1NT", "N", 7, stage="Two", table="9")
    page = page_of(client, first)
    assert rows_of(page, 4, 5) == [("+450", "3.5"), ("+420", "0.5")]
    assert "a top is 4; fewer scores count by Neuberg’s formula." in page.html
    sheet = cells(open_page(client, f"{PAGE}/results"))
    assert [row[5] for row in sheet if row[4] in ("+450", "+420")] == ["3.5", "0.5"]


def test_it_links_to_the_other_tables_and_there_is_none_for_one_table_and_in_practice(client: Client) -> None:
    alone = table(1, 1, "4S", "S", 10, home_team="Lions", visit_team="Bears", room="Open")
    table(1, 1, "3NT", "S", 9, published=False), table(1, 1, "3NT", "S", 8, event="Saturday pairs")
    assert rows_of(page_of(client, alone)) == []
    there = table(1, 1, "4S", "S", 11, home_team="Lions", visit_team="Bears", room="Closed")
    page = page_of(client, alone)
    assert (len(rows_of(page)), page.links()["Closed room"]) == (2, f"/boards/{there.pk}")
    assert rows_of(page_of(client, alone, "?show=south")) == []
