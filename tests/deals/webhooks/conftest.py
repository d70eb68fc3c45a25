from collections.abc import Iterator

import pytest

from tests.deals.webhooks.receiver import Receiver, receiving


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    """Run a receiver, and allow plain http to this machine."""
    settings.DEBUG = True
    with receiving() as running:
        yield running
