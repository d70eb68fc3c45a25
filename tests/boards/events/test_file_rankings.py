"""The rankings that come with files: stored with whose boards, replaced by which, shown where."""

from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from boards.events import file_rankings
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board, EventRanking
from boards.services.bulk import publish_drafts
from bridge.formats.rankings import GivenPlace
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.events.evenings import EVENING
from tests.boards.files.test_import import imported
from tests.pages.evenings.test_event_pages import cells
from tests.pages.evenings.test_our_evening import OUR, RANKING
from tests.pages.opening import open_page

pytestmark = pytest.mark.django_db

PLACES = ("1 3 28 70.25", "2= 1 18.5 46.25", "2= 4 18.5 46.25", "4 2 15 37.25")


def evening(*places: str, tables: tuple[str, ...] = ("1 2 10", "3 4 9"), **texts: str) -> bytes:
    """Return a file of a board that two tables played, and the ranking that the club gives."""
    values = {**EVENING, "number": 1, "scoring": "MP", "calls": "4S Pass Pass Pass", **texts}
    records = [
        factories.record(1, pair_ns=north_south, pair_ew=east_west, tricks=int(tricks), **values)
        for north_south, east_west, tricks in map(str.split, tables)
    ]
    head = "".join(
        f'[{name.capitalize()} "{values[name]}"]' for name in ("event", "date", "site", "stage") if name in values
    )
    table = f'{head}\n[TotalScoreTable "Rank;PairId;TotalMP;MeanPercentage"]\n' + "\n".join(places)
    return pbn(*records) + (b"\n" + table.encode() + b"\n" if places else b"")


def bring(*places: str, owner: str = "system", **options: Any) -> int:
    """Import an evening with its ranking. Return how many rankings the report has."""
    texts = {name: options.pop(name) for name in ("tables", "stage", "event") if name in options}
    file = BytesIO(evening(*places, **texts))
    return import_boards(file, ImportOptions(owner_id=owner, **{"publish": True, **options})).rankings.count


def ranks(client: Client, path: str = f"/api{RANKING}") -> list[list[str]]:
    """Return what files say of pairs, "rank pair" each, for each field."""
    rankings = client.get(path).json()["fileRankings"]
    return [[f"{each['rank']} {each['pair']}" for each in ranking["pairs"]] for ranking in rankings]


def test_the_ranking_of_a_file_is_shown_as_it_says_beside_that_of_the_boards(
    service: APIClient, client: Client
) -> None:
    report = imported(service, evening(*PLACES), "?publish=true")
    assert (report["rankings"], report["boards"], report["skippedCount"]) == (1, 2, 0)
    (ranking,) = client.get(f"/api{RANKING}").json()["fileRankings"]
    assert (ranking["stage"], ranking["unit"], ranking["side"]) == ("", "MP", "")
    assert ranking["pairs"][0] == {"rank": 1, "pair": "3", "boards": None, "points": 28.0, "percentage": 70.25}
    page = open_page(client, RANKING)
    assert page.texts("h2") == ["As the club gives it", "Matchpoints"]
    head, *rows = cells(page)
    assert head == ["Rank", "Pair", "Matchpoints", "%"]
    assert rows[:4] == [
        *(["1", "3", "28", "70.25"], ["2=", "1", "18.50", "46.25"]),
        *(["2=", "4", "18.50", "46.25"], ["4", "2", "15", "37.25"]),
    ]
    assert page.links()["3"] == f"{OUR}?pair=3&side=NS"
    own = open_page(client, OUR, pair="4").texts("p", **{"class": "quiet"})[0]
    assert own.endswith(" · as the club gives it: 46.25 %, rank 2=")


def test_only_who_sat_at_the_tables_is_stored_and_only_of_events_with_boards(client: Client) -> None:
    assert bring("1 3 10 60", "2 99 9 50", "3 1 8 40", "4 3 7 30") == 1
    assert [place[1] for place in EventRanking.objects.get().places] == ["3", "1"]
    import_boards(BytesIO(evening(*PLACES, event="Another evening").split(b"\n\n")[-1]))
    assert EventRanking.objects.count() == 1 and ranks(client) == [["1 3", "3 1"]]


def test_a_later_file_replaces_all_rankings_of_the_event_and_one_without_any_leaves_them(client: Client) -> None:
    bring(*PLACES)
    for none in ((), ("1 77 20 50", "2 78 10 25")):
        bring(*none)
        assert ranks(client) == [["1 3", "2 1", "2 4", "4 2"]], "nobody of the tables is ranked"
    bring("1 1 20 50", "1 3 20 50", stage="Final")
    assert ranks(client) == [["1 1", "1 3"]]
    assert EventRanking.objects.get().stage_key == "final"


def test_members_whose_boards_are_reviewed_change_no_ranking_that_readers_see(zia: Account, client: Client) -> None:
    bring(*PLACES, owner=zia.pk, keep_published=True, publish=False)
    assert client.get(f"/api{RANKING}").status_code == 404, "its boards are drafts"
    with transaction.atomic():
        publish_drafts([*Board.objects.values_list("pk", flat=True)])
    assert ranks(client) == [["1 3", "2 1", "2 4", "4 2"]]
    for event in ("Friday pairs", "Friday  PAIRS"):
        bring("1 2 40 100", owner=zia.pk, keep_published=True, publish=False, event=event, tables=("1 2 7", "2 1 8"))
        assert ranks(client) == [["1 3", "2 1", "2 4", "4 2"]], event


def test_of_two_accounts_the_one_whose_tables_are_shown_gives_the_ranking(zia: Account, client: Client) -> None:
    bring(*PLACES, tables=("1 2 10", "3 4 9", "5 6 8"))
    bring("1 2 40 100", owner=zia.pk)
    assert EventRanking.objects.count() == 2
    assert ranks(client) == [["1 3", "2 1", "2 4", "4 2"]]


def test_a_ranking_of_the_whole_event_stands_on_the_page_of_each_stage(client: Client) -> None:
    for stage, tables in (("Section A", ("A1 A2 10", "A3 A4 9")), ("Section B", ("B1 B2 8", "B3 B4 9"))):
        bring(stage=stage, tables=tables)
    table = '[Event "Friday pairs"][Date "2026.11.20"][Site "The club"]\n[TotalScoreTable "Rank;Section;PairId"]\n'
    import_boards(BytesIO(table.encode() + b"1 B 3\n2 A 1\n"))
    for stage, linked in (("Section A", "A1"), ("Section B", "B3")):
        page = open_page(client, RANKING, stage=stage)
        assert page.texts("caption")[0] == "All stages"
        assert [row[:2] for row in cells(page)[1:3]] == [["1", "B3"], ["2", "A1"]]
        assert {"A1", "B3"} & page.links().keys() >= {linked}
    own = open_page(client, OUR, pair="A1", side="NS").texts("p", **{"class": "quiet"})[0]
    assert own.endswith(" · as the club gives it: rank 2")


def test_a_file_gives_no_more_than_a_season_of_rankings(monkeypatch: pytest.MonkeyPatch) -> None:
    given = file_rankings.GivenRanking(1, 1, "Friday", "", "", "A", "", (GivenPlace(1, "1"),))
    for limit, names, stages in (
        ("MAX_OF_EVENT", ["Friday"] * 4, "ABCA"),
        ("MAX_EVENTS_OF_FILE", ["Friday", "Monday", "Sunday", "Friday"], "AAAA"),
        ("MAX_PLACES_OF_FILE", ["Friday", "Monday", "Sunday", "Friday"], "AAAA"),
    ):
        rankings = file_rankings.FileRankings()
        with monkeypatch.context() as patch:
            patch.setattr(file_rankings, limit, 2)
            for name, stage in zip(names, stages, strict=True):
                rankings.add(replace(given, event=name, stage=stage))
        assert rankings.count == 2, limit
    rankings.add(replace(given, event=""))
    assert rankings.count == 2, "a ranking of no event"


def test_an_erasure_gives_rankings_to_the_service_with_the_boards(zia: Account, client: Client) -> None:
    bring(*PLACES, owner=zia.pk)
    erase(account_id=zia.pk, by=None)
    assert ranks(client) == [["1 3", "2 1", "2 4", "4 2"]]
    ruth = factories.account("ruth")
    bring("1 1 20 50", owner=ruth.pk)
    erase(account_id=ruth.pk, by=None)
    assert ranks(client) == [["1 3", "2 1", "2 4", "4 2"]], "the service has one of its own"
