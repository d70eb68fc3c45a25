"""The verification of bearer tokens."""

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import jwt
from django.conf import settings
from jwt.algorithms import get_default_algorithms
from jwt.utils import base64url_decode

from accounts.identifiers import is_account_id
from accounts.tokens import development
from accounts.tokens.claims import scopes_of
from accounts.tokens.jwks import MAX_WAIT, KeySet
from config.api.errors import InvalidToken, ServiceUnavailable
from config.values.strict_json import JsonError, unique_keys

LEEWAY_SECONDS = 30
MAX_BYTES = 16 * 1024
MAX_REMEMBERED, MAX_REMEMBERED_BYTES = 1024, 2048
"""The verified tokens that a process remembers, and how long each may be: 2 MiB, and about as much for their claims."""
MAX_NUMERIC_DATE = 253_402_300_799
"""The last second of the year 9999, the last that a datetime can hold."""

ASYMMETRIC_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
DEFAULT_ALGORITHMS = ("RS256", "ES256", "EdDSA")
KEY_TYPES = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP", "HS": "oct"}
CURVES = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}

Claims = Mapping[str, Any]


@dataclass(frozen=True)
class SingleKey:
    """A source that has one key for every kid: the shared secret, or the development key."""

    key: jwt.PyJWK

    def get_keys(self, kid: str | None) -> Sequence[jwt.PyJWK]:
        return (self.key,)


@dataclass(frozen=True)
class Verifier:
    """The rules by which this deployment lets tokens in."""

    source: KeySet | SingleKey
    algorithms: tuple[str, ...]
    issuer: str
    audience: str
    token_type: str = ""
    scope: frozenset[str] = frozenset()

    def verify(self, raw: bytes) -> Claims:
        """Return the claims of a good token. Raise InvalidToken for every other."""
        claims = self.read(raw)
        if not is_account_id(claims.get("sub")):
            raise InvalidToken("The token's subject cannot be an account's id.")
        if missing := self.scope - scopes_of(claims):
            raise InvalidToken(f"The token lacks a scope: ask the identity provider for {' '.join(sorted(missing))}.")
        return claims

    def read(self, raw: bytes) -> Claims:
        """Return the claims of a token of this issuer for this audience, whatever it is for. Raise InvalidToken."""
        if len(raw) > MAX_BYTES:
            raise InvalidToken("The bearer token is too long.")
        header = read_unverified_header(raw)
        algorithm = header.get("alg", "")
        if algorithm not in self.algorithms:
            raise InvalidToken("The token is signed in a way that is not accepted here.")
        if self.token_type and normal_media_type(header.get("typ")) != normal_media_type(self.token_type):
            raise InvalidToken(f"The token is of another type than {self.token_type}.")
        keys = tuple(key for key in self.source.get_keys(header.get("kid")) if is_key_for(key, algorithm))
        read = decode_once if len(raw) <= MAX_REMEMBERED_BYTES else decode
        claims = read(raw, keys, algorithm, self.issuer, self.audience)
        if not all(is_numeric_date(claims[name]) for name in ("exp", "iat", "nbf") if name in claims):
            raise InvalidToken("A date of the token is not a number of seconds.")
        if claims["exp"] <= time.time() - LEEWAY_SECONDS:
            raise InvalidToken("The bearer token is not valid: it has expired since it was first sent.")
        return claims


def read_unverified_header(raw: bytes) -> dict[str, Any]:
    """Return the token's header, which says which key to try. PyJWT reads it again when it verifies the token.

    Raise InvalidToken when it cannot be read.
    """
    try:
        header = read_json(base64url_decode(raw.partition(b".")[0]))
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or not isinstance(header.get("kid", ""), str):
        raise InvalidToken("The bearer token cannot be read.")
    return header


def decode(raw: bytes, keys: tuple[jwt.PyJWK, ...], *rules: str) -> Claims:
    """Decode with the first key that made the signature. There are several only for keys without kid."""
    if not keys:
        raise InvalidToken("The token is signed with a key the provider does not have.")
    *others, last = keys
    for key in others:
        with suppress(InvalidToken):
            return decode_with(key, raw, *rules)
    return decode_with(last, raw, *rules)


decode_once = lru_cache(MAX_REMEMBERED)(decode)
"""`decode` for a token that is sent again: its signature, issuer, audience and first valid moment stay right.

It can expire, which `Verifier.read` checks. A key that was fetched again is another object, so that each token is
verified again. What is refused is never remembered.
"""


def decode_with(key: jwt.PyJWK, raw: bytes, algorithm: str, issuer: str, audience: str) -> Claims:
    try:
        return strict_jwt.decode(
            raw,
            key.key,
            algorithms=[algorithm],
            audience=audience or None,
            issuer=issuer or None,
            leeway=LEEWAY_SECONDS,
        )
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise InvalidToken(f"The bearer token is not valid: {error}.") from error


class StrictJWT(jwt.PyJWT):
    """PyJWT, except that a claim that is given twice is refused. PyJWT takes the last.

    `_decode_payload` is there for subclasses (jpadilla/pyjwt, pull request 829).
    """

    def _decode_payload(self, decoded: dict[str, Any]) -> dict[str, Any]:
        try:
            claims = read_json(decoded["payload"])
        except JsonError as error:
            raise jwt.DecodeError("it has the same name twice") from error
        if not isinstance(claims, dict):
            raise jwt.DecodeError("its claims are not an object")
        return claims


strict_jwt = StrictJWT({"require": ["exp"], "enforce_minimum_key_length": True})


def is_numeric_date(value: Any) -> bool:
    """Accept the JSON number of RFC 7519 §2, up to MAX_NUMERIC_DATE. PyJWT reads strings and booleans too."""
    return type(value) in (int, float) and 0 <= value <= MAX_NUMERIC_DATE


# Not config.values.strict_json.parse_json: a claim that nobody here reads may be a number of any size.
json_decoder = json.JSONDecoder(object_pairs_hook=unique_keys)


def read_json(text: bytes) -> Any:
    """Parse UTF-8 without a byte order mark (RFC 8259 §8.1).

    Raise JsonError for a name given twice, another ValueError for what is not JSON, RecursionError for what is deep.
    """
    return json_decoder.decode(text.decode())


def is_key_for(key: jwt.PyJWK, algorithm: str) -> bool:
    """Tell whether a key is of the type, curve and `alg` that an algorithm needs.

    So a token that names the kid of another kind of key is refused as a token, and is no error of the library.
    """
    if key.key_type != KEY_TYPES.get(algorithm[:2]):
        return False
    if algorithm in CURVES and key._jwk_data.get("crv") != CURVES[algorithm]:
        return False
    return key._jwk_data.get("alg", algorithm) == algorithm


def normal_media_type(value: Any) -> str:
    """Return a token's `typ` in lower case without "application/", which may be left out (RFC 7515 §4.1.9)."""
    return value.lower().removeprefix("application/") if isinstance(value, str) else ""


def warm_keys() -> None:
    """Fetch the provider's keys before the first token needs them. Wait MAX_WAIT at most. A failure is only logged."""
    if not names_provider():
        return
    source = get_verifier().source
    if isinstance(source, KeySet):
        source.refresh()
        source.finished.wait(MAX_WAIT)


def names_provider() -> bool:
    """Tell whether tokens can be checked here. A site that is only read needs none."""
    return bool(settings.JWT_JWKS_URL or settings.JWT_SHARED_SECRET or settings.DEVELOPMENT_TOKENS)


def no_provider() -> ServiceUnavailable:
    return ServiceUnavailable(
        "This site has no identity provider, so no token can be used here. What is public can be read without one.",
        headers={"Retry-After": "3600"},
    )


@cache
def get_verifier() -> Verifier:
    """Return the verifier that the settings describe. accounts.checks has refused contradictory ones at the start.

    Raise ServiceUnavailable where they describe none.
    """
    if not names_provider():
        raise no_provider()
    issuer, audience = settings.JWT_ISSUER, settings.JWT_AUDIENCE
    algorithms = tuple(settings.JWT_ALGORITHMS)
    if settings.JWT_SHARED_SECRET:
        source: KeySet | SingleKey = SingleKey(shared_key(settings.JWT_SHARED_SECRET))
        algorithms = algorithms or ("HS256",)
    elif settings.JWT_JWKS_URL:
        source = KeySet(settings.JWT_JWKS_URL)
        algorithms = algorithms or DEFAULT_ALGORITHMS
    else:
        source, algorithms = SingleKey(development.public_key()), (development.ALGORITHM,)
        issuer, audience = development.issuer(), development.audience()
    scope = frozenset(settings.JWT_SCOPE.split())
    return Verifier(source, algorithms, issuer, audience, settings.JWT_TOKEN_TYPE, scope)


def shared_key(secret: str) -> jwt.PyJWK:
    algorithm = get_default_algorithms()["HS256"]
    return jwt.PyJWK({**algorithm.to_jwk(secret.encode(), as_dict=True), "alg": "HS256"})
