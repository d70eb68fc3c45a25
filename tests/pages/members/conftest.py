"""The member whose pages they are."""

import pytest
from django.test import Client

from accounts.models import Account
from tests.accounts.conftest import fill_every_table, make_zia
from tests.members import signed_in


@pytest.fixture
def zia(db: None) -> Account:
    return make_zia()


@pytest.fixture
def world(zia: Account) -> Account:
    fill_every_table(zia)
    return zia


@pytest.fixture
def zia_client(zia: Account) -> Client:
    """Return Zia's browser, signed in as a member."""
    return signed_in(zia)
