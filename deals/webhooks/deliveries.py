"""The latest deliveries of each endpoint, which staff see on its page, and the tests that they ask for.

A test is a delivery that waits: the worker claims it by writing when it is sent, so that it is sent once at most. It
changes nothing of the endpoint's own record: neither its place in the feed, nor its failures.
"""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from config.api.fields import TimestampField
from config.values.strict_json import dump_json
from deals.models import FeedEvent, WebhookDelivery, WebhookEndpoint

KEPT = 20
"""The deliveries that are kept of an endpoint, and as many tests: the events of an import must not push these out."""

UNFINISHED = "No answer yet. If this does not change, the worker has stopped."


def request_test(endpoint: WebhookEndpoint) -> bool:
    """Let the worker send a test message. Return False when one is waiting already."""
    delivery = WebhookDelivery(endpoint=endpoint, event_type=WebhookDelivery.TEST)
    delivery.message_id = f"test-{delivery.pk.hex}"
    try:
        with transaction.atomic():
            delivery.save(force_insert=True)
    except IntegrityError:
        return False
    return True


def claim_test() -> WebhookDelivery | None:
    """Claim the test that waits, and return it with its endpoint. Return None without one."""
    for delivery in WebhookDelivery.objects.filter(sent_at=None).select_related("endpoint"):
        waiting = WebhookDelivery.objects.filter(pk=delivery.pk, sent_at=None)
        delivery.sent_at = timezone.now()
        if waiting.update(sent_at=delivery.sent_at, error=UNFINISHED):
            return delivery
    return None


def body_of_test(delivery: WebhookDelivery) -> bytes:
    """Return the message of a test, in the shape of events. It is about nothing: its data are empty."""
    timestamp = TimestampField().to_representation(delivery.sent_at)
    return dump_json({"type": WebhookDelivery.TEST, "timestamp": timestamp, "id": delivery.message_id, "data": {}})


def record_test(delivery: WebhookDelivery, status: int, error: str) -> None:
    WebhookDelivery.objects.filter(pk=delivery.pk).update(status=status or None, error=error[:300])
    forget_old(delivery.endpoint.deliveries.filter(event_type=WebhookDelivery.TEST, sent_at__isnull=False))


def record_delivery(endpoint: WebhookEndpoint, event: FeedEvent, at: datetime, status: int, error: str = "") -> None:
    """Store an attempt to send an event. Call it in the transaction that has changed the endpoint's row.

    Without an answer `status` is 0.
    """
    WebhookDelivery.objects.create(
        endpoint=endpoint,
        event_type=event.type,
        message_id=event.cursor,
        sent_at=at,
        status=status or None,
        error=error[:300],
    )
    forget_old(endpoint.deliveries.exclude(event_type=WebhookDelivery.TEST))


def forget_old(deliveries: QuerySet[WebhookDelivery]) -> None:
    """Delete all but the latest KEPT of these."""
    kept = deliveries.order_by("-sent_at", "id").values_list("pk", flat=True)[:KEPT]
    deliveries.exclude(pk__in=list(kept)).delete()
