"""Every forged token is a 401 in the contract's shape, never a 5xx, and makes no account."""

import itertools
import json
import string
import time
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1
from hypothesis import given, settings
from hypothesis import strategies as st
from jwt.utils import base64url_decode, raw_to_der_signature

from accounts.models import Account
from accounts.tokens.verifier import get_verifier
from config.api.errors import InvalidToken
from tests import identity_provider as idp
from tests.accounts.conftest import who
from tests.answers import assert_error
from tests.identity_provider import claims, segment, signed, token, unsigned, without

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("deployed")]

PARTS = ("protected", "payload", "signature")
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"


def now() -> int:
    return int(time.time())


def raw_claims(**members: str) -> bytes:
    """Write claims as JSON that json.dumps would not write."""
    good = {name: json.dumps(value) for name, value in claims().items()}
    return b"{" + ",".join(f'"{name}":{text}' for name, text in {**good, **members}.items()).encode() + b"}"


def claiming(**changes: Any) -> str:
    return token(claims(**changes))


def written(**members: str) -> str:
    return token(raw_claims(**members))


def stranger(**header: Any) -> str:
    return token(key="stranger", **header)


def tampered() -> str:
    head, _, signature = token().split(".")
    return f"{head}.{segment(claims(sub='admin')).decode()}.{signature}"


def zeros(kid: str) -> str:
    """Sign with zeros, which CVE-2022-21449 let through."""
    return token(key=kid).rpartition(".")[0] + "." + segment(bytes(64)).decode()


def in_der() -> str:
    """Write the signature in DER, where RFC 7518 §3.4 wants the two numbers bare."""
    content, _, signature = token(key="ec").rpartition(".")
    return f"{content}.{segment(raw_to_der_signature(base64url_decode(signature), SECP256R1())).decode()}"


def another_spelling() -> str:
    """Change the four bits in the last letter of the signature that mean nothing. They must be zero."""
    good = token()
    return good[:-1] + ALPHABET[ALPHABET.index(good[-1]) + 1]


def encrypted(**header: Any) -> str:
    """Write the five segments of a JWE."""
    full = {"enc": "A256GCM", "kid": "rsa", "p2s": "c2FsdA", **header}
    return ".".join([segment(full).decode(), *["QUJDREVGR0hJSktM"] * 4])


def jwk_text(kid: str) -> bytes:
    return json.dumps(idp.public_jwk(kid)).encode()


def deep(levels: int) -> bytes:
    return b'{"a":' + b"[" * levels + b"]" * levels + b"}"


# Made when a test runs, so that collecting costs no signatures.
FORGED: dict[str, Any] = {
    "alg none": unsigned, "alg None in another case": lambda: unsigned(alg="nOnE"),
    "alg none with a signature": lambda: unsigned() + segment(b"x").decode(), "alg missing": lambda: token(alg=None),
    "alg twice": lambda: signed(b'{"alg":"none","alg":"RS256","kid":"rsa"}', claims()),
    "alg in lower case": lambda: token(alg="rs256"), "alg with a space": lambda: token(alg="RS256 "),
    "alg a list": lambda: token(alg=["RS256"]), "alg an object": lambda: token(alg={"a": 1}),
    "alg unknown": lambda: token(alg="RS1"), "alg not on the list though of the key's type": lambda: token(alg="PS256"),
    "HS256 with the public key as the secret": lambda: token(key=idp.public_pem("rsa"), kid="rsa"),
    "HS256 with the public key's JWK as the secret": lambda: token(key=jwk_text("rsa"), kid="rsa"),
    "HS256 with an empty secret": lambda: token(key=b"", kid="rsa"),
    "a stranger's key under the provider's kid": lambda: stranger(kid="rsa"),
    "a stranger's key under its own kid": lambda: token(key="stranger"),
    "no kid where there are several keys": lambda: token(kid=None),
    "kid of an EC key for RS256": lambda: token(kid="ec"),
    "kid of an RSA key for ES256": lambda: token(key="ec", kid="rsa"),
    "kid of an EC key for EdDSA": lambda: token(key="ed", kid="ec"),
    "ES256 that says RS256": lambda: token(key="ec", alg="RS256"),
    "ES256 with the kid of an Ed25519 key": lambda: token(key="ec", kid="ed"),
    "ES256 with a signature of zeros": lambda: zeros("ec"), "EdDSA with a signature of zeros": lambda: zeros("ed"),
    "ES256 with the signature in DER": in_der,
    "kid twice": lambda: signed(b'{"alg":"RS256","kid":"ec","kid":"rsa"}', claims()),
    "kid in another case": lambda: token(kid="RSA"), "kid empty": lambda: token(kid=""),
    "kid null": lambda: signed(b'{"alg":"RS256","kid":null}', claims()), "kid a number": lambda: token(kid=1),
    "kid an object": lambda: token(kid={"a": 1}), "kid a path": lambda: token(kid="../../../../dev/null"),
    "kid with a lone surrogate": lambda: token(kid="\ud800"), "kid with NUL": lambda: token(kid="rsa\x00"),
    "jwk in the header": lambda: stranger(jwk=idp.public_jwk("stranger")),
    "jku in the header": lambda: stranger(jku="https://evil.example/jwks"),
    "x5u in the header": lambda: stranger(x5u="https://evil.example/cert"),
    "jwk beside the provider's kid": lambda: stranger(kid="rsa", jwk={**idp.public_jwk("stranger"), "kid": "rsa"}),
    "jku beside the provider's kid": lambda: stranger(kid="rsa", jku="https://evil.example/jwks"),
    "x5c in the header": lambda: stranger(kid="rsa", x5c=["MIIB"]),
    "crit that names a registered header": lambda: token(crit=["kid"]), "crit a string": lambda: token(crit="b64"),
    "crit null": lambda: signed(b'{"alg":"RS256","kid":"rsa","crit":null}', claims()),
    "crit of numbers": lambda: token(crit=[1]), "crit that nobody knows": lambda: token(crit=["exp"], exp=now() + 300),
    "crit empty": lambda: token(crit=[]), "b64 false": lambda: token(b64=False, crit=["b64"]),
    "b64 false with an empty payload": lambda: token(b"", b64=False, crit=["b64"]),
    "b64 false without crit": lambda: token(b64=False), "payload changed": tampered,
    "header changed": lambda: segment({"alg": "RS256", "kid": "rsa"}).decode() + token()[token().index(".") :],
    "signature of another token": lambda: token().rpartition(".")[0] + "." + token(key="ed").rpartition(".")[2],
    "signature written in another way": another_spelling, "signature cut off": lambda: token().rpartition(".")[0] + ".",
    "signature shortened": lambda: token()[:-8], "signature not base64": lambda: token().rpartition(".")[0] + ".!!!!",
    "two segments": lambda: token().rpartition(".")[0], "four segments": lambda: token() + ".abcd",
    "five segments, as encrypted ones have": lambda: "e30.e30.e30.e30.e30",
    "encrypted": lambda: encrypted(alg="RSA-OAEP-256"),
    "encrypted, a signed token within": lambda: encrypted(alg="RSA-OAEP-256", cty="JWT"),
    "encrypted by a password that takes long to try": lambda: encrypted(alg="PBES2-HS256+A128KW", p2c=2_000_000_000),
    "encrypted under an accepted alg": lambda: encrypted(alg="RS256"),
    "as JSON, not compact": lambda: json.dumps(dict(zip(PARTS, token().split("."), strict=True))),
    "no segments": lambda: "token", "nothing": lambda: "", "only dots": lambda: "..",
    "header not JSON": lambda: segment(b"{").decode() + ".e30.e30",
    "header an array": lambda: segment([]).decode() + ".e30.e30",
    "header null": lambda: segment(None).decode() + ".e30.e30",
    "header not UTF-8": lambda: segment(b'{"alg":"\xff"}').decode() + ".e30.e30",
    "header nested 2,000 deep": lambda: segment(deep(2000)).decode() + ".e30.e30",
    "header after a byte order mark": lambda: signed(b'\xef\xbb\xbf{"alg":"RS256","kid":"rsa"}', claims()),
    "header in UTF-16": lambda: signed('{"alg":"RS256","kid":"rsa"}'.encode("utf-16"), claims()),
    "payload after a byte order mark": lambda: token(b"\xef\xbb\xbf" + raw_claims()),
    "payload in UTF-16": lambda: token(raw_claims().decode().encode("utf-16")), "payload empty": lambda: token(b""),
    "payload not JSON": lambda: token(b"{"), "payload an array": lambda: token(b"[]"),
    "payload a string": lambda: token(b'"alice"'), "payload not UTF-8": lambda: token(b'{"sub":"\xff\xfe"}'),
    "payload nested 4,000 deep": lambda: token(deep(4000)), "200 KB of garbage": lambda: "a" * 200_000,
    "200 KB of dots": lambda: "." * 200_000, "a good token of 200 KB": lambda: claiming(padding="x" * 200_000),
    "letters outside ASCII": lambda: "tökén.ÿ.þ", "no iss": lambda: token(without("iss")),
    "iss of another": lambda: claiming(iss="https://evil.example"),
    "iss with a slash more": lambda: claiming(iss=idp.ISSUER + "/"), "iss a list": lambda: claiming(iss=[idp.ISSUER]),
    "no aud": lambda: token(without("aud")), "aud of another": lambda: claiming(aud="others"),
    "aud a list of others": lambda: claiming(aud=["others", "boards2"]), "aud an empty list": lambda: claiming(aud=[]),
    "aud an object": lambda: claiming(aud={idp.AUDIENCE: 1}),
    "aud a list with numbers": lambda: claiming(aud=[idp.AUDIENCE, 1]), "no exp": lambda: token(without("exp")),
    "exp null": lambda: written(exp="null"), "exp over": lambda: claiming(exp=now() - 3600),
    "exp over by more than the leeway": lambda: claiming(exp=now() - 40),
    "exp a string": lambda: claiming(exp=str(now() + 300)), "exp a word": lambda: claiming(exp="tomorrow"),
    "exp a date": lambda: claiming(exp="2099-01-01T00:00:00Z"), "exp false": lambda: claiming(exp=False),
    "exp an object": lambda: claiming(exp={"a": 1}), "exp true": lambda: claiming(exp=True),
    "exp a list": lambda: claiming(exp=[now() + 300]), "exp 1e400": lambda: written(exp="1e400"),
    "exp Infinity": lambda: written(exp="Infinity"), "exp NaN": lambda: written(exp="NaN"),
    "exp of 5,000 digits": lambda: written(exp="9" * 5000),
    "exp beyond the year 9999": lambda: claiming(exp=253_402_300_800), "exp 1e30": lambda: written(exp="1e30"),
    "exp beyond the year 9999 by a fraction": lambda: written(exp="253402300799.5"),
    "exp negative": lambda: claiming(exp=-1), "exp negative with a fraction": lambda: claiming(exp=-1.5),
    "exp minus Infinity": lambda: written(exp="-Infinity"), "exp zero": lambda: claiming(exp=0),
    "nbf in the future": lambda: claiming(nbf=now() + 3600),
    "nbf in the future by more than the leeway": lambda: claiming(nbf=now() + 45),
    "nbf true": lambda: claiming(nbf=True), "nbf negative": lambda: claiming(nbf=-1),
    "nbf 1e400": lambda: written(nbf="1e400"), "nbf a string": lambda: claiming(nbf=str(now())),
    "nbf null": lambda: written(nbf="null"), "iat in the future": lambda: claiming(iat=now() + 3600),
    "iat negative": lambda: claiming(iat=-1), "iat a string": lambda: claiming(iat=str(now())),
    "iat beyond the year 9999": lambda: claiming(iat=253_402_300_800), "iat a word": lambda: claiming(iat="now"),
    "iat true": lambda: claiming(iat=True), "iat 1e400": lambda: written(iat="1e400"),
    "no sub": lambda: token(without("sub")), "sub null": lambda: written(sub="null"),
    "sub empty": lambda: claiming(sub=""), "sub true": lambda: claiming(sub=True),
    "sub an object": lambda: claiming(sub={"a": "alice"}), "sub a number": lambda: claiming(sub=5),
    "sub a list": lambda: claiming(sub=["alice"]), "sub of 256 characters": lambda: claiming(sub="a" * 256),
    "sub of 3,000 characters": lambda: claiming(sub="a" * 3000),
    "sub with a lone surrogate": lambda: claiming(sub="\ud800"), "sub with NUL": lambda: claiming(sub="alice\x00"),
    "sub with a newline at its end": lambda: claiming(sub="alice\n"),
    "sub with a slash": lambda: claiming(sub="alice/bob"), "sub with a space": lambda: claiming(sub=" alice"),
    "sub in letters outside ASCII": lambda: claiming(sub="аlice"), "sub me": lambda: claiming(sub="me"),
    "sub system": lambda: claiming(sub="system"), "sub .": lambda: claiming(sub="."),
    "sub ..": lambda: claiming(sub=".."), "sub twice": lambda: token(raw_claims()[:-1] + b',"sub":"bob"}'),
    "sub twice, once in escapes": lambda: token(raw_claims()[:-1] + b',"s\\u0075b":"bob"}'),
    "iss twice": lambda: token(raw_claims()[:-1] + b',"iss":"https://evil.example"}'),
    "aud twice": lambda: token(raw_claims()[:-1] + b',"aud":"others"}'),
    "exp twice": lambda: token(raw_claims()[:-1] + f',"exp":{now() + 999}}}'.encode()),
    "a claim within a claim twice": lambda: written(act='{"sub":"a","sub":"b"}'),
    "jti a number": lambda: claiming(jti=5), "two tokens joined by a comma": lambda: f"{token()},{token()}",
    "two headers joined": lambda: f"{token()}, Bearer {token()}", "two tokens": lambda: f"{token()} {token()}",
    "a comma after it": lambda: f"{token()},", "quoted": lambda: f'"{token()}"',
}  # fmt: skip


def test_a_forged_token_is_a_401_and_makes_no_account(subtests: pytest.Subtests) -> None:
    before = set(Account.objects.values_list("pk", flat=True))
    for name, make in FORGED.items():
        with subtests.test(name):
            get_verifier.cache_clear()  # which knows no kid yet
            response = who("Bearer " + make())
            assert_error(response, 401, "invalid_token")
            assert response["WWW-Authenticate"] == 'Bearer realm="api", error="invalid_token"'
            assert set(Account.objects.values_list("pk", flat=True)) == before


@given(st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=80))
@settings(deadline=None, max_examples=50)
def test_no_authorization_header_makes_an_error_of_the_service(text: str) -> None:
    assert who(f"Bearer {text}", "/api/auction-systems").status_code == 401
    assert who(text, "/api/auction-systems").status_code in (200, 401)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(["iss", "aud", "exp", "nbf", "iat", "sub", "jti", "typ", "x"])


@given(st.dictionaries(names, json_values, max_size=4))
@settings(deadline=None, max_examples=50)
def test_no_signed_claims_make_an_error_of_the_service(changes: dict[str, Any]) -> None:
    try:
        verified = get_verifier().verify(token({**claims(), **changes}, key="ed").encode())
    except InvalidToken:
        return
    assert isinstance(verified["sub"], str)


@given(st.dictionaries(st.sampled_from(["alg", "kid", "typ", "crit", "b64", "jwk", "x5c"]), json_values, max_size=3))
@settings(deadline=None, max_examples=50)
def test_no_header_makes_an_error_of_the_service(header: dict[str, Any]) -> None:
    """Answer 503 to a kid that the provider may have made just now."""
    response = who("Bearer " + token(key="ed", **header), "/api/auction-systems")
    assert response.status_code in (200, 401) or (response.status_code == 503 and response["Retry-After"])


def test_no_address_in_a_token_is_ever_asked_for_keys(provider: idp.Provider) -> None:
    provider.says(idp.key_set("stranger"), path="/evil")
    for header, kid in itertools.product(("jku", "x5u"), ("rsa", "stranger")):
        get_verifier.cache_clear()  # which knows no kid yet
        forged = token(key="stranger", **{"kid": kid, header: f"{provider.url}/evil"})
        assert_error(who(f"Bearer {forged}"), 401, "invalid_token")
    assert "/evil" not in provider.requested
