"""Bearer tokens that must be refused where an identity provider signs with the keys of tests.identity_provider."""

import json
import string
import time
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1
from jwt.utils import base64url_decode, raw_to_der_signature

from tests import identity_provider as idp
from tests.identity_provider import claims, segment, signed, token, unsigned, without

PARTS = ("protected", "payload", "signature")
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"


def now() -> int:
    return int(time.time())


def raw_claims(**members: str) -> bytes:
    """Write claims as JSON that json.dumps would not write."""
    good = {name: json.dumps(value) for name, value in claims().items()}
    return b"{" + ",".join(f'"{name}":{text}' for name, text in {**good, **members}.items()).encode() + b"}"


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
    return ".".join([segment(header).decode(), *["QUJDREVGR0hJSktM"] * 4])


def deep(levels: int) -> bytes:
    return b'{"a":' + b"[" * levels + b"]" * levels + b"}"


# Made when a test runs, so that collecting costs no signatures.
FORGED: dict[str, Any] = {
    "alg none": unsigned,
    "alg None in another case": lambda: unsigned(alg="nOnE"),
    "alg none with a signature": lambda: unsigned() + segment(b"x").decode(),
    "alg missing": lambda: token(alg=None),
    "alg twice": lambda: signed(b'{"alg":"none","alg":"RS256","kid":"rsa"}', claims()),
    "alg in lower case": lambda: token(alg="rs256"),
    "alg with a space": lambda: token(alg="RS256 "),
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
    "ES256 with a signature of zeros": lambda: zeros("ec"),
    "EdDSA with a signature of zeros": lambda: zeros("ed"),
    "ES256 with the signature in DER": in_der,
    "kid twice": lambda: signed(b'{"alg":"RS256","kid":"ec","kid":"rsa"}', claims()),
    "kid in another case": lambda: token(kid="RSA"),
    "kid empty": lambda: token(kid=""),
    "kid null": lambda: signed(b'{"alg":"RS256","kid":null}', claims()),
    "kid a number": lambda: token(kid=1),
    "kid an object": lambda: token(kid={"a": 1}),
    "kid a path": lambda: token(kid="../../../../dev/null"),
    "kid with a lone surrogate": lambda: token(kid="\ud800"),
    "kid with NUL": lambda: token(kid="rsa\x00"),
    "jwk in the header": lambda: token(key="stranger", jwk=idp.public_jwk("stranger")),
    "jku in the header": lambda: token(key="stranger", jku="https://evil.example/jwks"),
    "x5u in the header": lambda: token(key="stranger", x5u="https://evil.example/cert"),
    "jwk beside the provider's kid": lambda: token(
        key="stranger", kid="rsa", jwk={**idp.public_jwk("stranger"), "kid": "rsa"}
    ),
    "jku beside the provider's kid": lambda: token(key="stranger", kid="rsa", jku="https://evil.example/jwks"),
    "x5c in the header": lambda: token(key="stranger", kid="rsa", x5c=["MIIB"]),
    "crit that names a registered header": lambda: token(crit=["kid"]),
    "crit a string": lambda: token(crit="b64"),
    "crit null": lambda: signed(b'{"alg":"RS256","kid":"rsa","crit":null}', claims()),
    "crit of numbers": lambda: token(crit=[1]),
    "crit that nobody knows": lambda: token(crit=["exp"], exp=now() + 300),
    "crit empty": lambda: token(crit=[]),
    "b64 false": lambda: token(b64=False, crit=["b64"]),
    "b64 false with an empty payload": lambda: token(b"", b64=False, crit=["b64"]),
    "b64 false without crit": lambda: token(b64=False),
    "payload changed": tampered,
    "header changed": lambda: segment({"alg": "RS256", "kid": "rsa"}).decode() + token()[token().index(".") :],
    "signature of another token": lambda: token().rpartition(".")[0] + "." + token(key="ed").rpartition(".")[2],
    "signature written in another way": another_spelling,
    "signature cut off": lambda: token().rpartition(".")[0] + ".",
    "signature shortened": lambda: token()[:-8],
    "signature not base64": lambda: token().rpartition(".")[0] + ".!!!!",
    "two segments": lambda: token().rpartition(".")[0],
    "four segments": lambda: token() + ".abcd",
    "five segments, as encrypted ones have": lambda: "e30.e30.e30.e30.e30",
    "encrypted": lambda: encrypted(alg="RSA-OAEP-256", enc="A256GCM", kid="rsa"),
    "encrypted, a signed token within": lambda: encrypted(alg="RSA-OAEP-256", enc="A256GCM", kid="rsa", cty="JWT"),
    "encrypted by a password that takes long to try": lambda: encrypted(
        alg="PBES2-HS256+A128KW", enc="A128GCM", p2c=2_000_000_000, p2s="c2FsdA"
    ),
    "encrypted under an accepted alg": lambda: encrypted(alg="RS256", enc="A256GCM", kid="rsa"),
    "as JSON, not compact": lambda: json.dumps(dict(zip(PARTS, token().split("."), strict=True))),
    "no segments": lambda: "token",
    "nothing": lambda: "",
    "only dots": lambda: "..",
    "header not JSON": lambda: segment(b"{").decode() + ".e30.e30",
    "header an array": lambda: segment([]).decode() + ".e30.e30",
    "header null": lambda: segment(None).decode() + ".e30.e30",
    "header not UTF-8": lambda: segment(b'{"alg":"\xff"}').decode() + ".e30.e30",
    "header nested 2,000 deep": lambda: segment(deep(2000)).decode() + ".e30.e30",
    "header after a byte order mark": lambda: signed(b'\xef\xbb\xbf{"alg":"RS256","kid":"rsa"}', claims()),
    "header in UTF-16": lambda: signed('{"alg":"RS256","kid":"rsa"}'.encode("utf-16"), claims()),
    "payload after a byte order mark": lambda: token(b"\xef\xbb\xbf" + raw_claims()),
    "payload in UTF-16": lambda: token(raw_claims().decode().encode("utf-16")),
    "payload empty": lambda: token(b""),
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
    "exp over": lambda: token(claims(exp=now() - 3600)),
    "exp over by more than the leeway": lambda: token(claims(exp=now() - 40)),
    "exp a string": lambda: token(claims(exp=str(now() + 300))),
    "exp a word": lambda: token(claims(exp="tomorrow")),
    "exp a date": lambda: token(claims(exp="2099-01-01T00:00:00Z")),
    "exp false": lambda: token(claims(exp=False)),
    "exp an object": lambda: token(claims(exp={"a": 1})),
    "exp true": lambda: token(claims(exp=True)),
    "exp a list": lambda: token(claims(exp=[now() + 300])),
    "exp 1e400": lambda: token(raw_claims(exp="1e400")),
    "exp Infinity": lambda: token(raw_claims(exp="Infinity")),
    "exp NaN": lambda: token(raw_claims(exp="NaN")),
    "exp of 5,000 digits": lambda: token(raw_claims(exp="9" * 5000)),
    "exp beyond the year 9999": lambda: token(claims(exp=253_402_300_800)),
    "exp 1e30": lambda: token(raw_claims(exp="1e30")),
    "exp beyond the year 9999 by a fraction": lambda: token(raw_claims(exp="253402300799.5")),
    "exp negative": lambda: token(claims(exp=-1)),
    "exp negative with a fraction": lambda: token(claims(exp=-1.5)),
    "exp minus Infinity": lambda: token(raw_claims(exp="-Infinity")),
    "exp zero": lambda: token(claims(exp=0)),
    "nbf in the future": lambda: token(claims(nbf=now() + 3600)),
    "nbf in the future by more than the leeway": lambda: token(claims(nbf=now() + 45)),
    "nbf true": lambda: token(claims(nbf=True)),
    "nbf negative": lambda: token(claims(nbf=-1)),
    "nbf 1e400": lambda: token(raw_claims(nbf="1e400")),
    "nbf a string": lambda: token(claims(nbf=str(now()))),
    "nbf null": lambda: token(raw_claims(nbf="null")),
    "iat in the future": lambda: token(claims(iat=now() + 3600)),
    "iat negative": lambda: token(claims(iat=-1)),
    "iat a string": lambda: token(claims(iat=str(now()))),
    "iat beyond the year 9999": lambda: token(claims(iat=253_402_300_800)),
    "iat a word": lambda: token(claims(iat="now")),
    "iat true": lambda: token(claims(iat=True)),
    "iat 1e400": lambda: token(raw_claims(iat="1e400")),
    "no sub": lambda: token(without("sub")),
    "sub null": lambda: token(raw_claims(sub="null")),
    "sub empty": lambda: token(claims(sub="")),
    "sub true": lambda: token(claims(sub=True)),
    "sub an object": lambda: token(claims(sub={"a": "alice"})),
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
    "sub twice, once in escapes": lambda: token(raw_claims()[:-1] + b',"s\\u0075b":"bob"}'),
    "iss twice": lambda: token(raw_claims()[:-1] + b',"iss":"https://evil.example"}'),
    "aud twice": lambda: token(raw_claims()[:-1] + b',"aud":"others"}'),
    "exp twice": lambda: token(raw_claims()[:-1] + f',"exp":{now() + 999}}}'.encode()),
    "a claim within a claim twice": lambda: token(raw_claims(act='{"sub":"a","sub":"b"}')),
    "jti a number": lambda: token(claims(jti=5)),
    "two tokens joined by a comma": lambda: f"{token()},{token()}",
    "two headers joined": lambda: f"{token()}, Bearer {token()}",
    "two tokens": lambda: f"{token()} {token()}",
    "a comma after it": lambda: f"{token()},",
    "quoted": lambda: f'"{token()}"',
}
