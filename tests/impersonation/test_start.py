"""POST /api/impersonation/start."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.answers import assert_error, field_errors
from tests.conftest import token_of
from tests.impersonation.starts import REASON, START, start

pytestmark = pytest.mark.django_db


def nothing_started() -> bool:
    return not Impersonation.objects.exists() and not ImpersonationEvent.objects.exists()


def lifetime(body: dict[str, str]) -> timedelta:
    return datetime.fromisoformat(body["expiresAt"]) - datetime.fromisoformat(body["startedAt"])


@pytest.mark.parametrize("role", ["support", "admin"])
def test_staff_impersonate_a_member_for_half_an_hour(
    role: str, zia: Account, request: pytest.FixtureRequest
) -> None:
    response = start(request.getfixturevalue(role), ticket="#42")
    row = Impersonation.objects.get()
    assert response.status_code == 201
    assert response.json() == {
        "impersonationId": str(row.pk),
        "actorId": role,
        "accountId": "zia",
        "startedAt": f"{row.started_at:%Y-%m-%dT%H:%M:%S.%f}Z",
        "expiresAt": f"{row.expires_at:%Y-%m-%dT%H:%M:%S.%f}Z",
    }
    assert lifetime(response.json()) == timedelta(minutes=30)
    assert response["Location"] == "http://testserver/api/impersonation/current"
    assert response["Cache-Control"] == "private, no-store"
    assert (row.reason, row.ticket, row.ended_at) == (REASON, "#42", None)
    assert abs(row.started_at - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("caller", "status", "code"),
    [("anonymous", 401, "not_authenticated"), ("member", 403, "permission_denied")],
)
def test_nobody_but_staff_may_start_one(
    caller: str, status: int, code: str, zia: Account, request: pytest.FixtureRequest
) -> None:
    response = start(request.getfixturevalue(caller))
    assert_error(response, status, code)
    assert nothing_started()


@pytest.mark.parametrize("subject", ["self", "a-support", "an-admin", "inactive", "system"])
@pytest.mark.parametrize("role", ["support", "admin"])
def test_nobody_impersonates_themselves_staff_inactive_accounts_or_the_system(
    role: str, subject: str, request: pytest.FixtureRequest
) -> None:
    client = request.getfixturevalue(role)
    factories.account("a-support", role="support")
    factories.account("an-admin", role="admin")
    factories.account("inactive", is_active=False)
    response = start(client, role if subject == "self" else subject)
    assert_error(response, 403, "permission_denied")
    assert nothing_started()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"accountId": "nobody"}, {"accountId": ["does_not_exist"]}),
        ({"accountId": ""}, {"accountId": ["blank"]}),
        ({"accountId": None}, {"accountId": ["null"]}),
        ({"accountId": 5}, {"accountId": ["invalid"]}),
        ({"accountId": ["zia"]}, {"accountId": ["invalid"]}),
        ({"accountId": "x" * 256}, {"accountId": ["max_length"]}),
        ({"reason": "too short"}, {"reason": ["min_length"]}),
        ({"reason": " " * 20}, {"reason": ["blank"]}),
        ({"reason": "   short   "}, {"reason": ["min_length"]}),
        ({"reason": "x" * 501}, {"reason": ["max_length"]}),
        ({"reason": None}, {"reason": ["null"]}),
        ({"reason": 1234567890}, {"reason": ["invalid"]}),
        ({"ticket": "x" * 101}, {"ticket": ["max_length"]}),
        ({"ticket": 42}, {"ticket": ["invalid"]}),
        ({"ttlMinutes": 0}, {"ttlMinutes": ["min_value"]}),
        ({"ttlMinutes": -1}, {"ttlMinutes": ["min_value"]}),
        ({"ttlMinutes": 61}, {"ttlMinutes": ["max_value"]}),
        ({"ttlMinutes": 2**53 - 1}, {"ttlMinutes": ["max_value"]}),
        ({"ttlMinutes": "30"}, {"ttlMinutes": ["invalid"]}),
        ({"ttlMinutes": 30.0}, {"ttlMinutes": ["invalid"]}),
        ({"ttlMinutes": True}, {"ttlMinutes": ["invalid"]}),
        ({"ttlMinutes": None}, {"ttlMinutes": ["null"]}),
        ({"actorId": "admin"}, {"actorId": ["unknown_field"]}),
    ],
    ids=str,
)
def test_the_answer_names_a_value_out_of_bounds_and_nothing_starts(
    values: dict[str, Any], expected: dict[str, list[str]], zia: Account, support: APIClient
) -> None:
    assert field_errors(start(support, **values)) == expected
    assert nothing_started()


@pytest.mark.parametrize("body", ["", "text", [], [{}], 5, True, None, {}], ids=repr)
def test_a_body_without_the_required_fields_is_refused(body: Any, support: APIClient) -> None:
    response = support.generic("POST", START, json.dumps(body), content_type="application/json")
    expected = {"accountId", "reason"} if body == {} else {"nonFieldErrors"}
    assert field_errors(response).keys() == expected
    assert nothing_started()


@pytest.mark.parametrize("minutes", [1, 60])
@pytest.mark.parametrize("length", [10, 500])
def test_the_bounds_themselves_are_allowed(
    minutes: int, length: int, zia: Account, support: APIClient
) -> None:
    response = start(support, ttlMinutes=minutes, reason="x" * length, ticket="")
    assert response.status_code == 201
    assert lifetime(response.json()) == timedelta(minutes=minutes)


def test_a_second_impersonation_is_refused_while_the_first_runs(zia: Account, support: APIClient) -> None:
    first = start(support).json()
    factories.account("other")
    response = start(support, "other")
    assert_error(response, 409, "already_impersonating")
    row = Impersonation.objects.get()
    assert (str(row.pk), row.subject_id, row.ended_at) == (first["impersonationId"], "zia", None)


def test_two_members_of_staff_may_impersonate_one_account(
    zia: Account, support: APIClient, admin: APIClient
) -> None:
    assert [start(support).status_code, start(admin).status_code] == [201, 201]


def test_no_impersonation_starts_under_another(zia: Account, support: APIClient) -> None:
    first = start(support).json()["impersonationId"]
    factories.account("other")
    within = start(support, "other", headers={"x-impersonation-id": first})
    assert_error(within, 403, "impersonation_read_only")
    assert Impersonation.objects.count() == 1


def test_the_next_start_ends_an_expired_impersonation_at_its_expiry(zia: Account, support: APIClient) -> None:
    past = timezone.now() - timedelta(minutes=5)
    old = factories.impersonation(
        Account.objects.get(pk="support"), zia, started_at=past - timedelta(minutes=30), expires_at=past
    )
    assert start(support).status_code == 201
    old.refresh_from_db()
    assert old.ended_at == past


@pytest.mark.parametrize("change", [{"role": "support"}, {"is_active": False}])
def test_an_impersonation_with_an_invalid_subject_does_not_prevent_a_start(
    change: dict[str, Any], zia: Account, support: APIClient
) -> None:
    old = start(support).json()["impersonationId"]
    Account.objects.filter(pk="zia").update(**change)
    factories.account("other")
    assert start(support, "other").status_code == 201
    assert Impersonation.objects.get(pk=old).ended_at is not None


def test_a_start_leaves_other_actors_impersonations_running(
    zia: Account, support: APIClient, admin: APIClient, client_of: Callable[[Account], APIClient]
) -> None:
    mine = start(admin).json()["impersonationId"]
    past = timezone.now() - timedelta(minutes=5)
    factories.impersonation(Account.objects.get(pk="support"), zia, started_at=past, expires_at=past)
    start(support)
    assert Impersonation.objects.get(pk=mine).ended_at is None


@pytest.mark.django_db(transaction=True)
def test_twenty_starts_at_once_make_one() -> None:
    token = token_of(factories.account("busy", role="support"))
    for number in range(20):
        factories.account(f"subject-{number}")

    def call(number: int) -> int:
        try:
            client = APIClient(headers={"authorization": f"Bearer {token}"})
            return start(client, f"subject-{number}").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(20) as pool:
        statuses = sorted(pool.map(call, range(20)))
    assert statuses == [201] + [409] * 19
    assert (Impersonation.objects.count(), ImpersonationEvent.objects.count()) == (1, 1)
