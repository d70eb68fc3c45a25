"""Who exports and erases a person in the admin, and who may not."""

import pytest
from django.test import Client

from accounts.identifiers import SYSTEM
from accounts.models import Account
from tests import factories
from tests.accounts.conftest import everything
from tests.config.admin.conftest import staff_client

pytestmark = pytest.mark.django_db

PAGE = "/admin/accounts/account/zia/"


@pytest.fixture
def boss(db: None) -> Client:
    return staff_client("admin")


@pytest.mark.usefixtures("reference_data")
def test_support_exports_the_accounts_that_it_may_edit(zia: Account) -> None:
    factories.account("a-boss", role="admin")
    client = staff_client("support")
    for subject, status in (("zia", 200), ("a-boss", 403), ("the-support", 200), ("x", 404)):
        answer = client.post(f"/admin/accounts/account/{subject}/export/")
        assert answer.status_code == status, subject


@pytest.mark.usefixtures("reference_data")
def test_nobody_but_an_admin_erases_and_nothing_changes(zia: Account) -> None:
    clients = {role: staff_client(role) for role in ("support", "admin")}
    before = everything()[0]
    for role, subject in (
        ("support", "zia"), ("support", "the-support"), ("admin", "the-admin"), ("admin", SYSTEM),
    ):  # fmt: skip
        for send in (clients[role].get, clients[role].post):
            assert send(f"/admin/accounts/account/{subject}/erase/").status_code == 403, (role, subject)
    assert everything()[0] == before


def test_a_stranger_is_sent_to_the_login(zia: Account) -> None:
    for page in ("export", "erase"):
        assert Client().post(f"{PAGE}{page}/").status_code == 302
    assert Account.objects.get(pk="zia").is_active


def test_another_sites_form_erases_nobody(zia: Account) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(factories.account(role="admin"))
    assert client.post(f"{PAGE}erase/").status_code == 403
    assert Account.objects.get(pk="zia").is_active


def test_an_account_is_never_deleted_with_its_votes(zia: Account, boss: Client) -> None:
    assert boss.post(f"{PAGE}delete/", {"post": "yes"}).status_code == 403
    assert Account.objects.filter(pk="zia").exists()
