"""The browsers in which an account is signed in, and how they are signed out."""

from http import HTTPStatus

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone

from accounts.models import Account, Session
from accounts.signing_in.fresh import needs_fresh_sign_in
from config.edge.security.security_log import log_change
from config.site.pages import MemberPage
from config.values.words import format_count

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


def sessions_of(account: Account) -> QuerySet[Session]:
    """Return the sessions of an account that have not ended, the one that was used last first."""
    return Session.objects.filter(account=account, expire_date__gt=timezone.now())


def end_sessions(sessions: QuerySet[Session], *, why: str) -> int:
    """End sessions, at their next request in every process. Return how many there were."""
    ended = 0
    for key, account_id in sessions.values_list("pk", "account_id"):
        deleted, _ = Session.objects.filter(pk=key).delete()
        ended += deleted
        if deleted:
            log_change("session_ended", subject=account_id, why=why)
    return ended
