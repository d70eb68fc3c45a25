"""Checks that the settings name at most one way to verify tokens, and a way to log in to the admin, both safe."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning

from accounts.signing_in.clients import ADMIN, MEMBERS
from accounts.tokens.jwks import is_safe_url
from accounts.tokens.verifier import ASYMMETRIC_ALGORITHMS, names_provider


@register
def check_token_settings(**kwargs: Any) -> list[CheckMessage]:
    return [Error(message, id=f"accounts.{number}") for number, message in find_problems()]


@register
def check_logout_tokens(**kwargs: Any) -> list[CheckMessage]:
    """Warn at each start of clients whose sessions the provider cannot end."""
    is_deaf = settings.JWT_SHARED_SECRET and (MEMBERS.client_id or ADMIN.client_id)
    return [CheckWarning(NO_LOGOUT_TOKENS, id="accounts.W005")] if is_deaf else []


@register(Tags.security, deploy=True)
def check_token_deployment(**kwargs: Any) -> Iterator[CheckMessage]:
    """Warn of what is allowed and rarely meant."""
    if not names_provider():
        yield CheckWarning(NO_PROVIDER, id="accounts.W002")
    elif not (settings.JWT_TOKEN_TYPE or settings.DEVELOPMENT_TOKENS):
        yield CheckWarning(ANY_TYPE, id="accounts.W001")
    if settings.HTTPS and settings.ADMIN_PASSWORDS and not settings.ADMIN_ONE_TIME_CODES:
        yield CheckWarning(NO_SECOND_FACTOR, id="accounts.W003")
    if settings.ADMIN_OIDC_CLIENT_ID and not (settings.ADMIN_OIDC_ACR or settings.ADMIN_OIDC_AMR):
        yield CheckWarning(ANY_LOGIN, id="accounts.W004")


NO_PROVIDER = "No identity provider is configured: nobody can sign in or use a token. Set JWT_JWKS_URL."
ANY_TYPE = (
    "JWT_TOKEN_TYPE is not set: an ID token with the audience JWT_AUDIENCE is accepted as an access token. Set it to"
    " the `typ` of the provider's access tokens: at+jwt (RFC 9068), or JWT."
)
NO_SECOND_FACTOR = (
    "ADMIN_ONE_TIME_CODES is off: a password is enough to log in to the admin. Enrol the staff with"
    " enrol_one_time_code, then remove the setting. Or set ADMIN_PASSWORDS=false."
)
ANY_LOGIN = (
    "Staff sign in with the provider, but no second factor is required. Set ADMIN_OIDC_ACR or ADMIN_OIDC_AMR to the"
    " value that your provider sends after a login with a second factor."
)
NO_LOGOUT_TOKENS = (
    "The provider's logout tokens cannot be verified with JWT_SHARED_SECRET: people who sign out there stay signed"
    " in here. Set JWT_JWKS_URL instead."
)
MAX_SESSION = timedelta(days=400)  # what browsers keep a cookie for at most
DEPENDENT = ("JWT_ISSUER", "JWT_AUDIENCE", "JWT_ALGORITHMS", "JWT_TOKEN_TYPE", "JWT_SCOPE")
"""Settings that have no effect unless tokens can be verified: without a key, one of them is a mistake."""


Mistake = tuple[str, object, str]
"""The number of a mistake, whether it was made, and what to do."""


def find_problems() -> Iterator[tuple[str, str]]:
    """Yield the number and the sentence of each mistake. Without any way to verify tokens the site is only read."""
    yield from ((number, text) for number, is_made, text in (*mistakes_of_tokens(), *mistakes_of_clients()) if is_made)


def mistakes_of_tokens() -> Iterator[Mistake]:
    url, secret = settings.JWT_JWKS_URL, settings.JWT_SHARED_SECRET
    ways = [bool(url), bool(secret), settings.DEVELOPMENT_TOKENS]
    is_without_effect = not any(ways) and any(getattr(settings, name) for name in DEPENDENT)
    is_unbound = (url or secret) and not (settings.JWT_ISSUER and settings.JWT_AUDIENCE)
    allowed = ("HS256",) if secret else ASYMMETRIC_ALGORITHMS
    is_other = not set(settings.JWT_ALGORITHMS) <= set(allowed)
    tokens_of_others = "Set JWT_ISSUER and JWT_AUDIENCE: without them tokens made for other services would be accepted."
    one_way = "Set exactly one of JWT_JWKS_URL, JWT_SHARED_SECRET and DEVELOPMENT_TOKENS=true."
    yield "E001", sum(ways) > 1 or is_without_effect, one_way
    yield "E002", is_unbound, tokens_of_others
    yield "E003", url and not is_safe_url(url), "JWT_JWKS_URL must begin with https:// (or be http:// on this machine)."
    yield "E004", secret and len(secret) < 32, "JWT_SHARED_SECRET must have at least 32 characters."
    yield "E005", is_other, f"JWT_ALGORITHMS may name {', '.join(allowed)} with this kind of key."


def mistakes_of_clients() -> Iterator[Mistake]:
    has_provider = is_safe_url(settings.JWT_ISSUER) and not settings.DEVELOPMENT_TOKENS
    provider = "needs a JWT_ISSUER that begins with https://, the provider where people sign in."
    for client, name, unsafe, useless in ((ADMIN, "ADMIN", "E006", "E007"), (MEMBERS, "MEMBER", "E009", "E010")):
        setting = f"{name}_OIDC_CLIENT"
        yield unsafe, client.client_id and not has_provider, f"{setting}_ID {provider}"
        yield useless, client.client_secret and not client.client_id, f"{setting}_SECRET is set without {setting}_ID."
    limits = "the idle time of a session must be above 0 and no longer than its maximum age, which is 400 days at most."
    for name in ("ADMIN_SESSION", "MEMBER_SESSION"):
        idle, absolute = getattr(settings, f"{name}_LIMITS")
        yield "E011", not timedelta(0) < idle <= absolute <= MAX_SESSION, f"{name}_…: {limits}"
    is_strong = settings.ADMIN_OIDC_ACR or settings.ADMIN_OIDC_AMR
    without = "ADMIN_OIDC_ACR or ADMIN_OIDC_AMR is set without ADMIN_OIDC_CLIENT_ID."
    nobody = "ADMIN_PASSWORDS is off and ADMIN_OIDC_CLIENT_ID is blank: nobody could log in to the admin."
    yield "E012", is_strong and not ADMIN.client_id, without
    yield "E008", not settings.ADMIN_PASSWORDS and not ADMIN.client_id, nobody
