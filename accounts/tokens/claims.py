"""What a verified token says about a person (OpenID Connect Core §5.1), as columns of an account."""

import re
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from config.values.languages import MAX_TAG_LENGTH, standard_tag

MAX_NAME_LENGTH = 150
MAX_EMAIL_LENGTH = 254
PROFILE = ("email", "email_verified", "name", "given_name", "family_name", "locale")
"""The claims that `read_profile` reads."""

UNSTORABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def read_profile(claims: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns of a new account. Take the e-mail address only if the provider verified it."""
    return {
        "email": clean_email(claims.get("email")) if claims.get("email_verified") is True else "",
        "display_name": clean_text(claims.get("name"), MAX_NAME_LENGTH),
        "first_name": clean_text(claims.get("given_name"), MAX_NAME_LENGTH),
        "last_name": clean_text(claims.get("family_name"), MAX_NAME_LENGTH),
        # Some providers write en_GB.
        "language": standard_tag(clean_text(claims.get("locale"), MAX_TAG_LENGTH).replace("_", "-")),
    }


def scopes_of(claims: Mapping[str, Any]) -> frozenset[str]:
    """Return the scopes of a token: `scope` (RFC 9068), or the `scp` of some providers, as a list or with spaces."""
    values = (claims.get("scope"), claims.get("scp"))
    texts = [text for value in values for text in (value if isinstance(value, list) else [value])]
    return frozenset(scope for text in texts if isinstance(text, str) for scope in text.split())


def is_of_program(claims: Mapping[str, Any]) -> bool:
    """Tell whether a program got the token for itself (client credentials), on behalf of no person.

    RFC 9068 §2.2 makes its `sub` the client's id. Auth0, Entra and Keycloak say it in claims of their own.
    """
    subject = claims["sub"]
    clients = {claims[name] for name in ("client_id", "azp", "cid", "appid") if isinstance(claims.get(name), str)}
    user_name = claims.get("preferred_username")
    return (
        subject in clients
        or subject.removesuffix("@clients") in clients
        or claims.get("gty") == "client-credentials"
        or claims.get("idtyp") == "app"
        or (isinstance(user_name, str) and user_name.startswith("service-account-"))
    )


def clean_text(value: Any, max_length: int) -> str:
    """Return a string that can be stored, "" for another type: a provider's odd claim must not refuse its user."""
    return UNSTORABLE.sub("", value).strip()[:max_length] if isinstance(value, str) else ""


def clean_email(value: Any) -> str:
    """Return the whole address or nothing: the first 254 characters of a longer one are another address."""
    address = clean_text(value, MAX_EMAIL_LENGTH + 1)
    try:
        validate_email(address)
    except ValidationError:
        return ""
    return address if len(address) <= MAX_EMAIL_LENGTH else ""
