"""Requests with X-Impersonation-Id: the actor's token is answered as the subject, and may only read."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.tokens.verifier import get_verifier
from boards.models import Board
from forms.models import Submission
from impersonation.models import Impersonation
from tests import factories
from tests.answers import assert_error
from tests.forms.bodies import CONTACT
from tests.impersonation.endings import ENDINGS
from tests.routes import routes
from tests.undone import undone
from themes.models import Theme
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
def actor(running: Impersonation, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(running.actor)


def fill(path: str, running: Impersonation) -> str:
    for part in ("<any_uuid:pk>", "<any_uuid:board_id>"):
        path = path.replace(part, str(uuid.uuid4()))
    return path.replace("<account_id:pk>", running.subject_id)


# --- The caller is the subject


def test_the_caller_is_the_subject(impersonating: APIClient, actor: APIClient, running: Impersonation) -> None:
    seen = impersonating.get("/api/accounts/me")
    assert (seen.json()["id"], seen.json()["email"]) == ("zia", "zia@example.org")
    assert (seen["X-Impersonated-User-Id"], seen["Cache-Control"]) == ("zia", "private, no-store")
    own = actor.get("/api/accounts/me")
    assert own.json()["id"] == "support" and "X-Impersonated-User-Id" not in own
    upper = {"x-impersonation-id": str(running.pk).upper()}
    assert actor.get("/api/accounts/me", headers=upper).json()["id"] == "zia"
    assert impersonating.get("/api/accounts/me/").json()["id"] == "zia"
    statuses = [send("/api/accounts/me").status_code for send in (impersonating.head, impersonating.options)]
    assert statuses == [200, 204]


def test_the_caller_sees_what_the_subject_sees_and_no_more(
    impersonating: APIClient, actor: APIClient, zia: Account
) -> None:
    own, foreign = factories.board(owner=zia, published=False), factories.board(published=False)
    assert impersonating.get(f"/api/boards/{own.pk}").status_code == 200
    assert actor.get(f"/api/boards/{foreign.pk}").status_code == 200
    assert impersonating.get(f"/api/boards/{foreign.pk}").status_code == 404
    factories.account("other", email="other@example.org")
    assert actor.get("/api/accounts/other").json()["email"] == "other@example.org"
    emails = [impersonating.get(f"/api/accounts/{account}").json()["email"] for account in ("other", "support")]
    assert emails == ["", ""]
    board = factories.board()
    Vote.objects.create(account=zia, board=board, value="up")
    assert impersonating.get(f"/api/voting?boardIds={board.pk}").json() == {"votes": {str(board.pk): "up"}}


def test_no_shared_cache_may_keep_even_a_public_answer(impersonating: APIClient) -> None:
    for path in ("/api/themes", "/api/boards", "/api/auction-systems", "/api/forms"):
        response = impersonating.get(path)
        assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store"), path
        assert {"Authorization", "X-Impersonation-Id"} <= set(response["Vary"].split(", ")), path


# --- The caller only reads


def test_every_unsafe_method_but_stop_is_refused(impersonating: APIClient, running: Impersonation) -> None:
    assert STOP in UNSAFE and len(UNSAFE) > 5
    for method, path in UNSAFE:
        if (method, path) != STOP:
            response = getattr(impersonating, method.lower())(fill(path, running), {})
            assert_error(response, 403, "impersonation_read_only")
            assert response["Cache-Control"] == "private, no-store", (method, path)


def test_a_refused_write_changes_nothing(impersonating: APIClient, zia: Account) -> None:
    board, theme = factories.board(), factories.theme(owner=zia)
    models = (Vote, Submission, Board, Account, Theme)
    before = [list(model.objects.order_by("pk").values()) for model in models]
    for response in (
        impersonating.put(f"/api/voting/{board.pk}", {"vote": "up"}),
        impersonating.patch("/api/accounts/zia", {"displayName": "Taken"}),
        impersonating.patch(f"/api/themes/{theme.pk}", {"labels": {}}),
        impersonating.post("/api/forms/contact", CONTACT),
    ):
        assert_error(response, 403, "impersonation_read_only")
    assert [list(model.objects.order_by("pk").values()) for model in models] == before


def test_the_actor_keeps_its_own_rights_without_the_header(actor: APIClient) -> None:
    assert actor.patch("/api/accounts/zia", {"displayName": "Corrected"}).json()["displayName"] == "Corrected"


def test_deals_stay_behind_their_key(impersonating: APIClient, service: APIClient, running: Impersonation) -> None:
    assert_error(impersonating.get("/api/deals"), 401, "invalid_api_key")
    both = service.get("/api/deals", headers={"x-impersonation-id": str(running.pk)})
    assert "X-Impersonated-User-Id" not in both


# --- The impersonation is refused


def test_an_invalid_impersonation_is_refused_and_never_answered_as_the_actor(
    impersonating: APIClient, subtests: pytest.Subtests
) -> None:
    for ending, end in ENDINGS.items():
        with subtests.test(ending), undone():
            end()
            for path in ("/api/accounts/zia", "/api/themes"):
                response = impersonating.get(path)
                assert_error(response, 401, "impersonation_ended")
                assert "WWW-Authenticate" in response
            for path in ("/api/accounts/zia", "/api/accounts/support"):
                assert_error(impersonating.patch(path, {"displayName": "Taken"}), 401, "impersonation_ended")
            assert not Account.objects.filter(display_name="Taken").exists()
    Account.objects.filter(pk="support").update(is_active=False)
    assert_error(impersonating.get("/api/accounts/me"), 401, "invalid_token")


def test_nobody_uses_another_actors_impersonation(running: Impersonation, admin: APIClient, member: APIClient) -> None:
    for client in (admin, member):
        response = client.get("/api/accounts/me", headers={"x-impersonation-id": str(running.pk)})
        assert_error(response, 401, "impersonation_ended")


def test_a_malformed_or_unknown_id_is_refused(running: Impersonation, actor: APIClient) -> None:
    for header in (
        "", " ", "abc", "0", "*", "null", factories.NOBODYS_ID, "{id},{id}", "{id}0", "{{{id}}}", "urn:uuid:{id}",
        "{hex}", "\x00é",
    ):  # fmt: skip
        impersonation_id = header.format(id=running.pk, hex=running.pk.hex)
        for path in ("/api/accounts/me", "/api/themes"):
            response = actor.get(path, headers={"x-impersonation-id": impersonation_id})
            assert_error(response, 401, "impersonation_ended")


def test_without_a_token_the_header_is_refused_on_public_routes_too(
    running: Impersonation, anonymous: APIClient
) -> None:
    for path in ("/api/themes", "/api/accounts/me", "/api/forms"):
        for headers in ({}, {"authorization": "Basic Zm9vOmJhcg=="}):
            response = anonymous.get(path, headers={**headers, "x-impersonation-id": str(running.pk)})
            assert_error(response, 401, "not_authenticated")


def test_the_number_of_queries_does_not_grow_with_past_impersonations(
    impersonating: APIClient, running: Impersonation
) -> None:
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            impersonating.get("/api/accounts/me")
        counts.append(len(queries))
        for _ in range(5):
            factories.impersonation(running.actor, factories.account(), ended_at=timezone.now())
    assert counts[0] == counts[1]


@pytest.mark.parametrize("path", ["/api/accounts/me", "/api/themes", "/api/nothing"])
def test_a_request_is_authenticated_once_for_the_guard_and_the_view(
    path: str, impersonating: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified: list[bytes] = []
    verifier_class = type(get_verifier())
    verify = verifier_class.verify

    def count_and_verify(self: Any, token: bytes) -> Any:
        verified.append(token)
        return verify(self, token)

    monkeypatch.setattr(verifier_class, "verify", count_and_verify)
    with CaptureQueriesContext(connection) as queries:
        impersonating.get(path)
    looks = ['FROM "impersonation_impersonation"' in query["sql"] for query in queries.captured_queries]
    assert (len(verified), looks.count(True)) == (1, 1)
