"""The impersonation that the tests of this folder are about: "support" impersonates "zia"."""

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from impersonation.models import Impersonation
from tests import factories


@pytest.fixture
def zia(db: None) -> Account:
    return factories.account("zia", email="zia@example.org")


@pytest.fixture
def running(support: APIClient, zia: Account) -> Impersonation:
    return factories.impersonation(Account.objects.get(pk="support"), zia)
