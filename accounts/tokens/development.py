"""Tokens that this machine signs itself, for development and tests (DEVELOPMENT_TOKENS=true)."""

import os
from contextlib import suppress
from datetime import timedelta
from typing import Any, cast
from uuid import uuid4

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.utils import timezone
from jwt.algorithms import get_default_algorithms
from rest_framework_simplejwt.backends import TokenBackend

ALGORITHM = "ES256"


def issuer() -> str:
    return settings.JWT_ISSUER or "urn:bridge-boards:development"


def audience() -> str:
    return settings.JWT_AUDIENCE or "bridge-boards"


def private_key() -> ec.EllipticCurvePrivateKey:
    """Return this machine's own key. Make it at the first use, in a file that only its owner may read."""
    path = settings.DEVELOPMENT_KEY_FILE
    if not path.exists():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        draft = path.with_name(f"{path.name}.{uuid4().hex}")
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(pem)
        # When two processes make a key at once, the first stays. Nobody ever reads half a file.
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    return cast(ec.EllipticCurvePrivateKey, key)


def public_key() -> jwt.PyJWK:
    algorithm = get_default_algorithms()[ALGORITHM]
    return jwt.PyJWK(algorithm.to_jwk(private_key().public_key(), as_dict=True))


def issue_token(subject: str, lifetime: timedelta) -> str:
    """Sign a token with this machine's key. In production only the identity provider makes tokens."""
    now = timezone.now()
    key: Any = private_key()  # simplejwt annotates it as a text
    backend = TokenBackend(ALGORITHM, key, issuer=issuer(), audience=audience())
    return backend.encode({"sub": subject, "iat": now, "exp": now + lifetime})
