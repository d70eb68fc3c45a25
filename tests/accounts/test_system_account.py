"""The account `system`, which owns reference data, and what every PATCH of an account has in common."""

import pytest
from rest_framework.test import APIClient

from accounts.identifiers import SYSTEM
from accounts.models import Account

pytestmark = pytest.mark.django_db


def test_nobody_changes_the_account_that_reference_data_belongs_to(support: APIClient, admin: APIClient) -> None:
    before = Account.objects.filter(pk=SYSTEM).values().get()
    for change in ({"isActive": True}, {"displayName": "Mine"}):
        for staff in (support, admin):
            assert staff.patch(f"/api/accounts/{SYSTEM}", change).status_code == 403, change
    assert Account.objects.filter(pk=SYSTEM).values().get() == before


def test_repeating_a_patch_changes_nothing(member: APIClient) -> None:
    first = member.patch("/api/accounts/member", {"displayName": "Ann"})
    again = member.patch("/api/accounts/member", {"displayName": "Ann"})
    assert (again.json(), again["ETag"]) == (first.json(), first["ETag"])


def test_a_patch_without_a_body_is_no_json(member: APIClient) -> None:
    response = member.generic("PATCH", "/api/accounts/member", b"", content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")
