"""The account is made at the caller's first authenticated request."""

import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.tokens.claims import read_profile
from tests import factories
from tests.accounts.conftest import who
from tests.answers import assert_error
from tests.identity_provider import claims, token
from tests.meetings import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("deployed")]


def me(**changes: Any) -> Any:
    return who("Bearer " + token(claims(**changes), key="ed"))


PERSON = {
    "email": "alice@example.org", "email_verified": True, "name": "Alice A.", "given_name": "Alice",
    "family_name": "Ämter", "locale": "pt-br",
}  # fmt: skip


def test_the_account_is_made_from_the_token() -> None:
    body = me(**PERSON).json()
    expected = {
        "id": "alice", "email": "alice@example.org", "displayName": "Alice A.", "firstName": "Alice",
        "lastName": "Ämter", "language": "pt-BR", "role": "member", "isActive": True,
    }  # fmt: skip
    assert {**body, **expected} == body
    assert body["auctionSystem"]["identifier"] == "other"
    body = me(sub="a-subject-alone").json()
    names = "email displayName firstName lastName organisationName country language avatarUrl"
    assert {body[name] for name in names.split()} == {""}


def test_an_address_that_is_invalid_or_not_verified_is_not_kept() -> None:
    unverified: list[Any] = [False, None, "true", "false", 1, [], {"a": True}]
    for verified in unverified:
        assert read_profile({**PERSON, "email_verified": verified})["email"] == "", verified
    for email in (5, None, "", "nobody", "a@", ["a@b.example"], "a" * 250 + "@b.example", "a\x00b"):
        assert read_profile({**PERSON, "email": email})["email"] == "", email


def test_an_account_is_never_linked_by_its_address() -> None:
    factories.account("bob", email="alice@example.org", role="admin")
    body = me(**PERSON).json()
    assert (body["id"], body["role"], body["email"]) == ("alice", "member", "alice@example.org")
    assert Account.objects.get(pk="bob").display_name == ""


def test_a_later_token_changes_nothing() -> None:
    me(**PERSON)
    before = Account.objects.values().get(pk="alice")
    me(**{**PERSON, "email": "mallory@example.org", "name": "Mallory", "locale": "de"})
    assert Account.objects.values().get(pk="alice") == before


def test_claims_make_nobody_staff() -> None:
    me(role="admin", is_staff=True, is_superuser=True, groups=["admin"], is_active=False)
    alice = Account.objects.get(pk="alice")
    assert (alice.role, alice.is_staff, alice.is_superuser, alice.is_active) == ("member", False, False, True)
    assert not alice.check_password("") and not alice.check_password("!")


def test_an_inactive_account_is_refused_everywhere_and_stays_so() -> None:
    factories.account("alice", is_active=False)
    for path in ("/api/accounts/me", "/api/themes", "/api/boards", "/api/auction-systems"):
        assert_error(who("Bearer " + token(), path), 401, "invalid_token")
    assert Account.objects.get(pk="alice").is_active is False


def test_a_public_read_with_a_token_makes_an_account_and_one_without_none() -> None:
    before = Account.objects.count()
    assert APIClient().get("/api/themes").status_code == 200
    assert Account.objects.count() == before
    who("Bearer " + token(), "/api/themes")
    assert Account.objects.filter(pk="alice").exists()


@pytest.mark.django_db(transaction=True)
def test_parallel_first_requests_make_one_account() -> None:
    me(sub="bob")  # so that the provider's keys are known
    signed, start = token(claims(**PERSON)), threading.Barrier(8)

    def ask() -> int:
        start.wait()
        return who(f"Bearer {signed}").status_code

    assert at_once([ask] * 8) == [200] * 8
    assert Account.objects.filter(pk="alice").count() == 1


# --- What a provider may write -------------------------------------------------------------------------------

odd = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=300)
    | st.lists(st.text())
)
PERSONAL = ("email", "email_verified", "name", "given_name", "family_name", "locale")


@given(
    st.dictionaries(
        st.sampled_from(PERSONAL), odd | st.sampled_from(["en_us", "zh-min-nan", "sh", "a@b.example", True])
    )
)
@settings(deadline=None, max_examples=60)
def test_every_odd_claim_becomes_text_that_a_column_holds(said: dict[str, Any]) -> None:
    for name, value in read_profile(said).items():
        longest: Any = Account._meta.get_field(name).max_length
        assert len(value) <= longest
        assert "\x00" not in value
        assert value.encode("utf-8", "strict") is not None


def test_odd_claims_are_stored_as_far_as_they_fit() -> None:
    tag = "sh-x-" + "-".join(["abcdefg"] * 3) + "-abcdef"
    assert len(tag) == 35 and read_profile({"locale": tag})["language"] == "", "its standard form is too long"
    odd = {"name": "a\x00\ud800b", "given_name": "x" * 999, "family_name": ["x"], "locale": "not a language"}
    assert me(**odd, email="nobody", email_verified=True).status_code == 200
    stored = Account.objects.values_list("display_name", "first_name", "last_name", "language", "email")
    assert stored.get(pk="alice") == ("ab", "x" * 150, "", "", "")
