"""The pages on which staff begin to look at the site as a member, and stop."""

import re
from http import HTTPStatus
from typing import Any

from django.contrib.admin.utils import quote
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from rest_framework.exceptions import ValidationError

from config.api.errors import AlreadyImpersonating, PermissionRefused, field_errors
from impersonation import services
from impersonation.audit import AuditContext
from impersonation.middleware import IMPERSONATION
from impersonation.serializers import StartSerializer
from pages.site.base import MemberPage, SeeOther

MINUTES = re.compile(r"[0-9]{1,4}", re.ASCII)
FIELDS = ("accountId", "reason", "ticket", "ttlMinutes")


class StaffPage(MemberPage):
    """A page for staff who are logged in to the admin. Nobody else learns that it exists."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_staff:
            raise Http404
        return super().dispatch(request, *args, **kwargs)


class StartPage(StaffPage):
    """GET /impersonation?accountId=… → 200, the form. POST → 303 to the front page, as the member.

    400 with the form for a field that is not valid, 403 for an account that nobody may impersonate, 409 while another
    impersonation of the actor runs. The rules are those of POST /api/impersonation/start.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.show({"accountId": request.GET.get("accountId", ""), "ttlMinutes": "30"})

    def post(self, request: HttpRequest) -> HttpResponse:
        said = {name: request.POST.get(name, "") for name in FIELDS}
        minutes = said["ttlMinutes"]
        data = {**said, "ttlMinutes": int(minutes) if MINUTES.fullmatch(minutes) else minutes}
        serializer = StartSerializer(data=data)
        try:
            serializer.is_valid(raise_exception=True)
            context = AuditContext.of_request(request, HTTPStatus.SEE_OTHER)
            begun = services.start(actor=self.member, context=context, **serializer.validated_data)
        except ValidationError as error:
            return self.show(said, status=HTTPStatus.BAD_REQUEST, errors=field_errors(error.detail))
        except (AlreadyImpersonating, PermissionRefused) as error:
            return self.show(said, status=error.status_code, refusal=error)
        request.session[IMPERSONATION] = str(begun.pk)
        request.session.cycle_key()  # else a request that is still running would store its session without this
        return SeeOther(reverse("home"))

    def show(self, said: dict[str, str], *, status: int = HTTPStatus.OK, **context: Any) -> HttpResponse:
        return self.render_page("members/impersonation/start.html", {"said": said, **context}, status=status)


class StopPage(StaffPage):
    """POST /impersonation/stop → 303 to the member's account in the admin. It stops one that the API has begun, too."""

    def post(self, request: HttpRequest) -> HttpResponse:
        request.session.pop(IMPERSONATION, None)
        context = AuditContext.of_request(request, HTTPStatus.SEE_OTHER)
        try:
            running = services.get_current(actor_id=self.member.pk)
        except Http404:  # its time is over
            return SeeOther(reverse("impersonation-ended"))
        services.stop(actor=self.member, impersonation_id=running.pk, context=context)
        return SeeOther(reverse("admin:accounts_account_change", args=[quote(running.subject_id)]))


class EndedPage(StaffPage):
    """GET /impersonation/ended → 200: the impersonation is over, and the reader is the member of staff again."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.render_page("members/impersonation/ended.html", {})
