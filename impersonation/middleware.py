"""Impersonation, checked and recorded: by a header under /api, and on pages for staff who began one in the admin.

On pages the session holds the impersonation's id, and no token reaches the browser. Both ways are read-only, and one
that is no longer valid has ended for good.
"""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from config import paths
from config.api.errors import ImpersonationReadOnly
from config.api.views import PRIVATE
from config.edge.error_page import error_page
from config.edge.middleware import GetResponse
from config.edge.reader import has_session
from config.edge.request_checks import RequestCheck
from config.paths import API, DEALS, is_under
from impersonation import audit
from impersonation.authentication import HEADER, ImpersonationAuthentication
from impersonation.models import Impersonation, ImpersonationEvent

IMPERSONATION = "impersonation"
"""The key of the session that has the id of the impersonation."""

READ_ONLY = "You look at the site as a member, so you can change nothing. Stop that first: the button is at the top."


class PageImpersonationMiddleware:
    """Make the impersonated member the reader of a page. The admin, signing out and stopping stay the actor's own."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        own = (paths.API, paths.ADMIN, paths.STATIC, paths.IMPERSONATION, paths.SIGN_OUT, *paths.OPERATOR)
        if has_session(request) and not paths.is_under(path, *own) and IMPERSONATION in request.session:
            return self.answer_as_member(request)
        return self.get_response(request)

    def answer_as_member(self, request: HttpRequest) -> HttpResponseBase:
        if not request.user.is_authenticated or not request.user.is_staff:
            request.session.pop(IMPERSONATION, None)  # The session has ended, or is another person's by now.
            return self.get_response(request)
        impersonation = find_impersonation(request)
        if impersonation is None:
            return lead_to_end(request)
        overlay: Any = request
        overlay.impersonation = impersonation
        overlay.actor_id, overlay.user_id = impersonation.actor_id, impersonation.subject_id
        if not impersonation.is_valid_at(now := timezone.now()):
            impersonation.end(now)
            return lead_to_end(request)
        request.user = impersonation.subject
        if request.method not in SAFE_METHODS:
            return error_page(request, ImpersonationReadOnly(READ_ONLY))
        return self.get_response(request)


def find_impersonation(request: HttpRequest) -> Impersonation | None:
    """Return the impersonation of the session, if it is that of whoever is logged in to the admin."""
    own = Impersonation.objects.with_people().filter(actor_id=request.user.pk)
    return own.filter(pk=request.session[IMPERSONATION]).first()


def lead_to_end(request: HttpRequest) -> HttpResponseBase:
    """Forget the impersonation, and say so on the page that begins one: nobody goes on as the actor unawares."""
    del request.session[IMPERSONATION]
    return HttpResponseRedirect(f"{paths.IMPERSONATION}/ended", status=HTTPStatus.SEE_OTHER)


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
