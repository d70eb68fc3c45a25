"""The API passes over sessions, CSRF, logins and messages. Everything else has them."""

from typing import Any

import pytest
from django.contrib.sessions.middleware import SessionMiddleware as DjangoSessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from config.edge import sessions
from tests import factories


@pytest.mark.django_db
def test_the_api_opens_no_session_and_pages_do(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    def process_request(middleware: DjangoSessionMiddleware, request: HttpRequest) -> None:
        opened.append(request.path)
        open_session(middleware, request)

    open_session = DjangoSessionMiddleware.process_request
    monkeypatch.setattr(DjangoSessionMiddleware, "process_request", process_request)
    for path in ("/api", "/api/boards", "/api/nothing", "/api/docs", "/boards", "/apix", "/forms/contact"):
        client.get(path)
    assert opened == ["/boards", "/apix", "/forms/contact"]


@pytest.mark.django_db
def test_a_login_to_the_admin_is_none_to_the_api() -> None:
    client = Client()
    client.force_login(factories.account("staff", role="admin"))
    assert client.get("/admin/").status_code == 200
    assert client.get("/api/accounts/me").status_code == 401


def test_a_view_of_the_api_that_is_not_exempt_is_still_checked_for_csrf() -> None:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    request = RequestFactory(enforce_csrf_checks=True).post("/api/boards")
    request._dont_enforce_csrf_checks = False
    refusal = sessions.CsrfViewMiddleware(view).process_view(request, view, (), {})
    assert refusal is not None
    assert refusal.status_code == 403
