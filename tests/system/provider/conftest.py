"""The service over HTTP, deployed with a real OpenID provider."""

from collections.abc import Iterator
from typing import Any

import pytest

from accounts.signing_in.provider_client import provider_client
from accounts.tokens.verifier import get_verifier
from tests.clock import Clock, stop_clock
from tests.installed import npm_packages, require
from tests.system.provider.openid_provider import CLIENTS, HERE, OpenIdProvider, private_jwk
from tests.system.provider.ways_in import ADMIN, LOGINS, MEMBERS, SECRET, STRANGER

RESOURCE = "https://boards.example/api"
ALICE = {"name": "Alice A.", "given_name": "Alice", "family_name": "Ämter", "locale": "pt-br"}
PEOPLE = {
    "alice": {"email": "alice@example.org", "email_verified": True, **ALICE},
    "bob": {"email": "bob@example.org", "email_verified": False},
}


@pytest.fixture(scope="session")
def keys() -> list[dict[str, Any]]:
    """Make the provider's first keys, one of each kind."""
    return [private_jwk(f"first {algorithm}", algorithm) for algorithm in CLIENTS.values()]


@pytest.fixture(scope="module")
def openid(keys: list[dict[str, Any]]) -> Iterator[OpenIdProvider]:
    clients = [*MEMBERS.clients(), *ADMIN.clients(), STRANGER]
    provider = OpenIdProvider(require(lambda: npm_packages(HERE)), PEOPLE, clients, LOGINS)
    provider.start(keys)
    yield provider
    provider.stop()


@pytest.fixture
def deployed(openid: OpenIdProvider, settings: Any) -> None:
    """Set the service up as an operator does: with a discovery document, and for access tokens alone."""
    settings.JWT_JWKS_URL, settings.JWT_ISSUER = openid.discovery, openid.issuer
    settings.JWT_AUDIENCE, settings.JWT_TOKEN_TYPE = RESOURCE, "at+jwt"
    settings.DEVELOPMENT_TOKENS = False
    get_verifier.cache_clear()


@pytest.fixture
def clients(openid: OpenIdProvider, settings: Any) -> Iterator[None]:
    """Let members and staff sign in with this provider, and in no other way."""
    settings.JWT_ISSUER, settings.JWT_JWKS_URL = openid.issuer, openid.discovery
    settings.ADMIN_OIDC_CLIENT_ID, settings.ADMIN_OIDC_CLIENT_SECRET = "admin-basic", SECRET
    settings.MEMBER_OIDC_CLIENT_ID, settings.MEMBER_OIDC_CLIENT_SECRET = "member-basic", SECRET
    settings.AUTHENTICATION_BACKENDS = ["accounts.backends.ProviderBackend", "accounts.backends.MemberBackend"]
    settings.ADMIN_PASSWORDS = settings.DEVELOPMENT_SIGN_IN = settings.DEVELOPMENT_TOKENS = False
    provider_client.cache_clear()
    get_verifier.cache_clear()
    yield
    provider_client.cache_clear()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stop_clock(monkeypatch)
