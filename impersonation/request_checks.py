from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from rest_framework.request import Request

from config.api.views import PRIVATE
from config.edge.request_checks import RequestCheck
from config.paths import API, DEALS, is_under
from impersonation import audit
from impersonation.authentication import HEADER, ImpersonationAuthentication
from impersonation.models import ImpersonationEvent

# Django parses `request.headers` from META at its first use. Most requests need none of it.
HEADER_IN_META = f"HTTP_{HEADER.upper().replace('-', '_')}"


class ImpersonationAudit(RequestCheck):
    """Record each request under an impersonation, and name the impersonated account in its answer.

    The impersonation is checked before routing, so that an unknown path, a wrong method or OPTIONS is refused and
    recorded like any other request. When the event cannot be written, the caller does not get the answer: nobody
    reads anything off the record.
    """

    def check(self, request: HttpRequest) -> None:
        if HEADER_IN_META in request.META and self.applies_to(request.path_info):
            ImpersonationAuthentication().authenticate(Request(request))

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        impersonation = getattr(request, "impersonation", None)
        if impersonation is None:
            return
        context = audit.AuditContext.of_request(request, response.status_code)
        audit.record(ImpersonationEvent.Kind.REQUEST, impersonation, context)
        response["X-Impersonated-User-Id"] = impersonation.subject_id
        response["Cache-Control"] = PRIVATE

    @staticmethod
    def applies_to(path: str) -> bool:
        """Tell whether users call the path. Stopping is left out, so that it always works for the actor."""
        return is_under(path, API) and not is_under(path, DEALS) and path != reverse("impersonation-stop")
