"""OpenID Connect's authorization code flow, of members and staff alike: to the provider and back, with what it said.

Authlib makes and checks state, nonce, PKCE and the ID token. What is asked beyond that is here.

Three demonstration members sign in without a provider. They exist where DEVELOPMENT_TOKENS is on and PUBLIC_BASE_URL is
this machine, and for a browser on this machine alone.
"""

import logging
import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.models.sessions import SessionStore
from accounts.signing_in.clients import OidcClient
from accounts.signing_in.logins import MAX_AGE_SECONDS, authenticated_at, is_fresh
from accounts.tokens.claims import PROFILE
from accounts.tokens.jwks import FetchError, fetch_json
from accounts.tokens.verifier import LEEWAY_SECONDS
from config.api.errors import BadRequest, PermissionRefused, ServiceUnavailable
from config.edge.security.client_address import is_on_this_machine
from config.edge.security.security_log import log_security

WEAK_LOGIN = "The identity provider did not confirm the second factor that this site requires."
OLD_LOGIN = (
    "The identity provider did not ask you to log in again, as this site requires. Sign out there, then sign in"
    " again. If that does not help, write to us."
)

logger = logging.getLogger(__name__)


def is_asked_for_here(request: HttpRequest) -> bool:
    """Tell whether a person has followed a link of this site. No other site begins a session by a link or a picture.

    Browsers say where a request comes from (Fetch Metadata), and old ones the page at least.
    """
    if "prefetch" in request.headers.get("Sec-Purpose", "") + request.headers.get("Purpose", ""):
        return False
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin" and request.headers.get("Sec-Fetch-Mode") in ("navigate", None)
    own = (settings.PUBLIC_BASE_URL, f"{request.scheme}://{request.get_host()}")
    return request.headers.get("Referer", "").startswith(tuple(f"{base}/" for base in own))


def lead_to_provider(request: HttpRequest, client: OidcClient, target: str, *, again: bool = False) -> HttpResponseBase:
    """Send the browser to the provider, and remember the page to lead back to. Raise ServiceUnavailable.

    With `again` the provider is to ask for the login although it knows the browser, and to say when that was
    (OpenID Connect Core 1.0 §3.1.2.1: after `max_age` it must).
    """
    from accounts.signing_in.provider_client import provider_client

    if request.session.is_empty():
        SessionStore.clear_some_expired()
    request.session[client.next_key], request.session[client.again_key] = target, again
    asked = {"acr_values": " ".join(client.acr_values)} if client.acr_values else {}
    if again:
        asked |= {"prompt": "login", "max_age": str(MAX_AGE_SECONDS)}
    try:
        return provider_client(client).authorize_redirect(request, settings.PUBLIC_BASE_URL + client.callback, **asked)
    except FetchError as error:
        raise unreachable(error) from error


def fetch_claims(request: HttpRequest, client: OidcClient) -> Mapping[str, Any]:
    """Exchange the code in the callback's address. Return the claims of the ID token, which Authlib has verified.

    Write a refusal to the security log. Raise BadRequest for an answer that this browser did not ask for,
    PermissionRefused when the provider refuses, its ID token is not good or tells of too weak a login or, where a new
    one was asked for, of an old one, and ServiceUnavailable when it does not answer.
    """
    try:
        claims = exchange_code(request, client)
        check_strength(claims, client)
        check_age(request, claims, client)
    except (BadRequest, PermissionRefused) as error:
        log_security("sign_in_refused", kind=client.kind, reason=str(error.detail))
        raise
    return claims


def exchange_code(request: HttpRequest, client: OidcClient) -> Mapping[str, Any]:
    from authlib.common.errors import AuthlibBaseError
    from authlib.integrations.base_client.errors import MismatchingStateError
    from joserfc.errors import JoseError
    from requests import RequestException

    from accounts.signing_in.provider_client import provider_client

    expected = {"iss": settings.JWT_ISSUER, "aud": client.client_id}
    options = {name: {"essential": True, "value": value} for name, value in expected.items()}
    try:
        provider = provider_client(client)
        check_issuer(request, provider.load_server_metadata())
        token = provider.authorize_access_token(request, claims_options=options, leeway=LEEWAY_SECONDS)
        claims: Mapping[str, Any] = token["userinfo"]  # those of the ID token, as Authlib calls them
    except MismatchingStateError as error:
        raise BadRequest("This sign-in has expired, or it began in another window. Go back and begin again.") from error
    except (FetchError, RequestException) as error:
        raise unreachable(error) from error
    except (AuthlibBaseError, JoseError, KeyError, ValueError, TypeError) as error:
        logger.warning("The provider's answer is refused: %s", type(error).__name__)
        raise PermissionRefused("The identity provider did not sign you in.") from error
    if "profile" in client.scope and not claims.get("name"):
        return {**claims, **fetch_profile(provider.server_metadata, token, claims["sub"])}
    return claims


def fetch_profile(metadata: Mapping[str, Any], token: Mapping[str, Any], subject: str) -> Mapping[str, Any]:
    """Return what the UserInfo endpoint says of a person whose ID token has no name (OpenID Connect Core 1.0 §5.3).

    Return nothing when it does not answer, or answers for another person (§5.3.2). The person can write a name here.
    """
    address = metadata["userinfo_endpoint"]
    try:
        profile = fetch_json(address, bearer=str(token.get("access_token", ""))) if address else {}
    except FetchError as error:
        logger.warning("The provider does not say who has signed in: %s", error)
        return {}
    return {name: profile[name] for name in PROFILE if name in profile} if profile.get("sub") == subject else {}


def check_issuer(request: HttpRequest, metadata: Mapping[str, Any]) -> None:
    """Refuse an answer of another provider, and one that says nothing where the provider promises it (RFC 9207).

    Refuse one that says anything twice, which no provider does (RFC 6749 §3.1).
    """
    from accounts.signing_in.provider_client import PROMISES_ISS

    if any(len(values) > 1 for _, values in request.GET.lists()):
        raise BadRequest("The identity provider's answer repeats a parameter. Go back and begin again.")
    default = None if metadata.get(PROMISES_ISS) else settings.JWT_ISSUER
    if request.GET.get("iss", default) != settings.JWT_ISSUER:
        raise BadRequest("This answer comes from another identity provider. Go back and begin again.")


def check_strength(claims: Mapping[str, Any], client: OidcClient) -> None:
    """Refuse a login that is not of a class (acr) and by a method (amr) that the client asks for."""
    methods = claims.get("amr")
    methods = methods if isinstance(methods, list) else []
    if client.acr_values and claims.get("acr") not in client.acr_values:
        raise PermissionRefused(WEAK_LOGIN)
    if client.amr_values and not any(method in methods for method in client.amr_values):
        raise PermissionRefused(WEAK_LOGIN)


def check_age(request: HttpRequest, claims: Mapping[str, Any], client: OidcClient) -> None:
    """Refuse a login that is old or has no time, if a new one was required."""
    if request.session.pop(client.again_key, False) and not is_fresh(authenticated_at(claims)):
        raise PermissionRefused(OLD_LOGIN)


def unreachable(error: Exception) -> ServiceUnavailable:
    logger.warning("The provider does not answer: %s", error)
    return ServiceUnavailable("The identity provider does not answer.", headers={"Retry-After": "5"})


MEMBERS = {
    "demo-anna": "Anna, who plays on Fridays",
    "demo-bo": "Bo, who teaches beginners",
    "demo-chris": "Chris, who looks after the club's boards",
}
"""The names of the demonstration members by id. No provider issues these ids."""


def is_open_to(request: HttpRequest) -> bool:
    """Tell whether this browser may sign in as a demonstration member."""
    return settings.DEVELOPMENT_SIGN_IN and is_on_this_machine(request.META)


def claims_of(name: str) -> Mapping[str, str | int]:
    """Return what a provider would say of a demonstration member who signs in now."""
    name_here = MEMBERS[name].partition(",")[0]
    return {"sub": name, "name": name_here, "locale": "en", "auth_time": int(time.time())}
