"""A session of the admin that a suspension or a demotion has ended stays ended."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import Account
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def inside(db: None) -> Client:
    """Return a browser in which the support's account `zia` is logged in."""
    client = Client()
    client.force_login(factories.account("zia", role="support"))
    assert client.get("/admin/").status_code == 200
    return client


@pytest.mark.parametrize(
    ("there", "back"),
    [
        *(({"is_active": False}, {"is_active": True}), ({"role": "member"}, {"role": "support"})),
        ({"role": "member"}, {"role": "admin"}),
        ({"is_active": False, "role": "member"}, {"is_active": True, "role": "support"}),
    ],
)
def test_it_stays_ended_when_nobody_used_it_meanwhile(
    there: dict[str, Any], back: dict[str, Any], inside: Client
) -> None:
    """By statements, as an operator at a database's shell would: no code of ours sees the change."""
    for change in (there, back):
        Account.objects.filter(pk="zia").update(**change)
    assert inside.get("/admin/").status_code == 302
    assert "_auth_user_id" not in inside.session
    again = Client()
    again.force_login(Account.objects.get(pk="zia"))
    assert again.get("/admin/").status_code == 200


def test_it_goes_on_through_other_changes_and_stays_ended_through_the_api(inside: Client, admin: APIClient) -> None:
    for change in ({"displayName": "Zia"}, {"role": "admin"}, {"role": "support"}, {"isActive": True}):
        assert admin.patch("/api/accounts/zia", change).status_code == 200
        assert inside.get("/admin/").status_code == 200, change
    for value in (False, True):
        assert admin.patch("/api/accounts/zia", {"isActive": value}).status_code == 200
    assert inside.get("/admin/").status_code == 302


def test_a_row_that_was_read_before_takes_no_suspension_back(inside: Client) -> None:
    """Every column is saved, the count of suspensions too: the database counts from what is stored."""
    stale = Account.objects.get(pk="zia")
    for value in (False, True):
        Account.objects.filter(pk="zia").update(is_active=value)
    stale.save()
    assert Account.objects.get(pk="zia").rights_version == 1
    Account.objects.filter(pk="zia").update(rights_version=0)
    assert Account.objects.get(pk="zia").rights_version == 1
    assert inside.get("/admin/").status_code == 302
