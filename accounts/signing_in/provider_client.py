"""Authlib's client of the identity provider, whose requests go out with this service's own limits.

It is imported where the flow begins, since Authlib and requests take 7 MB and a quarter of a second that a service
without the flow can spare.
"""

import ssl
import time
from functools import cache
from typing import Any

from authlib.integrations.django_client import DjangoIntegration, DjangoOAuth2App
from authlib.integrations.requests_client import OAuth2Session
from django.conf import settings

from accounts.signing_in.clients import OidcClient
from accounts.tokens.jwks import TIMEOUT, FetchError, fetch_json, is_safe_url
from accounts.tokens.verifier import DEFAULT_ALGORITHMS

MAX_AGE = 600
"""Seconds after which the discovery document and the keys are fetched again."""

STATE_SECONDS = 3600
"""For how long one may take to sign in at the provider."""

MAX_BEGUN = 5
"""The sign-ins of a browser that may be under way at once, in as many tabs."""

PROMISES_ISS = "authorization_response_iss_parameter_supported"
"""The provider's promise to name itself in each answer (RFC 9207 §3)."""

ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
OPTIONAL_ENDPOINTS = ("userinfo_endpoint", "end_session_endpoint")


class NoRedirects(OAuth2Session):
    """A session that never follows a redirect: a code or a client's secret goes to the token endpoint alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.max_redirects = 0


class BegunSignIns(DjangoIntegration):
    """The state, nonce and PKCE verifier of each sign-in that a browser has begun, in its session.

    Each serves once, within STATE_SECONDS, and there are at most MAX_BEGUN. Authlib's own never expire, and their
    number is unlimited.
    """

    def get_state_data(self, session: Any, state: str | None) -> Any:
        return self.begun(session).get(state, {}).get("data")

    def set_state_data(self, session: Any, state: str, data: Any) -> None:
        others = list(self.begun(session).items())[1 - MAX_BEGUN :]
        session[self.key] = {**dict(others), state: {"data": data, "until": time.time() + STATE_SECONDS}}

    def clear_state_data(self, session: Any, state: str | None) -> None:
        rest = {name: each for name, each in self.begun(session).items() if name != state}
        session.pop(self.key, None)
        if rest:
            session[self.key] = rest

    @property
    def key(self) -> str:
        return f"{self.name}_sign_ins"

    def begun(self, session: Any) -> dict[str | None, Any]:
        """Return the sign-ins that may still be finished, by their state, the oldest first."""
        now = time.time()
        return {name: each for name, each in session.get(self.key, {}).items() if each["until"] > now}


class ProviderClient(DjangoOAuth2App):
    """The client of the provider that JWT_ISSUER names."""

    client_cls = NoRedirects
    server_metadata: dict[str, Any]

    def load_server_metadata(self) -> dict[str, Any]:
        """Return the discovery document, at most MAX_AGE seconds old. Raise FetchError when there is none to trust."""
        if time.monotonic() - self.server_metadata.get("_loaded_at", float("-inf")) > MAX_AGE:
            document = fetch_json(f"{settings.JWT_ISSUER.rstrip('/')}/.well-known/openid-configuration")
            if document.get("issuer") != settings.JWT_ISSUER:
                raise FetchError("The discovery document names another issuer than JWT_ISSUER.")
            for name in ENDPOINTS:
                if not is_safe_url(str(document.get(name))):
                    raise FetchError(f"The discovery document has no {name} that begins with https://.")
            offered = document.get("id_token_signing_alg_values_supported") or DEFAULT_ALGORITHMS
            accepted = [name for name in settings.JWT_ALGORITHMS or DEFAULT_ALGORITHMS if name in offered]
            self.server_metadata = {
                **{name: document[name] for name in ("issuer", *ENDPOINTS)},
                **{name: address_of(document, name) for name in OPTIONAL_ENDPOINTS},
                PROMISES_ISS: document.get(PROMISES_ISS) is True,
                "id_token_signing_alg_values_supported": accepted,
                "token_endpoint_auth_method": self.choose_authentication(document),
                "_loaded_at": time.monotonic(),
            }
        return self.server_metadata

    def choose_authentication(self, document: dict[str, Any]) -> str:
        """Return how the client says who it is: by its secret, in a header unless the provider reads only forms."""
        if not self.client_secret:
            return "none"
        methods = document.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        return "client_secret_basic" if "client_secret_basic" in methods else "client_secret_post"

    def fetch_jwk_set(self, force: bool = False) -> Any:
        """Return the provider's keys. Authlib forces a fetch for a kid that is not among them."""
        metadata = self.load_server_metadata()
        if force or "jwks" not in metadata:
            metadata["jwks"] = fetch_json(metadata["jwks_uri"])
        return metadata["jwks"]


def address_of(document: dict[str, Any], name: str) -> str:
    """Return the address of an endpoint, "" for one that the provider has not, or not by https."""
    address = str(document.get(name))
    return address if is_safe_url(address) else ""


@cache
def provider_client(client: OidcClient) -> ProviderClient:
    """Return Authlib's client for one of ours, one a process. accounts.checks has refused contradictory settings."""
    return ProviderClient(
        BegunSignIns(client.kind),
        client.kind,
        client_id=client.client_id,
        client_secret=client.client_secret or None,
        client_kwargs={
            "scope": client.scope,
            "code_challenge_method": "S256",
            "default_timeout": TIMEOUT,
            # The machine's certificates, or SSL_CERT_FILE, as for tokens. requests would trust those that it brings.
            "verify": ssl.get_default_verify_paths().cafile or True,
        },
    )
