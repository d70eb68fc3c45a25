"""An evening as a whole: the par and scores of each deal, its sheet of results, and what stands beside it."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from boards.events import reading
from boards.events.listing import read_neighbours
from boards.events.reading import neighbours, read_surroundings
from boards.models import Board, Event
from boards.services.bulk import unpublish_boards
from bridge.contract import Contract
from bridge.double_dummy import DoubleDummyTable
from bridge.seats import Seat
from deals.models import Deal
from tests import factories
from tests.boards.events.evenings import SLUG, board, table
from tests.pages.evenings.test_event_pages import HOSTILE, cells
from tests.pages.opening import facts_of, open_page

pytestmark = pytest.mark.django_db

PAGE, SHEET = f"/events/{SLUG}", f"/events/{SLUG}/results"


def solve(**pars: list[str]) -> None:
    """Store a par for each deal: the contracts by vulnerability, and by dealer where it is named, as in All_E."""
    tricks = {seat: dict.fromkeys(("C", "D", "H", "S", "NT"), 7) for seat in "NESW"}
    stored = {
        name.replace("_", " "): {"score": -90 if "EW" in contracts[0] else 420, "contracts": contracts}
        for name, contracts in pars.items()
    }
    Deal.objects.update(
        double_dummy_status="done", double_dummy=DoubleDummyTable.from_tricks(tricks).digits, par=stored
    )


def test_a_deal_has_the_usual_contract_of_a_side_the_best_and_the_worst_score_and_the_spread(client: Client) -> None:
    played = [("4S", "S", 10), ("4S", "N", 9), ("4S", "E", 5), ("3NT", "S", 9), ("Pass", "S", None)]
    boards = [table(1, 1, *results, table=str(place)) for place, results in enumerate(played)]
    table(2, 2, "1NT", "S", 7, table="1"), table(2, 2, "1NT", "E", 7, table="2")
    table(3, 3, "4S", "S", None, table="1"), board(3, 3, table="2")
    page = open_page(client, PAGE)
    notrump = "1NT Sone no trump by South"
    assert facts_of(page) == [
        "N · None4♠ Sfour spades by South at 2 of 5best +420worst −50",
        f"E · NS{notrump} at 1 of 2best +90worst −90",
        "S · EW4♠ Sfour spades by South at 1 of 2",
    ]
    assert len(page.all("svg")) == 2
    assert page.links()["Board 1"] == f"/boards/{boards[0].pk}"


def test_par_is_that_of_the_dealer_and_the_vulnerability(client: Client) -> None:
    board(1), board(2)  # dealer North, none vulnerable; dealer East, North-South vulnerable
    pars = {name: ["Pass"] for name in ("EW", "All")}
    solve(**{"None": ["NS 4S", "NS 4H"], "NS": ["N 4H"], "NS_E": ["EW 1NT"], **pars})
    assert facts_of(open_page(client, PAGE)) == [
        "N · Nonepar +420 4♠ NS, …four spades by North-South and others",
        "E · NSpar −90 1NT EWone no trump by East-West",
    ]


def test_boards_at_one_table_have_nothing_to_compare_and_results_have_a_sheet_for_paper(client: Client) -> None:
    table(2, 2, "3NT", "N", None)
    assert "Print results" not in open_page(client, PAGE).links()
    table(1, 1, "4S", "S", 10), table(3, 3, "Pass", "S", None)
    page = open_page(client, PAGE)
    assert facts_of(page) == [
        "N · None4♠ Sfour spades by South +420",
        "E · NS3NT Nthree no trump by North",
        "S · EWPasspassed out 0",
    ]
    assert not page.all("svg")
    links = page.links()
    assert (links["Print results"], links["Print hand records"]) == (SHEET, f"{PAGE}/print")


def test_an_event_stands_between_those_before_and_after_it_in_the_list() -> None:
    last, match = board(1, date="2026.11.27"), board(1, event="A match")
    pairs = sorted((board(1, event="Pairs", site=site) for site in ("", "Here")), key=lambda each: each.event_slug)
    first, undated = board(1, date="2026.11.13"), board(1, event="Old deals", date="")

    def assert_order(*slugs: str) -> None:
        found = [read_neighbours(Event.objects.get(slug=slug)) for slug in slugs]
        assert [event and event.slug for event, _ in found] == [*slugs[1:], None]
        assert [event and event.slug for _, event in found] == [None, *slugs[:-1]]

    slugs = [each.event_slug for each in (last, match, *pairs, first, undated)]
    assert_order(*slugs)
    unpublish_boards([match.pk])
    assert_order(*(slug for slug in slugs if slug != match.event_slug))


def test_the_page_of_an_event_leads_to_those_beside_it(client: Client) -> None:
    board(1), board(1, date="2026.11.27", event=HOSTILE), board(1, date="2026.11.13")
    links = open_page(client, PAGE).links()
    assert links["← Friday pairs, 13 November 2026, the previous event"].startswith("/events/friday-pairs-2026-11-13-")
    assert links[f"{HOSTILE}, 27 November 2026, the next event →"].startswith("/events/script")


def test_a_longer_evening_takes_no_more_queries(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(*days: int) -> None:
        for day in days:
            board(1, date=f"2025.01.{day:02}"), board(1, date=f"2027.01.{day:02}")
            for visit in ("Bears", f"Number {day}"):
                teams = {"home_team": "Lions", "visit_team": visit}
                table(day, day, "1NT", "S", 7, room="Open", **teams)
                table(day, day, "1NT", "S", 8, room="Closed", **teams)

    def queries() -> list[int]:
        counts = []
        for path, deals_of_page in ((PAGE, 40), (PAGE, 1), (SHEET, 40), (f"{PAGE}/match?home=Lions&visit=Bears", 40)):
            monkeypatch.setattr("pages.evenings.events.DEALS_OF_PAGE", deals_of_page)
            with CaptureQueriesContext(connection) as captured:
                open_page(client, path)
            counts.append(len(captured))
        return counts

    board(1)
    fill(1, 2)
    few = queries()
    fill(3, 4)
    assert queries() == few


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
    assert cells(page) == [
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
    name = f"Lions & <b> – {'B' * 14}…"
    assert [(row[0], *row[5:]) for row in cells(open_page(client, SHEET))[1:]] == [
        *((f"{name}, Open", "+10", "+10.5"), (f"{name}, Closed", "−10", "−4.0")),
        ("Owls – Hares, Open", "–", "−6.5"),
    ]


def test_a_sheet_has_as_many_deals_and_tables_as_fit_on_it(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.evenings.results_sheet.MAX_ROWS", 4)
    for number in (1, 2, 3):
        table(number, number, "1NT", "S", 7)
    assert len(open_page(client, SHEET).texts("caption")) == 3
    table(2, 2, "1NT", "S", 8)
    first, second = open_page(client, SHEET), open_page(client, f"{SHEET}?page=2")
    assert (len(first.texts("caption")), len(second.texts("caption"))) == (2, 1)
    assert (first.links()["Next page"], second.links()["Previous page"]) == (f"{SHEET}?page=2", SHEET)
    assert client.get(f"{SHEET}?page=3").status_code == 404
    monkeypatch.setattr("pages.evenings.results_sheet.MAX_TABLES", 1)
    assert ["2 tables, too many to compare."] in cells(open_page(client, SHEET))


# --- The boards before and after a board, and the other tables of its deal -----------------------------------


NONE = (None, None)


def keys(of: Board) -> tuple[object, ...]:
    return tuple(found and found.pk for found in neighbours(of))


def test_one_query_finds_neighbours_by_stage_and_number_and_not_by_the_time_of_publication() -> None:
    places = (("", 1), ("", 3), ("", 10), ("", None), ("Round 2", 1), ("Round 10", 1))
    boards = [board(number, stage=stage) for stage, number in reversed(places)][::-1]
    board(2, event="Saturday pairs"), factories.board(number=2)
    pks = [each.pk for each in boards]
    assert [each.pk for each in Board.objects.of_event(SLUG)] == pks
    with CaptureQueriesContext(connection) as queries:
        assert [keys(each) for each in boards] == list(zip([None, *pks], [*pks[1:], None], strict=False))
    assert len(queries) == len(boards)


def test_a_neighbour_is_another_deal_at_the_same_table() -> None:
    closed, opened = [
        [table(number, number, "1NT", "S", 7, room=room) for number in (1, 2, 3)] for room in ("Closed", "Open")
    ]
    for first, second, third in (closed, opened):
        assert keys(second) == (first.pk, third.pk)
    alone = table(4, 4, "3NT", "S", 9, room="Open")
    assert keys(closed[2])[1] == alone.pk
    one, other = sorted((board(5, stage="Final"), board(5, stage="Final")), key=lambda each: each.deal_id.hex)
    assert (keys(one)[1], keys(other)[0]) == (other.pk, one.pk), "the same number, with another deal"


def test_drafts_have_no_neighbours_and_are_none() -> None:
    first, second, third = (board(number) for number in (1, 2, 3))
    draft = board(4, published=False)
    assert (keys(draft), keys(third), keys(factories.board(number=2))) == (NONE, (second.pk, None), NONE)
    unpublish_boards([second.pk])
    assert keys(first) == (None, third.pk)


def test_the_tables_of_a_deal_are_sorted_by_room_and_number_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    places = (("Open", ""), ("Closed", "2"), ("Closed", "10"), ("Closed", "A"))
    tables = [table(1, 1, "4S", "S", 10 - place, table=name, room=room) for place, (room, name) in enumerate(places)]
    table(1, 1, "3NT", "S", 9, event="Saturday pairs"), table(1, 1, "3NT", "S", 8, published=False)
    found = read_surroundings(tables[0]).tables
    assert [each.pk for each in found] == [tables[place].pk for place in (0, 3, 1, 2)]
    assert (found[0].contract, found[0].declarer, found[0].tricks) == ("4S", "S", 10)
    monkeypatch.setattr(reading, "MAX_TABLES", 3)
    assert read_surroundings(tables[0]).tables == []


def test_an_event_is_stored_once_under_the_name_of_its_first_board() -> None:
    board(1), board(2, event=" friday  PAIRS ")
    event = Event.objects.get()
    assert (event.slug, event.name, event.date, event.site) == (SLUG, "Friday pairs", "2026.11.20", "The club")
    assert str(event) == "Friday pairs, 20 November 2026, The club"


def test_an_evening_that_two_accounts_hold_counts_once_and_pages_say_whose_it_is(client: Client) -> None:
    club, player = factories.account("club"), factories.account("player")
    for pair, tricks in ((1, 7), (2, 8), (3, 9)):
        texts = {
            "event": "Friday pairs",
            "scoring": "MP",
            "pair_ns": f"{pair}",
            "contract": Contract.parse("1NT", Seat.NORTH),
        }
        for owner in (club, player)[: 1 if pair == 3 else 2]:
            last = factories.board(1, number=1, tricks=tricks, owner=owner, **texts)
    factories.board(1, number=1, tricks=10, owner=player, **texts | {"pair_ns": "4"})
    tables = read_surroundings(last).tables
    assert [(table.pair_ns, table.owner_id) for table in tables] == [
        *(("1", "club"), ("2", "club"), ("3", "club"), ("4", "player"))
    ]
    for path in (f"/boards/{last.pk}", f"/events/{last.event_slug}", f"/events/{last.event_slug}/results"):
        page = client.get(path).content.decode()
        assert "Each table counts once, in the version of club." in page, path


def test_a_deal_that_came_before_its_results_is_no_table_of_them(client: Client) -> None:
    alone = board(1, 1)
    assert [each.pk for each in read_surroundings(alone).tables] == [alone.pk]
    tables = [table(1, 1, "4S", "S", tricks, pair_ns=f"{tricks}") for tricks in (9, 10)]
    for each in (alone, *tables):
        assert [found.pk for found in read_surroundings(each).tables] == [table.pk for table in tables]
    assert "at 2 of 2" in client.get(PAGE).content.decode()
