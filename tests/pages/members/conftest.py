"""The member whose pages they are."""

import pytest

from accounts.models import Account
from tests.accounts.conftest import fill_every_table, make_zia


@pytest.fixture
def zia(db: None) -> Account:
    return make_zia()


@pytest.fixture
def world(zia: Account) -> Account:
    fill_every_table(zia)
    return zia
