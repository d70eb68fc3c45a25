"""Fixtures of the webhooks: a receiver on this machine, and an endpoint that names it."""

from collections.abc import Iterator
from typing import Any

import pytest

from deals.models import WebhookEndpoint
from tests.deals.webhooks.receiver import Receiver, receiving


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.DEBUG = True  # It allows plain HTTP to this machine.
    with receiving() as running:
        yield running


@pytest.fixture
def endpoint(receiver: Receiver) -> WebhookEndpoint:
    return WebhookEndpoint.objects.create(url=receiver.url)
