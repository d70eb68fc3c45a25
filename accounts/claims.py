"""What a verified token says about a person (OpenID Connect Core §5.1), as columns of an account."""

import re
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from config.values.languages import MAX_TAG_LENGTH, standard_tag

UNSTORABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def profile_of(claims: Mapping[str, Any]) -> dict[str, str]:
    """The columns of a new account. An e-mail address counts only if the provider verified it."""
    return {
        "email": email(claims.get("email")) if claims.get("email_verified") is True else "",
        "display_name": text(claims.get("name"), 150),
        "first_name": text(claims.get("given_name"), 150),
        "last_name": text(claims.get("family_name"), 150),
        "language": language(claims.get("locale")),
    }


def text(value: Any, longest: int) -> str:
    """A string that can be stored: a provider's odd claim must not refuse its user."""
    return UNSTORABLE.sub("", value).strip()[:longest] if isinstance(value, str) else ""


def email(value: Any) -> str:
    """Whole or not at all: the first 254 characters of an address are somebody else's."""
    address = text(value, 255)
    try:
        validate_email(address)
    except ValidationError:
        return ""
    return address if len(address) <= 254 else ""


def language(value: Any) -> str:
    return standard_tag(text(value, MAX_TAG_LENGTH).replace("_", "-"))
