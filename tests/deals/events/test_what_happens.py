"""Which events a change stores with itself. tests/boards/catalogue/test_write_paths.py walks all changes of boards."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.personal_data.erasure import erase
from boards.catalogue.refreshing import refresh
from boards.models import Board
from boards.services.bulk import publish_drafts, unpublish_boards
from bridge.formats.pbn.writer import HEADER, write_pbn
from deals.models import Deal, FeedEvent
from deals.solver.queues import TABLES, Order, claim_next
from tests import factories
from tests.deals.events.following import Follower
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db

UP, DOWN = Vote.Value.UP, Vote.Value.DOWN


@pytest.fixture
def follower(service: APIClient) -> Follower:
    return Follower(service)


def import_file(service: APIClient, query: str, body: str) -> int:
    path = f"/api/deals/import{query}"
    return service.generic("POST", path, (HEADER + body).encode(), content_type="application/x-pbn").status_code


def solve_twice() -> None:
    claim = claim_next(Order.WANTED, [TABLES])
    assert claim
    solved = {"double_dummy": "7" * 20, "par": {"None": {"score": 0, "contracts": ["Pass"]}}}
    for _ in range(2):
        TABLES.store(claim, {job.id: solved for job in claim.jobs})


def test_an_import_tells_of_new_deals_and_boards_once(service: APIClient, follower: Follower) -> None:
    boards = "".join(write_pbn(factories.record(number=number)) for number in (1, 2))
    for query, types in (("", ["deal.imported"]), ("?publish=true", ["board.published"]), ("?publish=true", [])):
        assert import_file(service, query, boards) == 200
        assert follower.types() == types * 2


def test_a_deal_is_imported_and_analysed_once_and_changes_its_published_boards(
    service: APIClient, follower: Follower
) -> None:
    cards = factories.layout().cards
    for _ in range(2):
        deal_id = service.post("/api/deals", {"cards": cards}).json()["id"]
    solve_twice()
    events = follower.events()
    assert [event["type"] for event in events] == ["deal.imported", "deal.analysed"]
    assert {(event["data"]["dealId"], event["data"]["boardId"]) for event in events} == {(deal_id, None)}
    board = factories.board()
    factories.board(published=False)
    assert follower.types() == ["board.published"]
    solve_twice()
    events = follower.events()
    assert [event["type"] for event in events] == ["deal.analysed", "deal.analysed", "board.changed"]
    assert events[-1]["data"]["boardId"] == str(board.pk)


def test_what_changes_no_published_board_tells_nothing(service: APIClient, follower: Follower) -> None:
    board, draft, ada, bob = (
        factories.board(),
        factories.board(published=False),
        factories.account(),
        factories.account(),
    )
    cast_vote(account=ada, board_id=board.pk, value=UP)
    follower.events()
    refresh([board.pk, draft.pk])
    with transaction.atomic():
        unpublish_boards([board.pk])
        transaction.set_rollback(True)
    path = f"/api/deals/{draft.deal_id}/boards/{draft.pk}"
    assert service.patch(path, {"title": "Another"}).status_code == 200
    assert service.delete(path).status_code == 204
    refused = write_pbn(factories.record()) + '[Board "x"]\n[Deal "N:nonsense"]\n'
    assert import_file(service, "?publish=true&atomic=true", refused) == 400
    for account, value in ((ada, UP), (bob, None)):
        cast_vote(account=account, board_id=board.pk, value=value)
    assert follower.types() == []


# --- Votes ----------------------------------------------------------------------------------------------------


def totals(follower: Follower) -> list[tuple[str, int, int]]:
    events = follower.events()
    assert {event["type"] for event in events} <= {"board.votes_changed"}
    data = [event["data"] for event in events]
    return [(each["boardId"], each["votes"]["up"], each["votes"]["down"]) for each in data]


def test_votes_are_told_by_their_latest_totals(follower: Follower, client_of: Callable[[Any], APIClient]) -> None:
    one, two, ada, bob = factories.board(), factories.board(), factories.account(), factories.account()
    follower.events()
    for account, board, value in ((ada, one, UP), (bob, one, UP), (ada, one, DOWN), (ada, two, DOWN)):
        cast_vote(account=account, board_id=board.pk, value=value)
    assert sorted(totals(follower)) == sorted([(str(one.pk), 1, 1), (str(two.pk), 0, 1)])
    cast_vote(account=ada, board_id=one.pk, value=None)
    assert totals(follower) == [(str(one.pk), 1, 0)]
    assert FeedEvent.objects.filter(type=FeedEvent.Type.BOARD_VOTES_CHANGED).count() == 2
    assert client_of(ada).put(f"/api/voting/{one.pk}", {"vote": "up"}).status_code == 204
    assert totals(follower) == [(str(one.pk), 2, 0)]


def test_a_vote_takes_one_statement_on_postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite writes a vote step by step.")
    board, ada = factories.board(), factories.account()
    with CaptureQueriesContext(connection) as queries:
        cast_vote(account=ada, board_id=board.pk, value=UP)
    assert len(queries) == 1


def test_an_erasure_tells_the_new_totals_of_published_boards(follower: Follower) -> None:
    board, draft, ada, bob = factories.board(), factories.board(), factories.account(), factories.account()
    for account, each in ((ada, board), (ada, draft), (bob, board), (bob, draft)):
        cast_vote(account=account, board_id=each.pk, value=UP)
    unpublish_boards([draft.pk])
    follower.events()
    erase(account_id=ada.pk, by=None)
    assert totals(follower) == [(str(board.pk), 1, 0)]


def test_a_board_that_is_gone_tells_of_no_votes_any_more(follower: Follower) -> None:
    board, ada = factories.board(), factories.account()
    cast_vote(account=ada, board_id=board.pk, value=UP)
    board = Board.objects.get(pk=board.pk)
    unpublish_boards([board.pk])
    assert follower.types() == ["board.published", "board.unpublished"]
    publish_drafts([board.pk])
    cast_vote(account=ada, board_id=board.pk, value=None)
    board.delete()
    assert follower.types() == ["board.published", "board.unpublished"]
    assert Deal.objects.filter(pk=board.deal_id).exists()
