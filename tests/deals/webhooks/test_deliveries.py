"""Staff see the last deliveries of an endpoint, and send it a test."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.worker.runner import ShutdownRequest
from deals.events.recording import record_boards, record_deals
from deals.models import FeedEvent, WebhookDelivery, WebhookEndpoint
from deals.webhooks import deliveries
from deals.webhooks.deliveries import KEPT, claim_test, request_test
from deals.webhooks.delivering import Deliverer
from tests import factories
from tests.deals.webhooks.receiver import Receiver, receiving

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(factories.account("boss", role="admin"))
    return client


def work() -> None:
    Deliverer(ShutdownRequest()).run(once=True)


def page_of(endpoint: WebhookEndpoint, name: str = "change") -> str:
    return reverse(f"admin:deals_webhookendpoint_{name}", args=[endpoint.pk])


def stored(endpoint: WebhookEndpoint) -> list[tuple[str, int | None, str]]:
    """Return type, status and error of the endpoint's deliveries, the latest first."""
    return [(each.event_type, each.status, each.error) for each in endpoint.deliveries.order_by("-sent_at")]


def test_each_attempt_stands_on_the_page_of_its_endpoint_in_words(
    receiver: Receiver, endpoint: WebhookEndpoint, boss: Client
) -> None:
    assert "None yet" in boss.get(page_of(endpoint)).text
    receiver.statuses = [204, 500]
    record_deals(FeedEvent.Type.DEAL_IMPORTED, [uuid4()])
    record_boards(FeedEvent.Type.BOARD_PUBLISHED, [(uuid4(), uuid4())])
    work()
    WebhookEndpoint.objects.update(url="http://127.0.0.1:1/", due_at=timezone.now())
    work()
    refused, failed, accepted = stored(endpoint)
    assert accepted == ("deal.imported", 204, "")
    assert failed == ("board.published", 500, "The endpoint answered with status 500.")
    assert refused[:2] == ("board.published", None) and "refused" in refused[2]
    page = boss.get(page_of(endpoint)).text
    words = ("Board published (2)", "The endpoint answered with status 500.", "Deal imported (1)", "with status 204.")
    assert [page.index(each) for each in words] == sorted(page.index(each) for each in words)


def test_the_latest_deliveries_of_each_endpoint_are_kept(receiver: Receiver, endpoint: WebhookEndpoint) -> None:
    with receiving() as second:
        other = WebhookEndpoint.objects.create(url=second.url, event_types=["board.published"])
        record_boards(FeedEvent.Type.BOARD_PUBLISHED, [(uuid4(), uuid4())])
        request_test(endpoint)
        record_deals(FeedEvent.Type.DEAL_IMPORTED, [uuid4() for _ in range(KEPT + 5)])
        work()
    assert len(receiver.messages) == KEPT + 7
    (test,) = endpoint.deliveries.filter(event_type=WebhookDelivery.TEST)
    kept = set(endpoint.deliveries.values_list("message_id", flat=True))
    assert kept == {test.message_id, *(str(position) for position in range(7, KEPT + 7))}
    for _ in range(KEPT + 1):
        request_test(endpoint)
        work()
    assert endpoint.deliveries.filter(event_type=WebhookDelivery.TEST).count() == KEPT
    assert endpoint.deliveries.count() == 2 * KEPT
    assert stored(other) == [("board.published", 200, "")]


def test_staff_send_a_test_that_is_signed_and_changes_nothing_else(
    receiver: Receiver, endpoint: WebhookEndpoint, boss: Client
) -> None:
    """It is sent while the endpoint waits after failures, or is switched off, too: that is when staff want to know."""
    failing = {"failures": 9, "failing_since": timezone.now(), "last_error": "It failed."}
    WebhookEndpoint.objects.update(due_at=timezone.now() + timedelta(hours=6), is_enabled=False, **failing)
    before = WebhookEndpoint.objects.values().get()
    assert "Send a test" in boss.get(page_of(endpoint)).text
    answer = boss.post(page_of(endpoint, "test"), follow=True)
    assert answer.redirect_chain == [(page_of(endpoint), 302)]
    assert "The worker is sending the test" in answer.text and "Waiting for the worker." in answer.text
    assert "Accepted" not in answer.text
    assert receiver.messages == []
    assert "A test is waiting" in boss.post(page_of(endpoint, "test"), follow=True).text
    work()
    ((headers, _),) = receiver.messages
    (message,) = receiver.read(endpoint.secret)
    assert message.keys() == {"type", "timestamp", "id", "data"}
    assert (message["type"], message["data"], message["id"]) == ("webhook.test", {}, headers["webhook-id"])
    assert stored(endpoint) == [("webhook.test", 200, "")]
    receiver.statuses = [410]
    boss.post(page_of(endpoint, "test"))
    work()
    assert stored(endpoint)[0] == ("webhook.test", 410, "The endpoint answered with status 410.")
    assert WebhookEndpoint.objects.values().get() == before
    assert [entry.get_change_message() for entry in LogEntry.objects.all()] == ["Sent a test."] * 2


def test_a_test_is_sent_to_no_address_that_is_not_public(
    receiver: Receiver, endpoint: WebhookEndpoint, boss: Client, settings: Any
) -> None:
    settings.DEBUG = False
    for url, reason in ((receiver.url, "https://"), (f"https://127.0.0.1:{receiver.server_port}/", "public address")):
        WebhookEndpoint.objects.update(url=url)
        boss.post(page_of(endpoint, "test"))
        work()
        ((_, status, error), *_) = stored(endpoint)
        assert status is None and reason in error, url
    assert receiver.messages == []


def test_a_test_whose_worker_died_is_not_sent_again_and_says_so(receiver: Receiver, endpoint: WebhookEndpoint) -> None:
    assert request_test(endpoint) and not request_test(endpoint)
    assert claim_test() is not None
    assert claim_test() is None
    work()
    assert receiver.messages == []
    assert stored(endpoint) == [("webhook.test", None, deliveries.UNFINISHED)]
    assert request_test(endpoint)


def test_only_who_may_change_an_endpoint_sends_a_test(
    endpoint: WebhookEndpoint, boss: Client, reference_data: None
) -> None:
    helper = Client()
    helper.force_login(factories.account("helper", role="support"))
    assert helper.post(page_of(endpoint, "test")).status_code == 403
    assert reverse("admin:login") in Client().post(page_of(endpoint, "test")).url
    assert boss.get(page_of(endpoint, "test")).status_code == 405
    assert boss.post(page_of(WebhookEndpoint(), "test")).status_code == 404
    assert not WebhookDelivery.objects.exists()


def test_the_version_before_deletes_an_endpoint_and_does_not_know_its_deliveries(endpoint: WebhookEndpoint) -> None:
    endpoint.deliveries.create(event_type="board.published", message_id="1", sent_at=timezone.now(), status=204)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM deals_webhookendpoint WHERE id = %s", [endpoint.pk.hex])
    connection.check_constraints()
    assert not WebhookDelivery.objects.exists()
