"""The service over HTTP, deployed with a real OpenID provider."""

from collections.abc import Iterator
from typing import Any

import pytest

from accounts.tokens.verifier import get_verifier
from tests.accounts.provider.openid_provider import CLIENTS, HERE, PURPOSE, OpenIdProvider, private_jwk
from tests.clock import Clock, stop_clock
from tests.node_packages import require_packages

RESOURCE = "https://boards.example/api"
PEOPLE = {
    "alice": {
        "email": "alice@example.org",
        "email_verified": True,
        "name": "Alice A.",
        "given_name": "Alice",
        "family_name": "Ämter",
        "locale": "pt-br",
    },
    "bob": {"email": "bob@example.org", "email_verified": False},
}


@pytest.fixture(scope="session")
def keys() -> list[dict[str, Any]]:
    """Make the provider's first keys, one of each kind."""
    return [private_jwk(f"first {algorithm}", algorithm) for algorithm in CLIENTS.values()]


@pytest.fixture(scope="module")
def openid(keys: list[dict[str, Any]]) -> Iterator[OpenIdProvider]:
    provider = OpenIdProvider(require_packages(HERE, PURPOSE), PEOPLE)
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
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stop_clock(monkeypatch)
