from django.conf import settings
from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

from accounts.claims import language


def preferred_language(request: HttpRequest) -> str:
    """The language to answer this visitor in, as BCP 47 writes it: the first of Accept-Language that exists.

    The site's own where none is named; so "*" and what cannot be read mean that too.
    """
    for tag, quality in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        if quality > 0 and tag != "*" and (known := language(tag)):
            return known
    return settings.LANGUAGE_CODE
