"""POST /api/impersonation/start."""

import itertools
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
from tests.impersonation.starts import REASON, START, shown, start
from tests.undone import undone

pytestmark = pytest.mark.django_db


def lifetime(body: dict[str, str]) -> timedelta:
    return datetime.fromisoformat(body["expiresAt"]) - datetime.fromisoformat(body["startedAt"])


@pytest.mark.parametrize("role", ["support", "admin"])
def test_staff_impersonate_a_member_for_half_an_hour(role: str, zia: Account, request: pytest.FixtureRequest) -> None:
    response = start(request.getfixturevalue(role), ticket="#42")
    row = Impersonation.objects.get()
    assert (response.status_code, response.json()) == (201, shown(row))
    assert (row.actor_id, row.subject_id, row.reason, row.ticket, row.ended_at) == (role, "zia", REASON, "#42", None)
    assert lifetime(response.json()) == timedelta(minutes=30)
    assert response["Location"] == "http://testserver/api/impersonation/current"
    assert response["Cache-Control"] == "private, no-store"
    assert abs(row.started_at - datetime.now(UTC)) < timedelta(minutes=1)


OUT_OF_BOUNDS: dict[str, list[tuple[Any, str]]] = {
    "accountId": [
        ("nobody", "does_not_exist"), ("", "blank"), (None, "null"), (5, "invalid"), (["zia"], "invalid"),
        ("x" * 256, "max_length"),
    ],
    "reason": [
        ("too short", "min_length"), (" " * 20, "blank"), ("   short   ", "min_length"), ("x" * 501, "max_length"),
        (None, "null"), (1234567890, "invalid"),
    ],
    "ticket": [("x" * 101, "max_length"), (42, "invalid")],
    "ttlMinutes": [
        (0, "min_value"), (-1, "min_value"), (61, "max_value"), (2**53 - 1, "max_value"), (None, "null"),
        *((value, "invalid") for value in ("30", 30.0, True)),
    ],
    "actorId": [("admin", "unknown_field")],
}  # fmt: skip


def test_the_answer_names_a_value_out_of_bounds_and_the_bounds_are_allowed(zia: Account, support: APIClient) -> None:
    for field, values in OUT_OF_BOUNDS.items():
        for value, code in values:
            assert field_errors(start(support, **{field: value})) == {field: [code]}, value
    assert field_errors(support.post(START, {})).keys() == {"accountId", "reason"}
    assert not Impersonation.objects.exists() and not ImpersonationEvent.objects.exists()
    for minutes, length in itertools.product((1, 60), (10, 500)):
        with undone():
            response = start(support, ttlMinutes=minutes, reason="x" * length, ticket="")
            assert (response.status_code, lifetime(response.json())) == (201, timedelta(minutes=minutes))


def test_an_actor_has_one_at_a_time_and_a_subject_may_have_several(
    zia: Account, support: APIClient, admin: APIClient
) -> None:
    first = start(support).json()["impersonationId"]
    factories.account("other")
    assert_error(start(support, "other"), 409, "already_impersonating")
    within = start(support, "other", headers={"x-impersonation-id": first})
    assert_error(within, 403, "impersonation_read_only")
    row = Impersonation.objects.get()
    assert (str(row.pk), row.subject_id, row.ended_at) == (first, "zia", None)
    assert start(admin).status_code == 201


def test_the_next_start_ends_an_expired_impersonation_at_its_expiry_and_nobody_elses(
    zia: Account, support: APIClient, admin: APIClient
) -> None:
    others = start(admin).json()["impersonationId"]
    past = timezone.now() - timedelta(minutes=5)
    old = factories.impersonation(
        Account.objects.get(pk="support"), zia, started_at=past - timedelta(minutes=30), expires_at=past
    )
    assert start(support).status_code == 201
    old.refresh_from_db()
    assert old.ended_at == past
    assert Impersonation.objects.get(pk=others).ended_at is None


@pytest.mark.parametrize("change", [{"role": "support"}, {"is_active": False}])
def test_an_impersonation_with_an_invalid_subject_does_not_prevent_a_start(
    change: dict[str, Any], zia: Account, support: APIClient
) -> None:
    old = start(support).json()["impersonationId"]
    Account.objects.filter(pk="zia").update(**change)
    factories.account("other")
    assert start(support, "other").status_code == 201
    assert Impersonation.objects.get(pk=old).ended_at is not None


@pytest.mark.django_db(transaction=True)
def test_starts_at_once_make_one() -> None:
    token = token_of(factories.account("busy", role="support"))
    for number in range(8):
        factories.account(f"subject-{number}")

    def call(number: int) -> int:
        try:
            client = APIClient(headers={"authorization": f"Bearer {token}"})
            return start(client, f"subject-{number}").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(call, range(8)))
    assert statuses == [201] + [409] * 7
    assert (Impersonation.objects.count(), ImpersonationEvent.objects.count()) == (1, 1)
