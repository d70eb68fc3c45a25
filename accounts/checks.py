"""Checks that the settings name at most one way to verify tokens, and a way to log in to the admin, both safe."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning

from accounts.signing_in.clients import ADMIN, MEMBERS, OidcClient
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
def check_token_deployment(**kwargs: Any) -> list[CheckMessage]:
    """Warn of what is allowed and rarely meant."""
    warnings: list[CheckMessage] = []
    if not names_provider():
        warnings.append(CheckWarning(NO_PROVIDER, id="accounts.W002"))
    elif not (settings.JWT_TOKEN_TYPE or settings.DEVELOPMENT_TOKENS):
        warnings.append(CheckWarning(ANY_TYPE, id="accounts.W001"))
    if settings.HTTPS and settings.ADMIN_PASSWORDS and not settings.ADMIN_ONE_TIME_CODES:
        warnings.append(CheckWarning(NO_SECOND_FACTOR, id="accounts.W003"))
    if settings.ADMIN_OIDC_CLIENT_ID and not (settings.ADMIN_OIDC_ACR or settings.ADMIN_OIDC_AMR):
        warnings.append(CheckWarning(ANY_LOGIN, id="accounts.W004"))
    return warnings


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


Problems = Iterator[tuple[str, str]]


def find_problems() -> Problems:
    """Yield the number and the sentence of each mistake. Without any way to verify tokens the site is only read."""
    yield from problems_of_tokens()
    yield from problems_of_keys()
    for client, setting, unsafe, useless in (
        (ADMIN, "ADMIN_OIDC_CLIENT", "E006", "E007"),
        (MEMBERS, "MEMBER_OIDC_CLIENT", "E009", "E010"),
    ):
        yield from problems_of_client(client, setting, unsafe, useless)
    for name in ("ADMIN_SESSION", "MEMBER_SESSION"):
        yield from problems_of_sessions(name)
    yield from problems_of_admin()


def problems_of_tokens() -> Problems:
    ways = [bool(settings.JWT_JWKS_URL), bool(settings.JWT_SHARED_SECRET), settings.DEVELOPMENT_TOKENS]
    if sum(ways) > 1 or (not any(ways) and any(getattr(settings, name) for name in DEPENDENT)):
        yield "E001", "Set exactly one of JWT_JWKS_URL, JWT_SHARED_SECRET and DEVELOPMENT_TOKENS=true."
    needs_issuer = settings.JWT_JWKS_URL or settings.JWT_SHARED_SECRET
    if needs_issuer and not (settings.JWT_ISSUER and settings.JWT_AUDIENCE):
        yield (
            "E002",
            "Set JWT_ISSUER and JWT_AUDIENCE: without them tokens made for other services would be accepted.",
        )


def problems_of_keys() -> Problems:
    if settings.JWT_JWKS_URL and not is_safe_url(settings.JWT_JWKS_URL):
        yield "E003", "JWT_JWKS_URL must begin with https:// (or be http:// on this machine)."
    if settings.JWT_SHARED_SECRET and len(settings.JWT_SHARED_SECRET) < 32:
        yield "E004", "JWT_SHARED_SECRET must have at least 32 characters."
    allowed = ("HS256",) if settings.JWT_SHARED_SECRET else ASYMMETRIC_ALGORITHMS
    if not set(settings.JWT_ALGORITHMS) <= set(allowed):
        yield "E005", f"JWT_ALGORITHMS may name {', '.join(allowed)} with this kind of key."


def problems_of_client(client: OidcClient, setting: str, unsafe: str, useless: str) -> Problems:
    has_provider = is_safe_url(settings.JWT_ISSUER) and not settings.DEVELOPMENT_TOKENS
    if client.client_id and not has_provider:
        yield (
            unsafe,
            f"{setting}_ID needs a JWT_ISSUER that begins with https://, the provider where people sign in.",
        )
    if client.client_secret and not client.client_id:
        yield useless, f"{setting}_SECRET is set without {setting}_ID."


def problems_of_sessions(name: str) -> Problems:
    idle, absolute = getattr(settings, f"{name}_LIMITS")
    if not timedelta(0) < idle <= absolute <= MAX_SESSION:
        problem = (
            f"{name}_…: the idle time of a session must be above 0 and no longer than its maximum age, which is 400"
            " days at most."
        )
        yield "E011", problem


def problems_of_admin() -> Problems:
    if (settings.ADMIN_OIDC_ACR or settings.ADMIN_OIDC_AMR) and not settings.ADMIN_OIDC_CLIENT_ID:
        yield "E012", "ADMIN_OIDC_ACR or ADMIN_OIDC_AMR is set without ADMIN_OIDC_CLIENT_ID."
    if not settings.ADMIN_PASSWORDS and not settings.ADMIN_OIDC_CLIENT_ID:
        yield "E008", "ADMIN_PASSWORDS is off and ADMIN_OIDC_CLIENT_ID is blank: nobody could log in to the admin."
