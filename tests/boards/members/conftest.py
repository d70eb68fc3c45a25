import pytest
from django.test import Client

from accounts.models import Account
from tests.members import signed_in


@pytest.fixture
def zia_client(zia: Account) -> Client:
    """Return Zia's browser, signed in through the members' door."""
    return signed_in(zia)
