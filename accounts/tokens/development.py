"""Tokens that this service signs itself, for development and tests (DEVELOPMENT_TOKENS=true)."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac
from rest_framework_simplejwt.backends import TokenBackend

ALGORITHM = "HS256"


def issuer() -> str:
    return settings.JWT_ISSUER or "urn:bridge-boards:development"


def audience() -> str:
    return settings.JWT_AUDIENCE or "bridge-boards"


def secret() -> str:
    """Return the key of these tokens. Nobody knows it without SECRET_KEY, nor SECRET_KEY by it."""
    return salted_hmac("accounts.tokens.development", "", algorithm="sha256").hexdigest()


def issue_token(subject: str, lifetime: timedelta) -> str:
    """Sign a token with the service's key. In production only the identity provider makes tokens."""
    now = timezone.now()
    backend = TokenBackend(ALGORITHM, secret(), issuer=issuer(), audience=audience())
    return backend.encode({"sub": subject, "iat": now, "exp": now + lifetime})
