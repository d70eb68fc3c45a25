import pytest
from rest_framework.test import APIClient


@pytest.fixture
def client() -> APIClient:
    """Return a client without credentials that returns the answer to a crash instead of raising its exception."""
    return APIClient(raise_request_exception=False)
