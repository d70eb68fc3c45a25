"""An impersonation that has ended stays ended, whatever becomes of its actor and its subject."""

from datetime import timedelta

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from impersonation import services
from impersonation.audit import AuditContext
from impersonation.models import Impersonation
from tests import factories
from tests.answers import assert_error
from tests.conftest import token_of
from tests.impersonation.endings import ENDINGS, REVIVALS
from tests.impersonation.starts import start
from tests.undone import undone

pytestmark = pytest.mark.django_db


def test_what_a_request_finds_invalid_does_not_revive(impersonating: APIClient, subtests: pytest.Subtests) -> None:
    for ending, revive in REVIVALS.items():
        with subtests.test(ending), undone():
            ENDINGS[ending]()
            assert_error(impersonating.get("/api/accounts/me"), 401, "impersonation_ended")
            ended_at = Impersonation.objects.get().ended_at
            revive()
            assert_error(impersonating.get("/api/accounts/me"), 401, "impersonation_ended")
            assert Impersonation.objects.get().ended_at == ended_at is not None


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


def test_what_was_forbidden_for_a_moment_does_not_revive(impersonating: APIClient, subtests: pytest.Subtests) -> None:
    """Forbid and allow it by statements that no code of ours sees, with no request between them."""
    for ending in REVIVALS.keys() - {"expired"}:
        with subtests.test(ending), undone():
            ENDINGS[ending]()
            REVIVALS[ending]()
            assert_error(impersonating.get("/api/accounts/me"), 401, "impersonation_ended")
            assert Impersonation.objects.get().ended_at is not None


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
