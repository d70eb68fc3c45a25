import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config import paths
from config.edge.guards import Guard
from forms import limits

ROUTE = re.compile(rf"(?:{paths.FORMS}|{paths.FORM_PAGES})(?:/([^/]*).*)?", re.DOTALL)


class FormLimitHeaders(Guard):
    """Send RateLimit-Policy and RateLimit with every answer of the forms' routes, the edge's refusals among them.

    A post that was counted has them already. All other answers say what is left without counting; under a name that is
    no form's, and for the lists of forms, that is the whole limit.
    """

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        route = ROUTE.fullmatch(request.path_info)
        if route and "RateLimit-Policy" not in response:
            limits.mark(response, limits.uncounted_headers(request, route[1] or ""))
