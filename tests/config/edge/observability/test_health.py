"""Whether the service lives, whether it is ready, and its metrics."""

import json
import threading
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import DatabaseError, OperationalError, connections
from django.db.backends.postgresql.base import DatabaseWrapper
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest import MonkeyPatch
from rest_framework.test import APIClient

from config.edge.observability import readiness as readiness_module
from config.edge.observability.metrics import answer
from config.edge.observability.readiness import Finding, Readiness, readiness
from config.edge.security.client_address import trusted_proxies
from config.worker.runner import ShutdownRequest
from deals.models import Deal, Heartbeat
from deals.watching import SILENT_AFTER, Heart
from forms.tasks import announce
from tests import factories
from tests.answers import assert_error


def unreachable() -> DatabaseWrapper:
    """Return a real connection to a port where nobody listens."""
    there = {
        "ENGINE": "", "NAME": "x", "USER": "x", "PASSWORD": "", "HOST": "127.0.0.1", "PORT": "1",
        "OPTIONS": {},
    }  # fmt: skip
    return DatabaseWrapper({**connections.settings["default"], **there}, "unreachable")


def test_livez_needs_no_database(client: APIClient) -> None:
    """Show that no query is made: without the `db` fixture any would fail."""
    assert client.get("/livez").json() == {"status": "ok"}


@pytest.fixture
def beating(db: None) -> None:
    """Let a worker live whose loops all have a recent heartbeat."""
    for heart in Heart.of_worker(ShutdownRequest()):
        heart.beat()


def test_the_service_is_ready_when_all_answer_and_degraded_when_a_worker_is_silent(
    client: APIClient, beating: None
) -> None:
    assert client.get("/readyz").json() == {"status": "ok", "database": "ok", "cache": "ok", "degraded": []}
    readiness.forget()
    Heartbeat.objects.filter(loop="tasks").update(beat_at=timezone.now() - SILENT_AFTER)
    assert client.get("/readyz").json()["degraded"] == ["No worker is running: e-mail must wait."]
    readiness.forget()
    Heartbeat.objects.all().delete()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert "double dummy, e-mail, webhooks must wait" in answer.json()["degraded"][0]


def test_without_the_cache_the_service_is_ready_and_says_what_must_wait(
    client: APIClient, settings: Any, beating: None
) -> None:
    before = settings.CACHES
    redis = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    settings.CACHES = {"default": redis}
    response = client.get("/readyz")
    reads = [client.get(path).status_code for path in ("/api/boards", "/api/themes", "/boards")]
    settings.CACHES = before
    assert (response.status_code, reads) == (200, [200] * 3)
    degraded = {"status": "degraded", "degraded": [readiness_module.WITHOUT_CACHE]}
    assert response.json() == {"database": "ok", "cache": "unreachable", **degraded}


HERE, STRANGER = "127.0.0.1", "192.0.2.1"


@pytest.mark.django_db
def test_strangers_are_told_only_whether_the_service_is_ready(
    client: APIClient, settings: Any, monkeypatch: MonkeyPatch
) -> None:
    settings.METRICS_TOKEN = TOKEN
    monitor = {"HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}
    for is_told, proxies, remote, environ in (
        *((True, [], HERE, {}), (True, [], "::1", {}), (True, [], "::ffff:127.0.0.1", {}), (True, [HERE], HERE, {})),
        *((True, [], STRANGER, monitor), (False, [], STRANGER, {"HTTP_AUTHORIZATION": "Bearer wrong"})),
        (False, [], STRANGER, {}),
        (False, [], "", {}),  # by a socket of this machine, behind which a proxy stands
        (False, [], HERE, {"HTTP_X_FORWARDED_FOR": STRANGER}),  # by a proxy here that nobody has named
        *((False, [HERE], HERE, {"HTTP_X_FORWARDED_FOR": sent}) for sent in (STRANGER, f"{HERE}, {STRANGER}")),
        *((False, [HERE], HERE, {"HTTP_X_FORWARDED_FOR": sent}) for sent in (HERE, "unknown")),
        *((False, [], STRANGER, more) for more in ({"HTTP_X_FORWARDED_FOR": HERE}, {"HTTP_HOST": "localhost"})),
    ):
        settings.TRUSTED_PROXIES = proxies
        with monkeypatch.context() as patch:
            trusted_proxies.cache_clear()
            readiness.forget()
            degraded = client.get("/readyz", REMOTE_ADDR=remote, **environ)
            assert (degraded.status_code, degraded.json() == {"status": "ok"}) == (200, not is_told), (remote, environ)
            readiness.forget()
            patch.setattr(readiness_module, "connection", unreachable())
            refused = client.get("/readyz", REMOTE_ADDR=remote, **environ)
            message = assert_error(refused, 503, "service_unavailable")["message"]
            assert ("database" in message, int(refused["Retry-After"]) >= 1) == (is_told, True), (remote, environ)
            assert b"127.0.0.1" not in refused.content


def test_a_hundred_monitors_cost_one_look(
    client: APIClient, beating: None, django_assert_num_queries: Any, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness_module, "MAX_AGE", 3600)  # however slow the machine is
    client.get("/readyz")
    with django_assert_num_queries(0):
        assert {client.get("/readyz").status_code for _ in range(100)} == {200}


def test_while_a_look_hangs_the_others_are_answered_with_the_last_finding(monkeypatch: MonkeyPatch) -> None:
    """Let the first look succeed and the second hang: a frozen database, say."""
    looks: list[int] = []
    hangs, release = threading.Event(), threading.Event()

    def look(*, compare: bool) -> Finding:
        looks.append(1)
        if len(looks) > 1:
            hangs.set()
            release.wait()
        return Finding({"status": "ok"})

    monkeypatch.setattr(readiness_module, "look", look)
    monkeypatch.setattr(readiness_module, "MAX_AGE", 0)
    known = Readiness()
    assert known.get().body
    hanging = threading.Thread(target=known.get)
    hanging.start()
    hangs.wait()
    assert [bool(known.get().body) for _ in range(20)] == [True] * 20
    assert len(looks) == 2
    release.set()
    hanging.join()
    assert known.get().body
    assert len(looks) == 3


@pytest.mark.django_db
def test_health_takes_no_notice_of_credentials(client: APIClient) -> None:
    for path in ("/livez", "/readyz"):
        for headers in ({}, {"authorization": "Bearer nonsense"}, {"x-impersonation-id": "nonsense"}):
            response = client.get(path, headers=headers)
            assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store"), (path, headers)


def test_health_takes_no_method_but_reads(client: APIClient) -> None:
    for path in ("/livez", "/readyz", "/metrics"):
        for method in ("POST", "PUT", "DELETE"):
            response = client.generic(method, path)
            assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS"), (method, path)


TOKEN = "a-token-for-metrics-0123456789abcdef"


def metrics(remote: str = "192.0.2.1", **headers: str) -> Any:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return APIClient(raise_request_exception=False).get("/metrics", headers=sent, REMOTE_ADDR=remote)


WRONG_TOKENS = ("", "Bearer", "Bearer ", "Bearer wrong", "Basic x", TOKEN, "Bearer é", "Bearer None")


@pytest.mark.django_db
def test_metrics_are_answered_with_the_token_and_no_address_stands_for_it(settings: Any) -> None:
    """Refuse what a proxy on this machine sends on, with the headers of proxies and without any."""
    settings.METRICS_BIND = "127.0.0.1:9100"
    as_by_proxies: list[dict[str, str]] = [{}, {"x_forwarded_for": "::1"}, {"host": "127.0.0.1:9100"}]
    for settings.METRICS_TOKEN in ("", TOKEN):
        for remote in ("192.0.2.1", "", "10.0.0.1", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"):
            for headers in (*({"authorization": each} for each in WRONG_TOKENS), *as_by_proxies):
                response = metrics(remote, **headers)
                assert_error(response, 401, "not_authenticated")
                assert response["WWW-Authenticate"] and b"bridge_boards" not in response.content, (remote, headers)
    assert metrics(authorization=f"Bearer {TOKEN}").status_code == 200


@pytest.mark.django_db
def test_the_port_for_monitors_says_what_a_monitor_with_the_token_is_told(
    client: APIClient, settings: Any, monkeypatch: MonkeyPatch
) -> None:
    settings.METRICS_TOKEN = TOKEN
    monitor = {"headers": {"authorization": f"Bearer {TOKEN}"}, "REMOTE_ADDR": "192.0.2.1"}
    paths = ("/livez", "/readyz", "/nothing")
    for database in (readiness_module.connection, unreachable()):
        monkeypatch.setattr(readiness_module, "connection", database)
        readiness.forget()
        theirs, ours = [client.get(path, **monitor) for path in paths], [answer(path) for path in paths]
        assert [each.status_code for each in ours] == [each.status_code for each in theirs]
        assert [each.content for each in ours[:1]] == [each.content for each in theirs[:1]]
        assert "database" in json.loads(ours[1].content).get("message", "database")
    assert (ours[1].status_code, ours[1]["Retry-After"]) == (503, theirs[1]["Retry-After"])


@pytest.mark.django_db
def test_metrics_count_by_route_and_never_by_path(client: APIClient, settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    client.get("/api/nothing-1")
    client.generic("BREW", "/livez?secret-1")
    text = metrics(authorization=f"Bearer {TOKEN}").content.decode()
    assert "nothing-" not in text and "secret-" not in text
    assert 'method="other",route="livez",status="405"' in text
    assert 'route="unknown",status="404"' in text


def gauges(settings: Any) -> dict[str, float]:
    """Return the gauges that are read from the database, by name and labels."""
    settings.METRICS_TOKEN = TOKEN
    text = metrics(authorization=f"Bearer {TOKEN}").content.decode()
    samples = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in samples}


def test_metrics_tell_how_much_waits_and_for_how_long(beating: None, settings: Any) -> None:
    settings.BUILD = "abc123"
    for age in (timedelta(hours=1), timedelta(0)):
        Deal.objects.filter(pk=factories.deal().pk).update(created_at=timezone.now() - age)
    for status in ("READY", "READY", "FAILED"):
        DBTaskResult.objects.filter(pk=announce.enqueue("an id").id).update(status=status)
    DBTaskResult.objects.update(enqueued_at=timezone.now() - timedelta(hours=2))
    Heartbeat.objects.filter(loop="solver").update(beat_at=timezone.now() - SILENT_AFTER)
    shown = gauges(settings)
    exact = {
        "pending_deals": 2, 'tasks{status="queued"}': 2, 'tasks{status="running"}': 0, 'tasks{status="failed"}': 1,
        'workers{loop="tasks"}': 1, 'workers{loop="solver"}': 0, "database_up": 1,
        f'build_info{{build="abc123",version="{settings.VERSION}"}}': 1,
    }  # fmt: skip
    assert {name: shown[f"bridge_boards_{name}"] for name in exact} == exact
    assert shown["bridge_boards_oldest_pending_deal_seconds"] >= 3600
    assert shown["bridge_boards_oldest_task_seconds"] >= 7200
    seen = 'bridge_boards_worker_seen_timestamp_seconds{{loop="{}"}}'
    assert shown[seen.format("tasks")] > shown[seen.format("solver")] > 0


def test_metrics_of_the_process_are_answered_while_the_database_is_down(
    beating: None, settings: Any, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr("deals.watching.gauges", Mock(side_effect=OperationalError))
    APIClient().get("/livez")
    shown = gauges(settings)
    assert shown["bridge_boards_database_up"] == 0
    assert "bridge_boards_tasks" not in str(shown)
    assert any(name.startswith("bridge_boards_requests_total") for name in shown)


@pytest.mark.django_db
def test_a_database_error_nobody_foresaw_is_a_500_in_the_shape_of_errors(
    client: APIClient, monkeypatch: MonkeyPatch
) -> None:
    broken = Mock(cursor=Mock(side_effect=DatabaseError("a secret")))
    monkeypatch.setattr(readiness_module, "connection", broken)
    response = client.get("/readyz")
    assert_error(response, 500, "internal_error")
    assert b"secret" not in response.content
