"""A token that is sent again costs no second signature, and is let in for no longer than before."""

import time
from typing import Any

import pytest
import time_machine
from jwt import PyJWK

from accounts.tokens import verifier
from accounts.tokens.verifier import LEEWAY_SECONDS, MAX_REMEMBERED_BYTES, SingleKey, StrictTokenBackend, Verifier
from config.api.errors import InvalidToken
from tests.identity_provider import AUDIENCE, ISSUER, claims, public_jwk, token


@pytest.fixture
def signatures(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return the tokens whose signature was verified."""
    verified: list[bytes] = []
    decode = StrictTokenBackend.decode

    def count(backend: StrictTokenBackend, raw: bytes, verify: bool = True) -> Any:
        verified.append(raw)
        return decode(backend, raw, verify)

    monkeypatch.setattr(StrictTokenBackend, "decode", count)
    return verified


def verifier_with(kid: str = "rsa") -> Verifier:
    return Verifier(SingleKey(PyJWK(public_jwk(kid))), ("RS256",), ISSUER, AUDIENCE)


def test_a_token_is_verified_once(signatures: list[bytes]) -> None:
    rules, raw = verifier_with(), token().encode()
    assert [rules.verify(raw)["sub"] for _ in range(5)] == ["alice"] * 5
    assert signatures == [raw]


def test_it_expires_all_the_same() -> None:
    rules, raw = verifier_with(), token(claims(exp=int(time.time()) + 60)).encode()
    rules.verify(raw)
    with time_machine.travel(time.time() + 60 + LEEWAY_SECONDS - 5):
        rules.verify(raw)
    with time_machine.travel(time.time() + 60 + LEEWAY_SECONDS + 1), pytest.raises(InvalidToken, match="expired"):
        rules.verify(raw)


def test_a_new_key_of_the_provider_and_other_rules_verify_it_anew(signatures: list[bytes]) -> None:
    raw = token().encode()
    verifier_with().verify(raw)
    verifier_with().verify(raw)
    assert len(signatures) == 2, "the same key, fetched again"
    with pytest.raises(InvalidToken):
        verifier_with("another").verify(raw)
    key = SingleKey(PyJWK(public_jwk("rsa")))
    Verifier(key, ("RS256",), ISSUER, AUDIENCE).verify(raw)
    for issuer, audience in (("https://other.example", AUDIENCE), (ISSUER, "others")):
        with pytest.raises(InvalidToken):
            Verifier(key, ("RS256",), issuer, audience).verify(raw)


def test_one_byte_more_is_another_token() -> None:
    rules, raw = verifier_with(), token()
    rules.verify(raw.encode())
    head, payload, signature = raw.split(".")
    other = "A" if signature[0] != "A" else "B"
    for forged in (f"{head}.{payload}.{other}{signature[1:]}", f"{head}.{payload}.", f"{head}.{payload}x.{signature}"):
        with pytest.raises(InvalidToken):
            rules.verify(forged.encode())


def test_what_is_refused_or_long_is_not_remembered(signatures: list[bytes]) -> None:
    rules = verifier_with()
    refused, long = token(claims(aud="others")).encode(), token(claims(x="x" * MAX_REMEMBERED_BYTES)).encode()
    for _ in range(2):
        with pytest.raises(InvalidToken):
            rules.verify(refused)
        rules.verify(long)
    assert signatures == [refused, long] * 2
    assert verifier.decode_once.cache_info().currsize == 0
