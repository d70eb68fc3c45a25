"""The rules for an account's id, which is the `sub` of the identity provider's tokens and a part of paths."""

import re

from django.urls.converters import StringConverter

from config.values.identifiers import MAX_ACCOUNT_ID_LENGTH

PATTERN = rf"[A-Za-z0-9._~|:@+-]{{1,{MAX_ACCOUNT_ID_LENGTH}}}"
SYSTEM = "system"
"""The id of the account that owns reference data and what services publish. Nobody can log in to it."""

LOCAL_ADMIN = "local-admin"
"""The id of the admin that `dev.py run` makes. It logs in with a password alone: nobody whom a provider names is it."""

RESERVED = frozenset({"me", SYSTEM, LOCAL_ADMIN, ".", ".."})
NOT_AN_ID = (
    f"{{!r}} cannot be an account's id. Give 1 to {MAX_ACCOUNT_ID_LENGTH} characters of A-Z a-z 0-9 . _ ~ | : @ + - "
    "other than 'me', 'system', 'local-admin', '.' and '..'."
)


def is_account_id(text: object) -> bool:
    """Tell whether a token's `sub` can be an account's id."""
    return isinstance(text, str) and re.fullmatch(PATTERN, text) is not None and text not in RESERVED


class AccountIdConverter(StringConverter):
    """`<account_id:pk>` in a route. No account has an id with other characters, hence a 404."""

    regex = PATTERN
