"""My account: what one says of oneself, the download of one's data, the end of the account, and who looked as one."""

from functools import partial
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone

from accounts.models import Account, AuctionSystem, Session
from accounts.personal_data import REGISTRY
from accounts.personal_data.erasure import erase, why_not_erase
from accounts.personal_data.export import export
from accounts.serializers import AccountSerializer
from accounts.signing_in.logins import end_sessions, sessions_of
from config.api.errors import InvalidToken, PermissionRefused
from config.api.views import PRIVATE
from config.database.transactions import retried_transaction
from config.edge.limits import exports
from config.values.countries import country_names
from config.values.words import format_count
from config.worker import mails
from impersonation.models import Impersonation, ImpersonationEvent
from pages.members.signing_in import needs_fresh_sign_in
from pages.site.base import MemberPage, PageView, SeeOther
from pages.site.two_windows import TwoWindows


def text_field(column: str, label: str, help_text: str = "", *, autocomplete: str) -> forms.CharField:
    described: Any = Account._meta.get_field(column)
    widget, length = forms.TextInput({"autocomplete": autocomplete}), described.max_length
    return forms.CharField(label=label, help_text=help_text, max_length=length, required=False, widget=widget)


def check_box(label: str) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, widget=forms.CheckboxInput({"value": "yes"}))


class AccountForm(TwoWindows, forms.Form):
    """What a member says of itself. Rules and names are those of PATCH /api/accounts/{id}."""

    displayName = text_field(
        "display_name",
        "Name that others see",
        "Without it, pages call you “a member”, and programs see your id.",
        autocomplete="nickname",
    )
    firstName = text_field("first_name", "Given name", autocomplete="given-name")
    lastName = text_field("last_name", "Family name", autocomplete="family-name")
    isOrganisation = check_box("This account belongs to an organisation")
    organisationName = text_field(
        "organisation_name",
        "Organisation",
        "Name of the club, school or company. An organisation must have one.",
        autocomplete="organization",
    )
    country = forms.ChoiceField(required=False, widget=forms.Select({"autocomplete": "country"}))
    language = text_field("language", "Language", "A language tag such as en or pt-BR.", autocomplete="language")
    auctionSystem = forms.ModelChoiceField(
        AuctionSystem.objects.order_by("sort_order", "identifier"),
        label="Bidding system that you play",
        empty_label="",
        widget=forms.Select({"autocomplete": "off"}),
    )
    showEmailPublicly = check_box("Show my e-mail address to everybody with an account")
    avatarUrl = text_field("avatar_url", "Address of your picture", "It begins with https://.", autocomplete="photo")

    def __init__(self, account: Account, request: HttpRequest, data: QueryDict | None = None) -> None:
        self.serializer = partial(AccountSerializer, account, context={"request": request})
        stored = {**self.serializer().data, "auctionSystem": account.auction_system_id}
        super().__init__(data, initial=stored, auto_id="%s")
        countries = {"": "", **dict(country_names())}
        countries.setdefault(account.country, account.country)  # It was one once, and is kept.
        cast(forms.ChoiceField, self.fields["country"]).choices = list(countries.items())

    def clean(self) -> None:
        super().clean()
        changes = self.changes
        if "auctionSystem" in changes:
            changes["auctionSystem"] = changes["auctionSystem"].pk
        self.checked = self.serializer(data=changes, partial=True)
        if not self.checked.is_valid():
            self.show_errors(self.checked.errors)


CONFIRMATION = "DELETE"


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
        return SeeOther(request.path)

    @retried_transaction
    def change(self) -> AccountForm:
        """Store what was changed on the page and nothing else, under the row's lock, or nothing where it has errors."""
        account = Account.objects.select_for_update(of=("self",)).get(pk=self.member.pk)
        if not account.is_active:
            raise InvalidToken("This account is not active.")
        form = AccountForm(account, self.request, self.request.POST)
        if form.is_valid():
            form.checked.save()
        return form

    def show(self, form: AccountForm) -> HttpResponse:
        member, has_mails = self.member, mails.are_offered()
        context = {"form": form, "email": member.email, "account_id": member.pk, "has_mails": has_mails}
        return self.render_page("members/account.html", context, status=form.status)


class DataDownload(MemberPage):
    """GET /account/data.json → 200, all that is known about the member, as a file, after a sign-in of the last minutes.
    Counted as exports are.
    """

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if getattr(request, "impersonation", None):
            raise PermissionRefused("Only the members themselves can download their data.")
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
        response = SeeOther(reverse("account-deleted"))
        # Not "cookies", which are also those of the domain's other hosts. Signing out has deleted the session's.
        response["Clear-Site-Data"] = '"cache", "storage"'
        return response

    def show(self, *, has_error: bool = False, status: int = HTTPStatus.OK) -> HttpResponse:
        context = {
            "refusal": why_not_erase(self.member, self.member),
            "word": CONFIRMATION,
            "has_error": has_error,
            "effects": [table.erased for table in REGISTRY if table.erased and table.rows(self.member).exists()],
            "event_days": settings.EVENT_RETENTION_DAYS,
            "submission_days": settings.SUBMISSION_RETENTION_DAYS,
        }
        return self.render_page("members/delete.html", context, status=status)


class DeletedPage(PageView):
    """GET /account/deleted → 200, where the deletion of an account leads to; 302 for whoever is signed in."""

    cache_control = PRIVATE
    noindex = True

    def get(self, request: HttpRequest) -> HttpResponse:
        if self.reader is not None:
            return HttpResponseRedirect("/")
        return self.render_page("members/deleted.html", {})


LOOKS_ON_A_PAGE = 20


class LooksPage(MemberPage):
    """GET /account/looks → 200: who of the staff looked at the service as the member, when, why and how much."""

    section = "account"

    def get(self, request: HttpRequest) -> HttpResponse:
        looks = Impersonation.objects.filter(subject=self.member).with_people()
        page = Paginator(looks, LOOKS_ON_A_PAGE).get_page(request.GET.get("page"))
        events = ImpersonationEvent.objects.filter(
            impersonation_id__in=[look.pk for look in page], kind=ImpersonationEvent.Kind.REQUEST
        )
        requests = dict(events.order_by().values_list("impersonation_id").annotate(Count("id")))
        now = timezone.now()
        shown = [
            (look, look.ended_at or look.expires_at, look.is_valid_at(now), requests.get(look.pk, 0)) for look in page
        ]
        pages = {
            "prev": f"?page={page.previous_page_number()}" if page.has_previous() else "",
            "next": f"?page={page.next_page_number()}" if page.has_next() else "",
        }
        return self.render_page("members/impersonation/looks.html", {"looks": shown, "pages": pages})


OTHERS = "others"
"""The value of `end` that means every device but this one."""


class DevicesPage(MemberPage):
    """GET /account/devices → 200: where the account is signed in. POST with `end`, a name or "others" → 303 back, after
    a sign-in of the last minutes.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        own_key = request.session.session_key
        devices = [(each, each.session_key == own_key) for each in sessions_of(self.member)]
        return self.render_page("members/devices.html", {"devices": devices, "others": OTHERS})

    @needs_fresh_sign_in
    def post(self, request: HttpRequest) -> HttpResponse:
        name, own_key = request.POST.get("end", ""), request.session.session_key
        others = [each for each in sessions_of(self.member) if each.session_key != own_key]
        ended = [each.pk for each in others if name in (OTHERS, each.name)]
        count = end_sessions(Session.objects.filter(pk__in=ended), why="by its owner")
        messages.success(request, f"{format_count(count, 'device')} signed out.")
        return SeeOther(request.path)
