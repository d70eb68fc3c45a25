"""Sending each endpoint the events of the feed, one after the other.

`due_at` is when the next attempt may begin, and while a worker sends, the end of its lease. The value is also the
proof of the lease: a statement with it in its WHERE clause changes only an endpoint that is still leased to us. When a
worker dies, the event in hand is sent again after LEASE.
"""

import logging
import random
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from standardwebhooks import Webhook

from config.http_client import RequestFailed
from config.values.strict_json import dump_json
from config.worker.runner import ShutdownRequest, ShutdownRequested, retry_through_outage
from deals.events.feed import get_state, has_news, read_events
from deals.events.serializers import FeedEventSerializer
from deals.models import FeedEvent, WebhookEndpoint
from deals.webhooks.addresses import post
from deals.webhooks.deliveries import body_of_test, claim_test, record_delivery, record_test

logger = logging.getLogger(__name__)

POLL_SECONDS = 1
LEASE = timedelta(minutes=2)
EVENTS_IN_A_TURN = 20
"""The events that an endpoint gets before the others have their turn."""

FIRST_RETRY_DELAY = timedelta(seconds=5)
MAX_RETRY_DELAY = timedelta(hours=6)
"""Each delay is four times as long as the one before, up to this one."""

GIVE_UP_AFTER = timedelta(days=5)
ROTATION = timedelta(days=1)
"""How long messages are signed with the former secret too, after a new one was made."""


class Deliverer:
    """A loop that sends events in one thread. `sent` and `failed` count requests since the start."""

    def __init__(self, shutdown: ShutdownRequest) -> None:
        self.shutdown = shutdown
        self.sent = self.failed = 0

    def run(self, *, once: bool = False) -> None:
        """Send events until shut down or, with `once`, until no endpoint is due. Finish the turn in hand either way."""
        with suppress(ShutdownRequested):
            while (worked := retry_through_outage(self.shutdown, self.deliver_next)) or not once:
                if not worked:
                    self.shutdown.wait(POLL_SECONDS)

    def deliver_next(self) -> bool:
        """Send a test that waits, else the next due endpoint its events. Return False when there was nothing to do."""
        self.shutdown.check()
        if test := claim_test():
            record_test(test, *post_message(test.endpoint, test.message_id, body_of_test(test)))
            return True
        endpoint = claim()
        return endpoint is not None and self.deliver(endpoint)

    def deliver(self, endpoint: WebhookEndpoint) -> bool:
        """Send events in their order until one is refused. Return False when there was none, sent or passed over."""
        start = endpoint.position
        page = read_events(after=start, limit=EVENTS_IN_A_TURN)
        for event in page.events:
            if self.shutdown.requested:
                break
            if endpoint.wants(event.type) and not self.send(endpoint, event):
                return True
            endpoint.position = event.position or 0
        leased(endpoint).update(position=endpoint.position, due_at=timezone.now())
        return endpoint.position > start

    def send(self, endpoint: WebhookEndpoint, event: FeedEvent) -> bool:
        """Send one event. Return whether it was accepted and the lease still holds."""
        sent_at = timezone.now()
        status, error = post_message(endpoint, event.cursor, body_of(event))
        if error:
            self.failed += 1
        else:
            self.sent += 1
        with transaction.atomic():
            if error:
                is_ours = record_failure(endpoint, error, is_gone=status == HTTPStatus.GONE)
            else:
                succeeded = {"last_success_at": timezone.now(), "failures": 0, "failing_since": None, "last_error": ""}
                is_ours = extend_lease(endpoint, position=event.position, **succeeded)
            if is_ours:
                record_delivery(endpoint, event, sent_at, status, error)
        return is_ours and not error


def claim() -> WebhookEndpoint | None:
    """Take a lease on the endpoint that has been due for the longest time and has news. Return None without one."""
    due = WebhookEndpoint.objects.filter(is_enabled=True, due_at__lte=timezone.now())
    for endpoint in due.order_by("due_at"):
        state = get_state()
        # It may have been off for longer than events are kept, or the database may be an older copy.
        endpoint.position = min(max(endpoint.position, state.pruned_position), state.last_position)
        if has_news(endpoint.position) and extend_lease(endpoint):
            return endpoint
    return None


def leased(endpoint: WebhookEndpoint) -> QuerySet[WebhookEndpoint]:
    return WebhookEndpoint.objects.filter(pk=endpoint.pk, is_enabled=True, due_at=endpoint.due_at)


def extend_lease(endpoint: WebhookEndpoint, **changes: object) -> bool:
    """Store the changes and make the lease LEASE from now. Return False when it was lost and nothing is stored."""
    end = timezone.now() + LEASE
    is_ours = bool(leased(endpoint).update(due_at=end, **changes))
    endpoint.due_at = end
    return is_ours


def record_failure(endpoint: WebhookEndpoint, reason: str, *, is_gone: bool) -> bool:
    """Store the failure and when to try again. Switch the endpoint off when it is gone or has failed for days.

    Return False when the lease was lost and nothing is stored.
    """
    now = timezone.now()
    # What was accepted in this turn ended the failures that the claim has read.
    current = WebhookEndpoint.objects.filter(pk=endpoint.pk).only("failures", "failing_since").first()
    if current is None:
        return False
    failing_since = current.failing_since or now
    gives_up = is_gone or now - failing_since >= GIVE_UP_AFTER
    delay = min(FIRST_RETRY_DELAY * 4 ** min(current.failures, 10), MAX_RETRY_DELAY)
    delay *= random.uniform(0.8, 1.2)  # noqa: S311  so that endpoints that failed together are not tried together
    is_ours = leased(endpoint).update(
        position=endpoint.position,
        failures=current.failures + 1,
        failing_since=failing_since,
        last_error=reason[:300],
        due_at=now + delay,
        is_enabled=not gives_up,
    )
    fields = {"endpoint": str(endpoint.pk), "reason": reason, "retryInSeconds": round(delay.total_seconds())}
    if gives_up:
        logger.error("A webhook endpoint is switched off.", extra={"fields": fields})
    else:
        logger.warning("A webhook was not accepted.", extra={"fields": fields})
    return bool(is_ours)


def body_of(event: FeedEvent) -> bytes:
    """Return an event of the feed as a webhook: named and ordered as Standard Webhooks asks for."""
    shown = FeedEventSerializer(event).data
    return dump_json({"type": shown["type"], "timestamp": shown["createdAt"], "id": shown["id"], "data": shown["data"]})


def post_message(endpoint: WebhookEndpoint, message_id: str, body: bytes) -> tuple[int, str]:
    """Send a message once. Return the status of the answer, 0 without one, and why it was not accepted, else ""."""
    now = datetime.now(UTC)
    is_rotating = endpoint.rotated_at is not None and now - endpoint.rotated_at < ROTATION
    keys = [endpoint.secret, endpoint.previous_secret] if is_rotating else [endpoint.secret]
    headers = {"Content-Type": "application/json", "User-Agent": "bridge-boards-webhooks"}
    try:
        status = post(endpoint.url, body, headers | sign(keys, message_id, now, body))
    except RequestFailed as error:
        return 0, str(error)
    return status, "" if 200 <= status < 300 else f"The endpoint answered with status {status}."


def sign(keys: Iterable[str], message_id: str, time: datetime, body: bytes) -> dict[str, str]:
    """Return the headers of a message that was signed with each of the secrets. `time` is in UTC."""
    signatures = [Webhook(key).sign(message_id, time, body.decode()) for key in keys if key]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(time.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
