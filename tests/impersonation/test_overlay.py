"""A request under X-Impersonation-Id: whose eyes, what is refused, what is recorded."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.routes import routes

pytestmark = pytest.mark.django_db

UNSAFE = [
    (method, route.path)
    for route in routes()
    for method in route.methods
    if method != "GET" and not route.path.startswith("/api/deals") and route.path != "/api/impersonation/stop"
]


@pytest.fixture
def actor() -> Account:
    return factories.account("actor", role="support")


@pytest.fixture
def subject() -> Account:
    return factories.account("subject", email="subject@example.org")


@pytest.fixture
def impersonation(actor: Account, subject: Account) -> Impersonation:
    return factories.impersonation(actor, subject)


@pytest.fixture
def looking(actor: Account, impersonation: Impersonation, client_of: Callable[[Account], APIClient]) -> APIClient:
    client = client_of(actor)
    client.defaults["HTTP_X_IMPERSONATION_ID"] = str(impersonation.pk)
    return client


def test_one_is_the_subject_and_sees_what_it_sees(looking: APIClient, subject: Account) -> None:
    draft, foreign = factories.board(owner=subject, published=False), factories.board(published=False)
    assert looking.get("/api/accounts/me").json()["id"] == "subject"
    assert looking.get("/api/accounts/me").json()["email"] == "subject@example.org"
    assert looking.get(f"/api/boards/{draft.pk}").status_code == 200
    assert looking.get(f"/api/boards/{foreign.pk}").status_code == 404, "a member's eyes, not staff's"


def test_the_answer_says_so_and_is_never_kept(looking: APIClient) -> None:
    for path in ("/api/accounts/me", "/api/themes", "/api/boards"):
        response = looking.get(path)
        assert response["X-Impersonated-User-Id"] == "subject"
        assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize(("method", "path"), UNSAFE)
def test_nothing_is_changed_in_somebody_elses_name(method: str, path: str, looking: APIClient) -> None:
    url = path.replace("<account_id:pk>", "subject")
    for converter in ("<uuid:pk>", "<uuid:board_id>"):
        url = url.replace(converter, factories.NOBODYS_ID)
    response = getattr(looking, method.lower())(url, {})
    assert (response.status_code, response.json()["code"]) == (403, "impersonation_read_only")


@pytest.mark.parametrize(
    "end",
    [
        lambda: Impersonation.objects.update(ended_at=timezone.now()),
        lambda: Impersonation.objects.update(expires_at=timezone.now() - timedelta(seconds=1)),
        lambda: Account.objects.filter(pk="actor").update(role="member"),
        lambda: Account.objects.filter(pk="subject").update(role="support"),
        lambda: Account.objects.filter(pk="subject").update(is_active=False),
    ],
    ids=["stopped", "expired", "actor demoted", "subject promoted", "subject inactive"],
)
def test_what_ends_it_ends_it_at_the_next_request(end: Callable[[], int], looking: APIClient) -> None:
    assert looking.get("/api/accounts/me").status_code == 200
    end()
    for path in ("/api/accounts/me", "/api/boards"):
        response = looking.get(path)
        assert (response.status_code, response.json()["code"]) == (401, "impersonation_ended")
        assert response["WWW-Authenticate"]


@pytest.mark.parametrize("offered", ["", "x", factories.NOBODYS_ID, "a,b"])
def test_an_id_that_names_nothing_never_falls_back_to_the_actor(
    offered: str, actor: Account, client_of: Callable[[Account], APIClient]
) -> None:
    response = client_of(actor).get("/api/accounts/me", headers={"x-impersonation-id": offered})
    assert (response.status_code, response.json()["code"]) == (401, "impersonation_ended")


def test_somebody_elses_impersonation_is_of_no_use(
    impersonation: Impersonation, client_of: Callable[[Account], APIClient]
) -> None:
    other = client_of(factories.account(role="admin"))
    response = other.get("/api/accounts/me", headers={"x-impersonation-id": str(impersonation.pk)})
    assert response.json()["code"] == "impersonation_ended"
    assert not ImpersonationEvent.objects.exists()


def test_the_header_alone_is_nobody(impersonation: Impersonation, anonymous: APIClient) -> None:
    response = anonymous.get("/api/boards", headers={"x-impersonation-id": str(impersonation.pk)})
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")


def test_each_request_leaves_an_event_refusals_too(looking: APIClient, impersonation: Impersonation) -> None:
    request_id = looking.get("/api/accounts/me")["X-Request-Id"]
    looking.put(f"/api/voting/{factories.NOBODYS_ID}", {"vote": "up"})
    Impersonation.objects.update(ended_at=timezone.now())
    looking.get("/api/boards")
    events = ImpersonationEvent.objects.order_by("id")
    assert {(event.impersonation_id, event.actor_id, event.subject_id) for event in events} == {
        (impersonation.pk, "actor", "subject")
    }
    assert [(event.kind, event.method, event.route, event.status) for event in events] == [
        ("request", "GET", "api/accounts/me", 200),
        ("request", "PUT", "api/voting/<uuid:board_id>", 403),
        ("request", "GET", "api/boards", 401),
    ]
    assert events[0].request_id == request_id


def test_start_and_stop_leave_events(
    actor: Account, subject: Account, client_of: Callable[[Account], APIClient]
) -> None:
    client = client_of(actor)
    started = client.post("/api/impersonation/start", {"accountId": "subject", "reason": "to see what they see"})
    client.post("/api/impersonation/stop", {"impersonationId": started.json()["impersonationId"]})
    assert list(ImpersonationEvent.objects.order_by("id").values_list("kind", "status")) == [
        ("started", 201),
        ("stopped", 200),
    ]


def test_no_code_changes_an_event(looking: APIClient) -> None:
    looking.get("/api/accounts/me")
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        ImpersonationEvent.objects.update(status=500)
    assert ImpersonationEvent.objects.get().status == 200
