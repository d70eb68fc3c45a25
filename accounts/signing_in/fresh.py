"""The fresh sign-in that is asked for before a person's data leave, the account ends or other devices are signed out.

Clubs share computers: whoever finds somebody signed in can read and vote as them, and do none of these.
"""

import time
from collections.abc import Mapping
from typing import Any

from accounts.tokens.verifier import LEEWAY_SECONDS, is_numeric_date

AGAIN = "again"
"""The parameter of an address of signing in that has the provider ask for the login again."""

MAX_AGE_SECONDS = 300


def authenticated_at(claims: Mapping[str, Any]) -> int:
    """Return when the person proved who they are (`auth_time`), 0 where the provider names no moment that has been."""
    at: Any = claims.get("auth_time")
    return int(at) if is_numeric_date(at) and at <= time.time() + LEEWAY_SECONDS else 0


def is_fresh(authenticated: int) -> bool:
    return time.time() - authenticated <= MAX_AGE_SECONDS
