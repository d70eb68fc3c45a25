"""How often a form may be sent, and the headers that say so."""

import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config import paths
from config.edge.limits.posts import PostLimits, add_headers
from config.edge.request_checks import RequestCheck

LIMITS = PostLimits("forms", "FORM_RATE_PER_CLIENT", "FORM_RATE_IN_TOTAL")
"""Each form is counted apart."""

ROUTE = re.compile(rf"(?:{paths.FORMS}|{paths.FORM_PAGES})(?:/([^/]*).*)?", re.DOTALL)


class FormLimitHeaders(RequestCheck):
    """Send RateLimit-Policy and RateLimit with every answer of the forms' routes, the edge's refusals among them.

    The answer to a counted post has the headers already. All other answers say what is left without counting. A list
    of forms and the name of no form have the whole limit left.
    """

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        route = ROUTE.fullmatch(request.path_info)
        if route and "RateLimit-Policy" not in response:
            add_headers(response, LIMITS.headers_without_counting(route[1] or "", request.META))
