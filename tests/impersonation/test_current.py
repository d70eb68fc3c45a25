"""GET /api/impersonation/current."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from impersonation.models import Impersonation
from tests import factories
from tests.answers import assert_error
from tests.impersonation.endings import ENDINGS
from tests.undone import undone

pytestmark = pytest.mark.django_db

URL = "/api/impersonation/current"


def test_the_actor_sees_the_running_impersonation(running: Impersonation, support: APIClient) -> None:
    response = support.get(URL)
    assert (response.status_code, response.json()) == (
        200,
        {
            "impersonationId": str(running.pk),
            "actorId": "support",
            "accountId": "zia",
            "startedAt": f"{running.started_at:%Y-%m-%dT%H:%M:%S.%f}Z",
            "expiresAt": f"{running.expires_at:%Y-%m-%dT%H:%M:%S.%f}Z",
        },
    )
    assert response["Cache-Control"] == "private, no-store"


def test_the_actor_sees_it_with_the_header_too(running: Impersonation, support: APIClient) -> None:
    response = support.get(URL, headers={"x-impersonation-id": str(running.pk)})
    assert response.json()["impersonationId"] == str(running.pk)


def test_nobody_but_the_actor_sees_it(running: Impersonation, admin: APIClient, client_of: Any) -> None:
    for client in (admin, client_of(running.subject)):
        response = client.get(URL)
        assert_error(response, 404, "not_found")


def test_an_impersonation_that_is_no_longer_valid_is_not_found(
    running: Impersonation, support: APIClient, subtests: pytest.Subtests
) -> None:
    for ending in ENDINGS:
        with subtests.test(repr(ending)), undone():
            ENDINGS[ending]()
            assert support.get(URL).status_code == 404


def test_an_earlier_impersonation_does_not_hide_the_running_one(running: Impersonation, support: APIClient) -> None:
    past = timezone.now() - timedelta(days=1)
    factories.impersonation(running.actor, running.subject, started_at=past, expires_at=past, ended_at=past)
    assert support.get(URL).json()["impersonationId"] == str(running.pk)
