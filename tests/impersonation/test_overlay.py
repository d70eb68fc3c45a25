"""X-Impersonation-Id: the actor's own token, the subject's eyes, and hands off."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board
from forms.models import Submission
from impersonation.models import Impersonation
from tests import factories
from tests.conftest import token_of
from tests.impersonation.endings import ENDINGS
from tests.routes import routes
from voting.models import Vote

pytestmark = pytest.mark.django_db

UNSAFE = sorted(
    (method, route.path)
    for route in routes()
    for method in route.methods
    if method != "GET" and route.path.startswith("/api/") and not route.path.startswith("/api/deals")
)
STOP = ("POST", "/api/impersonation/stop")


@pytest.fixture
def zia(db: None) -> Account:
    return factories.account("zia", email="zia@example.org")


@pytest.fixture
def running(zia: Account) -> Impersonation:
    return factories.impersonation(factories.account("support", role="support"), zia)


@pytest.fixture
def overlay(running: Impersonation) -> APIClient:
    """The support's client that looks through Zia's eyes."""
    token = token_of(running.actor)
    return APIClient(headers={"authorization": f"Bearer {token}", "x-impersonation-id": str(running.pk)})


@pytest.fixture
def actor(running: Impersonation, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(running.actor)


def ended(response: Any) -> bool:
    code = response.json()["code"]
    return (response.status_code, code, "WWW-Authenticate" in response) == (401, "impersonation_ended", True)


def fill(path: str, running: Impersonation) -> str:
    for part in ("<uuid:pk>", "<uuid:board_id>"):
        path = path.replace(part, str(uuid.uuid4()))
    return path.replace("<account_id:pk>", running.subject_id)


# --- What is seen


def test_the_caller_is_the_subject(overlay: APIClient, actor: APIClient) -> None:
    seen = overlay.get("/api/accounts/me")
    assert (seen.json()["id"], seen.json()["email"]) == ("zia", "zia@example.org")
    assert seen["X-Impersonated-User-Id"] == "zia"
    assert seen["Cache-Control"] == "private, no-store"
    own = actor.get("/api/accounts/me")
    assert own.json()["id"] == "support"
    assert "X-Impersonated-User-Id" not in own


def test_the_subjects_drafts_are_seen_and_nobody_elses(
    overlay: APIClient, actor: APIClient, zia: Account
) -> None:
    own = factories.board(owner=zia, published=False)
    foreign = factories.board(published=False)
    assert overlay.get(f"/api/boards/{own.pk}").status_code == 200
    assert actor.get(f"/api/boards/{foreign.pk}").status_code == 200
    assert overlay.get(f"/api/boards/{foreign.pk}").status_code == 404


def test_addresses_hidden_from_the_subject_are_hidden(overlay: APIClient, actor: APIClient) -> None:
    factories.account("other", email="other@example.org")
    assert actor.get("/api/accounts/other").json()["email"] == "other@example.org"
    assert overlay.get("/api/accounts/other").json()["email"] == ""
    assert overlay.get("/api/accounts/support").json()["email"] == ""


def test_the_subjects_votes_are_seen(overlay: APIClient, zia: Account) -> None:
    board = factories.board()
    Vote.objects.create(account=zia, board=board, value="up")
    assert overlay.get(f"/api/voting?boardIds={board.pk}").json() == {"votes": {str(board.pk): "up"}}


@pytest.mark.parametrize("path", ["/api/themes", "/api/boards", "/api/auction-systems", "/api/forms"])
def test_even_a_public_answer_is_the_callers_alone(path: str, overlay: APIClient) -> None:
    response = overlay.get(path)
    assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store")
    assert {"Authorization", "X-Impersonation-Id"} <= set(response["Vary"].split(", "))


def test_head_and_options_work(overlay: APIClient) -> None:
    assert overlay.head("/api/accounts/me").status_code == 200
    assert overlay.options("/api/accounts/me").status_code == 204


def test_the_trailing_slash_and_any_case_of_the_id_make_no_difference(
    overlay: APIClient, actor: APIClient, running: Impersonation
) -> None:
    assert overlay.get("/api/accounts/me/").json()["id"] == "zia"
    upper = {"x-impersonation-id": str(running.pk).upper()}
    assert actor.get("/api/accounts/me", headers=upper).json()["id"] == "zia"


# --- Nothing is done


def test_the_routes_that_change_something_are_all_here() -> None:
    assert STOP in UNSAFE
    assert len(UNSAFE) > 5


@pytest.mark.parametrize(("method", "path"), [route for route in UNSAFE if route != STOP], ids=str)
def test_nothing_is_done_in_somebody_elses_name(
    method: str, path: str, overlay: APIClient, running: Impersonation
) -> None:
    response = getattr(overlay, method.lower())(fill(path, running), {})
    assert (response.status_code, response.json()["code"]) == (403, "impersonation_read_only")
    assert response["Cache-Control"] == "private, no-store"


def test_a_vote_a_name_a_theme_and_a_form_stay_as_they_were(overlay: APIClient, zia: Account) -> None:
    board, theme = factories.board(), factories.theme(owner=zia)
    contact = {"name": "A", "email": "a@example.org", "subject": "Hello", "message": "A message"}
    for response in (
        overlay.put(f"/api/voting/{board.pk}", {"vote": "up"}),
        overlay.patch("/api/accounts/zia", {"displayName": "Taken"}),
        overlay.patch(f"/api/themes/{theme.pk}", {"labels": {}}),
        overlay.post("/api/forms/contact", contact),
    ):
        assert (response.status_code, response.json()["code"]) == (403, "impersonation_read_only")
    zia.refresh_from_db()
    theme.refresh_from_db()
    assert not Vote.objects.exists()
    assert not Submission.objects.exists()
    assert Board.objects.get().up_votes == 0
    assert zia.display_name == ""
    assert theme.labels != {}


def test_the_actor_may_do_as_itself_what_it_may(actor: APIClient) -> None:
    assert actor.patch("/api/accounts/zia", {"displayName": "Corrected"}).json()["displayName"] == "Corrected"


def test_deals_stay_behind_their_key(overlay: APIClient, service: APIClient, running: Impersonation) -> None:
    assert overlay.get("/api/deals").json()["code"] == "invalid_api_key"
    both = service.get("/api/deals", headers={"x-impersonation-id": str(running.pk)})
    assert "X-Impersonated-User-Id" not in both


# --- How it ends


@pytest.mark.parametrize("method", ["get", "patch"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_one_that_lost_its_ground_is_refused_and_never_falls_back(
    ending: str, method: str, overlay: APIClient
) -> None:
    ENDINGS[ending]()
    for path in ("/api/accounts/zia", "/api/themes" if method == "get" else "/api/accounts/support"):
        response = getattr(overlay, method)(path, {"displayName": "Taken"} if method == "patch" else None)
        assert ended(response), response.content
    assert not Account.objects.filter(display_name="Taken").exists()


def test_an_actor_switched_off_is_refused_as_ever(overlay: APIClient) -> None:
    Account.objects.filter(pk="support").update(is_active=False)
    response = overlay.get("/api/accounts/me")
    assert (response.status_code, response.json()["code"]) == (401, "invalid_token")


@pytest.mark.parametrize("who", ["admin", "member"])
def test_somebody_elses_cannot_be_borrowed(
    who: str, running: Impersonation, request: pytest.FixtureRequest
) -> None:
    response = request.getfixturevalue(who).get(
        "/api/accounts/me", headers={"x-impersonation-id": str(running.pk)}
    )
    assert ended(response)


@pytest.mark.parametrize(
    "header",
    [
        "",
        " ",
        "abc",
        "0",
        "*",
        "null",
        factories.NOBODYS_ID,
        "{id},{id}",
        "{id}0",
        "{{{id}}}",
        "urn:uuid:{id}",
        "{hex}",
        "\x00é",
    ],
)
def test_a_malformed_or_unknown_id_is_refused(header: str, running: Impersonation, actor: APIClient) -> None:
    offered = header.format(id=running.pk, hex=running.pk.hex)
    for path in ("/api/accounts/me", "/api/themes"):
        assert ended(actor.get(path, headers={"x-impersonation-id": offered}))


@pytest.mark.parametrize("path", ["/api/themes", "/api/accounts/me", "/api/forms"])
def test_without_a_token_the_header_is_refused_on_public_routes_too(
    path: str, running: Impersonation, anonymous: APIClient
) -> None:
    for headers in ({}, {"authorization": "Basic Zm9vOmJhcg=="}):
        response = anonymous.get(path, headers={**headers, "x-impersonation-id": str(running.pk)})
        assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")


def test_the_number_of_queries_does_not_grow(overlay: APIClient, running: Impersonation) -> None:
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            overlay.get("/api/accounts/me")
        counts.append(len(queries))
        for _ in range(5):
            factories.impersonation(running.actor, factories.account(), ended_at=timezone.now())
    assert counts[0] == counts[1]
