"""What a verified token says about a person (OpenID Connect Core §5.1), as columns of an account."""

import re
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from config.values.languages import MAX_TAG_LENGTH, standard_tag

MAX_NAME_LENGTH = 150
MAX_EMAIL_LENGTH = 254
UNSTORABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def read_profile(claims: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns of a new account. Take the e-mail address only if the provider verified it."""
    return {
        "email": clean_email(claims.get("email")) if claims.get("email_verified") is True else "",
        "display_name": clean_text(claims.get("name"), MAX_NAME_LENGTH),
        "first_name": clean_text(claims.get("given_name"), MAX_NAME_LENGTH),
        "last_name": clean_text(claims.get("family_name"), MAX_NAME_LENGTH),
        "language": clean_language(claims.get("locale")),
    }


def clean_text(value: Any, max_length: int) -> str:
    """Return a string that can be stored, "" for another type: a provider's odd claim must not refuse its user."""
    return UNSTORABLE.sub("", value).strip()[:max_length] if isinstance(value, str) else ""


def clean_email(value: Any) -> str:
    """Return the whole address or nothing: the first 254 characters of a longer one are somebody else's."""
    address = clean_text(value, MAX_EMAIL_LENGTH + 1)
    try:
        validate_email(address)
    except ValidationError:
        return ""
    return address if len(address) <= MAX_EMAIL_LENGTH else ""


def clean_language(value: Any) -> str:
    """Return the tag in its standard form, "" for none. Some providers write en_GB."""
    return standard_tag(clean_text(value, MAX_TAG_LENGTH).replace("_", "-"))
