"""An evening as a whole: par and scores of each deal, the events beside it, and its sheet of results."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from boards.bulk import unpublish_boards
from boards.events.reading import read_neighbours
from boards.models import Board, Event
from deals.double_dummy import Table
from deals.models import Deal
from tests.boards.events.evenings import SLUG, board, table
from tests.boards.events.test_event_pages import HOSTILE, cells, open_page

pytestmark = pytest.mark.django_db

PAGE, SHEET = f"/events/{SLUG}", f"/events/{SLUG}/results"


def solve(**pars: list[str]) -> None:
    """Store a par for each deal: the contracts by vulnerability, and by dealer where it is named, as in All_E."""
    tricks = {seat: dict.fromkeys(("C", "D", "H", "S", "NT"), 7) for seat in "NESW"}
    stored = {
        name.replace("_", " "): {"score": -90 if "EW" in contracts[0] else 420, "contracts": contracts}
        for name, contracts in pars.items()
    }
    Deal.objects.update(double_dummy_status="done", double_dummy=Table.from_tricks(tricks).digits, par=stored)


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        open_page(client, path)
    return len(captured)


# --- The page of an event -------------------------------------------------------------------------------------


def test_a_deal_has_the_usual_contract_the_best_and_the_worst_score_and_the_spread(client: Client) -> None:
    boards = [
        table(1, 1, contract, declarer, tricks, table=str(place))
        for place, (contract, declarer, tricks) in enumerate(
            [("4S", "S", 10), ("4S", "N", 9), ("4S", "E", 5), ("3NT", "S", 9), ("Pass", "S", None)]
        )
    ]
    page = open_page(client, PAGE)
    heads, row = cells(page)
    assert heads == ["Board", "Dealer", "Vul", "Par", "Usual contract", "Best for NS", "Worst for NS", "Spread"]
    shown = [cell.replace("\ufe0e", "") for cell in row]
    assert shown == [
        *("Board 1", "N", "None", "–", "4♠ Sfour spades by South at 2 of 5"),
        *("+420, 4♠ Sfour spades by South", "−50, 4♠ Nfour spades by North", "470"),
    ]
    paths = {text.partition(",")[0]: path for text, path in page.links().items()}
    assert (paths["+420"], paths["−50"]) == (f"/boards/{boards[0].pk}", f"/boards/{boards[1].pk}")


def test_par_is_that_of_the_dealer_and_the_vulnerability(client: Client) -> None:
    board(1), board(2)  # dealer North, none vulnerable; dealer East, North-South vulnerable
    pars = {name: ["Pass"] for name in ("EW", "All")}
    solve(**{"None": ["NS 4S", "NS 4H"], "NS": ["N 4H"], "NS_E": ["EW 1NT"], **pars})
    rows = [[cell.replace("\ufe0e", "") for cell in row] for row in cells(open_page(client, PAGE))[1:]]
    assert [row[3] for row in rows] == [
        "+420, 4♠ NSfour spades by North-South, … and others",
        "−90, 1NT EWone no trump by East-West",
    ]


def test_boards_at_one_table_have_nothing_to_compare(client: Client) -> None:
    table(1, 1, "4S", "S", 10), table(2, 2, "3NT", "N", None), table(3, 3, "Pass", "S", None)
    heads, *rows = cells(open_page(client, PAGE))
    assert heads == ["Board", "Dealer", "Vul", "Par", "Contract, score of NS"]
    assert [row[4].replace("\ufe0e", "") for row in rows] == [
        "4♠ Sfour spades by South +420",
        "3NT Nthree no trump by North",
        "Passpassed out 0",
    ]


def test_tables_without_results_are_counted_and_no_score_is_made_up(client: Client) -> None:
    table(1, 1, "4S", "S", None, table="1"), board(1, 1, table="2")
    (row,) = cells(open_page(client, PAGE))[1:]
    assert row[4:] == ["4♠\ufe0e Sfour spades by South at 1 of 2", "–", "–", "–"]
    assert "Print results" not in open_page(client, PAGE).links()


def test_the_page_leads_to_the_sheets_for_paper(client: Client) -> None:
    table(1, 1, "4S", "S", 10)
    links = open_page(client, PAGE).links()
    assert (links["Print results"], links["Print hand records"]) == (SHEET, f"{PAGE}/print")


# --- The events beside it -------------------------------------------------------------------------------------


def beside(event: Board) -> tuple[str | None, str | None]:
    found = read_neighbours(Event.objects.get(slug=event.event_slug))
    return tuple(each and f"{each.name} {each.day}".strip() for each in found)  # type: ignore[return-value]  # always two


def test_an_event_stands_between_those_before_and_after_it_in_the_list() -> None:
    def evening(name: str, date: str, **values: str) -> Board:
        return board(1, event=name, date=date, **values)

    undated = evening("Old deals", "")
    first = evening("Friday pairs", "2026.11.13")
    teams, pairs = (evening(name, "2026.11.20") for name in ("A match", "Pairs"))
    last = evening("Friday pairs", "2026.11.27")
    assert [beside(each) for each in (undated, first, pairs, teams, last)] == [
        (None, "Friday pairs 2026.11.13"),
        ("Old deals", "Pairs 2026.11.20"),
        ("Friday pairs 2026.11.13", "A match 2026.11.20"),
        ("Pairs 2026.11.20", "Friday pairs 2026.11.27"),
        ("A match 2026.11.20", None),
    ]
    unpublish_boards([teams.pk])
    assert beside(pairs) == ("Friday pairs 2026.11.13", "Friday pairs 2026.11.27")


def test_two_events_of_one_name_and_day_stand_beside_each_other() -> None:
    here, there = (board(1, site=site) for site in ("The club", "Another club"))
    assert {beside(here), beside(there)} == {("Friday pairs 2026.11.20", None), (None, "Friday pairs 2026.11.20")}


def test_the_page_of_an_event_leads_to_those_beside_it(client: Client) -> None:
    board(1), board(1, date="2026.11.27", event=HOSTILE), board(1, date="2026.11.13")
    links = open_page(client, PAGE).links()
    assert links["← Previous event: Friday pairs, 13 November 2026"].startswith("/events/friday-pairs-2026-11-13-")
    assert links[f"Next event: {HOSTILE}, 27 November 2026 →"].startswith("/events/script")
    board(1, event="Alone", date="2020.01.01")


def test_more_events_boards_and_tables_take_no_more_queries(client: Client) -> None:
    def fill(*days: int) -> None:
        for day in days:
            board(1, date=f"2025.01.{day:02}"), board(1, date=f"2027.01.{day:02}")
            for place in ("1", "2"):
                table(day, day, "1NT", "S", 7, table=place, home_team="Lions", visit_team="Bears")

    board(1)
    fill(1, 2)
    few = [queries(client, path) for path in (PAGE, SHEET)]
    fill(3, 4, 5)
    assert [queries(client, path) for path in (PAGE, SHEET)] == few


# --- The sheet of results -------------------------------------------------------------------------------------


def test_the_sheet_has_the_traveller_of_each_deal(client: Client) -> None:
    first = table(1, 1, "4S", "S", 10, table="1", scoring="MP")
    table(1, 1, "4S", "S", 9, table="2", scoring="MP")
    table(2, 2, "Pass", "S", None, table="1")
    solve(**{name: ["EW 1NT"] for name in ("None", "NS", "EW", "All")})
    page = open_page(client, SHEET)
    assert page.texts("caption") == [
        "Board 1 Dealer N · Vul None · Par EW +90: 1NT EW",
        "Board 2 Dealer E · Vul NS · Par EW +90: 1NT EW",
    ]
    assert [[cell.replace("\ufe0e", "") for cell in row] for row in cells(page)] == [
        ["Table", "Contract", "Lead", "Result", "Score", "MP"],
        ["Table 1", "4♠ S", "–", "=", "+420", "2"],
        ["Table 2", "4♠ S", "–", "−1", "−50", "0"],
        ["Table", "Contract", "Lead", "Result", "Score"],
        ["Table 1", "Pass", "–", "–", "0"],
    ]
    assert page.links()["Board 1"] == f"/boards/{first.pk}"
    assert "Matchpoints: 2 for each score that is lower" in page.html
    assert not page.is_indexed()


def test_the_sheet_names_the_teams_and_the_room_and_cuts_what_paper_has_no_room_for(client: Client) -> None:
    teams = {"home_team": "Lions & <b>", "visit_team": "B" * 100}
    table(1, 1, "4S", "S", 10, room="Open", **teams), table(1, 1, "4S", "S", 9, room="Closed", **teams)
    table(1, 1, "4S", "S", 8, home_team="Owls", visit_team="Hares", room="Open")
    rows = cells(open_page(client, SHEET))[1:]
    name = f"Lions & <b> – {'B' * 14}…"
    assert [row[0] for row in rows] == [f"{name}, Open", f"{name}, Closed", "Owls – Hares, Open"]
    assert [row[5:] for row in rows] == [["+10", "+10.5"], ["−10", "−4.0"], ["–", "−6.5"]]


def test_more_tables_leave_room_for_fewer_deals_on_a_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.pages.evenings.results_sheet.MAX_ROWS", 4)
    for number in (1, 2, 3):
        table(number, number, "1NT", "S", 7)
    assert len(open_page(client, SHEET).texts("caption")) == 3
    table(2, 2, "1NT", "S", 8)
    first, second = open_page(client, SHEET), open_page(client, f"{SHEET}?page=2")
    assert (len(first.texts("caption")), len(second.texts("caption"))) == (2, 1)
    assert (first.links()["Next page"], second.links()["Previous page"]) == (f"{SHEET}?page=2", SHEET)
    assert client.get(f"{SHEET}?page=3").status_code == 404


def test_a_deal_at_too_many_tables_is_named_without_them(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for tricks in (6, 7, 8):
        table(1, 1, "1NT", "S", tricks)
    monkeypatch.setattr("boards.pages.evenings.results_sheet.MAX_TABLES", 2)
    assert cells(open_page(client, SHEET))[1:] == [["3 tables, too many to compare."]]


def test_an_unknown_event_or_a_bad_page_has_no_sheet(client: Client) -> None:
    board(1, published=False)
    paths = ("/events/nothing/results", SHEET, f"{SHEET}?page=0", f"{SHEET}?page=1&page=2")
    assert [client.get(path).status_code for path in paths] == [404, 404, 400, 400]
