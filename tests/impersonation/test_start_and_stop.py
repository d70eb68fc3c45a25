"""Starting, stopping and asking for an impersonation."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.conftest import token_of

pytestmark = pytest.mark.django_db

START = "/api/impersonation/start"
STOP = "/api/impersonation/stop"
CURRENT = "/api/impersonation/current"


def body(**changes: Any) -> dict[str, Any]:
    return {"accountId": "subject", "reason": "They cannot find their board.", **changes}


@pytest.fixture
def subject() -> Account:
    return factories.account("subject")


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ({"role": "member"}, 201),
        ({"role": "support"}, 403),
        ({"role": "admin"}, 403),
        ({"role": "member", "is_active": False}, 403),
    ],
)
@pytest.mark.parametrize("role", ["support", "admin"])
def test_staff_may_look_through_an_active_members_eyes_and_nobody_elses(
    role: str, who: dict[str, Any], expected: int, client_of: Callable[[Account], APIClient]
) -> None:
    factories.account("subject", **who)
    response = client_of(factories.account("actor", role=role)).post(START, body())
    assert response.status_code == expected
    assert Impersonation.objects.count() == (expected == 201)


def test_it_answers_with_who_as_whom_and_until_when(support: APIClient, subject: Account) -> None:
    response = support.post(START, body(ttlMinutes=60, ticket="T-1"))
    stored = Impersonation.objects.get()
    assert response.json() == {
        "impersonationId": str(stored.pk),
        "actorId": "support",
        "accountId": "subject",
        "startedAt": stored.started_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "expiresAt": stored.expires_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    }
    assert stored.expires_at - stored.started_at == timedelta(minutes=60)
    assert (stored.reason, stored.ticket) == ("They cannot find their board.", "T-1")


def test_nobody_looks_through_their_own_eyes(support: APIClient) -> None:
    assert support.post(START, body(accountId="support")).status_code == 403
    assert not Impersonation.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"reason": "too short"}, "reason"),
        ({"reason": "x" * 501}, "reason"),
        ({"ttlMinutes": 0}, "ttlMinutes"),
        ({"ttlMinutes": 61}, "ttlMinutes"),
        ({"ttlMinutes": "5"}, "ttlMinutes"),
        ({"accountId": "nobody"}, "accountId"),
        ({"accountId": 5}, "accountId"),
        ({"actorId": "x"}, "actorId"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_starts(
    change: dict[str, Any], field: str, support: APIClient, subject: Account
) -> None:
    response = support.post(START, body(**change))
    assert response.status_code == 400
    assert response.json()["meta"]["fields"].keys() == {field}
    assert not Impersonation.objects.exists()


def test_one_at_a_time(support: APIClient, subject: Account) -> None:
    support.post(START, body())
    response = support.post(START, body())
    assert (response.status_code, response.json()["code"]) == (409, "already_impersonating")
    assert Impersonation.objects.count() == 1


@pytest.mark.parametrize("why", ["expired", "promoted", "inactive"])
def test_one_that_is_dead_does_not_stand_in_the_way(
    why: str, client_of: Callable[[Account], APIClient], subject: Account
) -> None:
    actor, former = factories.account("actor", role="support"), factories.account("former")
    old = factories.impersonation(actor, former)
    if why == "expired":
        Impersonation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    Account.objects.filter(pk="former").update(
        role="support" if why == "promoted" else "member", is_active=why != "inactive"
    )
    assert client_of(actor).post(START, body()).status_code == 201
    old.refresh_from_db()
    assert old.ended_at is not None
    assert old.ended_at <= old.expires_at


def test_stopping_ends_it_and_stopping_again_answers_the_same(support: APIClient, subject: Account) -> None:
    started = support.post(START, body()).json()["impersonationId"]
    for _ in range(2):
        response = support.post(STOP, {"impersonationId": started})
        assert (response.status_code, response.json()) == (200, {"actorId": "support"})
    assert support.get(CURRENT).status_code == 404
    assert ImpersonationEvent.objects.filter(kind="stopped").count() == 1


def test_stop_works_with_the_header_and_for_a_demoted_actor(support: APIClient, subject: Account) -> None:
    started = support.post(START, body()).json()["impersonationId"]
    Account.objects.filter(pk="support").update(role="member")
    response = support.post(STOP, {"impersonationId": started}, headers={"x-impersonation-id": started})
    assert response.status_code == 200
    assert Impersonation.objects.get().ended_at is not None


@pytest.mark.parametrize(
    ("value", "expected"), [(factories.NOBODYS_ID, 404), ("x", 400), (5, 400), (None, 400), ("", 400)]
)
def test_what_is_not_ones_own_cannot_be_stopped(
    value: Any, expected: int, support: APIClient, admin: APIClient, subject: Account
) -> None:
    started = support.post(START, body()).json()["impersonationId"]
    assert support.post(STOP, {"impersonationId": value}).status_code == expected
    assert admin.post(STOP, {"impersonationId": started}).status_code == 404
    assert Impersonation.objects.get().ended_at is None


def test_current_is_the_live_one_with_and_without_the_header(support: APIClient, subject: Account) -> None:
    assert support.get(CURRENT).status_code == 404
    started = support.post(START, body()).json()
    assert support.get(CURRENT).json() == started
    assert support.get(CURRENT, headers={"x-impersonation-id": started["impersonationId"]}).json() == started
    Impersonation.objects.update(expires_at=timezone.now())
    assert support.get(CURRENT).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_twenty_starts_at_once_make_one_impersonation() -> None:
    token = token_of(factories.account("actor", role="support"))
    factories.account("subject")

    def start(_: int) -> int:
        try:
            client = APIClient(headers={"authorization": f"Bearer {token}"})
            return client.post(START, body()).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as threads:
        statuses = sorted(threads.map(start, range(20)))
    assert statuses == [201] + [409] * 19
    assert Impersonation.objects.count() == 1
