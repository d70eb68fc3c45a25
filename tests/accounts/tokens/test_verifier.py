"""The bearer tokens that are accepted, for each of the three ways in which a deployment can verify them, also again."""

import time
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import override_settings
from jwt import PyJWK
from rest_framework_simplejwt.backends import TokenBackend
from rest_framework_simplejwt.state import token_backend
from rest_framework_simplejwt.tokens import Token

from accounts.models import Account
from accounts.tokens import development, verifier
from accounts.tokens.verifier import (
    LEEWAY_SECONDS,
    MAX_REMEMBERED_BYTES,
    SingleKey,
    Verifier,
    get_verifier,
)
from config.api.errors import InvalidToken
from tests import identity_provider as idp
from tests.accounts.conftest import who
from tests.answers import assert_error
from tests.identity_provider import AUDIENCE, ISSUER, claims, public_jwk, token, unsigned, without
from tests.undone import undone

pytestmark = pytest.mark.django_db

SECRET = b"a shared secret for tests, 32 bytes or more"


@pytest.mark.usefixtures("deployed")
def test_another_scheme_is_anonymous() -> None:
    for header in ("", "Basic YTpi", "Digest x", "Bearerer x", "ApiKey x", "Token abc", "Basic"):
        assert who(header, "/api/auction-systems").status_code == 200, header
        refused = who(header)
        assert_error(refused, 401, "not_authenticated")
        assert refused["WWW-Authenticate"] == 'Bearer realm="api"', header


GOOD: dict[str, Any] = {
    "RS256": token, "ES256": lambda: token(key="ec"), "EdDSA": lambda: token(key="ed"),
    "by a provider's library": lambda: idp.encode(claims()),
    "aud a list with ours": lambda: token(claims(aud=["others", idp.AUDIENCE])),
    "no iat": lambda: token(without("iat")), "exp with a fraction": lambda: token(claims(exp=time.time() + 300)),
    "exp in the last second of the year 9999": lambda: token(claims(exp=253_402_300_799)),
    "exp over within the leeway": lambda: token(claims(exp=int(time.time()) - 15)),
    "nbf and iat ahead within the leeway": lambda: token(claims(nbf=int(time.time()) + 20, iat=int(time.time()) + 20)),
    "unknown claims": lambda: token(claims(is_staff=True, role="admin", groups=["admin"])),
}  # fmt: skip


@pytest.mark.usefixtures("deployed")
def test_a_good_token_is_accepted_as_a_member_whose_id_is_its_subject(subtests: pytest.Subtests) -> None:
    for name, make in GOOD.items():
        with subtests.test(name), undone():
            response = who("Bearer " + make())
            assert response.status_code == 200, response.content
            assert (response.json()["id"], response.json()["role"]) == ("alice", "member")
    for sub in ("a" * 255, "auth0|5f7c", "A-Z.a_z~0:9@x+y", "Me", "...", "Alice"):
        assert who("Bearer " + token(claims(sub=sub))).json()["id"] == sub
    for scheme in ("bearer", "BEARER", "bEaReR", "Bearer  "):
        assert who(f"{scheme} {token()}").json()["id"] == "alice", scheme


@pytest.mark.usefixtures("deployed")
def test_a_deployment_that_names_a_token_type_refuses_others(settings: Any) -> None:
    settings.JWT_TOKEN_TYPE = "at+jwt"
    for typ, status in (
        ("at+jwt", 200), ("AT+JWT", 200), ("application/at+jwt", 200), ("JWT", 401), (None, 401), (5, 401), ("", 401)
    ):  # fmt: skip
        assert who("Bearer " + token(typ=typ)).status_code == status, typ


@pytest.mark.usefixtures("deployed")
def test_a_deployment_that_names_scopes_refuses_tokens_without_all_of_them(
    settings: Any, subtests: pytest.Subtests
) -> None:
    assert who("Bearer " + token(claims(sub="anybody"))).status_code == 200
    settings.JWT_SCOPE = "boards:use  boards:vote"
    get_verifier.cache_clear()
    for granted, status in [
        ({"scope": "openid boards:use boards:vote"}, 200), ({"scp": ["boards:vote", "boards:use"]}, 200),
        ({"scp": "boards:use boards:vote"}, 200), ({"scope": "boards:use", "scp": ["boards:vote"]}, 200),
        ({}, 401), ({"scope": ""}, 401), ({"scope": "boards:use"}, 401),
        ({"scope": "boards:used boards:vote"}, 401), ({"scope": {"boards:use": 1, "boards:vote": 1}}, 401),
        ({"scp": [["boards:use"], "boards:vote", 5, None]}, 401),
    ]:  # fmt: skip
        with subtests.test(repr((granted, status))), undone():
            answer = who("Bearer " + token(claims(**granted)))
            assert answer.status_code == status
            assert Account.objects.filter(pk="alice").exists() == (status == 200)
            if status == 401:
                assert "boards:" in answer.json()["message"]


PROGRAMS: dict[str, dict[str, Any]] = {
    "RFC 9068": {"sub": "a-client", "client_id": "a-client"}, "Okta": {"sub": "a-client", "cid": "a-client"},
    "Entra": {"sub": "an-object-id", "idtyp": "app", "appid": "a-client"},
    "Auth0": {"sub": "a-client@clients", "azp": "a-client", "gty": "client-credentials"},
    "Auth0 without gty": {"sub": "a-client@clients", "azp": "a-client"},
    "Keycloak": {"sub": "a-uuid", "azp": "a-client", "preferred_username": "service-account-a-client"},
}  # fmt: skip
PERSONS = ({"client_id": "web"}, {"azp": "web", "preferred_username": "alice"}, {"azp": 5, "client_id": None})


@pytest.mark.usefixtures("deployed")
def test_a_programs_token_makes_no_account_and_serves_one_that_is_there(subtests: pytest.Subtests) -> None:
    for name, said in PROGRAMS.items():
        with subtests.test(name), undone():
            payload = claims(**said)
            for path in ("/api/accounts/me", "/api/boards"):
                assert_error(who("Bearer " + token(payload), path), 401, "invalid_token")
            assert not Account.objects.filter(pk=payload["sub"]).exists()
            Account.objects.create(pk=payload["sub"])
            assert who("Bearer " + token(payload)).status_code == 200
    for person in PERSONS:
        with undone():
            assert who("Bearer " + token(claims(**person))).json()["id"] == "alice", person


@pytest.mark.usefixtures("deployed")
def test_the_algorithms_can_be_narrowed(settings: Any) -> None:
    settings.JWT_ALGORITHMS = ["ES256"]
    assert who("Bearer " + token(key="ec")).status_code == 200
    assert who("Bearer " + token(key="rsa")).status_code == 401


@pytest.fixture
def shared(settings: Any) -> None:
    """Set the service up with a provider that signs with a shared secret."""
    settings.JWT_SHARED_SECRET = SECRET.decode()
    settings.JWT_ISSUER, settings.JWT_AUDIENCE, settings.DEVELOPMENT_TOKENS = idp.ISSUER, idp.AUDIENCE, False


@pytest.mark.usefixtures("shared")
def test_a_shared_secret_accepts_nothing_else(subtests: pytest.Subtests) -> None:
    for kid in ({}, {"kid": "any"}):
        with undone():
            assert who("Bearer " + token(key=SECRET, **kid)).json()["id"] == "alice"
    forged: dict[str, str] = {
        "another secret": token(key=b"another secret of at least 32 characters"),
        "HS512": token(key=SECRET, alg="HS512"), "a provider's key as HS256": token(key="rsa", alg="HS256"),
        "a provider's key": token(key="rsa"), "no signature": unsigned(),
        "another audience": token(claims(aud="others"), key=SECRET),
        "another issuer": token(claims(iss="https://evil.example"), key=SECRET),
        "no expiry": token(without("exp"), key=SECRET), "the development key": development_token(),
    }  # fmt: skip
    for name, sent in forged.items():
        with subtests.test(name), undone():
            assert who("Bearer " + sent).json()["code"] == "invalid_token"
            assert not Account.objects.filter(pk="alice").exists()


def development_token(hours: int = 1) -> str:
    return development.issue_token("alice", timedelta(hours=hours))


@pytest.mark.usefixtures("deployed")
def test_a_deployment_with_a_provider_refuses_a_development_token() -> None:
    assert who("Bearer " + development_token()).status_code == 401


def test_the_development_key_signs_the_only_tokens_that_are_accepted_where_they_are_made() -> None:
    assert who("Bearer " + development_token()).json()["id"] == "alice"
    with override_settings(SECRET_KEY="another key for tests, as long as a real one has to be: 0123456789"):
        other = development_token()
    for forged in (unsigned(), token(), token(key="ec"), token(key=SECRET), development_token(-1), other):
        assert_error(who("Bearer " + forged), 401, "invalid_token")


@pytest.fixture
def signatures(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return the tokens whose signature was verified."""
    verified: list[bytes] = []
    decode_with = verifier.decode_with

    def count(key: PyJWK, raw: bytes, *rules: str) -> Any:
        verified.append(raw)
        return decode_with(key, raw, *rules)

    monkeypatch.setattr(verifier, "decode_with", count)
    return verified


def verifier_with(kid: str = "rsa") -> Verifier:
    return Verifier(SingleKey(PyJWK(public_jwk(kid))), ("RS256",), ISSUER, AUDIENCE)


def test_a_token_is_verified_once(signatures: list[bytes]) -> None:
    rules, raw = verifier_with(), token().encode()
    assert [rules.verify(raw)["sub"] for _ in range(5)] == ["alice"] * 5
    assert signatures == [raw]


def test_a_verified_token_is_one_of_simplejwt_which_has_no_key_to_sign_any() -> None:
    rules = verifier_with()
    verified = rules.verify(token().encode())
    assert {TokenBackend, Token} <= {*type(rules).__mro__, *type(verified).__mro__}
    assert (verified["sub"], "token_type" in verified) == ("alice", False)
    assert token_backend.signing_key is None, "simplejwt would take Django's secret key"


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


def test_a_claim_that_is_changed_stays_in_this_request() -> None:
    rules, raw = verifier_with(), token().encode()
    rules.verify(raw)["sub"] = "mallory"
    assert rules.verify(raw)["sub"] == "alice"


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
