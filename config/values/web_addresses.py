"""Addresses of the web that people and programs give, and paths of this site to which a form or a sign-in leads back.

Others put addresses into pages, so no character may end one early.
"""

import re
from typing import Any
from urllib.parse import quote, urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.deconstruct import deconstructible
from django.utils.http import url_has_allowed_host_and_scheme

ADDRESS = re.compile(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*+")
"""The characters of an address, by RFC 3986."""

NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
NOT_AN_ADDRESS = "Write spaces, quotation marks, letters with accents and the like as %20, %22, %C3%A9."


def validate_characters(address: str) -> None:
    """Raise ValidationError for a character that RFC 3986 does not allow in an address."""
    if not ADDRESS.fullmatch(address):
        raise ValidationError(NOT_AN_ADDRESS, code="invalid")


@deconstructible
class WebAddressValidator(URLValidator):
    """Django's validator, which also asks `validate_characters`: Django lets quotation marks and brackets pass."""

    def __call__(self, value: Any) -> None:
        super().__call__(value)
        validate_characters(value)


def write_ascii(address: str) -> str:
    """Return an address that has letters of any alphabet as RFC 3986 writes it. Raise ValueError for no address."""
    parts = urlsplit(address)
    host = parts.netloc.encode("idna").decode()
    return NOT_ASCII.sub(lambda found: quote(found[0]), parts._replace(netloc=host).geturl())


MAX_LENGTH = 1000


def own_path(target: str, default: str) -> str:
    """Return the target if it is a path of this site, with its query, else the default."""
    is_own = target.startswith("/") and len(target) <= MAX_LENGTH and url_has_allowed_host_and_scheme(target, None)
    return target if is_own and target.isprintable() else default
