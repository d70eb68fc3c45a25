"""The audit log: the events that each start, stop and request under an impersonation leaves, on any path and method."""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.impersonation.starts import start
from tests.undone import undone

pytestmark = pytest.mark.django_db


def events() -> list[tuple[Any, ...]]:
    """Return the events in their order. Check that all of them are about the one impersonation."""
    rows = ImpersonationEvent.objects.order_by("id")
    ids = Impersonation.objects.values_list("pk", flat=True)
    assert set(rows.values_list("impersonation_id", "actor_id", "subject_id")) <= {(pk, "support", "zia") for pk in ids}
    return list(rows.values_list("kind", "method", "route", "status", "request_id"))


def headers(impersonation: Any, request_id: str) -> dict[str, str]:
    return {"x-impersonation-id": str(impersonation), "x-request-id": request_id}


def test_a_whole_impersonation_is_recorded(support: APIClient) -> None:
    factories.account("zia")
    started = start(support, headers={"x-request-id": "r1"}).json()["impersonationId"]
    support.get("/api/accounts/me", headers=headers(started, "r2"))
    support.get("/api/accounts/nobody", headers=headers(started, "r3"))
    support.put(f"/api/voting/{uuid.uuid4()}", {"vote": "up"}, headers=headers(started, "r4"))
    support.get("/api/themes?types=a b", headers=headers(started, "r5"))
    support.get("/api/accounts/me", headers={"x-request-id": "as oneself"})
    stop = {"impersonationId": started}
    support.post("/api/impersonation/stop", stop, headers=headers(started, "r6"))
    support.get("/api/accounts/me", headers=headers(started, "r7"))
    assert events() == [
        ("started", "POST", "api/impersonation/start", 201, "r1"),
        ("request", "GET", "api/accounts/me", 200, "r2"),
        ("request", "GET", "api/accounts/<account_id:pk>", 404, "r3"),
        ("request", "PUT", "api/voting/<any_uuid:board_id>", 403, "r4"),
        ("request", "GET", "api/themes", 400, "r5"),
        ("stopped", "POST", "api/impersonation/stop", 200, "r6"),
        ("request", "GET", "api/accounts/me", 401, "r7"),
    ]


def test_a_304_a_head_and_a_request_after_the_end_are_recorded(running: Impersonation, support: APIClient) -> None:
    etag = support.get("/api/themes", headers=headers(running.pk, "first"))["ETag"]
    support.get("/api/themes", headers={**headers(running.pk, "second"), "if-none-match": etag})
    support.head("/api/themes", headers=headers(running.pk, "third"))
    for change in ({"expires_at": timezone.now()}, {"ended_at": timezone.now()}):
        Impersonation.objects.update(**change)
        support.get("/api/themes", headers=headers(running.pk, "late"))
    recorded = [(method, status) for _, method, _, status, _ in events()]
    assert recorded == [("GET", 200), ("GET", 304), ("HEAD", 200), ("GET", 401), ("GET", 401)]


def test_an_unknown_method_is_recorded_in_sixteen_characters(running: Impersonation, support: APIClient) -> None:
    for method in ("PURGE", "CHECK_PERMISSIONS", "GET_RENDERER_CONTEXT"):
        response = support.generic(method, "/api/themes", headers=headers(running.pk, "odd"))
        assert response.status_code in (403, 405), method
    assert len(events()) == 3 and all(len(recorded) <= 16 for _, recorded, *_ in events())


def test_nobody_gets_an_answer_whose_event_cannot_be_written(
    running: Impersonation, support: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**values: Any) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr(ImpersonationEvent.objects, "create", fail)
    support.raise_request_exception = False
    response = support.get("/api/accounts/me", headers=headers(running.pk, "lost"))
    assert response.status_code >= 500
    assert b"zia" not in response.content


@pytest.fixture
def event(running: Impersonation, support: APIClient) -> ImpersonationEvent:
    support.get("/api/themes", headers=headers(running.pk, "kept"))
    return ImpersonationEvent.objects.get()


def test_the_database_refuses_to_change_an_event(event: ImpersonationEvent) -> None:
    before = ImpersonationEvent.objects.values().get()
    event.actor_id = "somebody"
    sql = "UPDATE impersonation_impersonationevent SET actor_id = 'somebody'"
    by_query = partial(ImpersonationEvent.objects.update, actor_id="somebody")
    for rewrite in (by_query, event.save, lambda: connection.cursor().execute(sql)):
        with pytest.raises(DatabaseError, match="an impersonation event is never changed"), transaction.atomic():
            rewrite()
        assert ImpersonationEvent.objects.values().get() == before, rewrite


def test_an_event_outlives_the_accounts_that_it_names(event: ImpersonationEvent) -> None:
    Impersonation.objects.all().delete()
    Account.objects.filter(pk__in=["support", "zia"]).delete()
    event.refresh_from_db()
    assert (event.actor_id, event.subject_id) == ("support", "zia")


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no TRUNCATE; its triggers see each DELETE")
@pytest.mark.parametrize("more", ["", " RESTART IDENTITY CASCADE", ", impersonation_eventpruning"])
def test_the_log_is_not_truncated(more: str, support: APIClient) -> None:
    factories.account("zia")
    start(support)
    with pytest.raises(DatabaseError, match="kept until prune"), transaction.atomic():
        connection.cursor().execute(f"TRUNCATE impersonation_impersonationevent{more}")
    with pytest.raises(CommandError), transaction.atomic():
        call_command("flush", interactive=False)
    assert len(events()) == 1
    assert Account.objects.filter(pk="zia").exists()


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
