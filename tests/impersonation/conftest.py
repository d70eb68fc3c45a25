"""The impersonation that the tests of this folder are about: "support" impersonates "zia"."""

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from impersonation.models import Impersonation
from tests import factories
from tests.conftest import token_of


@pytest.fixture
def zia(db: None) -> Account:
    return factories.account("zia", email="zia@example.org")


@pytest.fixture
def running(support: APIClient, zia: Account) -> Impersonation:
    return factories.impersonation(Account.objects.get(pk="support"), zia)


@pytest.fixture
def impersonating(running: Impersonation) -> APIClient:
    """Return a client of the support that impersonates Zia."""
    token = token_of(running.actor)
    return APIClient(headers={"authorization": f"Bearer {token}", "x-impersonation-id": str(running.pk)})
