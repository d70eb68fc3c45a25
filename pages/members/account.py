"""My account: what one says of oneself, the download of one's data, and the end of the account."""

from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse

from accounts.models import Account
from accounts.personal_data.erasure import erase, why_not_erase
from accounts.personal_data.export import export
from accounts.personal_data.registry import REGISTRY
from config.api.errors import InvalidToken, PermissionRefused
from config.api.views import PRIVATE
from config.database.transactions import retry_conflicts
from config.edge.limits import exports
from pages.members.account_form import AccountForm
from pages.members.fresh import needs_fresh_sign_in
from pages.site.base import MemberPage, PageView

CONFIRMATION = "DELETE"
NOT_ACTIVE = "This account is not active."
OWN_DATA = "Only the person whose data it is downloads it."


class AccountPage(MemberPage):
    """GET /account → 200, what the member says of itself, as a form. POST → 303 back, or the form again: 400 with what
    is wrong, 409 with what was changed elsewhere meanwhile.
    """

    section = "account"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.show(AccountForm(self.member, request))

    def post(self, request: HttpRequest) -> HttpResponse:
        form = self.change()
        if form.errors:
            return self.show(form)
        messages.success(request, "Saved.")
        return HttpResponseRedirect(request.path, status=HTTPStatus.SEE_OTHER)

    @retry_conflicts
    @transaction.atomic
    def change(self) -> AccountForm:
        """Store what was changed on the page and nothing else, under the row's lock, or nothing where it has errors."""
        account = Account.objects.select_for_update(of=("self",)).get(pk=self.member.pk)
        if not account.is_active:
            raise InvalidToken(NOT_ACTIVE)
        form = AccountForm(account, self.request, self.request.POST)
        if form.is_valid():
            form.checked.save()
        return form

    def show(self, form: AccountForm) -> HttpResponse:
        context = {"form": form, "email": self.member.email, "account_id": self.member.pk, "noindex": True}
        return self.render_page("accounts/account.html", context, status=form.status)


class DataDownload(MemberPage):
    """GET /account/data.json → 200, all that is known about the member, as a file, after a sign-in of the last minutes.
    Counted as exports are.
    """

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if getattr(request, "impersonation", None):
            raise PermissionRefused(OWN_DATA)
        return self.send(request)

    @needs_fresh_sign_in
    def send(self, request: HttpRequest) -> HttpResponseBase:
        response = exports.stream(request, "account", export(self.member), "application/json")
        response["Content-Disposition"] = 'attachment; filename="my-data.json"'
        return response


class DeletePage(MemberPage):
    """GET /account/delete → 200, what is deleted and what stays. POST with the word DELETE → 303 to /account/deleted,
    erased and signed out, after a sign-in of the last minutes; without the word 400.
    """

    section = "account"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.show()

    @needs_fresh_sign_in
    def post(self, request: HttpRequest) -> HttpResponse:
        if request.POST.get("word", "").strip() != CONFIRMATION:
            return self.show(has_error=True, status=HTTPStatus.BAD_REQUEST)
        erase(account_id=self.member.pk, by=self.member)
        logout(request)
        response = HttpResponseRedirect(reverse("account-deleted"), status=HTTPStatus.SEE_OTHER)
        # Not "cookies", which are also those of the domain's other hosts. Signing out has deleted the session's.
        response["Clear-Site-Data"] = '"cache", "storage"'
        return response

    def show(self, *, has_error: bool = False, status: int = HTTPStatus.OK) -> HttpResponse:
        context = {
            "refusal": why_not_erase(self.member, self.member),
            "word": CONFIRMATION,
            "has_error": has_error,
            "effects": effects_on(self.member),
            "event_days": settings.EVENT_RETENTION_DAYS,
            "submission_days": settings.SUBMISSION_RETENTION_DAYS,
            "noindex": True,
        }
        return self.render_page("accounts/delete.html", context, status=status)


def effects_on(account: Account) -> list[str]:
    """Return what happens to the tables that have something of the account, in the words of the registry."""
    return [table.erasure.label for table in REGISTRY if table.erasure and table.rows(account).exists()]


class DeletedPage(PageView):
    """GET /account/deleted → 200, the page that the deletion of an account leads to. It says nothing about anybody.

    302 to the front page for whoever is signed in.
    """

    cache_control = PRIVATE

    def get(self, request: HttpRequest) -> HttpResponse:
        if self.reader is not None:
            return HttpResponseRedirect("/")
        return self.render_page("accounts/deleted.html", {"noindex": True})
