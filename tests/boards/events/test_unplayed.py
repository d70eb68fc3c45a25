"""A match that was not played: each of its boards is passed out at both tables, and nothing is made of any."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.events.reading import EVERY_TABLE, fetch_deals
from boards.events.tables import Table
from boards.events.unplayed import find_unplayed, mark_unplayed
from boards.models import Board
from boards.practice import read_field
from search.index.folding import fold_all
from tests import factories
from tests.boards.events.evenings import SLUG, board, read, table
from tests.pages.evenings.test_event_pages import PAGE, cells
from tests.pages.opening import open_page
from tests.search.test_searching import found

pytestmark = pytest.mark.django_db

ALL_PASS = "Pass Pass Pass Pass"
ROOMS = ("Open", "Closed")


def play(number: int, home: str, visit: str, *tricks: int, stage: str = "Round 1", **values: Any) -> list[Board]:
    """Publish both tables of a board, at which four spades by South won so many tricks."""
    teams = {"home_team": home, "visit_team": visit, "stage": stage, "scoring": "IMP", **values}
    return [table(number, number, "4S", "S", won, room=room, **teams) for room, won in zip(ROOMS, tricks, strict=False)]


def pass_out(number: int, home: str, visit: str, stage: str = "Round 1", **values: Any) -> list[Board]:
    """Publish both tables of a board, at which all passed."""
    teams = {"home_team": home, "visit_team": visit, "stage": stage, "scoring": "IMP", **values}
    return [board(number, number, calls=ALL_PASS, room=room, **teams) for room in ROOMS]


@pytest.fixture
def evening() -> dict[str, list[Board]]:
    """Store three rounds. Hawks and Owls did not play the first, and Hawks passed out a board of each of the others."""
    stored: dict[str, list[Board]] = {"played": [], "unplayed": [], "passed": []}
    for number in (1, 2, 3):
        stored["played"] += play(number, "Lions", "Bears", 10, 11)
        stored["unplayed"] += pass_out(number, "Hawks", "Owls")
    for stage, hawks, owls in (("Round 2", "Lions", "Bears"), ("Round 3", "Bears", "Lions")):
        (play(1, "Hawks", hawks, 10, 11, stage=stage), play(1, "Owls", owls, 10, 11, stage=stage))
        stored["passed"] += pass_out(2, "Hawks", hawks, stage=stage)
        play(2, "Owls", owls, 10, 11, stage=stage)
    return stored


def test_nobody_is_ranked_by_it(client: Client, evening: dict[str, list[Board]]) -> None:
    rankings = client.get(f"/api{PAGE}/ranking").json()["rankings"]
    pairs = {(each["stage"], place["pair"]): place["boards"] for each in rankings for place in each["pairs"]}
    first = {pair: boards for (stage, pair), boards in pairs.items() if stage == "Round 1"}
    assert first == {"Lions": 3, "Bears": 3}
    assert pairs["Round 2", "Hawks"] == 2
    scores = {place["points"] for each in rankings if each["stage"] == "Round 1" for place in each["pairs"]}
    assert scores == {3, -3}


def test_the_match_is_listed_as_not_played_and_counts_in_no_standings(
    client: Client, evening: dict[str, list[Board]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for deals_of_page in (40, 4):
        monkeypatch.setattr("pages.evenings.events.DEALS_OF_PAGE", deals_of_page)
        rows = cells(open_page(client, PAGE))
        assert ["Hawks – Owls", "not played"] in rows, deals_of_page
        standings = {row[0]: row[2:5] for row in rows if row[0] in ("Lions", "Bears", "Hawks", "Owls")}
        assert [name for name, won in standings.items() if won[0] == "–"] == ["Hawks", "Owls"], deals_of_page
    page = open_page(client, f"{PAGE}/match?home=Hawks&visit=Owls&stage=Round+1")
    assert page.texts("dd") == ["not played", "3, all passed out in the file"]
    assert [row[-1] for row in cells(page)[2:]] == [f"not played, board {number}" for number in (1, 2, 3)]
    played = open_page(client, f"{PAGE}/match?home=Hawks&visit=Lions&stage=Round+2")
    assert [row[3] for row in cells(played)[2:]] == ["0 – 1", "0 – 1"]


def test_no_board_has_its_best_or_worst_result_there(client: Client, evening: dict[str, list[Board]]) -> None:
    equal, vulnerable = "+450worst +420", "+650worst +620"
    for path in (PAGE, f"{PAGE}/embed"):
        facts = open_page(client, path).texts("small")
        assert [fact.partition("best ")[2] for fact in facts[:3]] == [equal, vulnerable, equal], path
    lines = open_page(client, "/boards", event=SLUG, q='stage="Round 1"').texts("p")
    assert sum("2 results: N-S +450 to +420" in line for line in lines) == 2, lines


def test_its_tables_are_compared_with_no_other(client: Client, evening: dict[str, list[Board]]) -> None:
    page = open_page(client, f"/boards/{evening['played'][0].pk}")
    rows = {row[0]: row[1:] for row in cells(page) if "–" in row[0] and len(row) > 4}
    hawks = [row for name, row in rows.items() if name.startswith("Hawks")]
    assert [row[0] for row in hawks] == ["not played"] * 2
    assert all(set(row[3:]) == {"–"} for row in hawks), hawks
    sheet = open_page(client, f"{PAGE}/results")
    assert sum(row.count("not played") for row in cells(sheet)) == 6
    own = open_page(client, f"{PAGE}/our?team=Hawks&side=NS&stage=Round+1")
    assert {row[1] for row in cells(own)[1:]} == {"not played"}


@pytest.mark.parametrize("is_folded", [False, True])
def test_it_has_no_swing(anonymous: Any, evening: dict[str, list[Board]], is_folded: bool) -> None:
    if is_folded:
        fold_all()
    titles = found(anonymous, "imps>=-24", pageSize=50)
    assert len(titles) == 6 + 16
    assert len(found(anonymous, "imps=0 contract=Pass")) == 4


def test_practice_asks_nothing_of_it_and_counts_none_of_its_tables(
    client: Client, anonymous: Any, evening: dict[str, list[Board]]
) -> None:
    unplayed, passed = evening["unplayed"][0], evening["passed"][0]
    for each, is_asked in ((unplayed, False), (passed, True)):
        path = f"/practice/{each.pk}?seat=south&step=0"
        assert bool(open_page(client, path).all("form", method="post")) == is_asked, each.stage
        answer = anonymous.get(f"/api/boards/{each.pk}/practice").json()
        assert answer["questions"] == [] or is_asked
    places = [CollectionEntry(unplayed.pk, seat="S"), CollectionEntry(passed.pk, seat="S")]
    texts = Texts("Lesson", visibility="public")
    lesson, _ = create_collection(owner=factories.account(), texts=texts, places=places)
    assert open_page(client, f"/lessons/{lesson.pk}/hand-out").texts("p").count("What do you call?") == 1
    here = {"home_team": "Foxes", "visit_team": "Mice", "stage": "Round 1"}
    assert len(read_field(board(1, 1, calls="Pass 1S Pass 4S Pass Pass Pass", **here))) == 1


def tables_of() -> Iterator[tuple[str, str, bool]]:
    for deal in read().deals:
        for each in deal.tables:
            yield each.home_team, each.stage, each.is_unplayed


def test_a_match_is_not_played_where_each_record_of_more_than_one_board_is_passed_out() -> None:
    pass_out(1, "One", "Board")
    (pass_out(1, "Both", "Ways"), pass_out(2, "WAYS", " both"))
    (pass_out(1, "Part", "Played"), play(2, "Part", "Played", 10, 10))
    (pass_out(1, "Later", "Result"), pass_out(2, "Later", "Result"))
    table(3, 3, "4S", "S", None, home_team="Result", visit_team="later", stage="Round 1")
    (pass_out(1, "Given", "Score"), pass_out(2, "Given", "Score"))
    board(3, 3, adjustment="A60-40", home_team="Given", visit_team="Score", stage="Round 1")
    (pass_out(1, "Given", "Score", "Round 2"), pass_out(2, "Given", "Score", "Round 2"))
    for number in (1, 2):
        board(number, number, calls=ALL_PASS, home_team="", visit_team="", stage="Round 1", pair_ns="1")
        board(number, number, calls=ALL_PASS, home_team="One", visit_team="Table", room="Open", stage="Round 1")
    assert {(home, stage) for home, stage, is_unplayed in tables_of() if is_unplayed} == {
        *(("Both", "Round 1"), ("WAYS", "Round 1"), ("Given", "Round 2"), ("One", "Round 1")),
    }
    assert [home for home, stage, is_unplayed in tables_of() if home == "One" and is_unplayed] == ["One"] * 2


def test_another_account_s_records_make_no_match_played() -> None:
    ada = factories.account("ada")
    own = [*pass_out(1, "Lions", "Bears", owner=ada), *pass_out(2, "Lions", "Bears", owner=ada)]
    play(3, "Lions", "Bears", 10, 10)
    assert {*find_unplayed(own)} == {*own}


def test_a_stage_is_read_only_where_a_team_passed_out_a_board_and_not_all_of_it_is_read(client: Client) -> None:
    play(1, "Lions", "Bears", 10, 11)
    paths = (PAGE, f"{PAGE}/ranking", f"/boards?event={SLUG}")

    def queries() -> dict[str, int]:
        counts = {}
        for path in paths:
            client.get(path)
            with CaptureQueriesContext(connection) as captured:
                assert client.get(path).status_code == 200
            counts[path] = len(captured)
        return counts

    few = queries()
    pass_out(2, "Hawks", "Owls")
    once = queries()
    assert {path: once[path] - few[path] for path in paths} == dict(zip(paths, (0, 0, 2), strict=True))
    for number in range(3, 9):
        pass_out(number, "Hawks", "Owls", f"Round {number}")
    assert queries() == once


def test_all_deals_of_a_stage_say_the_same_of_it_as_the_database(evening: dict[str, list[Board]]) -> None:
    ada = factories.account("ada")
    for stage, values in {
        "Round 4": {"adjustment": "A60-40"},
        "Round 5": {"home_team": "BEARS"},
        "Round 6": {},
    }.items():
        (pass_out(1, "Lions", "Bears", stage=stage), pass_out(2, "Bears", "Lions", stage=stage))
        board(3, 3, **{"home_team": "Lions", "visit_team": "Bears", "stage": stage, "owner": ada, **values})
    (pass_out(1, "Lions", "", stage="Round 7"), pass_out(2, "Lions", "", stage="Round 7"))
    board(3, 3, home_team="Lions", visit_team="Bears", stage="Round 4", calls=ALL_PASS, adjustment="A60-40")
    deals = [(deal, [Table(pk, *columns)]) for deal, (pk, *columns) in fetch_deals(EVERY_TABLE, [SLUG])]
    of_stage, read = mark_unplayed(deals, are_whole=True), mark_unplayed(deals)
    marked = {table.stage for _, (table,) in read if table.is_unplayed}
    assert marked == {"Round 1", "Round 5", "Round 6"}
    assert [table.is_unplayed for _, (table,) in of_stage] == [table.is_unplayed for _, (table,) in read]
