"""The worker sends events to endpoints: in order, signed, again when they fail, and not for ever."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone
from jsonschema_rs import Draft202012Validator
from rest_framework.test import APIClient

from config.values.strict_json import parse_json
from config.worker.runner import ShutdownRequest
from deals.events.feed import read_latest
from deals.events.recording import record_boards, record_deals
from deals.models import FeedEvent, WebhookEndpoint
from deals.webhooks import delivering
from deals.webhooks.delivering import Deliverer, body_of, claim, extend_lease
from tests import factories
from tests.conformance.document import document
from tests.deals.webhooks.receiver import Receiver, receiving
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db


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


def test_events_are_sent_once_in_their_order_as_the_feed_has_them_and_signed(
    receiver: Receiver, endpoint: WebhookEndpoint, service: APIClient
) -> None:
    deals = happen(delivering.EVENTS_IN_A_TURN * 2 + 3)
    assert deliver() == (len(deals), 0)
    event = service.get("/api/deals/events").json()["events"][0]
    headers, _ = receiver.messages[0]
    assert headers[":path"] == "/hooks?of=boards"
    assert (headers["Content-Type"], headers["webhook-id"]) == ("application/json", event["id"])
    event["timestamp"] = event.pop("createdAt")
    messages = receiver.read(endpoint.secret)
    assert messages[0] == event
    assert [message["data"]["dealId"] for message in messages] == deals
    assert deliver() == (0, 0)
    endpoint.refresh_from_db()
    assert endpoint.last_success_at is not None and endpoint.failures == 0


def test_an_endpoint_gets_the_types_that_it_asks_for_and_nothing_while_it_is_off(
    receiver: Receiver, endpoint: WebhookEndpoint
) -> None:
    WebhookEndpoint.objects.update(event_types=["board.published", "board.unpublished"], is_enabled=False)
    happen(30)
    record_boards(FeedEvent.Type.BOARD_PUBLISHED, [(uuid4(), uuid4())])
    happen(5)
    assert deliver() == (0, 0)
    WebhookEndpoint.objects.update(is_enabled=True)
    assert deliver() == (1, 0)
    assert [message["type"] for message in receiver.read(endpoint.secret)] == ["board.published"]
    assert WebhookEndpoint.objects.get().position == read_latest().position


def test_an_event_that_is_not_accepted_is_sent_again_before_any_other(
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
    WebhookEndpoint.objects.update(url="http://127.0.0.1:1/")
    deals = happen(1)
    assert deliver() == (0, 1)
    assert "refused" in WebhookEndpoint.objects.get().last_error
    WebhookEndpoint.objects.update(url=receiver.url, due_at=timezone.now())
    assert deliver() == (1, 0)
    assert deals_sent(receiver, endpoint) == deals


def test_the_pauses_grow_until_an_endpoint_is_gone_or_has_failed_for_days(
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
    endpoint.start_again()
    endpoint.is_enabled = True
    endpoint.save()
    receiver.statuses = [200, 410]
    happen(1)
    assert deliver() == (1, 1)
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
    endpoint.rotate_secret()
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


def test_an_endpoint_whose_place_the_feed_does_not_have_goes_on_with_the_oldest_event(
    receiver: Receiver, endpoint: WebhookEndpoint
) -> None:
    happen(3)
    read_latest()
    FeedEvent.objects.update(created_at=timezone.now() - timedelta(days=31))
    call_command("prune")
    kept = happen(1)
    deliver()
    assert deals_sent(receiver, endpoint) == kept
    WebhookEndpoint.objects.update(position=1000)  # as after a restore of the database
    deliver()
    (later,) = happen(1)
    deliver()
    assert later in deals_sent(receiver, endpoint)


def test_the_document_has_a_webhook_for_each_type_of_event_and_what_is_sent_is_valid() -> None:
    board, draft = factories.board(), factories.board(published=False)
    cast_vote(account=factories.account(), board_id=board.pk, value=Vote.Value.UP)
    FeedEvent.objects.create(type=FeedEvent.Type.DEAL_ANALYSED, deal_id=draft.deal_id)
    described = document()
    assert described["webhooks"].keys() == set(FeedEvent.Type.values)
    events = list(FeedEvent.objects.all())
    assert {event.type for event in events} == {"board.published", "board.votes_changed", "deal.analysed"}
    for event in events:
        operation = described["webhooks"][event.type]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        validator = Draft202012Validator({**schema, "components": described["components"]})
        validator.validate(parse_json(body_of(event)))
        assert not validator.is_valid({"type": "nonsense"})
