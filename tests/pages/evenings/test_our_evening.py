"""One's own evening, /events/{slug}/our, and the ranking of all, /events/{slug}/ranking."""

import re
from random import Random
from typing import Any

import pytest
from django.template.defaultfilters import floatformat
from django.test import Client

from boards.models import PlayAnalysis
from bridge.ranking import Place
from bridge.seats import Seat
from deals.models import SolverStatus
from pages.drawing.evenings import draw_places, write_hundredths
from tests import factories
from tests.answers import assert_error
from tests.boards.events.evenings import SLUG, table
from tests.boards.events.test_evening import solve
from tests.pages.documents import Document
from tests.pages.evenings.test_event_pages import PAGE, cells
from tests.pages.opening import open_page, queries_of

pytestmark = pytest.mark.django_db

OUR, RANKING = f"{PAGE}/our", f"{PAGE}/ranking"


def howell(**values: Any) -> None:
    """Store three boards of four pairs, who sit both ways. Pair 4 does not play the last board, somebody does."""
    table(1, 1, "4S", "S", 10, pair_ns="1", pair_ew="2", **values)
    table(1, 1, "4S", "S", 9, pair_ns="3", pair_ew="4", **values)
    table(2, 2, "4S", "S", 8, pair_ns="1", pair_ew="3", **values)
    table(2, 2, "4S", "S", 10, pair_ns="4", pair_ew="2", **values)
    table(3, 3, "3NT", "W", 9, pair_ns="2", pair_ew="1", **values)
    table(3, 3, "3NT", "W", 8, pair_ns="3", **values)


def plain(row: list[str]) -> list[str]:
    """Return the cells of a row without what is read aloud alone."""
    return [cell.split("four spades")[0].split("three no trump")[0].strip() for cell in row]


def test_each_board_has_ones_own_result_beside_par_and_field_from_ones_own_side(client: Client) -> None:
    howell(scoring="MP")
    solve(**{"None": ["NS 4S"], "NS": ["NS 4S"], "EW": ["EW 2H"]})
    page = open_page(client, OUR, pair="1")
    assert page.texts("h1") == ["Pair 1"] and not page.is_indexed()
    assert page.texts("p", **{"class": "quiet"})[0] == (
        "Friday pairs, 20 November 2026, The club · 66.67 %, rank 2= of 4"
    )
    head, *rows = map(plain, cells(page))
    assert head == ["Board", "Contract", "Score", "Par", "Mean", "Rank", "%"]
    assert [[row[0], *row[2:]] for row in rows] == [
        ["Board 1", "+420", "+420", "+190", "1/2", "100"],
        ["Board 2", "−200", "+420", "+210", "2/2", "0"],
        ["Board 3", "+600", "+90", "+250", "1/2", "100"],
    ]


def test_three_boards_are_worth_another_look_with_links_to_step_and_practise(client: Client) -> None:
    howell(scoring="MP")
    led = table(4, 4, "1NT", "N", 7, pair_ns="1", pair_ew="4", opening_lead=lead_of(4), scoring="MP")
    table(4, 4, "1NT", "N", 7, pair_ns="2", pair_ew="3", scoring="MP")
    PlayAnalysis.objects.filter(board=led).update(status=SolverStatus.DONE, trace="79")
    page = open_page(client, OUR, pair="1")
    assert page.texts("dt") == ["Best result", "Largest swing", "Most costly card"]
    best, swing, card = page.texts("dd")
    assert best.startswith("Board 1, ") and ", +420 where the mean is +190: 100 %." in best
    assert swing.startswith("Board 2, ") and ", −200 where the mean is +210: 0 %." in swing
    assert "With all cards seen" in card and "in trick 1 cost East-West two tricks." in card
    links = page.links()
    assert links["Practise just these"] == f"/practice?event={SLUG}&q=board%3D1%2C2%2C4"
    assert links["Step through board 4, Most costly card"] == f"/boards/{led.pk}?step=0"
    assert links["Practise board 4, Most costly card"] == f"/practice/{led.pk}?event={SLUG}"
    assert client.get(links["Practise just these"]).status_code == 302


def lead_of(seed: int) -> str:
    layout = factories.layout(seed)
    return next(suit + ranks[0] for suit, ranks in layout.suits(Seat.EAST).items() if ranks)


def test_whoever_says_nothing_or_not_enough_is_asked_and_a_wrong_pair_is_told_so(client: Client) -> None:
    for number in (1, 2):
        table(number, number, "4S", "S", 10, pair_ns="1", pair_ew="2", table="5")
        table(number, number, "4S", "S", 9, pair_ns="2", pair_ew="1", table="6")
    asked = open_page(client, OUR)
    assert asked.texts("h2") == ["North-South", "East-West"]
    assert asked.links()["2, East-West"] == f"{OUR}?pair=2&side=EW"
    which = open_page(client, OUR, pair="2")
    assert which.texts("p", role="status") == ["Pair 2: in which direction?"]
    assert which.links()["2, North-South"] == f"{OUR}?pair=2&side=NS"
    assert open_page(client, OUR, table="5").links()["5, East-West"] == f"{OUR}?table=5&side=EW"
    at_table = open_page(client, OUR, table="6", side="EW")
    assert at_table.texts("h1") == ["Table 6, East-West"]
    response = client.get(OUR, {"pair": "<b>9"})
    (said,) = Document(response).texts("p", role="status")
    assert (response.status_code, said) == (404, "Pair <b>9 played none of these boards. These did:")
    for query, status in (("pair=1&side=x", 400), ("stage=x", 404), ("pair=1&side=NS&page=2", 404), ("page=0", 400)):
        assert client.get(f"{OUR}?{query}").status_code == status, query


def test_a_team_is_followed_by_its_direction_and_a_stage_at_a_time(client: Client) -> None:
    for stage in ("Round 1", "Round 2"):
        for number, (home, visit, tricks) in enumerate((("Lions", "Bears", 10), ("Bears", "Lions", 8)), 1):
            values = {"home_team": home, "visit_team": visit, "table": str(number), "stage": stage, "scoring": "IMP"}
            table(1, 1, "4S", "S", tricks, **values)
    assert (
        open_page(client, OUR, team="lions").links()["lions, North-South"] == f"{OUR}?team=lions&side=NS&stage=Round+1"
    )
    page = open_page(client, OUR, team="lions", side="NS", stage="round 2")
    assert page.texts("h1") == ["Lions, North-South"]
    head, row = map(plain, cells(page))
    assert (head[6:], row[6:]) == (["IMPs", "Cross-IMPs"], ["+11", "+11.0"])
    assert page.links()["Round 1"] == f"{OUR}?team=lions&side=NS&stage=Round+1"
    ranking = open_page(client, RANKING, stage="Round 2")
    assert cells(ranking)[1] == ["1", "Lions", "1", "11", "11.00"]
    assert ranking.links()["Lions"] == f"{OUR}?team=Lions&side=EW&stage=Round+2"


def test_the_ranking_says_by_what_and_with_whom_pairs_are_ranked(client: Client) -> None:
    howell()
    page = open_page(client, RANKING)
    assert page.texts("h2") == ["Matchpoints", "Cross-IMPs"], "the boards do not say which"
    head, *rows = cells(page)
    assert head == ["Rank", "Pair", "Boards", "Matchpoints", "%"]
    assert rows[:4] == [
        *(["1", "4", "2", "4", "100.00"], ["2=", "1", "3", "4", "66.67"]),
        *(["2=", "3", "3", "4", "66.67"], ["4", "2", "3", "0", "0.00"]),
    ]
    assert "One field: pairs sat in both directions (a Howell)." in page.texts("p", **{"class": "quiet"})[-1]
    assert page.links()["4"] == f"{OUR}?pair=4"
    assert client.get(f"{RANKING}?page=2").status_code == 404


def test_nobody_is_ranked_where_pairs_cannot_be_followed(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        table(1, 1, "4S", "S", 8 + number, table=str(number))
    assert "name no pairs or teams" in open_page(client, RANKING).texts("p", **{"class": "notice"})[0]
    for pair in ("2", "3"):
        table(2, 2, "4S", "S", 10, pair_ns="1", pair_ew=pair)
    assert "No ranking: 1 appears twice" in open_page(client, RANKING).texts("p", **{"class": "notice"})[0]
    assert client.get(f"/api{RANKING}").json() == {"rankings": [], "fileRankings": []}
    monkeypatch.setattr("boards.events.counting.MAX_EVENT_TABLES", 3)
    assert_error(client.get(f"/api{RANKING}"), 404, "not_found")


def test_points_are_written_with_two_decimals_as_django_s_filter_does() -> None:
    random = Random(1)
    some = [
        *(random.uniform(-100, 100) for _ in range(2000)),
        *(number / 8 for number in range(-40, 40)),
        -0.001,
        3,
        0.0,
    ]
    assert [points for points in some if write_hundredths(points) != floatformat(points, 2)] == []
    wholes = (34.0, 34.001, -2.5, -3, 0)
    rows = str(draw_places([(Place(1, False, "7", 4, points, 0.0), "") for points in wholes]))
    assert re.findall("<td>4</td>\n<td>(.*)</td>", rows) == [floatformat(points, -2) for points in wholes]


def test_drafts_are_ranked_nowhere_and_queries_do_not_grow(client: Client) -> None:
    howell(scoring="MP")
    paths = (f"{OUR}?pair=1", RANKING, f"/api{RANKING}")
    few = queries_of(client, *paths)
    for number in range(5, 12):
        table(number, number, "4S", "S", 10, pair_ns="1", pair_ew="2", scoring="MP")
        table(number, number, "4S", "S", 9, pair_ns="3", pair_ew="4", scoring="MP")
        table(number, number, "4S", "S", 13, pair_ns="7", pair_ew="8", published=False)
    assert queries_of(client, *paths) == few and max(few.values()) <= 5
    (ranking,) = client.get(f"/api{RANKING}").json()["rankings"]
    assert (ranking["scoring"], ranking["side"], ranking["stage"]) == ("matchpoints", "", "")
    assert {each["pair"]: each["boards"] for each in ranking["pairs"]} == {"1": 10, "2": 10, "3": 10, "4": 9}
