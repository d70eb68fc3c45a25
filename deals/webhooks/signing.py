"""Secrets and signatures of the Standard Webhooks specification."""

import base64
import secrets
from collections.abc import Iterable
from datetime import datetime

from standardwebhooks import Webhook

SECRET_BYTES = 32
"""The specification asks for 24 to 64."""


def make_secret() -> str:
    """Return a new random secret as the specification writes it, such as whsec_MfKQ9r8G…"""
    return "whsec_" + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def sign(keys: Iterable[str], message_id: str, time: datetime, body: bytes) -> dict[str, str]:
    """Return the headers of a message that was signed with each of the secrets. `time` is in UTC."""
    signatures = [Webhook(key).sign(message_id, time, body.decode()) for key in keys if key]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(time.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
