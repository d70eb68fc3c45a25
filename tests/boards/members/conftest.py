import pytest
from django.test import Client

from accounts.models import Account
from tests import factories
from tests.members import signed_in


@pytest.fixture
def zia(db: None) -> Account:
    return factories.account("zia")


@pytest.fixture
def browser(zia: Account) -> Client:
    """Return Zia's browser, signed in, which must send tokens with its posts as a real one does."""
    return signed_in(zia)
