"""What makes a bearer token good. The one module that knows simplejwt's token backend, so that replacing the
library is a change of this file."""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, lru_cache
from typing import Any, Protocol, cast
from uuid import uuid4

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone
from jwt.algorithms import get_default_algorithms
from jwt.utils import base64url_decode
from rest_framework_simplejwt.backends import TokenBackend

from accounts.identifiers import is_subject
from accounts.jwks import KeySet
from config.api.errors import InvalidToken

LEEWAY_SECONDS = 30
MAX_BYTES = 16 * 1024
LAST_SECOND = 253_402_300_799  # of the year 9999
DEVELOPMENT_ISSUER = "urn:bridge-boards:development"
DEVELOPMENT_AUDIENCE = "bridge-boards"
ASYMMETRIC = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
USUAL = ("RS256", "ES256", "EdDSA")
KEY_TYPES = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP", "HS": "oct"}
CURVES = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}

Claims = Mapping[str, Any]


class KeySource(Protocol):
    def keys(self, kid: str | None) -> Sequence[jwt.PyJWK]: ...


@dataclass(frozen=True)
class OneKey:
    """A source that has one key whatever the token names: the shared secret, or the development key."""

    only: jwt.PyJWK

    def keys(self, kid: str | None) -> Sequence[jwt.PyJWK]:
        return (self.only,)


@dataclass(frozen=True)
class Verifier:
    """`verify` gives the claims of a good token and raises InvalidToken for every other."""

    source: KeySource
    algorithms: tuple[str, ...]
    issuer: str
    audience: str
    token_type: str = ""

    def verify(self, raw: bytes) -> Claims:
        if len(raw) > MAX_BYTES:
            raise InvalidToken("The bearer token is too long.")
        header = unverified_header(raw)
        self.check_header(header)
        algorithm = header["alg"]
        keys = [key for key in self.source.keys(header.get("kid")) if fits(key, algorithm)]
        claims = decode(raw, [backend(algorithm, key, self.issuer, self.audience) for key in keys])
        if not is_subject(claims["sub"]):
            raise InvalidToken("The token's subject cannot be an account's id.")
        if not all(is_numeric_date(claims[name]) for name in ("exp", "iat", "nbf") if name in claims):
            raise InvalidToken("A date of the token is no number of seconds.")
        return claims

    def check_header(self, header: Mapping[str, Any]) -> None:
        if header.get("alg") not in self.algorithms:
            raise InvalidToken("The token is signed in a way that is not accepted here.")
        if self.token_type and media_type(header.get("typ")) != media_type(self.token_type):
            raise InvalidToken("The token is of another type: send an access token.")


def unverified_header(raw: bytes) -> dict[str, Any]:
    """Only to choose the key by: PyJWT reads it again, and the rest of the token, when it verifies."""
    try:
        header = read_json(base64url_decode(raw.partition(b".")[0]))
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or not isinstance(header.get("kid", ""), str):
        raise InvalidToken("The bearer token cannot be read.")
    return header


def decode(raw: bytes, checkers: Sequence["Checker"]) -> Claims:
    """By the first of the checkers whose key made the signature; there is more than one only for keys without kid."""
    if not checkers:
        raise InvalidToken("The token is signed with a key the provider does not have.")
    *others, last = checkers
    for checker in others:
        with suppress(InvalidToken):
            return decode_with(checker, raw)
    return decode_with(last, raw)


def decode_with(checker: "Checker", raw: bytes) -> Claims:
    try:
        return checker.decode(raw)
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise InvalidToken(f"The bearer token is not valid: {error}.") from error


class StrictJWT(jwt.PyJWT):
    """PyJWT that refuses a claim given twice, where it otherwise takes the last. PyJWT means this to be overridden."""

    def _decode_payload(self, decoded: dict[str, Any]) -> dict[str, Any]:
        claims = read_json(decoded["payload"])
        if not isinstance(claims, dict):
            raise jwt.DecodeError("its claims are no object")
        return claims


strict_jwt = StrictJWT({"require": ["exp", "sub"], "enforce_minimum_key_length": True})


class Checker(TokenBackend):
    """simplejwt's backend; but it reads the claims strictly, and there is no way to read them unverified."""

    def decode(self, token: Any, verify: bool = True) -> dict[str, Any]:
        return strict_jwt.decode(
            token,
            self.get_verifying_key(token),
            algorithms=[self.algorithm],
            audience=self.audience,
            issuer=self.issuer,
            leeway=LEEWAY_SECONDS,
        )


def is_numeric_date(value: Any) -> bool:
    """RFC 7519 §2: a JSON number (PyJWT reads strings and booleans too), here one that a calendar has."""
    return type(value) in (int, float) and 0 <= value <= LAST_SECOND


def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is given twice")
    return found


strict_json = json.JSONDecoder(object_pairs_hook=refuse_duplicates)


def read_json(text: bytes) -> Any:
    """UTF-8 without a byte order mark (RFC 8259 §8.1), each name once; ValueError else, RecursionError if deep."""
    return strict_json.decode(text.decode())


def fits(key: jwt.PyJWK, algorithm: str) -> bool:
    """Whether a key is of the kind an algorithm needs: a token that names another's kid must fail as a token."""
    if key.key_type != KEY_TYPES.get(algorithm[:2]):
        return False
    if algorithm in CURVES and key._jwk_data.get("crv") != CURVES[algorithm]:
        return False
    return key._jwk_data.get("alg", algorithm) == algorithm


@lru_cache(maxsize=64)
def backend(algorithm: str, key: jwt.PyJWK, issuer: str, audience: str) -> Checker:
    """One a key, since simplejwt takes one algorithm a backend and prepares the key anew in each."""
    return Checker(
        algorithm,
        signing_key=key.key,
        verifying_key=key.key,
        issuer=issuer or None,
        audience=audience or None,
    )


def media_type(value: Any) -> str:
    """RFC 7515 §4.1.9: the prefix "application/" may be left out; names do not care for case."""
    return value.lower().removeprefix("application/") if isinstance(value, str) else ""


def warm_keys() -> None:
    """Asks for the provider's keys before the first token does. Waits for nothing, and a failure is only logged."""
    source = verifier().source
    if isinstance(source, KeySet):
        source.renew()


@cache
def verifier() -> Verifier:
    """As the settings say; accounts.checks has refused contradictory ones before anything is served."""
    issuer, audience = settings.JWT_ISSUER, settings.JWT_AUDIENCE
    algorithms = tuple(settings.JWT_ALGORITHMS)
    if settings.JWT_SHARED_SECRET:
        source: KeySource = OneKey(shared_key(settings.JWT_SHARED_SECRET))
        algorithms = algorithms or ("HS256",)
    elif settings.JWT_JWKS_URL:
        source = KeySet(settings.JWT_JWKS_URL)
        algorithms = algorithms or USUAL
    elif settings.DEVELOPMENT_TOKENS:
        source, algorithms = OneKey(development_public_key()), ("ES256",)
        issuer, audience = issuer or DEVELOPMENT_ISSUER, audience or DEVELOPMENT_AUDIENCE
    else:
        raise ImproperlyConfigured("Nothing says how tokens are checked: see the JWT settings.")
    return Verifier(source, algorithms, issuer, audience, settings.JWT_TOKEN_TYPE)


def shared_key(secret: str) -> jwt.PyJWK:
    algorithm = get_default_algorithms()["HS256"]
    return jwt.PyJWK({**algorithm.to_jwk(secret.encode(), as_dict=True), "alg": "HS256"})


def development_private_key() -> ec.EllipticCurvePrivateKey:
    """This machine's own key pair, made at first use; the file is its owner's alone."""
    path = settings.DEVELOPMENT_KEY_FILE
    if not path.exists():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        draft = path.with_name(f"{path.name}.{uuid4().hex}")
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(pem)
        # Of two made at once the first stays, and nobody ever reads half a file.
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    return cast(ec.EllipticCurvePrivateKey, key)


def development_public_key() -> jwt.PyJWK:
    algorithm = get_default_algorithms()["ES256"]
    return jwt.PyJWK(algorithm.to_jwk(development_private_key().public_key(), as_dict=True))


def issue_development_token(subject: str, lifetime: timedelta) -> str:
    """For DEVELOPMENT_TOKENS only: in production tokens are the identity provider's to make."""
    now = timezone.now()
    key: Any = development_private_key()  # simplejwt's annotation knows keys as text alone
    signer = TokenBackend("ES256", signing_key=key, issuer=verifier().issuer, audience=verifier().audience)
    return signer.encode({"sub": subject, "iat": now, "exp": now + lifetime})
