"""The routes of impersonation: start, current and stop. Who may impersonate whom is a table of callers and subjects."""

import itertools
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.identifiers import SYSTEM
from accounts.models import Account
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.answers import assert_error, field_errors
from tests.conftest import token_of
from tests.impersonation.starts import REASON, START, shown, start
from tests.meetings import at_once
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
    old = factories.impersonation(Account.objects.get(pk="support"), zia, started_at=past - timedelta(minutes=30))
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
        client = APIClient(headers={"authorization": f"Bearer {token}"})
        return start(client, f"subject-{number}").status_code

    assert sorted(at_once(partial(call, number) for number in range(8))) == [201] + [409] * 7
    assert (Impersonation.objects.count(), ImpersonationEvent.objects.count()) == (1, 1)


# --- The running one

CURRENT = "/api/impersonation/current"


def test_the_actor_sees_the_running_impersonation_and_no_earlier_one(
    running: Impersonation, support: APIClient, impersonating: APIClient
) -> None:
    past = timezone.now() - timedelta(days=1)
    factories.impersonation(running.actor, running.subject, started_at=past, ended_at=past)
    for client in (support, impersonating):
        response = client.get(CURRENT)
        assert (response.status_code, response.json()) == (200, shown(running))
        assert response["Cache-Control"] == "private, no-store"


# --- Stopping

STOP = "/api/impersonation/stop"


def stop(client: APIClient, impersonation: Any) -> Any:
    return client.post(STOP, {"impersonationId": str(impersonation)})


def ended(row: Impersonation) -> bool:
    row.refresh_from_db()
    return row.ended_at is not None


def test_the_actor_ends_it_and_the_next_request_is_refused(
    running: Impersonation, support: APIClient, impersonating: APIClient
) -> None:
    for client in (support, impersonating):
        with undone():
            assert impersonating.get("/api/accounts/me").status_code == 200
            response = stop(client, running.pk)
            assert (response.status_code, response.json()) == (200, {"actorId": "support"})
            assert response["Cache-Control"] == "private, no-store"
            assert ended(running)
            assert_error(impersonating.get("/api/accounts/me"), 401, "impersonation_ended")


def test_a_second_stop_answers_the_same_changes_nothing_and_is_recorded_too(
    running: Impersonation, support: APIClient, impersonating: APIClient
) -> None:
    first = stop(support, running.pk)
    ended = Impersonation.objects.get().ended_at
    again = stop(impersonating, running.pk)
    assert (again.status_code, again.content) == (200, first.content)
    assert Impersonation.objects.get().ended_at == ended
    assert list(ImpersonationEvent.objects.values_list("kind", "status")) == [("stopped", 200)] * 2


def test_an_expired_impersonation_ended_when_it_expired(support: APIClient) -> None:
    past = timezone.now() - timedelta(minutes=5)
    actor, started = Account.objects.get(pk="support"), past - timedelta(minutes=30)
    row = factories.impersonation(actor, factories.account("zia"), started_at=started)
    assert stop(support, row.pk).status_code == 200
    row.refresh_from_db()
    assert row.ended_at == past


def test_a_demoted_actor_can_still_end_it(running: Impersonation, support: APIClient) -> None:
    Account.objects.filter(pk="support").update(role="member")
    assert stop(support, running.pk).status_code == 200
    assert ended(running)


def test_nobody_but_the_actor_sees_or_ends_it(
    running: Impersonation, support: APIClient, admin: APIClient, member: APIClient, client_of: Any
) -> None:
    for client in (admin, member, client_of(running.subject)):
        assert_error(client.get(CURRENT), 404, "not_found")
        assert_error(stop(client, running.pk), 404, "not_found")
    assert_error(stop(support, uuid.uuid4()), 404, "not_found")
    assert not ended(running)


def test_a_malformed_body_is_refused_and_it_goes_on(running: Impersonation, support: APIClient) -> None:
    known = factories.NOBODYS_ID
    values: tuple[Any, ...] = (None, "", "abc", 5, 0.5, True, [], {}, "0" * 32, f"{{{known}}}", f" {known}")
    for body in ({}, *({"impersonationId": value} for value in values)):
        assert field_errors(support.post(STOP, body)).keys() == {"impersonationId"}, body
    more = {"impersonationId": known, "actorId": "support"}
    assert field_errors(support.post(STOP, more)).keys() == {"actorId"}
    assert field_errors(support.post(STOP, [])).keys() == {"nonFieldErrors"}
    assert not ended(running)


# --- Who may impersonate whom

CALLERS = ("anonymous", "member", "support", "admin", "inactive support", "inactive admin")
REFUSED = (401, 403, 403, 403, 401, 401)
ALLOWED = (401, 403, 201, 201, 401, 401)

# Subject → the status that each caller gets, in the order of CALLERS.
STARTS: dict[str, tuple[int, ...]] = {
    "self": REFUSED, "member": ALLOWED, "organisation": ALLOWED, "support": REFUSED, "admin": REFUSED,
    "inactive member": REFUSED, "system": REFUSED, "nobody": (401, 403, 400, 400, 401, 401),
}  # fmt: skip


def caller_of(name: str) -> Account | None:
    if name == "anonymous":
        return None
    role = name.rpartition(" ")[-1]
    return factories.account("the-caller", role=role, is_active="inactive" not in name)


def subject_id(name: str) -> str:
    if name == SYSTEM:
        Account.objects.filter(pk=SYSTEM).update(is_active=True)
    if name in (SYSTEM, "nobody", "self"):
        return {"self": "the-caller"}.get(name, name)
    role = name if name in Account.Role.values else "member"
    values: dict[str, Any] = {"role": role, "is_active": "inactive" not in name}
    if name == "organisation":
        values |= {"is_organisation": True, "organisation_name": "A club"}
    return factories.account("the-subject", **values).pk


def test_each_caller_may_impersonate_the_subjects_of_the_table(
    anonymous: APIClient, client_of: Callable[[Account], APIClient], subtests: pytest.Subtests
) -> None:
    for caller in CALLERS:
        for subject in sorted(STARTS):
            with subtests.test(repr((caller, subject))), undone():
                account = caller_of(caller)
                client = client_of(account) if account else anonymous
                expected = STARTS[subject][CALLERS.index(caller)]
                assert start(client, subject_id(subject)).status_code == expected
                started = int(expected == 201)
                assert Impersonation.objects.count() == ImpersonationEvent.objects.count() == started
