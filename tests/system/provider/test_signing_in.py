"""Signing in to a real OpenID provider, then calling the service with the token that it issued."""

from collections.abc import Callable
from typing import Any

import jwt
import pytest
import urllib3

from accounts.models import Account
from accounts.tokens.jwks import COOL_DOWN, REFRESH_AFTER
from accounts.tokens.verifier import get_verifier
from tests.clock import Clock
from tests.system.provider.browser import sign_in
from tests.system.provider.conftest import PEOPLE, RESOURCE
from tests.system.provider.openid_provider import CLIENTS, OpenIdProvider, private_jwk

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("deployed")]
Ask = Callable[..., urllib3.BaseHTTPResponse]


@pytest.fixture
def me(live_server: Any) -> Ask:
    """Return a function that GETs /api/accounts/me over HTTP, with an Authorization header for each token."""

    def ask(*tokens: str) -> urllib3.BaseHTTPResponse:
        headers = urllib3.HTTPHeaderDict(("Authorization", f"Bearer {token}") for token in tokens)
        # A connection that is kept holds a thread of the server, and that one its session in the tests' database.
        with urllib3.PoolManager() as pool:
            return pool.request("GET", f"{live_server.url}/api/accounts/me", headers=headers, retries=False)

    return ask


def access_token(openid: OpenIdProvider, account: str = "alice", client: str = "web-es256") -> str:
    return sign_in(openid.issuer, account, client=client, resource=RESOURCE)["access_token"]


def is_refusal(answer: urllib3.BaseHTTPResponse, status: int = 401, code: str = "invalid_token") -> bool:
    body = answer.json()
    return body.keys() == {"code", "message", "meta"} and (answer.status, body["code"]) == (status, code)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_person_who_signed_in_is_accepted_and_gets_an_account(openid: OpenIdProvider, me: Ask, client: str) -> None:
    token = access_token(openid, client=client)
    header = jwt.get_unverified_header(token)
    assert (header["alg"], header["typ"]) == (CLIENTS[client], "at+jwt")
    assert not Account.objects.filter(pk="alice").exists()
    first, again = me(token), me(token)
    assert (first.status, first.json()) == (200, again.json())
    alice, said = Account.objects.get(pk="alice"), PEOPLE["alice"]
    assert (alice.email, alice.display_name) == (said["email"], said["name"])
    assert (alice.first_name, alice.last_name) == (said["given_name"], said["family_name"])
    assert (alice.language, alice.role) == ("pt-BR", "member")
    bob = me(access_token(openid, "bob", client)).json()
    assert (bob["id"], bob["email"]) == ("bob", ""), "the provider did not verify the address"


def test_two_tokens_at_once_are_refused(openid: OpenIdProvider, me: Ask) -> None:
    """Send two headers, which a server joins. Either token alone is good."""
    assert is_refusal(me(access_token(openid), access_token(openid, "bob")))
    assert not Account.objects.filter(pk__in=("alice", "bob")).exists()


def test_an_access_token_for_another_service_or_that_is_no_jwt_is_refused(openid: OpenIdProvider, me: Ask) -> None:
    """The provider issues no JWT to those who name no resource."""
    for resource in ("https://other.example/api", ""):
        token = sign_in(openid.issuer, "alice", client="web-es256", resource=resource)["access_token"]
        assert ("." in token) is bool(resource)
        assert is_refusal(me(token))
    assert not Account.objects.filter(pk="alice").exists()


def test_an_id_token_is_refused_where_a_token_type_is_set(openid: OpenIdProvider, me: Ask, settings: Any) -> None:
    """Refuse it even where the audience is the client itself. Without the setting it would be accepted."""
    settings.JWT_AUDIENCE = "web-es256"
    id_token = sign_in(openid.issuer, "alice", client="web-es256", resource=RESOURCE)["id_token"]
    get_verifier.cache_clear()
    assert is_refusal(me(id_token))
    assert not Account.objects.filter(pk="alice").exists()
    settings.JWT_TOKEN_TYPE = ""
    get_verifier.cache_clear()
    assert me(id_token).status == 200


def test_a_key_changed_at_the_provider_is_found_and_the_old_one_still_serves(
    openid: OpenIdProvider, me: Ask, clock: Clock, keys: list[dict[str, Any]]
) -> None:
    before = access_token(openid)
    assert me(before).status == 200
    openid.stop()
    openid.start([private_jwk("second", "ES256"), *keys])
    after = access_token(openid)
    assert jwt.get_unverified_header(after)["kid"] == "second"
    clock.now += COOL_DOWN + 1
    assert [me(after).status, me(before).status] == [200, 200]


def test_known_tokens_are_accepted_through_an_outage_of_the_provider(
    openid: OpenIdProvider, me: Ask, clock: Clock, keys: list[dict[str, Any]]
) -> None:
    before = access_token(openid)
    assert me(before).status == 200
    openid.stop()
    clock.now += REFRESH_AFTER + 1
    assert me(before).status == 200
    source: Any = get_verifier().source
    source.finished.wait()  # the keys are fetched again behind the request that began it
    openid.start([private_jwk("third", "ES256"), *keys])
    after = access_token(openid)
    openid.stop()
    clock.now += COOL_DOWN + 1
    assert is_refusal(me(after), 503, "service_unavailable")
    assert me(before).status == 200
    openid.start([private_jwk("fourth", "ES256"), *keys])
    clock.now += COOL_DOWN + 1
    assert me(access_token(openid)).status == 200


def test_a_service_without_keys_answers_503_until_the_provider_is_back(
    openid: OpenIdProvider, me: Ask, clock: Clock
) -> None:
    token = access_token(openid)
    with openid.stopped():
        answer = me(token)
    assert is_refusal(answer, 503, "service_unavailable")
    clock.now += int(answer.headers["Retry-After"]) + 1
    assert me(access_token(openid)).status == 200
