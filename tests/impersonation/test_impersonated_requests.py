"""Requests with X-Impersonation-Id: the actor is answered as the subject, may only read, and once ended stays so."""

import itertools
import uuid
from collections.abc import Callable
from datetime import timedelta
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
from impersonation import services
from impersonation.audit import AuditContext
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.answers import assert_error
from tests.conftest import token_of
from tests.forms.bodies import CONTACT
from tests.impersonation.starts import start
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


def change(account: str, **values: object) -> Callable[[], object]:
    return lambda: Account.objects.filter(pk=account).update(**values)


ENDINGS: dict[str, Callable[[], object]] = {
    "stopped": lambda: Impersonation.objects.update(ended_at=timezone.now()),
    "expired": lambda: Impersonation.objects.update(expires_at=timezone.now()),
    "actor demoted": change("support", role="member"), "subject promoted to support": change("zia", role="support"),
    "subject promoted to admin": change("zia", role="admin"), "subject switched off": change("zia", is_active=False),
}  # fmt: skip


REVIVALS: dict[str, Callable[[], object]] = {
    "expired": lambda: Impersonation.objects.update(expires_at=timezone.now() + timedelta(minutes=30)),
    "actor demoted": change("support", role="support"), "subject promoted to support": change("zia", role="member"),
    "subject promoted to admin": change("zia", role="member"), "subject switched off": change("zia", is_active=True),
}  # fmt: skip
"""What undoes an ending."""


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
    shown = [seen.json()[name] for name in ("id", "email", "permissions")]
    assert shown == ["zia", "zia@example.org", []], "whoever impersonates may do nothing"
    assert (seen["X-Impersonated-User-Id"], seen["Cache-Control"]) == ("zia", "private, no-store")
    own = actor.get("/api/accounts/me")
    assert own.json()["id"] == "support" and "X-Impersonated-User-Id" not in own
    upper = {"x-impersonation-id": str(running.pk).upper()}
    assert actor.get("/api/accounts/me", headers=upper).json()["id"] == "zia"
    assert impersonating.get("/api/accounts/me/").json()["id"] == "zia"
    statuses = [send("/api/accounts/me").status_code for send in (impersonating.head, impersonating.options)]
    assert statuses == [200, 204]


def test_the_caller_sees_what_the_subject_sees(impersonating: APIClient, actor: APIClient, zia: Account) -> None:
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
        for path in ("/api/accounts/me", "/api/themes"):
            response = client.get(path, headers={"x-impersonation-id": str(running.pk)})
            assert_error(response, 401, "impersonation_ended")
    assert not ImpersonationEvent.objects.exists()


def test_a_malformed_or_unknown_id_is_refused(running: Impersonation, actor: APIClient) -> None:
    for header in (
        "", " ", "abc", "0", "*", "null", factories.NOBODYS_ID, "{id},{id}", "{id}0", "{{{id}}}", "urn:uuid:{id}",
        "{hex}", "\x00é",
    ):  # fmt: skip
        impersonation_id = header.format(id=running.pk, hex=running.pk.hex)
        for path in ("/api/accounts/me", "/api/themes"):
            response = actor.get(path, headers={"x-impersonation-id": impersonation_id})
            assert_error(response, 401, "impersonation_ended")


def test_without_a_token_the_header_is_refused_everywhere(running: Impersonation, anonymous: APIClient) -> None:
    for path in ("/api/themes", "/api/accounts/me", "/api/forms"):
        for headers in ({}, {"authorization": "Basic Zm9vOmJhcg=="}):
            response = anonymous.get(path, headers={**headers, "x-impersonation-id": str(running.pk)})
            assert_error(response, 401, "not_authenticated")


def test_past_impersonations_cost_no_queries(impersonating: APIClient, running: Impersonation) -> None:
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            impersonating.get("/api/accounts/me")
        counts.append(len(queries))
        for _ in range(5):
            factories.impersonation(running.actor, factories.account(), ended_at=timezone.now())
    assert counts[0] == counts[1]


@pytest.mark.parametrize("path", ["/api/accounts/me", "/api/themes", "/api/nothing"])
def test_each_request_is_authenticated_once_for_the_guard_and_the_view(
    path: str, impersonating: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ask the database each time, so that a stop in another process takes effect at once."""
    verified: list[bytes] = []
    verifier_class = type(get_verifier())
    verify = verifier_class.verify

    def count_and_verify(self: Any, token: bytes) -> Any:
        verified.append(token)
        return verify(self, token)

    monkeypatch.setattr(verifier_class, "verify", count_and_verify)
    with CaptureQueriesContext(connection) as queries:
        for _ in range(2):
            impersonating.get(path)
    looks = ['FROM "impersonation_impersonation"' in (query["sql"] or "") for query in queries.captured_queries]
    assert (len(verified), looks.count(True)) == (2, 2)


def test_what_was_forbidden_for_a_moment_does_not_revive(impersonating: APIClient, subtests: pytest.Subtests) -> None:
    """Forbid and allow it by statements that no code of ours sees, with a request between them and without one."""
    for (ending, revive), is_seen in itertools.product(REVIVALS.items(), (True, False)):
        with subtests.test(ending, is_seen=is_seen), undone():
            ENDINGS[ending]()
            if is_seen:
                assert_error(impersonating.get("/api/accounts/me"), 401, "impersonation_ended")
            ended_at = Impersonation.objects.get().ended_at
            revive()
            if is_seen or ending != "expired":  # nothing but a request knows of that one
                assert_error(impersonating.get("/api/accounts/me"), 401, "impersonation_ended")
                assert Impersonation.objects.get().ended_at is not None
                assert not is_seen or Impersonation.objects.get().ended_at == ended_at


def test_what_its_actor_finds_invalid_does_not_revive(
    support: APIClient, impersonating: APIClient, subtests: pytest.Subtests
) -> None:
    for ending, end in ENDINGS.items():
        with subtests.test(ending), undone():
            end()
            assert_error(support.get("/api/impersonation/current"), 404, "not_found")
            if ending in REVIVALS and ending != "expired":  # nothing but a longer time revives that one
                REVIVALS[ending]()
            assert_error(support.get("/api/impersonation/current"), 404, "not_found")
            assert_error(impersonating.get("/api/accounts/me"), 401, "impersonation_ended")


def test_a_change_of_an_account_and_back_between_two_requests_ends_that_one_and_its_actor_may_start_again(
    admin: APIClient, support: APIClient, impersonating: APIClient, subtests: pytest.Subtests
) -> None:
    other = factories.impersonation(factories.account(role="support"), factories.account("other"))
    for account, there, back in (
        ("zia", {"isActive": False}, {"isActive": True}), ("zia", {"role": "support"}, {"role": "member"}),
        ("support", {"isActive": False}, {"isActive": True}),
        ("support", {"role": "member"}, {"role": "support"}),
    ):  # fmt: skip
        with subtests.test(f"{account} {there}"), undone():
            for change in (there, back):
                assert admin.patch(f"/api/accounts/{account}", change).status_code == 200
                assert list(Impersonation.objects.filter(ended_at=None)) == [other]
            assert_error(impersonating.get("/api/accounts/me"), 401, "impersonation_ended")
            assert start(support).status_code == 201


def test_a_change_that_allows_it_leaves_it_running(admin: APIClient, impersonating: APIClient) -> None:
    for account, change in (("zia", {"displayName": "Zia"}), ("support", {"role": "admin"})):
        assert admin.patch(f"/api/accounts/{account}", change).status_code == 200
    assert impersonating.get("/api/accounts/me").json()["id"] == "zia"


@pytest.mark.parametrize("suspended", ["zia", "support"])
def test_one_that_starts_while_an_account_is_suspended_does_not_revive(suspended: str, support: APIClient) -> None:
    """Start with rows that were read before the suspension, as a request beside it does."""
    zia, actor = factories.account("zia"), Account.objects.get(pk="support")
    Account.objects.filter(pk=suspended).update(is_active=False)
    context = AuditContext("a test")
    reason, ttl = "to see what they see", timedelta(minutes=30)
    running = services.start(actor=actor, subject=zia, reason=reason, ttl=ttl, context=context)
    Account.objects.filter(pk=suspended).update(is_active=True)
    headers = {"authorization": f"Bearer {token_of(actor)}", "x-impersonation-id": str(running.pk)}
    assert_error(APIClient(headers=headers).get("/api/accounts/me"), 401, "impersonation_ended")
    assert start(support).status_code == 201
