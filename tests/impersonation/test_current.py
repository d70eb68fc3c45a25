"""GET /api/impersonation/current. tests/impersonation/test_ended_for_good.py has those that are no longer valid."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from impersonation.models import Impersonation
from tests import factories
from tests.answers import assert_error
from tests.impersonation.starts import shown

pytestmark = pytest.mark.django_db

URL = "/api/impersonation/current"


def test_the_actor_sees_the_running_impersonation_and_no_earlier_one(
    running: Impersonation, support: APIClient, impersonating: APIClient
) -> None:
    past = timezone.now() - timedelta(days=1)
    factories.impersonation(running.actor, running.subject, started_at=past, expires_at=past, ended_at=past)
    for client in (support, impersonating):
        response = client.get(URL)
        assert (response.status_code, response.json()) == (200, shown(running))
        assert response["Cache-Control"] == "private, no-store"


def test_nobody_but_the_actor_sees_it(running: Impersonation, admin: APIClient, client_of: Any) -> None:
    for client in (admin, client_of(running.subject)):
        assert_error(client.get(URL), 404, "not_found")
