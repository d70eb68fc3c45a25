from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction
from rest_framework.test import APIClient


@contextmanager
def taken_back() -> Iterator[None]:
    """Take back the rows of one case, so that the next one of a loop does not see them."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def client() -> APIClient:
    """Return a client without credentials that returns the answer to a crash instead of raising its exception."""
    return APIClient(raise_request_exception=False)
