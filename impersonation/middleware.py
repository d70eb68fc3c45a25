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
from config.api.errors import ApiError, ImpersonationReadOnly
from config.api.views import PRIVATE
from config.edge.error_page import answer_error
from config.edge.middleware import GetResponse
from config.edge.reader import has_session
from impersonation import audit
from impersonation.authentication import HEADER, ImpersonationAuthentication
from impersonation.models import Impersonation, ImpersonationEvent

IMPERSONATION = "impersonation"
"""The key of the session that has the id of the impersonation."""

READ_ONLY = "You are viewing the site as a member, so you cannot change anything. Press Stop at the top first."


# Django parses `request.headers` from META at its first use. Most requests need none of it.
HEADER_IN_META = f"HTTP_{HEADER.upper().replace('-', '_')}"


class ImpersonationMiddleware:
    """Answer as the impersonated member, and on the record: when the event cannot be written, nobody gets the answer.

    It is checked before routing, so that an unknown path, a wrong method or OPTIONS is refused and recorded like any
    other request.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.check(request) or self.get_response(request)
        impersonation = getattr(request, "impersonation", None)
        if impersonation is not None:
            context = audit.AuditContext.of_request(request, response.status_code)
            audit.record(ImpersonationEvent.Kind.REQUEST, impersonation, context)
            response["X-Impersonated-User-Id"] = impersonation.subject_id
            response["Cache-Control"] = PRIVATE
        return response

    def check(self, request: HttpRequest) -> HttpResponseBase | None:
        """Put the member in the actor's place if an impersonation is asked for. Return the answer of a refusal.

        Stopping is left out, so that it always works for the actor. The admin and signing out stay the actor's own.
        """
        path = request.path_info
        if paths.is_under(path, paths.API):
            has_header = HEADER_IN_META in request.META and not paths.is_under(path, paths.DEALS)
            return check_header(request) if has_header and path != reverse("impersonation-stop") else None
        own = (paths.ADMIN, paths.STATIC, paths.IMPERSONATION, paths.SIGN_OUT, *paths.OPERATOR)
        is_of_page = has_session(request) and not paths.is_under(path, *own) and IMPERSONATION in request.session
        return check_session(request) if is_of_page else None


def check_header(request: HttpRequest) -> HttpResponseBase | None:
    try:
        ImpersonationAuthentication().authenticate(Request(request))
    except ApiError as error:
        return answer_error(request, error)
    return None


def check_session(request: Any) -> HttpResponseBase | None:
    if not request.user.is_authenticated or not request.user.is_staff:
        request.session.pop(IMPERSONATION, None)  # The session has ended, or is another person's by now.
        return None
    own = Impersonation.objects.with_people().filter(actor_id=request.user.pk)
    impersonation = own.filter(pk=request.session[IMPERSONATION]).first()
    if impersonation is None:
        return lead_to_end(request)
    request.impersonation = impersonation
    request.actor_id, request.user_id = impersonation.actor_id, impersonation.subject_id
    if not impersonation.is_valid_at(now := timezone.now()):
        impersonation.end(now)
        return lead_to_end(request)
    request.user = impersonation.subject
    is_read = request.method in SAFE_METHODS
    return None if is_read else answer_error(request, ImpersonationReadOnly(READ_ONLY))


def lead_to_end(request: HttpRequest) -> HttpResponseBase:
    """Forget the impersonation, and say so on the page that begins one: nobody goes on as the actor unawares."""
    del request.session[IMPERSONATION]
    return HttpResponseRedirect(f"{paths.IMPERSONATION}/ended", status=HTTPStatus.SEE_OTHER)
