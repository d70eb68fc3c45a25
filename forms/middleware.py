import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.api.middleware import GetResponse
from forms import limits

FORMS = re.compile(r"(?:/api)?/forms(?:/([^/]*).*)?", re.DOTALL)


class FormLimitHeaders:
    """RateLimit-Policy and RateLimit on every answer of the forms' routes, the edge's refusals among them.

    What was counted has them already; the rest is told without being counted. Under a name that is no form's, and
    for the lists of forms, all is left.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        route = FORMS.fullmatch(request.path_info)
        if route and "RateLimit-Policy" not in response:
            limits.mark(response, limits.uncounted_headers(request, route[1] or ""))
        return response
