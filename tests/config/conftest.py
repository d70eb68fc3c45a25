import pytest
from rest_framework.test import APIClient


@pytest.fixture
def client() -> APIClient:
    """A client without credentials that gives a crash as the answer that a caller would get."""
    return APIClient(raise_request_exception=False)
