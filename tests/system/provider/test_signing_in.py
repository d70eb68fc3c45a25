"""Signing in to a real OpenID provider, then calling the service with the token that it issued."""

import json
from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import jwt
import pytest

from accounts.models import Account
from accounts.tokens.jwks import COOL_DOWN, REFRESH_AFTER
from accounts.tokens.verifier import get_verifier
from tests.clock import Clock
from tests.system.provider.browser import sign_in
from tests.system.provider.conftest import PEOPLE, RESOURCE
from tests.system.provider.openid_provider import CLIENTS, OpenIdProvider, private_jwk

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("deployed")]


class Answer:
    def __init__(self, connection: HTTPConnection) -> None:
        response = connection.getresponse()
        self.status, self.headers = response.status, response.headers
        self.body = json.loads(response.read())


@pytest.fixture
def me(live_server: Any) -> Callable[..., Answer]:
    """Return a function that GETs /api/accounts/me over HTTP, with an Authorization header for each token."""

    def ask(*tokens: str) -> Answer:
        connection = HTTPConnection(urlsplit(live_server.url).netloc)
        try:
            connection.putrequest("GET", "/api/accounts/me")
            for token in tokens:
                connection.putheader("Authorization", f"Bearer {token}")
            connection.endheaders()
            return Answer(connection)
        finally:
            connection.close()

    return ask


def access_token(openid: OpenIdProvider, account: str = "alice", client: str = "web-es256") -> str:
    return sign_in(openid.issuer, account, client=client, resource=RESOURCE)["access_token"]


def wait_for_refresh() -> None:
    """Wait until the keys are fetched again, which happens behind the request that began it."""
    source: Any = get_verifier().source
    source.finished.wait()


def is_refusal(answer: Answer) -> bool:
    shaped = answer.body.keys() == {"code", "message", "meta"}
    return shaped and (answer.status, answer.body["code"]) == (401, "invalid_token")


@pytest.mark.parametrize("client", CLIENTS)
def test_a_person_who_signed_in_is_accepted_and_gets_an_account(openid: OpenIdProvider, me: Any, client: str) -> None:
    token = access_token(openid, client=client)
    header = jwt.get_unverified_header(token)
    assert (header["alg"], header["typ"]) == (CLIENTS[client], "at+jwt")
    assert not Account.objects.filter(pk="alice").exists()
    answers = [me(token), me(token)]
    assert [answer.status for answer in answers] == [200, 200]
    assert answers[0].body == answers[1].body
    alice, said = Account.objects.get(pk="alice"), PEOPLE["alice"]
    assert (alice.email, alice.display_name) == (said["email"], said["name"])
    assert (alice.first_name, alice.last_name) == (said["given_name"], said["family_name"])
    assert (alice.language, alice.role) == ("pt-BR", "member")


def test_an_address_the_provider_did_not_verify_is_not_kept(openid: OpenIdProvider, me: Any) -> None:
    answer = me(access_token(openid, "bob"))
    assert (answer.status, answer.body["id"], answer.body["email"]) == (200, "bob", "")


def test_two_tokens_at_once_are_refused(openid: OpenIdProvider, me: Any) -> None:
    """Send two headers, which a server joins. Either token alone is good."""
    tokens = [access_token(openid), access_token(openid, "bob")]
    assert is_refusal(me(*tokens))
    assert not Account.objects.filter(pk__in=("alice", "bob")).exists()


def test_an_access_token_for_another_service_is_refused(openid: OpenIdProvider, me: Any) -> None:
    other = sign_in(openid.issuer, "alice", client="web-es256", resource="https://other.example/api")
    assert is_refusal(me(other["access_token"]))
    assert not Account.objects.filter(pk="alice").exists()


def test_an_access_token_that_is_no_jwt_is_refused(openid: OpenIdProvider, me: Any) -> None:
    """Send what the provider issues to those who name no resource."""
    opaque = sign_in(openid.issuer, "alice", client="web-es256")["access_token"]
    assert "." not in opaque
    assert is_refusal(me(opaque))


def test_an_id_token_is_refused_where_a_token_type_is_set(openid: OpenIdProvider, me: Any, settings: Any) -> None:
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
    openid: OpenIdProvider, me: Any, clock: Clock, keys: list[dict[str, Any]]
) -> None:
    before = access_token(openid)
    assert me(before).status == 200
    openid.stop()
    openid.start([private_jwk("second", "ES256"), *keys])
    after = access_token(openid)
    assert jwt.get_unverified_header(after)["kid"] == "second"
    clock.now += COOL_DOWN + 1
    assert me(after).status == 200
    assert me(before).status == 200


def test_known_tokens_are_accepted_through_an_outage_of_the_provider(
    openid: OpenIdProvider, me: Any, clock: Clock, keys: list[dict[str, Any]]
) -> None:
    before = access_token(openid)
    assert me(before).status == 200
    openid.stop()
    clock.now += REFRESH_AFTER + 1
    assert me(before).status == 200
    wait_for_refresh()
    openid.start([private_jwk("third", "ES256"), *keys])
    after = access_token(openid)
    openid.stop()
    clock.now += COOL_DOWN + 1
    unknown = me(after)
    assert (unknown.status, unknown.body["code"]) == (503, "service_unavailable")
    assert me(before).status == 200
    openid.start([private_jwk("fourth", "ES256"), *keys])
    clock.now += COOL_DOWN + 1
    assert me(access_token(openid)).status == 200


def test_a_service_without_keys_answers_503_until_the_provider_is_back(
    openid: OpenIdProvider, me: Any, clock: Clock, keys: list[dict[str, Any]]
) -> None:
    token = access_token(openid)
    openid.stop()
    answer = me(token)
    assert (answer.status, answer.body["code"]) == (503, "service_unavailable")
    openid.start(keys)
    clock.now += int(answer.headers["Retry-After"]) + 1
    assert me(access_token(openid)).status == 200
