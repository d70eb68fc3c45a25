"""Whether the settings name one way to check tokens, and a safe one."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from accounts.fetching import is_safe_url
from accounts.tokens import ASYMMETRIC


@register
def token_settings(**kwargs: Any) -> list[CheckMessage]:
    return [Error(message, id=f"accounts.{number}") for number, message in problems()]


def problems() -> Iterator[tuple[str, str]]:
    ways = [bool(settings.JWT_JWKS_URL), bool(settings.JWT_SHARED_SECRET), settings.DEVELOPMENT_TOKENS]
    if sum(ways) != 1:
        yield "E001", "Set exactly one of JWT_JWKS_URL, JWT_SHARED_SECRET and DEVELOPMENT_TOKENS=true."
    if not settings.DEVELOPMENT_TOKENS and not (settings.JWT_ISSUER and settings.JWT_AUDIENCE):
        yield "E002", "Set JWT_ISSUER and JWT_AUDIENCE: without them tokens made for others would be let in."
    if settings.JWT_JWKS_URL and not is_safe_url(settings.JWT_JWKS_URL):
        yield "E003", "JWT_JWKS_URL must be https (or http on this machine)."
    if settings.JWT_SHARED_SECRET and len(settings.JWT_SHARED_SECRET) < 32:
        yield "E004", "JWT_SHARED_SECRET must have at least 32 characters."
    fitting = ("HS256",) if settings.JWT_SHARED_SECRET else ASYMMETRIC
    if not set(settings.JWT_ALGORITHMS) <= set(fitting):
        yield "E005", f"JWT_ALGORITHMS may name {', '.join(fitting)} with this kind of key."
