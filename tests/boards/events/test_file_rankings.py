"""The rankings that come with files: stored with whose boards, replaced by which, shown where."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from io import BytesIO
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from boards.events import file_rankings
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board, Event, EventRanking
from boards.records import record_of
from boards.services.boards import change_board
from boards.services.bulk import delete_boards, publish_drafts, set_texts, unpublish_boards
from boards.services.reviews import withdraw
from bridge.formats.rankings import GivenPlace
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.events.evenings import EVENING, store_as_before
from tests.boards.files.test_import import imported
from tests.pages.evenings.test_event_pages import cells
from tests.pages.evenings.test_our_evening import OUR, RANKING
from tests.pages.opening import open_page
from tests.undone import undone

pytestmark = pytest.mark.django_db

TEXTS = ("tables", "stage", "event", "scoring", "deal_title", "table")
PLACES = ("1 3 28 70.25", "2= 1 18.5 46.25", "2= 4 18.5 46.25", "4 2 15 37.25")


def evening(*places: str, tables: tuple[str, ...] = ("1 2 10", "3 4 9"), **texts: str) -> bytes:
    """Return a file of a board that two tables played, and the ranking that the club gives."""
    values = {**EVENING, "number": 1, "scoring": "MP", "calls": "4S Pass Pass Pass", **texts}
    records = [
        factories.record(1, pair_ns=north_south, pair_ew=east_west, tricks=int(tricks), **values)
        for north_south, east_west, tricks in map(str.split, tables)
    ]
    named = [name for name in ("event", "date", "site", "stage") if name in values]
    head = "".join(f'[{name.capitalize()} "{values[name]}"]' for name in named)
    table = f'{head}\n[TotalScoreTable "Rank;PairId;TotalMP;MeanPercentage"]\n' + "\n".join(places)
    return pbn(*records) + (b"\n" + table.encode() + b"\n" if places else b"")


def bring(*places: str, owner: str = "system", **options: Any) -> int:
    """Import an evening with its ranking. Return how many rankings the report has."""
    texts = {name: options.pop(name) for name in TEXTS if name in options}
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


def test_members_whose_boards_are_reviewed_bring_no_ranking(zia: Account, client: Client) -> None:
    """Nobody has looked at it, and a ranking is seen at once."""
    reviewed = {"owner": zia.pk, "keep_published": True, "publish": False}
    assert bring(*PLACES, **reviewed) == 1
    with transaction.atomic():
        publish_drafts([*Board.objects.values_list("pk", flat=True)])
    for event in ("Friday pairs", "Friday  PAIRS"):
        bring("1 2 40 100", **reviewed, event=event, tables=("1 2 7", "2 1 8"))
        assert ranks(client) == [] and not EventRanking.objects.exists(), event
    bring(*PLACES, owner=zia.pk)
    bring("1 2 40 100", **reviewed)
    assert ranks(client) == [["1 3", "2 1", "2 4", "4 2"]], "a program brought it"


def test_drafts_bring_no_ranking_and_no_event(zia: Account, client: Client) -> None:
    for _ in range(2):
        assert bring(*PLACES, owner=zia.pk, publish=False, event="FRIDAY pairs") == 1
        assert not EventRanking.objects.exists() and not Event.objects.exists()
    bring(*PLACES)
    assert Event.objects.get().name == "Friday pairs"
    bring("1 1 20 50", owner=zia.pk, publish=False)
    assert EventRanking.objects.get().owner_id == "system" and ranks(client) == [["1 3", "2 1", "2 4", "4 2"]]


def test_a_ranking_goes_with_the_last_published_board_of_its_account_at_the_event(
    zia: Account, subtests: pytest.Subtests
) -> None:
    """In the transaction, whichever way the boards leave."""
    other = factories.account("other")
    bring(*PLACES)
    bring(*PLACES, owner=zia.pk)
    ids = [*Board.objects.filter(owner=zia).values_list("pk", flat=True)]
    ways: dict[str, Callable[[Sequence[UUID]], Any]] = {
        "withdrawn by its owner": partial(withdraw, zia),
        "withdrawn by staff": unpublish_boards,
        "deleted": delete_boards,
        "another account's": lambda ids: [give_to(other, pk) for pk in ids],
    }
    for name, leave in ways.items():
        with subtests.test(name), undone():
            leave(ids[:1])
            assert EventRanking.objects.filter(owner=zia).exists()
            leave(ids[1:])
            assert [ranking.owner_id for ranking in EventRanking.objects.all()] == ["system"]


def test_a_ranking_goes_along_where_staff_correct_the_name_of_its_evening(zia: Account) -> None:
    bring(*PLACES)
    bring(*PLACES, owner=zia.pk)
    ids = [*Board.objects.filter(owner=zia).values_list("pk", flat=True)]
    (places,) = EventRanking.objects.filter(owner=zia).values_list("places", flat=True)
    for some in (ids[:1], ids[1:]):
        set_texts(some, {"event": "Monday pairs"})
    assert dict(EventRanking.objects.values_list("owner_id", "event__name")) == {
        "system": "Friday pairs",
        "zia": "Monday pairs",
    }
    assert EventRanking.objects.get(owner=zia).places == places
    set_texts(ids, {"event": "Friday pairs"})
    assert {*EventRanking.objects.values_list("event__name", flat=True)} == {"Friday pairs"}


def test_the_migration_deletes_rankings_without_boards(zia: Account) -> None:
    """Those that the version before stored with drafts."""
    bring(*PLACES)
    (kept,) = EventRanking.objects.all()
    bring(owner=zia.pk, publish=False)
    EventRanking.objects.create(event=kept.event, owner=zia, places=kept.places)
    store_as_before()
    with connection.cursor() as cursor:
        cursor.execute(import_module("boards.migrations.0007_rankings_come_with_boards").WITHOUT_BOARDS)
    assert EventRanking.objects.get() == kept


def give_to(owner: Account, board_id: UUID) -> Board:
    board = Board.objects.with_details().get(pk=board_id)
    return change_board(board=board, record=record_of(board), owner_id=owner.pk, auction_system=None)


def test_the_rankings_of_others_and_those_that_later_ones_hide_are_not_read(zia: Account, client: Client) -> None:
    """Stages that the event has not are the whole event, of which the last ranking counts."""
    bring(*PLACES)
    template = EventRanking.objects.get()
    with CaptureQueriesContext(connection) as alone:
        before = ranks(client)
    for owner in ("system", zia.pk):
        EventRanking.objects.bulk_create(
            EventRanking(event=template.event, owner_id=owner, stage_key=f"stage {n}", places=template.places)
            for n in range(30)
        )
    with CaptureQueriesContext(connection) as beside:
        assert ranks(client)[:1] == before
    read = [query["sql"] for query in (*alone, *beside) if '"places"' in query["sql"]]
    assert len(read) == 2 and len(alone) == len(beside)
    assert read[1].count(",") - read[0].count(",") <= 1, "that of the stage, and the last one of the event"


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


def test_an_erasure_deletes_rankings(zia: Account, client: Client) -> None:
    bring(*PLACES, owner=zia.pk)
    erase(account_id=zia.pk, by=None)
    assert ranks(client) == [] and not EventRanking.objects.exists()
