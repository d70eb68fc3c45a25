"""`updatedSince`: the boards that were changed at a moment or later, whoever changed them and however."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from boards.catalogue.refreshing import refresh
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board, PublishedBoard
from boards.services import bulk
from deals.models import FeedEvent
from deals.solver.queues import TABLES, Order, claim_next
from tests import factories
from tests.answers import field_errors
from tests.boards.admin.pages import LIST, pbn
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.config.admin.conftest import staff_client
from tests.config.admin.opened_pages import open_page
from themes.models import Theme

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def changed_at(board: Board, moment: datetime) -> Board:
    """Store that the board was last changed then."""
    Board.objects.filter(pk=board.pk).update(updated_at=moment)
    refresh([board.pk])
    return board


def listed(client: APIClient, **query: Any) -> list[str]:
    response = client.get("/api/boards", query)
    assert response.status_code == 200, response.json()
    boards = [board["id"] for board in response.json()["boards"]]
    if "page" not in query and "pageSize" not in query:
        assert response.json()["pagination"]["totalCount"] == len(boards)
    return boards


def ids(*boards: Board) -> list[str]:
    return [str(board.pk) for board in boards]


def test_boards_changed_at_the_moment_or_later_are_listed_in_the_list_s_order(anonymous: APIClient) -> None:
    """Half of the moments are whole seconds, which SQLite stores without decimals."""
    ages = [timedelta(seconds=2), timedelta(microseconds=1), timedelta(0), -timedelta(microseconds=1)]
    boards = [changed_at(factories.board(votes=(place, 0)), NOON - ages[place]) for place in (3, 2, 1, 0)][::-1]
    changed_at(factories.board(published=False), NOON)
    for since, place in (
        *(("2026-11-21T12:00:00Z", 2), ("2026-11-21T12:00:00.000001Z", 3), ("2026-11-21T11:59:59.999999Z", 1)),
        *(("2026-11-21T14:00:00+02:00", 2), ("2026-11-21t12:00:00z", 2), ("0001-01-01T00:00:00Z", 0), ("", 0)),
        ("9999-12-31T23:59:59.999999999Z", len(boards)),
    ):
        assert listed(anonymous, updatedSince=since) == ids(*boards[place:]), since
    assert listed(anonymous, updatedSince="2026-11-21T12:00:00Z", sort="top") == ids(*reversed(boards[2:]))


def test_it_works_with_filters_pages_files_and_drafts(anonymous: APIClient, support: APIClient) -> None:
    new, other = [changed_at(factories.board(number=number, published_at=NOON), NOON) for number in (2, 1)]
    old, draft = factories.board(number=2), changed_at(factories.board(published=False), NOON)
    for board in (old, factories.board(published=False)):
        changed_at(board, NOON - timedelta(hours=1))
    since = {"updatedSince": "2026-11-21T12:00:00Z"}
    assert listed(anonymous, **since, dealer="E") == ids(new)
    response = anonymous.get("/api/boards", {**since, "pageSize": 1})
    assert response.json()["pagination"]["totalCount"] == 2
    assert "updatedSince=2026-11-21T12%3A00%3A00Z" in response["Link"]
    assert anonymous.get("/api/boards.pbn", since).getvalue().count(b"[Board ") == 2
    page = anonymous.get("/boards", since).content.decode()
    assert [f"/boards/{board.pk}" in page for board in (new, other, old)] == [True, True, False]
    assert listed(support, published="false", **since) == ids(draft)


NO_MOMENTS = (
    *("yesterday", "2026-11-21", "2026-11-21T12:00:00", "2026-11-21 12:00:00Z", "2026-11-21T12:00:00 00:00"),
    *("2026-02-30T12:00:00Z", "2026-11-21T12:00:60Z", "2026-11-21T12:00Z", "2026-W47-6T12:00:00Z"),
    *("٢٠٢٦-11-21T12:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "1795255200"),
)


def test_a_value_that_is_no_moment_is_refused(anonymous: APIClient) -> None:
    for value in NO_MOMENTS:
        response = anonymous.get("/api/boards", {"updatedSince": value})
        assert field_errors(response) == {"updatedSince": ["invalid"]}, value


@contextmanager
def moving(board: Board) -> Iterator[None]:
    """Check that what the block does counts as a change of the board, and of no other."""
    before = timezone.now()
    yield
    assert_readers_get_what_the_boards_say()
    assert listed(APIClient(), updatedSince=f"{before:%Y-%m-%dT%H:%M:%S.%fZ}") == ids(board)


def test_each_change_of_a_board_counts(service: APIClient) -> None:
    factories.board()
    board, theme = changed_at(factories.board(), NOON), factories.theme("stayman")
    path = f"/api/deals/{board.deal_id}/boards/{board.pk}"
    for body in ({"title": "New"}, {"published": True}, {"themes": ["stayman"]}):
        if "published" in body:
            assert service.patch(path, {"published": False}).status_code == 200
        with moving(board):
            assert service.patch(path, body).status_code == 200
    theme.type = "lesson"
    for change in (theme.save, theme.delete):
        with moving(board):
            change()


def test_what_a_deal_or_an_import_changes_counts() -> None:
    file = BytesIO(pbn(factories.record()))
    board = Board.objects.get(pk=next(iter(import_boards(file).board_ids)))
    changed_at(board, NOON)
    for themes in ([], [factories.theme()]):
        file.seek(0)
        with moving(board):
            import_boards(file, ImportOptions(publish=True, themes=themes))
    claim = claim_next(Order.WANTED, [TABLES])
    assert claim
    solved = {"double_dummy": "7" * 20, "par": {"None": {"score": 0, "contracts": ["Pass"]}}}
    with moving(board):
        TABLES.store(claim, {job.id: solved for job in claim.jobs})


def test_votes_labels_and_a_new_text_format_change_no_board(member: APIClient, admin: APIClient) -> None:
    theme = factories.theme()
    board = changed_at(factories.board(themes=(theme,)), NOON)
    assert member.put(f"/api/voting/{board.pk}", {"vote": "up"}).status_code == 204
    assert admin.patch(f"/api/themes/{theme.pk}", {"labels": {"en": "New"}}).status_code == 200
    PublishedBoard.objects.update(json="", json_format=0)
    refresh([board.pk])
    assert_readers_get_what_the_boards_say()
    assert Board.objects.get().updated_at == NOON


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


def test_a_patch_with_a_difference_in_themes_alone_moves_the_date_of_a_draft(service: APIClient, board: Board) -> None:
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
