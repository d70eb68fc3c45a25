"""Language tags (BCP 47), and the languages a browser asks for."""

import langcodes
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

MAX_TAG_LENGTH = 35
"""Characters that every store of a tag has room for (RFC 5646 §4.4.1). The library calls itself for each part."""


def is_tag(text: str) -> bool:
    """Tell whether a text is a valid language tag of at most MAX_TAG_LENGTH characters."""
    return len(text) <= MAX_TAG_LENGTH and langcodes.tag_is_valid(text)


def standard_tag(tag: str) -> str:
    """Return the tag as BCP 47 writes it, or "" for one that is not valid or longer than MAX_TAG_LENGTH."""
    standard = langcodes.standardize_tag(tag) if is_tag(tag) else ""
    return standard if len(standard) <= MAX_TAG_LENGTH else ""


def accepted_languages(request: HttpRequest) -> tuple[str, ...]:
    """Return the languages of Accept-Language in lower case, best first, without "*" and those with q=0."""
    ranges = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    return tuple(language for language, weight in ranges if weight > 0 and language != "*")


def preferred_language(request: HttpRequest) -> str:
    """Return the BCP 47 tag of the first accepted language that exists, or else the site's own language."""
    return next(filter(None, map(standard_tag, accepted_languages(request))), settings.LANGUAGE_CODE)
