"""POST /api/impersonation/stop."""

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.answers import assert_error, field_errors
from tests.undone import undone

pytestmark = pytest.mark.django_db

URL = "/api/impersonation/stop"
BRACED, PADDED = f"{{{factories.NOBODYS_ID}}}", f" {factories.NOBODYS_ID}"
NOT_IDS: list[Any] = [None, "", "abc", 5, 0.5, True, [], {}, "0" * 32, BRACED, PADDED]
NO_OBJECTS: list[Any] = ["", "text", [], 5, True, None]


def stop(client: APIClient, impersonation: Any, **headers: str) -> Any:
    return client.post(URL, {"impersonationId": str(impersonation)}, headers=headers)


def ended(row: Impersonation) -> bool:
    row.refresh_from_db()
    return row.ended_at is not None


def test_the_actor_ends_it_and_the_next_request_is_refused(
    running: Impersonation, support: APIClient, subtests: pytest.Subtests
) -> None:
    header = {"x-impersonation-id": str(running.pk)}
    for headers in ({}, header):
        with subtests.test(repr(headers)), undone():
            assert support.get("/api/accounts/me", headers=header).status_code == 200
            response = stop(support, running.pk, **headers)
            assert (response.status_code, response.json()) == (200, {"actorId": "support"})
            assert response["Cache-Control"] == "private, no-store"
            assert ended(running)
            assert_error(support.get("/api/accounts/me", headers=header), 401, "impersonation_ended")


def test_a_second_stop_answers_the_same_changes_nothing_and_is_recorded_too(
    running: Impersonation, support: APIClient
) -> None:
    first = stop(support, running.pk)
    ended = Impersonation.objects.get().ended_at
    again = stop(support, running.pk, **{"x-impersonation-id": str(running.pk)})
    assert (again.status_code, again.content) == (200, first.content)
    assert Impersonation.objects.get().ended_at == ended
    assert list(ImpersonationEvent.objects.values_list("kind", "status")) == [("stopped", 200)] * 2


def test_an_expired_impersonation_ended_when_it_expired(support: APIClient) -> None:
    past = timezone.now() - timedelta(minutes=5)
    times = {"started_at": past - timedelta(minutes=30), "expires_at": past}
    row = factories.impersonation(Account.objects.get(pk="support"), factories.account("zia"), **times)
    assert stop(support, row.pk).status_code == 200
    row.refresh_from_db()
    assert row.ended_at == past


def test_a_demoted_actor_can_still_end_it(running: Impersonation, support: APIClient) -> None:
    Account.objects.filter(pk="support").update(role="member")
    assert stop(support, running.pk).status_code == 200
    assert ended(running)


def test_nobody_but_the_actor_ends_it(
    running: Impersonation, support: APIClient, admin: APIClient, member: APIClient, anonymous: APIClient,
    client_of: Any,
) -> None:  # fmt: skip
    for client in (admin, member, client_of(running.subject)):
        assert_error(stop(client, running.pk), 404, "not_found")
    assert_error(stop(support, uuid.uuid4()), 404, "not_found")
    assert_error(stop(anonymous, running.pk), 401, "not_authenticated")
    assert not ended(running)


def test_a_malformed_body_is_refused_and_it_goes_on(
    running: Impersonation, support: APIClient, subtests: pytest.Subtests
) -> None:
    for body, field in [
        ({}, "impersonationId"),
        *(({"impersonationId": value}, "impersonationId") for value in NOT_IDS),
        ({"impersonationId": factories.NOBODYS_ID, "actorId": "support"}, "actorId"),
        *((value, "nonFieldErrors") for value in NO_OBJECTS),
    ]:
        with subtests.test(repr((body, field))), undone():
            response = support.generic("POST", URL, json.dumps(body), content_type="application/json")
            assert field_errors(response).keys() == {field}
            assert not ended(running)
