"""Which events a change stores with itself. tests/boards/catalogue/test_write_paths.py walks all changes of boards."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.personal_data.erasure import erase
from boards.bulk import publish_drafts, unpublish_boards
from boards.catalogue.refreshing import refresh
from boards.models import Board
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.models import Deal, FeedEvent
from deals.solver.queues import Order, claim_next
from deals.solver.tables import TABLES
from tests import factories
from tests.conftest import token_of
from tests.deals.events.following import Follower
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db

SOLVED = {"double_dummy": "7" * 20, "par": {"None": {"score": 0, "contracts": ["Pass"]}}}


@pytest.fixture
def follower(service: APIClient) -> Follower:
    return Follower(service)


def test_an_import_tells_of_new_deals_and_boards_once(service: APIClient, follower: Follower) -> None:
    file = (HEADER + "".join(write_pbn(factories.record(number=number)) for number in (1, 2))).encode()

    def send(query: str) -> None:
        path = f"/api/deals/import{query}"
        assert service.generic("POST", path, file, content_type="application/x-pbn").status_code == 200

    send("")
    assert follower.types() == ["deal.imported"] * 2
    send("?publish=true")
    assert follower.types() == ["board.published"] * 2
    send("?publish=true")
    assert follower.types() == []


def test_an_import_that_is_rolled_back_tells_nothing(service: APIClient, follower: Follower) -> None:
    file = (HEADER + write_pbn(factories.record()) + '[Board "x"]\n[Deal "N:nonsense"]\n').encode()
    response = service.generic(
        "POST", "/api/deals/import?publish=true&atomic=true", file, content_type="application/x-pbn"
    )
    assert response.status_code == 400
    assert follower.types() == []


def test_a_deal_is_imported_once_and_analysed_once(service: APIClient, follower: Follower) -> None:
    cards = factories.layout().cards
    for _ in range(2):
        deal_id = service.post("/api/deals", {"cards": cards}).json()["id"]
    claim = claim_next(Order.WANTED, [TABLES])
    assert claim
    for _ in range(2):
        TABLES.store(claim, {job.id: SOLVED for job in claim.jobs})
    events = follower.events()
    assert [event["type"] for event in events] == ["deal.imported", "deal.analysed"]
    assert {event["data"]["dealId"] for event in events} == {deal_id}
    assert {event["data"]["boardId"] for event in events} == {None}


def test_the_solution_of_a_deal_changes_its_published_boards(follower: Follower) -> None:
    board = factories.board()
    factories.board(published=False)
    assert follower.types() == ["board.published"]
    claim = claim_next(Order.WANTED, [TABLES])
    assert claim
    TABLES.store(claim, {job.id: SOLVED for job in claim.jobs})
    events = follower.events()
    assert [event["type"] for event in events] == ["deal.analysed", "deal.analysed", "board.changed"]
    assert events[-1]["data"]["boardId"] == str(board.pk)


def test_a_refresh_that_finds_nothing_new_tells_nothing(follower: Follower) -> None:
    boards = [factories.board(), factories.board(published=False)]
    follower.events()
    refresh([board.pk for board in boards])
    assert follower.types() == []


def test_a_change_of_a_draft_tells_nothing(service: APIClient, follower: Follower) -> None:
    board = factories.board(published=False)
    path = f"/api/deals/{board.deal_id}/boards/{board.pk}"
    assert service.patch(path, {"title": "Another"}).status_code == 200
    assert service.delete(path).status_code == 204
    assert follower.types() == []


def test_a_change_that_is_rolled_back_tells_nothing(follower: Follower) -> None:
    board = factories.board()
    follower.events()
    with transaction.atomic():
        unpublish_boards([board.pk])
        transaction.set_rollback(True)
    assert follower.types() == []


# --- Votes ----------------------------------------------------------------------------------------------------


def totals(follower: Follower) -> list[tuple[str, int, int]]:
    events = follower.events()
    assert {event["type"] for event in events} <= {"board.votes_changed"}
    return [
        (event["data"]["boardId"], event["data"]["votes"]["up"], event["data"]["votes"]["down"]) for event in events
    ]


def test_votes_are_told_by_their_latest_totals(follower: Follower) -> None:
    one, two, ada, bob = factories.board(), factories.board(), factories.account(), factories.account()
    follower.events()
    for account, board, value in (
        (ada, one, Vote.Value.UP),
        (bob, one, Vote.Value.UP),
        (ada, one, Vote.Value.DOWN),
        (ada, two, Vote.Value.DOWN),
    ):
        cast_vote(account=account, board_id=board.pk, value=value)
    assert sorted(totals(follower)) == sorted([(str(one.pk), 1, 1), (str(two.pk), 0, 1)])
    cast_vote(account=ada, board_id=one.pk, value=None)
    assert totals(follower) == [(str(one.pk), 1, 0)]
    assert FeedEvent.objects.filter(type=FeedEvent.Type.BOARD_VOTES_CHANGED).count() == 2


@pytest.mark.parametrize("value", [Vote.Value.UP, None])
def test_a_vote_that_changes_nothing_tells_nothing(value: Vote.Value | None, follower: Follower) -> None:
    board, ada = factories.board(), factories.account()
    cast_vote(account=ada, board_id=board.pk, value=value)
    follower.events()
    cast_vote(account=ada, board_id=board.pk, value=value)
    assert follower.types() == []


def test_a_vote_through_the_api_is_told(follower: Follower) -> None:
    board, ada = factories.board(), factories.account()
    follower.events()
    client = APIClient(headers={"authorization": f"Bearer {token_of(ada)}"})
    assert client.put(f"/api/voting/{board.pk}", {"vote": "up"}).status_code == 204
    assert totals(follower) == [(str(board.pk), 1, 0)]


def test_a_vote_takes_one_statement_on_postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite writes a vote step by step.")
    board, ada = factories.board(), factories.account()
    with CaptureQueriesContext(connection) as queries:
        cast_vote(account=ada, board_id=board.pk, value=Vote.Value.UP)
    assert len(queries) == 1


def test_an_erasure_tells_the_new_totals_of_published_boards(follower: Follower) -> None:
    board, draft, ada, bob = factories.board(), factories.board(), factories.account(), factories.account()
    for account in (ada, bob):
        for each in (board, draft):
            cast_vote(account=account, board_id=each.pk, value=Vote.Value.UP)
    unpublish_boards([draft.pk])
    follower.events()
    erase(account_id=ada.pk, by=None)
    assert totals(follower) == [(str(board.pk), 1, 0)]


def test_a_board_that_is_gone_tells_of_no_votes_any_more(follower: Follower) -> None:
    board, ada = factories.board(), factories.account()
    cast_vote(account=ada, board_id=board.pk, value=Vote.Value.UP)
    board = Board.objects.get(pk=board.pk)
    unpublish_boards([board.pk])
    assert follower.types() == ["board.published", "board.unpublished"]
    publish_drafts([board.pk])
    cast_vote(account=ada, board_id=board.pk, value=None)
    board.delete()
    assert follower.types() == ["board.published", "board.unpublished"]
    assert Deal.objects.filter(pk=board.deal_id).exists()
