from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from rest_framework.request import Request

from config.api.views import PRIVATE
from config.edge.guards import Guard
from config.paths import API, DEALS, is_under
from impersonation import services
from impersonation.authentication import HEADER, ImpersonationAuthentication
from impersonation.models import ImpersonationEvent


class ImpersonationRecord(Guard):
    """Leave an event of each request made under an impersonation, and tell the client that it was one.

    The impersonation is checked before routing, so that an unknown path, a wrong method or OPTIONS is refused and
    recorded like any other. An answer whose event cannot be written is not given: what is not on the record did not
    happen.
    """

    def check(self, request: HttpRequest) -> None:
        if HEADER in request.headers and self.applies_to(request.path_info):
            ImpersonationAuthentication().authenticate(Request(request))

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        impersonation = getattr(request, "impersonation", None)
        if impersonation is None:
            return
        origin = services.Origin.of(request, response.status_code)
        services.record(ImpersonationEvent.Kind.REQUEST, impersonation, origin)
        response["X-Impersonated-User-Id"] = impersonation.subject_id
        response["Cache-Control"] = PRIVATE

    @staticmethod
    def applies_to(path: str) -> bool:
        """Apply to all that users call, but the way out."""
        return is_under(path, API) and not is_under(path, DEALS) and path != reverse("impersonation-stop")
