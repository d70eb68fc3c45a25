"""One-time codes (RFC 6238), the second factor of the admin's passwords: enrolled by an operator, each good once.

accounts.backends asks for them, docs/reliability/sign-in.md says what is promised.
"""

import base64
import logging
import secrets
import time
from urllib.parse import urlsplit

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import OneTimeCode, Session
from accounts.signing_in.logins import end_sessions
from config.edge.security.security_log import log_change, log_security

DIGITS, STEP_SECONDS = 6, 30
TOLERANCE = 1
"""The steps before and after the present one whose codes are accepted, since clocks differ (RFC 6238, 5.2)."""

SECRET_BYTES = 20
"""The 160 bits that RFC 4226 recommends."""


def find_step(enrolled: OneTimeCode | None, code: str) -> int | None:
    """Return the step whose code this is, or None. Compute and compare also for an account that is not enrolled."""
    secret = decrypt(enrolled) if enrolled else None
    totp = totp_of(secret or new_secret())
    digits = "".join(code.split())  # apps show 123 456
    present = int(time.time()) // STEP_SECONDS
    matching = [
        step
        for step in range(present - TOLERANCE, present + TOLERANCE + 1)
        if constant_time_compare(totp.generate(step * STEP_SECONDS), digits)
    ]
    return max(matching, default=None) if secret else None


def use(enrolled: OneTimeCode, step: int) -> bool:
    """Use up a step. Return False if it was used before, or if the account has been enrolled again since.

    One statement does it, so of two logins with one code, the second waits for the first and finds it used. The secret
    is encrypted with the current key on the way, so that a former SECRET_KEY can be dropped.
    """
    unused = OneTimeCode.objects.filter(pk=enrolled.pk, secret=enrolled.secret, last_step__lt=step)
    rotated = cipher().rotate(enrolled.secret.encode()).decode()
    return unused.update(last_step=step, secret=rotated) == 1


@transaction.atomic
def enrol(account_id: str) -> str:
    """Give the account a new secret and end all its sessions. Return what its owner needs, to be shown once."""
    secret = new_secret()
    values = {"secret": cipher().encrypt(secret).decode(), "last_step": 0, "created_at": timezone.now()}
    OneTimeCode.objects.update_or_create(account_id=account_id, defaults=values)
    end_sessions(Session.objects.filter(account=account_id), why="by enrolling")
    log_change("one_time_code_enrolled", subject=account_id)
    return describe(account_id, secret)


def describe(account_id: str, secret: bytes) -> str:
    """Return the address that authenticator apps read, and the secret in groups of four for who has to type it."""
    address = totp_of(secret).get_provisioning_uri(account_id, urlsplit(settings.PUBLIC_BASE_URL).hostname)
    typed = base64.b32encode(secret).decode()
    groups = " ".join(typed[start : start + 4] for start in range(0, len(typed), 4))
    return f"One-time codes for {account_id}, shown this once:\n  {address}\n  {groups}"


def totp_of(secret: bytes) -> TOTP:
    return TOTP(secret, DIGITS, SHA1(), STEP_SECONDS)  # noqa: S303 - what all apps know; HMAC needs no collisions


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


# --- Encryption, so that a copy of the database alone makes no code


def cipher() -> MultiFernet:
    """Return a cipher that encrypts with SECRET_KEY and decrypts with the former ones too."""
    return MultiFernet([Fernet(derive_key(key)) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def derive_key(key: str) -> bytes:
    hkdf = HKDF(SHA256(), length=32, salt=None, info=b"accounts.one_time_codes")
    return base64.urlsafe_b64encode(hkdf.derive(key.encode()))


def decrypt(enrolled: OneTimeCode) -> bytes | None:
    """Return the secret, or None where its key is lost: then an operator must enrol the account again."""
    try:
        return cipher().decrypt(enrolled.secret.encode())
    except InvalidToken:
        log_security("one_time_code_unreadable", logging.ERROR, subject=enrolled.account_id)
        return None
