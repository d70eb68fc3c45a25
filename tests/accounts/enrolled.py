"""An authenticator app: it reads what an operator's command has printed, and computes codes."""

import base64
import time
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP


def secret_of(printed: str) -> bytes:
    """Return the secret of the otpauth address among the lines. Require that the groups to type are the same."""
    address, groups = printed.split("shown this once:\n")[1].split("\n")[:2]
    (secret,) = parse_qs(urlsplit(address.strip()).query)["secret"]
    assert groups.replace(" ", "") == secret
    return base64.b32decode(secret)


def code_at(secret: bytes, steps: int = 0) -> str:
    """Return the code of now, or of some steps of half a minute later."""
    return TOTP(secret, 6, SHA1(), 30).generate(int(time.time()) + 30 * steps).decode()
