"""The page of the browsers in which an account is signed in."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts.models import Session
from accounts.signing_in.logins import end_sessions, sessions_of
from config.values.words import format_count
from pages.members.fresh import needs_fresh_sign_in
from pages.site.base import MemberPage

OTHERS = "others"
"""The value of `end` that means every device but this one."""


class DevicesPage(MemberPage):
    """GET /account/devices → 200: where the account is signed in. POST with `end`, a name or "others" → 303 back, after
    a sign-in of the last minutes.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        own_key = request.session.session_key
        devices = [(each, each.session_key == own_key) for each in sessions_of(self.member)]
        return self.render_page("accounts/devices.html", {"devices": devices, "others": OTHERS, "noindex": True})

    @needs_fresh_sign_in
    def post(self, request: HttpRequest) -> HttpResponse:
        name, own_key = request.POST.get("end", ""), request.session.session_key
        ended = [
            each for each in sessions_of(self.member) if each.session_key != own_key and name in (OTHERS, each.name)
        ]
        count = end_sessions(Session.objects.filter(pk__in=[each.pk for each in ended]), why="by its owner")
        messages.success(request, f"{format_count(count, 'device')} signed out.")
        return HttpResponseRedirect(request.path, status=HTTPStatus.SEE_OTHER)
