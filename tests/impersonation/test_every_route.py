"""The request check stands before routing, so that no path or method escapes the check or the audit log."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from impersonation.models import ImpersonationEvent
from tests import factories
from tests.undone import undone

pytestmark = pytest.mark.django_db


def test_a_request_that_no_view_authenticates_is_checked_and_recorded_too(
    client_of: Callable[[Account], APIClient], subtests: pytest.Subtests
) -> None:
    for method, path, status, route in [
        ("GET", "/api/nope", 404, "unknown"), ("POST", "/api/nope", 403, "unknown"),
        ("DELETE", "/api/boards", 403, "api/boards"), ("OPTIONS", "/api/boards", 204, "api/boards"),
        ("GET", "/api/openapi.json", 200, "api/openapi.json"),
    ]:  # fmt: skip
        with subtests.test(repr((method, path, status, route))), undone():
            actor = factories.account(role="support")
            running = factories.impersonation(actor, factories.account())
            response = client_of(actor).generic(method, path, headers={"x-impersonation-id": str(running.pk)})
            assert response.status_code == status
            assert list(ImpersonationEvent.objects.values_list("method", "route", "status")) == [
                (method, route, status)
            ]
