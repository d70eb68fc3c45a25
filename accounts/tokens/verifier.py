"""The verification of bearer tokens."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, cast

import jwt
from django.conf import settings
from jwt.algorithms import get_default_algorithms
from jwt.utils import base64url_decode
from rest_framework_simplejwt.backends import TokenBackend
from rest_framework_simplejwt.exceptions import TokenBackendError, TokenError
from rest_framework_simplejwt.settings import api_settings
from rest_framework_simplejwt.tokens import UntypedToken

from accounts.identifiers import is_account_id
from accounts.tokens import development
from accounts.tokens.claims import scopes_of
from accounts.tokens.jwks import MAX_WAIT, KeySet
from config.api.errors import InvalidToken, ServiceUnavailable
from config.values.strict_json import JsonError, unique_keys

LEEWAY_SECONDS: int = api_settings.LEEWAY
MAX_BYTES = 16 * 1024
MAX_REMEMBERED, MAX_REMEMBERED_BYTES = 1024, 2048
"""The verified tokens that a process remembers, and how long each may be: 2 MiB, and about as much for their claims."""
MAX_NUMERIC_DATE = 253_402_300_799
"""The last second of the year 9999, the last that a datetime can hold."""

ASYMMETRIC_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
DEFAULT_ALGORITHMS = ("RS256", "ES256", "EdDSA")
KEY_TYPES = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP", "HS": "oct"}
CURVES = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}

Claims = dict[str, Any]


@dataclass(frozen=True)
class SingleKey:
    """A source that has one key for every kid: the shared secret, or that of development."""

    key: jwt.PyJWK

    def get_keys(self, kid: str | None) -> Sequence[jwt.PyJWK]:
        return (self.key,)


class ProviderToken(UntypedToken):
    """A token that the identity provider made for this service, whatever it is for.

    Its backend, a `Verifier`, has it checked; simplejwt then checks that it has not expired since. Raise InvalidToken.
    """

    def __init__(self, raw: bytes, backend: "Verifier") -> None:
        self.backend = backend
        super().__init__(cast(Any, raw))  # simplejwt annotates the text of a token as a token

    def get_token_backend(self) -> TokenBackend:
        return self.backend

    def verify(self) -> None:
        try:
            super().verify()
        except TokenError:
            raise InvalidToken("The bearer token has expired.") from None


class AccountToken(ProviderToken):
    """A token whose subject can have an account. It authenticates a request."""

    def verify(self) -> None:
        super().verify()
        if not is_account_id(self.get("sub")):
            raise InvalidToken("The token's subject cannot be an account's id.")


@dataclass(frozen=True)
class Verifier(TokenBackend):
    """The rules by which this deployment lets tokens in: simplejwt's backend with the keys of a provider.

    Of the backend it has what reads a token. It has no key of its own, and signs none.
    """

    source: KeySet | SingleKey
    algorithms: tuple[str, ...]
    issuer: str
    audience: str
    token_type: str = ""
    scope: frozenset[str] = frozenset()
    leeway: int = LEEWAY_SECONDS

    def verify(self, raw: bytes) -> AccountToken:
        """Return a good token. Raise InvalidToken for every other."""
        token = AccountToken(raw, self)
        if self.scope and (missing := self.scope - scopes_of(token.payload)):
            raise InvalidToken(
                f"The token lacks a scope. Request a token with {' '.join(sorted(missing))} from the identity provider."
            )
        return token

    def decode(self, raw: Any, verify: bool = True) -> Claims:
        """Return the claims of a token of this issuer for this audience, whatever it is for. Raise InvalidToken.

        It may have expired since it was first sent: its token class asks.
        """
        if len(raw) > MAX_BYTES:
            raise InvalidToken("The bearer token is too long.")
        header = read_unverified_header(raw)
        algorithm = header.get("alg", "")
        if algorithm not in self.algorithms:
            raise InvalidToken("The token's signature algorithm is not accepted.")
        if self.token_type and normal_media_type(header.get("typ")) != normal_media_type(self.token_type):
            raise InvalidToken(f"The token's type (typ) is not {self.token_type}.")
        keys = tuple(key for key in self.source.get_keys(header.get("kid")) if is_key_for(key, algorithm))
        read = decode_once if len(raw) <= MAX_REMEMBERED_BYTES else decode
        return dict(read(raw, keys, algorithm, self.issuer, self.audience))  # a token's claims may be changed


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
        raise InvalidToken("The token is signed with a key that the identity provider does not have.")
    *others, last = keys
    for key in others:
        with suppress(InvalidToken):
            return decode_with(key, raw, *rules)
    return decode_with(last, raw, *rules)


decode_once = lru_cache(MAX_REMEMBERED)(decode)
"""`decode` for a token that is sent again: its signature, issuer, audience and first valid moment stay right.

It can expire, which `ProviderToken` checks. A key that was fetched again is another object, so that each token is
verified again. What is refused is never remembered.
"""


def decode_with(key: jwt.PyJWK, raw: bytes, algorithm: str, issuer: str, audience: str) -> Claims:
    backend = KeyBackend(algorithm, verifying_key=key.key, issuer=issuer, audience=audience, leeway=LEEWAY_SECONDS)
    try:
        claims = backend.decode(raw)
    except (TokenBackendError, jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
        cause = error.__cause__ if isinstance(error, TokenBackendError) else error
        raise InvalidToken(f"The bearer token is not valid: {cause}.") from cause
    if not all(is_numeric_date(claims[name]) for name in ("exp", "iat", "nbf") if name in claims):
        raise InvalidToken("A date of the token is not a number of seconds.")
    return claims


class KeyBackend(TokenBackend):
    """simplejwt's check of a token, with one key of the provider.

    It also refuses what PyJWT accepts: a repeated claim, of which PyJWT takes the last, and a token without `exp`.
    """

    def get_verifying_key(self, token: Any) -> Any:
        """Return the key of the JWK as it is. simplejwt would take the signing key for HS256."""
        return self.verifying_key

    def decode(self, token: Any, verify: bool = True) -> Claims:
        claims = super().decode(token, verify)
        try:
            read_json(base64url_decode(token.split(b".")[1]))
        except JsonError as error:
            raise jwt.DecodeError("it has the same name twice") from error
        if "exp" not in claims:
            raise jwt.MissingRequiredClaimError("exp")
        return claims


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

    So a token that names the kid of another kind of key is refused as a token, and is not an error of the library.
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
        "No identity provider is configured, so tokens are not accepted. Public data can be read without one.",
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
        source, algorithms = SingleKey(shared_key(development.secret())), (development.ALGORITHM,)
        issuer, audience = development.issuer(), development.audience()
    scope = frozenset(settings.JWT_SCOPE.split())
    return Verifier(source, algorithms, issuer, audience, settings.JWT_TOKEN_TYPE, scope)


def shared_key(secret: str) -> jwt.PyJWK:
    algorithm = get_default_algorithms()["HS256"]
    return jwt.PyJWK({**algorithm.to_jwk(secret.encode(), as_dict=True), "alg": "HS256"})
