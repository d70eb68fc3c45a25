import pytest

from accounts.models import Account
from tests import factories


@pytest.fixture
def zia(db: None) -> Account:
    """Return the member who does what a test is about."""
    return factories.account("zia")
