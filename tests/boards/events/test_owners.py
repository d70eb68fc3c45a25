"""An evening that several accounts hold: whose tables, title, scoring, ranking and spelling count."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from boards.events.ranking import read_stages
from boards.events.reading import neighbours, read_all_deals, read_surroundings
from boards.models import Board, Event
from boards.services.bulk import publish_drafts, unpublish_boards
from tests import factories
from tests.boards.events.evenings import EVENING, SLUG, table
from tests.boards.events.test_file_rankings import bring, ranks
from tests.pages.evenings.test_event_pages import PAGE, cells
from tests.pages.evenings.test_our_evening import OUR, RANKING
from tests.pages.opening import open_page, queries_of
from tests.undone import undone

pytestmark = pytest.mark.django_db

SHEET = f"{PAGE}/results"


def bring_the_club(owner: str = "system", **texts: Any) -> None:
    bring("1 3 10 60", "2 1 8 40", owner=owner, tables=("1 2 10", "3 4 9"), deal_title="Of the club", **texts)


def bring_a_player(owner: str = "player", **texts: Any) -> None:
    """Store the same tables with other results, one more, and a ranking, under the name of the event in capitals."""
    other = {"deal_title": "Of a player", "scoring": "IMP", "event": "FRIDAY pairs"}
    bring("1 5 99 99", "2 1 8 40", owner=owner, **{"tables": ("1 2 7", "3 4 6", "5 6 5"), **other, **texts})


def shown(client: Client) -> dict[str, Any]:
    """Return what the pages of the evening say: names, results, the ways of scoring and rankings."""
    page, ranking = open_page(client, PAGE), open_page(client, RANKING)
    return {
        "event": page.texts("h1")[0],
        "titles": [name for name, path in page.links().items() if path.startswith("/boards/") and "Of " in name],
        "results": {row[0]: row[4] for row in cells(open_page(client, SHEET))[1:]},
        "rankings": ranking.texts("h2"),
        "of the file": ranks(client),
        "our": open_page(client, OUR, pair="1", side="NS").texts("p", **{"class": "quiet"})[0],
    }


@pytest.fixture
def player(db: None) -> Account:
    return factories.account("player")


@pytest.mark.usefixtures("player")
def test_a_player_with_more_tables_takes_over_nothing_of_the_clubs_evening(
    client: Client, subtests: pytest.Subtests
) -> None:
    factories.account("staff", role="support")
    for club in ("system", "staff"):
        for ways in ((bring_the_club, bring_a_player), (bring_a_player, bring_the_club)):
            with subtests.test(f"{club}, {ways[0].__name__}"), undone():
                bring_the_club(club)
                with_the_club = client.get(f"/api{RANKING}").json()
                Board.objects.all().delete()
                for bring_evening in ways:
                    bring_evening(club) if bring_evening is bring_the_club else bring_evening()
                assert client.get(f"/api{RANKING}").json() == with_the_club
                page = shown(client)
                assert page["event"].startswith("Friday pairs"), page["event"]
                assert page["titles"] == ["Of the club"]
                assert page["results"] == {"1 v 2": "+420", "3 v 4": "−50", "5 v 6": "−250"}
                assert page["rankings"] == ["As the club gives it", "Matchpoints"]
                assert page["of the file"] == [["1 3", "2 1"]]
                assert "as the club gives it: 40.00 %, rank 2" in page["our"]
                assert client.get("/api/events").json()["events"][0]["name"] == "Friday pairs"
                cards = open_page(client, f"/boards?event={SLUG}").texts("h2")
                assert any("Of the club" in card for card in cards) and not any("player" in card for card in cards)


def owners_shown() -> list[str]:
    """Return whose table is shown, of each that all hold."""
    return sorted({table.owner_id for stage in read_stages(SLUG) for table in stage.tables})


def test_of_two_players_the_one_who_published_first_counts_and_goes_on_counting(player: Account) -> None:
    early, late = factories.account("z-early"), player
    tables = {"tables": ("1 2 7", "3 4 6")}
    bring(owner=early.pk, **tables)
    bring(owner=late.pk, **tables)
    ids = [*Board.objects.filter(owner=early).values_list("pk", flat=True)]
    assert owners_shown() == ["z-early"]
    unpublish_boards(ids)
    assert owners_shown() == ["player"]
    publish_drafts(ids)
    assert owners_shown() == ["z-early"], "boards keep their dates"
    for role, is_active in (("support", True), ("admin", False), ("member", True)):
        Account.objects.filter(pk=late.pk).update(role=role, is_active=is_active)
        assert owners_shown() == ["player" if role == "support" else "z-early"], role


def test_moments_that_databases_write_with_fewer_digits_are_compared_as_moments(player: Account) -> None:
    """They are compared as texts: to read them as moments would cost more than the rest of a table."""
    early = factories.account("z-early")
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    for number, (first, then) in enumerate(((0, 1), (0, 500_000), (500_000, 510_000), (500_000, 1_000_000)), 1):
        for owner, moment in ((player, then), (early, first)):
            moment_of = noon + timedelta(microseconds=moment)
            table(number, number, "1NT", "S", 7, pair_ns="1", owner=owner, published_at=moment_of)
    assert [deal.board.owner_id for deal in read_all_deals(SLUG)] == ["z-early"] * 4


def test_the_tables_of_others_are_shown_behind_those_of_the_first_account(player: Account) -> None:
    seats = [("5", player), ("2", None), ("1", player), ("3", None)]
    boards = [table(1, 1, "4S", "S", 10, pair_ns=pair, owner=owner) for pair, owner in seats]
    for board, order in ((boards[1], "2315"), (boards[0], "1523")):
        assert "".join(each.pair_ns for each in read_surroundings(board).tables) == order, "its owner's come first"


def test_a_deal_that_the_club_has_without_tables_keeps_its_title_beside_a_players_table(
    client: Client, player: Account
) -> None:
    alone = factories.board(1, **EVENING, deal_title="Of the club")
    played = table(1, 1, "4S", "S", 10, owner=player, deal_title="Of a player")
    page = open_page(client, PAGE)
    assert page.links()["Of the club"] == f"/boards/{alone.pk}"
    assert "+420" in page.html and str(played.pk) not in page.html


def test_a_copy_whose_tables_are_called_otherwise_takes_no_ranking_away(client: Client, player: Account) -> None:
    """No program knows it as a copy: each pair would sit twice."""
    factories.account("zoe")
    for first in ("system", "zoe"):
        with undone():
            bring_the_club(first)
            before = client.get(f"/api{RANKING}").json()
            bring_a_player(table="Blue")
            assert client.get(f"/api{RANKING}").json() == before, first
            assert f"Each table counts once, in the version of {first}." in open_page(client, RANKING).html


def test_two_teams_of_a_player_make_no_match_of_the_clubs_pairs(client: Client, player: Account) -> None:
    bring_the_club(scoring="")
    ways = open_page(client, RANKING).texts("h2")
    for room, tricks in (("Open", 10), ("Closed", 9)):
        table(2, 2, "4S", "S", tricks, room=room, home_team="Lions", visit_team="Bears", owner=player)
    assert open_page(client, RANKING).texts("h2") == ways == ["As the club gives it", "Matchpoints", "Cross-IMPs"]


def test_a_players_match_with_another_result_is_a_copy_of_the_clubs(client: Client, player: Account) -> None:
    """As two tables more they would leave no match at all."""
    for owner, tricks in ((None, 10), (player, 6)):
        for room in ("Open", "Closed"):
            tables = {"room": room, "home_team": "Lions", "visit_team": "Bears", "owner": owner}
            table(1, 1, "4S", "S", tricks if room == "Open" else 9, **tables)
    page = open_page(client, f"{PAGE}/match", home="Lions", visit="Bears")
    assert cells(page)[2][1:4] == ["10", "", "10 – 0"], cells(page)


def test_many_tables_of_a_player_do_not_hide_those_of_the_club(
    client: Client, player: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boards.events.reading.MAX_TABLES", 3)
    monkeypatch.setattr("pages.evenings.results_sheet.MAX_TABLES", 3)
    bring_the_club()
    bring_a_player(tables=("1 2 7", "5 6 5", "7 8 5"))
    board = Board.objects.filter(owner="system")[0]
    assert [each.pair_ns for each in read_surroundings(board).tables] == ["1", "3"]
    assert [row[0] for row in cells(open_page(client, SHEET))[1:]] == ["1 v 2", "3 v 4"]
    bring(tables=("5 6 5", "7 8 5"))
    assert read_surroundings(board).tables == [] and "too many" in open_page(client, SHEET).html


def test_the_boards_beside_a_board_are_of_its_own_account(player: Account) -> None:
    boards = [[table(number, number, "1NT", "S", 7, owner=owner) for number in (1, 2, 3)] for owner in (None, player)]
    for first, second, third in boards:
        assert [each and each.pk for each in neighbours(second)] == [first.pk, third.pk]


def test_an_event_is_spelt_anew_when_the_boards_leave_that_gave_it_its_name(player: Account) -> None:
    """Events are stored with published boards alone: a draft spells none."""
    bring_a_player(publish=False)
    assert not Event.objects.exists()
    bring_a_player()
    bring(owner=factories.account().pk, tables=("1 2 7", "3 4 6"))
    assert Event.objects.get().name == "FRIDAY pairs"
    unpublish_boards([*Board.objects.published().filter(owner=player).values_list("pk", flat=True)])
    assert Event.objects.get().name == "Friday pairs"


def test_more_tables_and_more_accounts_take_no_more_queries(client: Client) -> None:
    paths = (PAGE, SHEET, RANKING, f"/api{RANKING}", f"{OUR}?pair=1&side=NS", "/boards")
    bring_the_club()
    alone = queries_of(client, *paths)
    counts = []
    for _ in range(2):
        for _ in range(2):
            bring_a_player(factories.account().pk)
        counts.append(queries_of(client, *paths))
    assert counts[0] == counts[1]
    assert all(counts[0][path] - alone[path] <= 2 for path in paths), "who of them is the club's"
