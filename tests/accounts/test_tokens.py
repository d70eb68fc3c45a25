"""Which bearer tokens are let in: every forged one is a 401 in the contract's shape, never a 5xx."""

import json
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as current
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.tokens import development_private_key, issue_development_token, verifier
from config.api.errors import InvalidToken
from tests import identity_provider as idp
from tests.identity_provider import claims, segment, token, unsigned

pytestmark = pytest.mark.django_db

NOW = int(time.time())
SECRET = b"a shared secret for tests, 32 bytes or more"


@pytest.fixture(scope="module")
def provider() -> Iterator[idp.Provider]:
    with idp.running() as running:
        yield running


@pytest.fixture
def deployed(provider: idp.Provider, settings: Any) -> None:
    """A deployment with an identity provider, no development key."""
    for name, value in idp.settings_of(provider).items():
        setattr(settings, name, value)
    verifier.cache_clear()


def who(header: str, path: str = "/api/accounts/me") -> Any:
    return APIClient(raise_request_exception=False).get(path, headers={"authorization": header})


def without(*names: str) -> dict[str, Any]:
    return claims(**dict.fromkeys(names))


def raw_claims(**members: str) -> bytes:
    """Claims whose JSON is written by hand: what json.dumps would not write."""
    good = {name: json.dumps(value) for name, value in claims().items()}
    return b"{" + ",".join(f'"{name}":{text}' for name, text in {**good, **members}.items()).encode() + b"}"


def tampered() -> str:
    head, _, signature = token().split(".")
    return f"{head}.{segment(claims(sub='admin')).decode()}.{signature}"


def deep(levels: int) -> bytes:
    return b'{"a":' + b"[" * levels + b"]" * levels + b"}"


# Made when a test runs, so that collecting costs no signatures.
FORGED: dict[str, Any] = {
    "alg none": unsigned,
    "alg None in another case": lambda: unsigned(alg="nOnE"),
    "alg none with a signature": lambda: unsigned() + segment(b"x").decode(),
    "alg missing": lambda: token(alg=None),
    "alg a list": lambda: token(alg=["RS256"]),
    "alg an object": lambda: token(alg={"a": 1}),
    "alg unknown": lambda: token(alg="RS1"),
    "alg not on the list though of the key's type": lambda: token(alg="PS256"),
    "HS256 with the public key as the secret": lambda: token(key=idp.public_pem("rsa"), kid="rsa"),
    "HS256 with the public key's JWK as the secret": lambda: token(
        key=json.dumps(idp.public_jwk("rsa")).encode(), kid="rsa"
    ),
    "HS256 with an empty secret": lambda: token(key=b"", kid="rsa"),
    "a stranger's key under the provider's kid": lambda: token(key="stranger", kid="rsa"),
    "a stranger's key under its own kid": lambda: token(key="stranger"),
    "no kid where there are several keys": lambda: token(kid=None),
    "kid of an EC key for RS256": lambda: token(kid="ec"),
    "kid of an RSA key for ES256": lambda: token(key="ec", kid="rsa"),
    "kid of an EC key for EdDSA": lambda: token(key="ed", kid="ec"),
    "ES256 that says RS256": lambda: token(key="ec", alg="RS256"),
    "ES256 with the kid of an Ed25519 key": lambda: token(key="ec", kid="ed"),
    "kid a number": lambda: token(kid=1),
    "kid an object": lambda: token(kid={"a": 1}),
    "kid a path": lambda: token(kid="../../../../dev/null"),
    "kid with a lone surrogate": lambda: token(kid="\ud800"),
    "kid with NUL": lambda: token(kid="rsa\x00"),
    "jwk in the header": lambda: token(key="stranger", jwk=idp.public_jwk("stranger")),
    "jku in the header": lambda: token(key="stranger", jku="https://evil.example/jwks"),
    "x5u in the header": lambda: token(key="stranger", x5u="https://evil.example/cert"),
    "crit that nobody knows": lambda: token(crit=["exp"], exp=NOW + 300),
    "crit empty": lambda: token(crit=[]),
    "b64 false": lambda: token(b64=False, crit=["b64"]),
    "b64 false with an empty payload": lambda: token(b"", b64=False, crit=["b64"]),
    "payload changed": tampered,
    "signature cut off": lambda: token().rpartition(".")[0] + ".",
    "signature shortened": lambda: token()[:-8],
    "signature not base64": lambda: token().rpartition(".")[0] + ".!!!!",
    "two segments": lambda: token().rpartition(".")[0],
    "four segments": lambda: token() + ".abcd",
    "five segments, as encrypted ones have": lambda: "e30.e30.e30.e30.e30",
    "no segments": lambda: "token",
    "only dots": lambda: "..",
    "header not JSON": lambda: segment(b"{").decode() + ".e30.e30",
    "header an array": lambda: segment([]).decode() + ".e30.e30",
    "header null": lambda: segment(None).decode() + ".e30.e30",
    "header not UTF-8": lambda: segment(b'{"alg":"\xff"}').decode() + ".e30.e30",
    "header nested 2,000 deep": lambda: segment(deep(2000)).decode() + ".e30.e30",
    "payload not JSON": lambda: token(b"{"),
    "payload an array": lambda: token(b"[]"),
    "payload a string": lambda: token(b'"alice"'),
    "payload not UTF-8": lambda: token(b'{"sub":"\xff\xfe"}'),
    "payload nested 4,000 deep": lambda: token(deep(4000)),
    "200 KB of garbage": lambda: "a" * 200_000,
    "200 KB of dots": lambda: "." * 200_000,
    "a good token of 200 KB": lambda: token(claims(padding="x" * 200_000)),
    "letters outside ASCII": lambda: "tökén.ÿ.þ",
    "no iss": lambda: token(without("iss")),
    "iss of another": lambda: token(claims(iss="https://evil.example")),
    "iss with a slash more": lambda: token(claims(iss=idp.ISSUER + "/")),
    "iss a list": lambda: token(claims(iss=[idp.ISSUER])),
    "no aud": lambda: token(without("aud")),
    "aud of another": lambda: token(claims(aud="others")),
    "aud a list of others": lambda: token(claims(aud=["others", "boards2"])),
    "aud an empty list": lambda: token(claims(aud=[])),
    "aud an object": lambda: token(claims(aud={idp.AUDIENCE: 1})),
    "aud a list with numbers": lambda: token(claims(aud=[idp.AUDIENCE, 1])),
    "no exp": lambda: token(without("exp")),
    "exp null": lambda: token(raw_claims(exp="null")),
    "exp over": lambda: token(claims(exp=NOW - 3600)),
    "exp over by more than the leeway": lambda: token(claims(exp=int(time.time()) - 40)),
    "exp a string": lambda: token(claims(exp=str(NOW + 300))),
    "exp a word": lambda: token(claims(exp="tomorrow")),
    "exp a date": lambda: token(claims(exp="2099-01-01T00:00:00Z")),
    "exp true": lambda: token(claims(exp=True)),
    "exp a list": lambda: token(claims(exp=[NOW + 300])),
    "exp 1e400": lambda: token(raw_claims(exp="1e400")),
    "exp Infinity": lambda: token(raw_claims(exp="Infinity")),
    "exp NaN": lambda: token(raw_claims(exp="NaN")),
    "exp of 5,000 digits": lambda: token(raw_claims(exp="9" * 5000)),
    "exp beyond the year 9999": lambda: token(claims(exp=253_402_300_800)),
    "exp 1e30": lambda: token(raw_claims(exp="1e30")),
    "exp negative": lambda: token(claims(exp=-1)),
    "nbf in the future": lambda: token(claims(nbf=NOW + 3600)),
    "nbf a string": lambda: token(claims(nbf=str(NOW))),
    "nbf null": lambda: token(raw_claims(nbf="null")),
    "iat in the future": lambda: token(claims(iat=NOW + 3600)),
    "iat a word": lambda: token(claims(iat="now")),
    "iat true": lambda: token(claims(iat=True)),
    "iat 1e400": lambda: token(raw_claims(iat="1e400")),
    "no sub": lambda: token(without("sub")),
    "sub null": lambda: token(raw_claims(sub="null")),
    "sub empty": lambda: token(claims(sub="")),
    "sub a number": lambda: token(claims(sub=5)),
    "sub a list": lambda: token(claims(sub=["alice"])),
    "sub of 256 characters": lambda: token(claims(sub="a" * 256)),
    "sub of 3,000 characters": lambda: token(claims(sub="a" * 3000)),
    "sub with a lone surrogate": lambda: token(claims(sub="\ud800")),
    "sub with NUL": lambda: token(claims(sub="alice\x00")),
    "sub with a newline at its end": lambda: token(claims(sub="alice\n")),
    "sub with a slash": lambda: token(claims(sub="alice/bob")),
    "sub with a space": lambda: token(claims(sub=" alice")),
    "sub in letters outside ASCII": lambda: token(claims(sub="аlice")),
    "sub me": lambda: token(claims(sub="me")),
    "sub system": lambda: token(claims(sub="system")),
    "sub .": lambda: token(claims(sub=".")),
    "sub ..": lambda: token(claims(sub="..")),
    "sub twice": lambda: token(raw_claims()[:-1] + b',"sub":"bob"}'),
    "exp twice": lambda: token(raw_claims()[:-1] + f',"exp":{NOW + 999}}}'.encode()),
    "a claim within a claim twice": lambda: token(raw_claims(act='{"sub":"a","sub":"b"}')),
    "jti a number": lambda: token(claims(jti=5)),
    "two tokens joined by a comma": lambda: f"{token()},{token()}",
    "two headers joined": lambda: f"{token()}, Bearer {token()}",
    "two tokens": lambda: f"{token()} {token()}",
    "a comma after it": lambda: f"{token()},",
    "quoted": lambda: f'"{token()}"',
}


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("name", FORGED)
def test_a_forged_token_is_a_401_and_makes_no_account(name: str) -> None:
    before = set(Account.objects.values_list("pk", flat=True))
    response = who("Bearer " + FORGED[name]())
    body = response.json()
    assert (response.status_code, body["code"]) == (401, "invalid_token")
    assert body.keys() == {"code", "message", "meta"}
    assert body["meta"]["requestId"] == response["X-Request-Id"]
    assert response["WWW-Authenticate"] == 'Bearer realm="api", error="invalid_token"'
    assert set(Account.objects.values_list("pk", flat=True)) == before


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("path", ["/api/themes", "/api/auction-systems", "/api/boards"])
@pytest.mark.parametrize("header", ["Bearer", "bearer ", "Bearer nonsense"])
def test_a_bad_token_is_refused_on_public_routes_too(path: str, header: str) -> None:
    response = who(header, path)
    assert (response.status_code, response.json()["code"]) == (401, "invalid_token")


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize(
    "header", ["", "Basic YTpi", "Digest x", "Bearerer x", "ApiKey x", "Token abc", "Basic"]
)
def test_another_scheme_is_anonymous(header: str) -> None:
    assert who(header, "/api/auction-systems").status_code == 200
    refused = who(header)
    assert (refused.status_code, refused.json()["code"]) == (401, "not_authenticated")
    assert refused["WWW-Authenticate"] == 'Bearer realm="api"'


GOOD: dict[str, Any] = {
    "RS256": token,
    "ES256": lambda: token(key="ec"),
    "EdDSA": lambda: token(key="ed"),
    "by a provider's library": lambda: idp.encode(claims()),
    "aud a list with ours": lambda: token(claims(aud=["others", idp.AUDIENCE])),
    "no iat": lambda: token(without("iat")),
    "exp with a fraction": lambda: token(claims(exp=time.time() + 300)),
    "exp in the last second of the year 9999": lambda: token(claims(exp=253_402_300_799)),
    "exp over within the leeway": lambda: token(claims(exp=int(time.time()) - 15)),
    "nbf and iat ahead within the leeway": lambda: token(
        claims(nbf=int(time.time()) + 20, iat=int(time.time()) + 20)
    ),
    "unknown claims": lambda: token(claims(is_staff=True, role="admin", groups=["admin"])),
}


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("name", GOOD)
def test_a_good_token_is_let_in_as_a_member(name: str) -> None:
    response = who("Bearer " + GOOD[name]())
    assert response.status_code == 200, response.content
    assert (response.json()["id"], response.json()["role"]) == ("alice", "member")


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("sub", ["a" * 255, "auth0|5f7c", "A-Z.a_z~0:9@x+y", "Me", "..."])
def test_every_permitted_subject_is_an_account_with_that_id(sub: str) -> None:
    assert who("Bearer " + token(claims(sub=sub))).json()["id"] == sub


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "bEaReR", "Bearer  "])
def test_the_scheme_is_read_in_any_case(scheme: str) -> None:
    assert who(f"{scheme} {token()}").status_code == 200


@pytest.mark.usefixtures("deployed")
@given(st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=80))
@settings(deadline=None, max_examples=150)
def test_no_authorization_header_makes_an_error_of_the_service(text: str) -> None:
    assert who(f"Bearer {text}", "/api/auction-systems").status_code == 401
    assert who(text, "/api/auction-systems").status_code in (200, 401)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(["iss", "aud", "exp", "nbf", "iat", "sub", "jti", "typ", "x"])


@pytest.mark.usefixtures("deployed")
@given(st.dictionaries(names, json_values, max_size=4))
@settings(deadline=None, max_examples=150)
def test_no_signed_claims_make_an_error_of_the_service(changes: dict[str, Any]) -> None:
    try:
        found = verifier().verify(token({**claims(), **changes}, key="ed").encode())
    except InvalidToken:
        return
    assert isinstance(found["sub"], str)


@pytest.mark.usefixtures("deployed")
@given(
    st.dictionaries(
        st.sampled_from(["alg", "kid", "typ", "crit", "b64", "jwk", "x5c"]), json_values, max_size=3
    )
)
@settings(deadline=None, max_examples=150)
def test_no_header_makes_an_error_of_the_service(header: dict[str, Any]) -> None:
    assert who("Bearer " + token(key="ed", **header), "/api/auction-systems").status_code in (200, 401)


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize(
    ("typ", "status"),
    [
        ("at+jwt", 200),
        ("AT+JWT", 200),
        ("application/at+jwt", 200),
        ("JWT", 401),
        (None, 401),
        (5, 401),
        ("", 401),
    ],
)
def test_where_a_token_type_is_named_others_are_refused(typ: Any, status: int, settings: Any) -> None:
    settings.JWT_TOKEN_TYPE = "at+jwt"
    assert who("Bearer " + token(typ=typ)).status_code == status


@pytest.mark.usefixtures("deployed")
def test_the_algorithms_can_be_narrowed(settings: Any) -> None:
    settings.JWT_ALGORITHMS = ["ES256"]
    assert who("Bearer " + token(key="ec")).status_code == 200
    assert who("Bearer " + token(key="rsa")).status_code == 401


@pytest.fixture
def shared(settings: Any) -> None:
    """A deployment whose provider signs with a shared secret."""
    settings.JWT_SHARED_SECRET = SECRET.decode()
    settings.JWT_ISSUER, settings.JWT_AUDIENCE, settings.DEVELOPMENT_TOKENS = idp.ISSUER, idp.AUDIENCE, False


@pytest.mark.usefixtures("shared")
def test_a_shared_secret_signs_with_hs256_whatever_kid_the_token_names() -> None:
    assert who("Bearer " + token(key=SECRET)).status_code == 200
    assert who("Bearer " + token(key=SECRET, kid="any")).status_code == 200


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(
    "forged",
    [
        lambda: token(key=b"another secret of at least 32 characters"),
        lambda: token(key=SECRET, alg="HS512"),
        lambda: token(key="rsa", alg="HS256"),
        lambda: token(key="rsa"),
        unsigned,
        lambda: token(claims(aud="others"), key=SECRET),
        lambda: token(claims(iss="https://evil.example"), key=SECRET),
        lambda: token(without("exp"), key=SECRET),
        lambda: issue_development_token("alice", timedelta(hours=1)),
    ],
)
def test_a_shared_secret_lets_nothing_else_in(forged: Any) -> None:
    assert who("Bearer " + forged()).json()["code"] == "invalid_token"
    assert not Account.objects.filter(pk="alice").exists()


@pytest.mark.usefixtures("deployed")
def test_a_development_token_means_nothing_to_a_deployment_with_a_provider(settings: Any) -> None:
    assert who("Bearer " + issue_development_token("alice", timedelta(hours=1))).status_code == 401


def test_a_development_token_is_let_in_where_they_are_made() -> None:
    assert who("Bearer " + issue_development_token("alice", timedelta(hours=1))).json()["id"] == "alice"


@pytest.mark.parametrize("forged", [unsigned, token, lambda: token(key="ec"), lambda: token(key=SECRET)])
def test_the_development_key_lets_no_other_key_in(forged: Any) -> None:
    assert who("Bearer " + forged()).json()["code"] == "invalid_token"


def test_an_expired_development_token_is_refused() -> None:
    assert who("Bearer " + issue_development_token("alice", timedelta(hours=-1))).status_code == 401


def test_the_development_key_is_its_owners_alone() -> None:
    development_private_key()
    assert Path(current.DEVELOPMENT_KEY_FILE).stat().st_mode & 0o777 == 0o600


def test_threads_that_make_the_development_key_at_once_all_have_the_same(
    settings: Any, tmp_path: Path
) -> None:
    settings.DEVELOPMENT_KEY_FILE = tmp_path / "key.pem"
    found: list[int] = []
    start = threading.Barrier(8)

    def make() -> None:
        start.wait()
        found.append(development_private_key().private_numbers().private_value)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key.pem"]
