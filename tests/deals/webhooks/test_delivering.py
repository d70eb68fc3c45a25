"""The worker sends events to endpoints: in order, signed, again when they fail, and not for ever."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from config.worker.shutdown import ShutdownRequest
from deals.events.feed import read_latest
from deals.events.recording import record_boards, record_deals
from deals.models import FeedEvent, WebhookEndpoint
from deals.webhooks import delivering
from deals.webhooks.delivering import Deliverer, claim, extend_lease
from deals.webhooks.endpoints import rotate_secret, start_again
from tests.deals.webhooks.receiver import Receiver, receiving

pytestmark = pytest.mark.django_db


@pytest.fixture
def endpoint(receiver: Receiver) -> WebhookEndpoint:
    return WebhookEndpoint.objects.create(url=receiver.url)


def deliver() -> tuple[int, int]:
    """Deliver what is due. Return how many messages were sent, and how many failed."""
    deliverer = Deliverer(ShutdownRequest())
    deliverer.run(once=True)
    return deliverer.sent, deliverer.failed


def happen(number: int) -> list[str]:
    deals = [uuid4() for _ in range(number)]
    record_deals(FeedEvent.Type.DEAL_IMPORTED, deals)
    return [str(deal) for deal in deals]


def deals_sent(receiver: Receiver, endpoint: WebhookEndpoint) -> list[str]:
    return [message["data"]["dealId"] for message in receiver.read(endpoint.secret)]


def test_an_event_is_sent_as_the_feed_has_it_and_signed(
    receiver: Receiver, endpoint: WebhookEndpoint, service: APIClient
) -> None:
    happen(1)
    deliver()
    (event,) = service.get("/api/deals/events").json()["events"]
    ((headers, _),) = receiver.messages
    assert headers[":path"] == "/hooks?of=boards"
    assert (headers["Content-Type"], headers["webhook-id"]) == ("application/json", event["id"])
    event["timestamp"] = event.pop("createdAt")
    assert receiver.read(endpoint.secret) == [event]


def test_events_are_sent_once_and_in_their_order(receiver: Receiver, endpoint: WebhookEndpoint) -> None:
    deals = happen(delivering.EVENTS_IN_A_TURN * 2 + 3)
    assert deliver() == (len(deals), 0)
    assert deals_sent(receiver, endpoint) == deals
    assert deliver() == (0, 0)
    endpoint.refresh_from_db()
    assert endpoint.last_success_at is not None and endpoint.failures == 0


def test_an_endpoint_gets_the_types_that_it_asks_for(receiver: Receiver, endpoint: WebhookEndpoint) -> None:
    WebhookEndpoint.objects.update(event_types=["board.published", "board.unpublished"])
    happen(30)
    record_boards(FeedEvent.Type.BOARD_PUBLISHED, [(uuid4(), uuid4())])
    happen(5)
    assert deliver() == (1, 0)
    assert [message["type"] for message in receiver.read(endpoint.secret)] == ["board.published"]
    assert WebhookEndpoint.objects.get().position == read_latest().position


def test_an_endpoint_that_is_off_gets_nothing_and_goes_on_where_it_was(
    receiver: Receiver, endpoint: WebhookEndpoint
) -> None:
    deals = happen(3)
    for is_enabled, sent in ((False, []), (True, deals)):
        WebhookEndpoint.objects.update(is_enabled=is_enabled)
        deliver()
        assert deals_sent(receiver, endpoint) == sent


def test_an_event_that_is_not_accepted_is_sent_again_and_nothing_after_it_before(
    receiver: Receiver, endpoint: WebhookEndpoint
) -> None:
    for status in (301, 302, 307, 400, 404, 500):
        receiver.statuses = [200, status, 200]
        receiver.headers = {"Location": receiver.url} if status in (301, 302, 307) else {}
        deals = happen(3)
        assert deliver() == (1, 1)
        assert deals_sent(receiver, endpoint) == deals[:2]
        endpoint.refresh_from_db()
        assert (endpoint.failures, endpoint.is_enabled) == (1, True)
        assert str(status) in endpoint.last_error
        assert deliver() == (0, 0), "it must wait"
        WebhookEndpoint.objects.update(due_at=timezone.now())
        assert deliver() == (2, 0)
        assert deals_sent(receiver, endpoint) == deals[1:]
        endpoint.refresh_from_db()
        assert (endpoint.failures, endpoint.failing_since, endpoint.last_error) == (0, None, "")


def test_an_endpoint_that_does_not_answer_is_tried_again(receiver: Receiver, endpoint: WebhookEndpoint) -> None:
    WebhookEndpoint.objects.update(url="http://127.0.0.1:1/")
    deals = happen(1)
    assert deliver() == (0, 1)
    assert "refused" in WebhookEndpoint.objects.get().last_error
    WebhookEndpoint.objects.update(url=receiver.url, due_at=timezone.now())
    assert deliver() == (1, 0)
    assert deals_sent(receiver, endpoint) == deals


def test_the_pauses_grow_up_to_hours_and_after_days_of_failure_it_is_switched_off(
    receiver: Receiver, endpoint: WebhookEndpoint
) -> None:
    receiver.statuses = [503]
    happen(1)
    pauses = []
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        while WebhookEndpoint.objects.get().is_enabled:
            assert deliver() == (0, 1)
            due_at = WebhookEndpoint.objects.get().due_at
            pauses.append((due_at - timezone.now()).total_seconds())
            clock.move_to(due_at)
        lasted = timezone.now() - start
    assert 4 <= pauses[0] <= 6 < pauses[1] < pauses[2] < pauses[3]
    assert 4 * 3600 < max(pauses) <= 6 * 3600 * 1.2
    assert timedelta(days=5) <= lasted < timedelta(days=6)
    assert deliver() == (0, 0)
    endpoint.refresh_from_db()
    start_again(endpoint)
    endpoint.is_enabled = True
    endpoint.save()
    receiver.statuses = [200]
    assert deliver() == (1, 0)


def test_an_endpoint_that_is_gone_is_switched_off_at_once(receiver: Receiver, endpoint: WebhookEndpoint) -> None:
    receiver.statuses = [410]
    happen(1)
    assert deliver() == (0, 1)
    assert not WebhookEndpoint.objects.get().is_enabled


def test_one_endpoint_that_fails_does_not_hold_up_another(receiver: Receiver, endpoint: WebhookEndpoint) -> None:
    with receiving() as other:
        second = WebhookEndpoint.objects.create(url=other.url)
        receiver.statuses = [500]
        deals = happen(3)
        deliver()
        assert deals_sent(other, second) == deals


def test_after_a_new_secret_messages_are_signed_with_both_for_a_day(
    receiver: Receiver, endpoint: WebhookEndpoint
) -> None:
    former = endpoint.secret
    rotate_secret(endpoint)
    assert endpoint.secret != former
    for secret in (former, endpoint.secret):
        happen(1)
        deliver()
        assert len(receiver.read(secret)) == 1
    WebhookEndpoint.objects.update(rotated_at=timezone.now() - timedelta(days=1, seconds=1))
    happen(1)
    deliver()
    assert receiver.messages[0][0]["webhook-signature"].count("v1,") == 1
    assert len(receiver.read(endpoint.secret)) == 1


def test_only_one_worker_sends_to_an_endpoint_and_a_dead_one_is_replaced(endpoint: WebhookEndpoint) -> None:
    happen(1)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        lost = claim()
        assert lost is not None
        assert claim() is None
        clock.shift(delivering.LEASE + timedelta(seconds=1))
        assert claim() is not None
        assert not extend_lease(lost, position=7)
    assert WebhookEndpoint.objects.get().position == 0


def test_an_endpoint_that_was_off_for_longer_than_events_are_kept_goes_on_with_the_oldest(
    receiver: Receiver, endpoint: WebhookEndpoint
) -> None:
    happen(3)
    read_latest()
    FeedEvent.objects.update(created_at=timezone.now() - timedelta(days=31))
    call_command("prune")
    kept = happen(1)
    deliver()
    assert deals_sent(receiver, endpoint) == kept


def test_an_endpoint_is_not_left_behind_by_a_database_that_was_restored(
    receiver: Receiver, endpoint: WebhookEndpoint
) -> None:
    WebhookEndpoint.objects.update(position=1000)
    happen(1)
    read_latest()
    deliver()
    (later,) = happen(1)
    deliver()
    assert later in deals_sent(receiver, endpoint)
