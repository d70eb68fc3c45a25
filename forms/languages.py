from django.conf import settings
from django.http import HttpRequest

from config.api.languages import languages_of, standard_tag


def preferred_language(request: HttpRequest) -> str:
    """The language to answer this visitor in, as BCP 47 writes it: the first of Accept-Language that exists.

    The site's own where none is named; so "*" and what cannot be read mean that too.
    """
    return next(filter(None, map(standard_tag, languages_of(request))), settings.LANGUAGE_CODE)
