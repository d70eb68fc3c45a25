from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from rest_framework.request import Request

from config.api.errors import ApiError
from config.api.handlers import error_response
from config.api.middleware import GetResponse
from config.api.paths import DEALS, is_under
from impersonation import services
from impersonation.authentication import HEADER, ImpersonationAuthentication
from impersonation.models import ImpersonationEvent


class ImpersonationRecorder:
    """Leaves an event of each request made under an impersonation, and tells the client that it was one.

    Asks the overlay before routing: an unknown path, a wrong method or OPTIONS is checked and recorded like any
    other. An answer whose event cannot be written is not given: what is not on the record did not happen.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if HEADER not in request.headers or not self.is_overlaid(request.path_info):
            return self.get_response(request)
        response = self.answer(request)
        impersonation = getattr(request, "impersonation", None)
        if impersonation is not None:
            origin = services.Origin.of(request, response.status_code)
            services.record(ImpersonationEvent.Kind.REQUEST, impersonation, origin)
            response["X-Impersonated-User-Id"] = impersonation.subject_id
            response["Cache-Control"] = "private, no-store"
        return response

    def answer(self, request: HttpRequest) -> HttpResponseBase:
        try:
            ImpersonationAuthentication().authenticate(Request(request))
        except ApiError as error:
            return error_response(request, error)
        return self.get_response(request)

    @staticmethod
    def is_overlaid(path: str) -> bool:
        """All that users call, but the way out."""
        users = path.startswith("/api/") and not is_under(path, DEALS)
        return users and path != reverse("impersonation-stop")
