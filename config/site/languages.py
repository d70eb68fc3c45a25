"""The languages a browser asks for."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

from config.values.languages import standard_tag


def accepted_languages(request: HttpRequest) -> tuple[str, ...]:
    """Return the languages of Accept-Language in lower case, best first, without "*" and those with q=0."""
    ranges = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    return tuple(language for language, weight in ranges if weight > 0 and language != "*")


def preferred_language(request: HttpRequest) -> str:
    """Return the BCP 47 tag of the first accepted language that exists, or else the site's own language."""
    return next(filter(None, map(standard_tag, accepted_languages(request))), settings.LANGUAGE_CODE)
