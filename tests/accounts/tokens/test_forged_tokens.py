"""Every forged token is a 401 in the contract's shape, never a 5xx, and makes no account."""

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import Account
from accounts.tokens.verifier import get_verifier
from config.api.errors import InvalidToken
from tests import identity_provider as idp
from tests.accounts.tokens.asking import who
from tests.accounts.tokens.forged_tokens import FORGED
from tests.answers import assert_error
from tests.identity_provider import claims, token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("deployed")]


def test_a_forged_token_is_a_401_and_makes_no_account(subtests: pytest.Subtests) -> None:
    before = set(Account.objects.values_list("pk", flat=True))
    for name, make in FORGED.items():
        with subtests.test(name):
            get_verifier.cache_clear()  # which knows no kid yet
            response = who("Bearer " + make())
            assert_error(response, 401, "invalid_token")
            assert response["WWW-Authenticate"] == 'Bearer realm="api", error="invalid_token"'
            assert set(Account.objects.values_list("pk", flat=True)) == before


@given(st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=80))
@settings(deadline=None, max_examples=50)
def test_no_authorization_header_makes_an_error_of_the_service(text: str) -> None:
    assert who(f"Bearer {text}", "/api/auction-systems").status_code == 401
    assert who(text, "/api/auction-systems").status_code in (200, 401)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(["iss", "aud", "exp", "nbf", "iat", "sub", "jti", "typ", "x"])


@given(st.dictionaries(names, json_values, max_size=4))
@settings(deadline=None, max_examples=50)
def test_no_signed_claims_make_an_error_of_the_service(changes: dict[str, Any]) -> None:
    try:
        verified = get_verifier().verify(token({**claims(), **changes}, key="ed").encode())
    except InvalidToken:
        return
    assert isinstance(verified["sub"], str)


@given(st.dictionaries(st.sampled_from(["alg", "kid", "typ", "crit", "b64", "jwk", "x5c"]), json_values, max_size=3))
@settings(deadline=None, max_examples=50)
def test_no_header_makes_an_error_of_the_service(header: dict[str, Any]) -> None:
    """Answer 503 to a kid that the provider may have made just now."""
    response = who("Bearer " + token(key="ed", **header), "/api/auction-systems")
    assert response.status_code in (200, 401) or (response.status_code == 503 and response["Retry-After"])


def test_no_address_in_a_token_is_ever_asked_for_keys(provider: idp.Provider) -> None:
    provider.says(idp.key_set("stranger"), path="/evil")
    for header, kid in itertools.product(("jku", "x5u"), ("rsa", "stranger")):
        get_verifier.cache_clear()  # which knows no kid yet
        forged = token(key="stranger", **{"kid": kid, header: f"{provider.url}/evil"})
        assert_error(who(f"Bearer {forged}"), 401, "invalid_token")
    assert "/evil" not in provider.requested
