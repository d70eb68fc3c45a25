"""POST /api/impersonation/stop."""

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


def stop(client: APIClient, impersonation: Any) -> Any:
    return client.post(URL, {"impersonationId": str(impersonation)})


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
    running: Impersonation, support: APIClient, admin: APIClient, member: APIClient, client_of: Any
) -> None:
    for client in (admin, member, client_of(running.subject)):
        assert_error(stop(client, running.pk), 404, "not_found")
    assert_error(stop(support, uuid.uuid4()), 404, "not_found")
    assert not ended(running)


def test_a_malformed_body_is_refused_and_it_goes_on(running: Impersonation, support: APIClient) -> None:
    known = factories.NOBODYS_ID
    values = (None, "", "abc", 5, 0.5, True, [], {}, "0" * 32, f"{{{known}}}", f" {known}")
    for body in ({}, *({"impersonationId": value} for value in values)):
        assert field_errors(support.post(URL, body)).keys() == {"impersonationId"}, body
    more = {"impersonationId": known, "actorId": "support"}
    assert field_errors(support.post(URL, more)).keys() == {"actorId"}
    assert field_errors(support.post(URL, [])).keys() == {"nonFieldErrors"}
    assert not ended(running)
