"""A change of a board that changes nothing moves no date, no ETag and no stored JSON, and is no event of the feed."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from boards import bulk
from boards.models import Board, PublishedBoard
from deals.models import FeedEvent
from tests import factories
from tests.boards.admin.pages import LIST
from tests.config.admin.conftest import staff_client
from tests.config.admin.opened_pages import open_page
from themes.models import Theme

pytestmark = pytest.mark.django_db

CALLS = ("1NT", "Pass", "3NT", "Pass", "Pass", "Pass")
NAMES: dict[str, Any] = {"title": "A title", "event": "Friday pairs", "themes": ["one", "two"], "userId": "ada"}
BID: dict[str, Any] = {"auction": {"calls": [{"call": call} for call in CALLS]}, "auctionSystem": "acol"}
BODY = {**NAMES, **BID, "boardNumber": 1, "result": {"tricks": 9}, "openingLead": None, "play": None}
CHANGES: tuple[dict[str, Any], ...] = (
    *({}, BODY, {"title": "A title"}, {"title": " A title "}, {"themes": ["two", "one"]}, {"userId": "ada"}),
    *({name: BODY[name]} for name in ("auction", "result", "auctionSystem", "play")),
)


@pytest.fixture
def board(service: APIClient) -> Board:
    factories.account("ada")
    factories.auction_system("acol")
    for name in ("one", "two"):
        factories.theme(name)
    deal = factories.deal()
    assert service.post(f"/api/deals/{deal.pk}/boards", BODY).status_code == 201
    return Board.objects.get()


def stored() -> list[Any]:
    """Return all that is stored of boards, for their readers and in the feed."""
    tables = (Board.objects, Board.themes.through.objects, PublishedBoard.objects, FeedEvent.objects)
    return [list(rows.order_by("pk").values()) for rows in tables]


@pytest.mark.parametrize("published", [True, False])
def test_a_patch_without_a_difference_writes_nothing(published: bool, service: APIClient, board: Board) -> None:
    path = f"/api/deals/{board.deal_id}/boards/{board.pk}"
    service.patch(path, {"published": published})
    before, shown = stored(), service.get(path)
    for change in (*(CHANGES if published else CHANGES[:3]), {"published": published}):
        with CaptureQueriesContext(connection) as queries:
            response = service.patch(path, change, headers={"if-match": shown["ETag"]})
        assert (response.status_code, response.json(), response["ETag"]) == (200, shown.json(), shown["ETag"])
        statements = [query["sql"] for query in queries]
        assert [sql for sql in statements if sql.startswith(("INSERT", "UPDATE", "DELETE"))] == [], change
    assert stored() == before
    stale = service.patch(path, {}, headers={"if-match": '"another"'})
    assert (stale.status_code, stale.json()["code"]) == (412, "precondition_failed")


def test_a_patch_with_a_difference_in_themes_alone_moves_the_date_of_a_draft_too(
    service: APIClient, board: Board
) -> None:
    path = f"/api/deals/{board.deal_id}/boards/{board.pk}"
    before = service.patch(path, {"published": False}).json()["updatedAt"]
    after = service.patch(path, {"themes": ["one"]}).json()
    assert [theme["identifier"] for theme in after["themes"]] == ["one"]
    assert after["updatedAt"] > before


def test_other_ways_to_change_a_board_do_not_move_it_either(service: APIClient, board: Board) -> None:
    before = stored()
    assert service.post(f"/api/deals/{board.deal_id}/boards", BODY).status_code == 200
    assert stored() == before
    boss, page = staff_client("admin"), f"{LIST}{board.pk}/change/"
    assert boss.post(page, open_page(boss, page)).status_code == 302
    assert stored() == before
    assert bulk.publish_drafts([board.pk]) == []
    assert bulk.add_theme([board.pk], Theme.objects.get(identifier="one")) == []
    assert bulk.set_texts([board.pk], {"event": "Friday pairs"}) == []
    assert stored() == before
