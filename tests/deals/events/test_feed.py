"""GET /api/deals/feed: the pages of the feed, its cursors, and how long events are kept."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from deals.events import feed
from deals.events.feed import BATCH_SIZE
from deals.events.recording import BoardVotes, record_deals, record_votes
from deals.models import FeedEvent
from tests import factories
from tests.answers import assert_error, field_errors
from tests.deals.events.following import Follower

pytestmark = pytest.mark.django_db

FEED, FORMER_FEED = "/api/deals/feed", "/api/deals/events"
IMPORTED = FeedEvent.Type.DEAL_IMPORTED


def deals_of(body: dict) -> list[str]:
    return [event["data"]["dealId"] for event in body["events"]]


def record(number: int) -> list[str]:
    deals = [uuid4() for _ in range(number)]
    record_deals(IMPORTED, deals)
    return [str(deal) for deal in deals]


def test_it_answers_the_oldest_events_first_in_pages_that_follow_each_other(service: APIClient) -> None:
    deals = record(5)
    first = service.get(f"{FEED}?limit=3").json()
    assert (deals_of(first), first["hasMore"]) == (deals[:3], True)
    second = service.get(f"{FEED}?limit=3&after={first['nextCursor']}").json()
    assert (deals_of(second), second["hasMore"]) == (deals[3:], False)
    cursor = second["nextCursor"]
    assert service.get(f"{FEED}?after={cursor}").json() == {"events": [], "nextCursor": cursor, "hasMore": False}
    assert deals_of(service.get(f"{FEED}?after={first['events'][1]['id']}").json()) == deals[2:]


def test_the_former_address_answers_the_same(service: APIClient) -> None:
    record(3)
    for query in ("", "?limit=2", "?after=latest", "?after=7777777", "?after=yesterday", "?cursor=1"):
        first, second = (service.get(f"{path}{query}") for path in (FEED, FORMER_FEED))
        assert first.status_code == second.status_code, query
        without_id = [{**each.json(), "meta": each.json().get("meta", {}).get("fields")} for each in (first, second)]
        assert without_id[0] == without_id[1], query


def test_an_event_has_its_ids_its_time_and_links(service: APIClient) -> None:
    board = factories.board()
    (event,) = service.get(FEED).json()["events"]
    assert event.pop("createdAt").endswith("Z")
    deal_link, board_link = f"http://testserver/api/deals/{board.deal_id}", f"http://testserver/api/boards/{board.pk}"
    assert event == {
        "id": event["id"],
        "type": "board.published",
        "data": {
            "dealId": str(board.deal_id),
            "boardId": str(board.pk),
            "collectionId": None,
            "votes": None,
            "links": {"deal": deal_link, "board": board_link, "collection": None},
        },
    }
    board.delete()
    event = service.get(f"{FEED}?after={event['id']}").json()["events"][0]
    assert (event["type"], event["data"]["links"]["board"]) == ("board.unpublished", None)


def test_latest_is_the_cursor_of_this_moment(service: APIClient) -> None:
    """However many events have no position yet, votes among them."""
    for number in (3, 2 * BATCH_SIZE + 1):
        record_votes([BoardVotes(uuid4(), uuid4(), 1, 0)])
        record(number)
        follower = Follower(service)
        assert follower.types() == []
        deals = record(4)
        assert [event["data"]["dealId"] for event in follower.events()] == deals


def test_it_refuses_what_it_cannot_follow(service: APIClient) -> None:
    of_an_empty_feed = "after=7"
    for query in (
        *("after=x", "after=-1", "after=01", "after=99999999999999999999", of_an_empty_feed, "after=0&after=1"),
        *("limit=0", "limit=501", "wait=26", "wait=1.5"),
    ):
        assert [*field_errors(service.get(f"{FEED}?{query}"))] == [query.partition("=")[0]]


def age(days: int) -> None:
    FeedEvent.objects.update(created_at=timezone.now() - timedelta(days=days))


def test_prune_deletes_old_events_and_tells_readers_who_come_too_late(
    service: APIClient, capsys: pytest.CaptureFixture[str]
) -> None:
    factories.board()
    record(2)
    read = service.get(FEED).json()
    age(days=31)
    kept = record(1)
    call_command("prune", dry_run=True)
    assert "Would delete" in (output := capsys.readouterr().out) and "3 events of the feed" in output
    assert len(service.get(FEED).json()["events"]) == 4
    call_command("prune")
    assert "3 events of the feed" in capsys.readouterr().out
    assert_error(service.get(f"{FEED}?after={read['events'][1]['id']}"), 410, "cursor_expired")
    assert deals_of(service.get(f"{FEED}?after={read['nextCursor']}").json()) == kept
    assert deals_of(service.get(FEED).json()) == kept


def test_events_that_nobody_has_read_are_deleted_too_and_readers_learn_it(service: APIClient) -> None:
    record(2)
    cursor = service.get(FEED).json()["nextCursor"]
    record(3)
    age(days=31)
    call_command("prune")
    assert not FeedEvent.objects.exists()
    assert_error(service.get(f"{FEED}?after={cursor}"), 410, "cursor_expired")
    empty = service.get(FEED).json()
    assert empty["events"] == []
    deals = record(1)
    for query in (f"?after={empty['nextCursor']}", ""):
        assert deals_of(service.get(f"{FEED}{query}").json()) == deals


# --- Waiting --------------------------------------------------------------------------------------------------


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """Let time pass at once. In the third pause a deal comes."""
    deals: list[UUID] = []
    clock = [0.0]
    comes = uuid4()

    def wait(seconds: float) -> None:
        assert not (connection.in_atomic_block and len(connection.savepoint_ids) > 0)
        clock[0] += seconds
        deals.append(comes)
        if len(deals) == 3:
            record_deals(IMPORTED, [comes])

    monkeypatch.setattr(feed.shutdown, "wait", wait)
    monkeypatch.setattr(feed, "monotonic", lambda: clock[0])
    return deals


def test_it_waits_until_something_happens_and_no_longer_than_it_is_told(pauses: list[UUID], service: APIClient) -> None:
    cursor = service.get(f"{FEED}?after=latest").json()["nextCursor"]
    assert service.get(f"{FEED}?after={cursor}&wait=1").json()["events"] == []
    assert len(pauses) == 2
    assert deals_of(service.get(f"{FEED}?after={cursor}&wait=25").json()) == [str(pauses[0])]
    assert len(pauses) == 3
    assert deals_of(service.get(f"{FEED}?after={cursor}&wait=25").json()) == [str(pauses[0])]
    assert len(pauses) == 3, "there was something already"


def test_only_some_wait_and_the_others_are_answered_at_once(pauses: list[UUID], service: APIClient) -> None:
    for _ in range(feed.MAX_WAITING):
        assert feed.seats.acquire(blocking=False)
    try:
        assert service.get(f"{FEED}?wait=25").json()["events"] == []
        assert pauses == []
    finally:
        feed.seats.release(feed.MAX_WAITING)
    service.get(f"{FEED}?wait=25")
    assert pauses != []
