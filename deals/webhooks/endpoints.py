"""What staff do with endpoints."""

from django.utils import timezone

from deals.events.feed import read_latest
from deals.models import WebhookEndpoint
from deals.webhooks.signing import make_secret


def begin_at_the_end(endpoint: WebhookEndpoint) -> None:
    """Let a new endpoint get what happens from now on, and nothing older."""
    endpoint.position = read_latest().position


def start_again(endpoint: WebhookEndpoint) -> None:
    """Forget the failures of an endpoint, so that it is tried at once. It goes on where it was, not at the end."""
    endpoint.failures, endpoint.failing_since, endpoint.last_error = 0, None, ""
    endpoint.due_at = timezone.now()


def rotate_secret(endpoint: WebhookEndpoint) -> None:
    """Give the endpoint a new secret. For a day messages are signed with both, so that its operator can change it."""
    endpoint.previous_secret, endpoint.secret = endpoint.secret, make_secret()
    endpoint.rotated_at = timezone.now()
    endpoint.save(update_fields=["secret", "previous_secret", "rotated_at"])
