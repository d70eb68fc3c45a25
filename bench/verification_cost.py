"""`python -m bench.verification_cost`: a token's verification here against PyJWT's alone, in one run.

Both know the key already, and no account is read. The two alternate, twenty verifications each, so that whatever else
the machine does falls on both; it is this thread's processor time that counts, and the ratio is the median of 300 such
pairs.
"""

import os
import statistics
import time
from collections.abc import Callable

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django

django.setup()

import jwt  # noqa: E402

from accounts.tokens.jwks import KeySet, parse_keys  # noqa: E402
from accounts.tokens.verifier import DEFAULT_ALGORITHMS, LEEWAY_SECONDS, Verifier  # noqa: E402
from tests import identity_provider as idp  # noqa: E402

BATCHES, BATCH = 300, 20
PROFILE = {
    "email": "alice@example.org",
    "email_verified": True,
    "name": "Alice A.",
    "given_name": "Alice",
    "family_name": "Ämter",
    "scope": "openid profile email",
    "client_id": "web-application",
    "jti": "x" * 32,
}


def main() -> None:
    source = KeySet("", lambda url: parse_keys([idp.public_jwk(kid) for kid in idp.ALGORITHM_OF]))
    ours = Verifier(source, DEFAULT_ALGORITHMS, idp.ISSUER, idp.AUDIENCE)
    say("algorithm  bytes   ours  PyJWT alone  ratio   (µs, medians)")
    for kid, algorithm in idp.ALGORITHM_OF.items():
        key = source.get_keys(kid)[0].key
        for extra in ({}, PROFILE):
            token = idp.encode(idp.claims(**extra), kid).encode()

            def verify(token: bytes = token) -> None:
                ours.verify(token)

            def bare(token: bytes = token, key: object = key, algorithm: str = algorithm) -> None:
                jwt.decode(
                    token,
                    key,
                    algorithms=[algorithm],
                    audience=idp.AUDIENCE,
                    issuer=idp.ISSUER,
                    leeway=LEEWAY_SECONDS,
                    options={"require": ["exp", "sub"]},
                )

            microseconds(verify), microseconds(bare)  # the first calls prepare the key
            pairs = [(microseconds(verify), microseconds(bare)) for _ in range(BATCHES)]
            mine, theirs = (statistics.median(times) for times in zip(*pairs, strict=True))
            ratio = statistics.median(one / other for one, other in pairs)
            say(f"{algorithm:9} {len(token):6} {mine:6.1f} {theirs:12.1f} {ratio:6.2f}")


def microseconds(call: Callable[[], None]) -> float:
    """Return the processor time of one call in microseconds."""
    begin = time.thread_time()
    for _ in range(BATCH):
        call()
    return (time.thread_time() - begin) / BATCH * 1e6


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
