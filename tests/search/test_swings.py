"""What tables won in IMPs and what deals swung: pairs, teams, copies, directors' scores, and drafts."""

from typing import Any

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from accounts.models import Account
from boards.catalogue.refreshing import refresh
from boards.models import Board
from boards.searching import comparing
from boards.services.bulk import delete_boards, unpublish_boards
from search.index import finding
from search.index.folding import fold_all
from tests import factories
from tests.search.test_searching import found, reason
from tests.search.ways import IN_SEGMENTS

pytestmark = pytest.mark.django_db

GAME, PARTSCORE = "4S Pass Pass Pass", "2S Pass Pass Pass"


def table(title: str, calls: str = GAME, tricks: int | None = 10, *, seed: int = 1, **values: Any) -> Board:
    return factories.board(seed, **{"title": title, "calls": calls, "tricks": tricks, "event": "Club", **values})


def titles(client: APIClient, query: str) -> set[str]:
    return {*found(client, query)}


@pytest.fixture
def evening() -> dict[str, Board]:
    """Store tables of pairs with 420, 420, 170 and -50, two matches, one of them unfinished, and lone boards."""
    boards = [
        *(table("a", table="1"), table("b", table="2"), table("c", PARTSCORE, 10, table="3")),
        *(table("down", tricks=9, table="4"), table("no result", tricks=None, table="5")),
    ]
    for home, visit, closed_tricks in (("Hawks", "Owls", 9), ("Rooks", "Crows", None)):
        for room, tricks in (("Open", 10), ("Closed", closed_tricks)):
            values = {"room": room, "home_team": home, "visit_team": visit, "event": "Teams", "seed": 2}
            boards.append(table(f"{home} {room}".lower(), tricks=tricks, **values))
    boards += [table("alone", seed=3), table("of no event", event=""), table("draft", published=False, table="6")]
    return {board.title: board for board in boards}


ALL = {"a", "b", "c", "down", "hawks open", "hawks closed"}

FOUND = {
    "imps>=-24": ALL,  # what is compared at all
    "imps=5": {"a", "b"},  # (0 + 6 + 10) / 3 = 5.33
    "imps=-2": {"c"},  # (-6 - 6 + 6) / 3
    "imps<-8": {"down", "hawks closed"},  # (-10 - 10 - 6) / 3 = -8.67
    "imps>=10": {"hawks open"},
    "swing=10": ALL,
    "swing>10": set(),
    "swing>=10 table=3,4": {"c", "down"},
    "event=Club -swing>=1": {"no result", "alone"},
    "imps>5": {"hawks open"},
    "(imps=5 OR imps=-2) -table=1": {"b", "c"},
}


@pytest.mark.parametrize("in_segments", IN_SEGMENTS)
def test_boards_are_found_by_what_their_tables_won(
    anonymous: APIClient, evening: dict[str, Board], in_segments: bool
) -> None:
    if in_segments:
        fold_all()
    assert {query: titles(anonymous, query) for query in FOUND} == FOUND
    assert {*found(anonymous, "swing>=10", sort="top")} == ALL


def test_a_change_of_one_table_is_one_of_the_others(anonymous: APIClient, evening: dict[str, Board]) -> None:
    assert titles(anonymous, "imps<=-9") == {"down", "hawks closed"}
    with transaction.atomic():
        Board.objects.filter(pk=evening["hawks open"].pk).update(adjustment="A60-40")
        refresh([evening["hawks open"].pk])
    assert titles(anonymous, "imps=3 swing=3") == {"hawks open"}
    assert titles(anonymous, "imps=-3") == {"hawks closed"}
    unpublish_boards([evening["down"].pk])
    assert titles(anonymous, "swing>=4 event=Club") == {"a", "b", "c"}
    assert titles(anonymous, "swing=6 imps=3 event=Club") == {"a", "b"}
    delete_boards([evening["a"].pk, evening["b"].pk])
    assert titles(anonymous, "imps>=-24 event=Club") == set()


def test_an_evening_that_two_accounts_hold_counts_once_for_each(
    anonymous: APIClient, evening: dict[str, Board]
) -> None:
    owner = Account.objects.create(pk="ada")
    table("again", table="1", owner=owner)
    assert titles(anonymous, "imps=5") == {"a", "b", "again"}
    assert titles(anonymous, "imps<-8 event=Club") == {"down"}


def test_too_many_tables_ask_for_another_condition(
    anonymous: APIClient, evening: dict[str, Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "MAX_COMPARED", 8)
    assert reason(anonymous, "swing>=10")["code"] == "too_many_tables"
    assert titles(anonymous, "swing>=10 table=1") == {"a"}
    monkeypatch.setattr(comparing, "MAX_COMPARED", 4)
    assert "Add a condition" in reason(anonymous, "swing>=10 table=1")["message"]
    assert titles(anonymous, "swing>=10 team=hawks") == {"hawks open", "hawks closed"}


def test_players_words_compare_the_newest_boards_where_they_mean_too_many(
    anonymous: APIClient, evening: dict[str, Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = {"hawks open", "hawks closed"}
    assert titles(anonymous, "~swing>=10") == titles(anonymous, "big swing") == ALL
    monkeypatch.setattr(finding, "MAX_COMPARED", 6)  # without those of the club
    assert titles(anonymous, "big swing") == titles(anonymous, "~swing>=10 ~imps>=-24") == newest
    assert titles(anonymous, "-(~swing<10)") == titles(anonymous, "big swing OR contract=4S") == newest
    assert titles(anonymous, "big swing event=Club") == ALL - newest
    monkeypatch.setattr(finding, "MAX_COMPARED", 5_000)
    monkeypatch.setattr(comparing, "MAX_COMPARED", 5)
    assert titles(anonymous, "big swing") == newest
    assert titles(anonymous, "big swing event=Club") == set()
    assert reason(anonymous, "~swing>=10 imps>=5")["code"] == "too_many_tables"
