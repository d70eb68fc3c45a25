"""The API passes over sessions, logins and messages. Everything else has them."""

from typing import Any

import pytest
from django.contrib.sessions.middleware import SessionMiddleware as DjangoSessionMiddleware
from django.http import HttpRequest
from django.test import Client
from pytest import MonkeyPatch

from tests import factories

pytestmark = pytest.mark.django_db


def test_a_session_key_that_django_never_made_is_no_session() -> None:
    for key in ("\x00aaaaaaaaaaaa", "a" * 11 + "\x00", "é" * 12):
        client = Client()
        client.cookies["sessionid"] = key
        assert client.get("/admin/login/").status_code == 200, key


def test_the_api_opens_no_session_and_pages_do(client: Any, monkeypatch: MonkeyPatch) -> None:
    opened = []
    open_session = DjangoSessionMiddleware.process_request

    def process_request(middleware: DjangoSessionMiddleware, request: HttpRequest) -> None:
        opened.append(request.path)
        open_session(middleware, request)

    monkeypatch.setattr(DjangoSessionMiddleware, "process_request", process_request)
    for path in ("/api", "/api/boards", "/api/nothing", "/api/docs", "/boards", "/apix", "/forms/contact"):
        client.get(path)
    assert opened == ["/boards", "/apix", "/forms/contact"]


def test_a_login_to_the_admin_is_none_to_the_api() -> None:
    client = Client()
    client.force_login(factories.account("staff", role="admin"))
    assert client.get("/admin/").status_code == 200
    assert client.get("/api/accounts/me").status_code == 401
