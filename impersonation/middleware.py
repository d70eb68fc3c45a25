from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.api.middleware import GetResponse
from impersonation import services
from impersonation.models import ImpersonationEvent


class ImpersonationRecorder:
    """Leaves an event of each request made under an impersonation, and tells the client that it was one.

    An answer whose event cannot be written is not given: what is not on the record did not happen.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        impersonation = getattr(request, "impersonation", None)
        if impersonation is not None:
            services.record(ImpersonationEvent.Kind.REQUEST, impersonation, request, response.status_code)
            response["X-Impersonated-User-Id"] = impersonation.subject_id
            response["Cache-Control"] = "private, no-store"
        return response
