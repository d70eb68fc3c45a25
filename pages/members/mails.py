"""The mail of the week: asked for and stopped by a member, confirmed and stopped by the links of mails."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse

from accounts import mail_of_the_week
from accounts.models import MailOfTheWeek
from accounts.tasks import VALID
from accounts.tokens.claims import MAX_EMAIL_LENGTH
from config.api.views import PRIVATE
from config.worker import mails
from pages.site.base import MemberPage, PageView, SeeOther


class AddressForm(forms.Form):
    address = forms.EmailField(
        label="E-mail address",
        help_text="It is used for this mail alone, and deleted when you stop it.",
        max_length=MAX_EMAIL_LENGTH,
        widget=forms.EmailInput({"autocomplete": "email"}),
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        if not mails.PLAIN_ADDRESS.fullmatch(address):
            raise forms.ValidationError("Give an address without quotation marks.")
        host = address.rpartition("@")[2]
        if "." not in host or host.startswith("["):
            raise forms.ValidationError("Give an address with the name of a mail server, as in ann@example.org.")
        return address


class MailPage(MemberPage):
    """GET /account/mail → 200, where the mail of the week goes, and a form for an address. POST `address` → 303, and a
    mail with a link goes there; `stop` → 303, and no more is sent. 400 with what is wrong, 429 for too many.
    """

    section = "account"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.show(AddressForm(initial={"address": self.member.email}, auto_id="%s"))

    def post(self, request: HttpRequest) -> HttpResponse:
        if "stop" in request.POST:
            mail_of_the_week.stop(self.member.pk)
            messages.success(request, "You get no mail of the week, and your address for it is deleted.")
            return SeeOther(request.path)
        if not mails.are_offered():
            raise Http404
        form = AddressForm(request.POST, auto_id="%s")
        if not form.is_valid():
            return self.show(form, status=400)
        mail_of_the_week.ask(account_id=self.member.pk, address=form.cleaned_data["address"])
        return SeeOther(request.path)

    def show(self, form: AddressForm, *, status: int = 200) -> HttpResponse:
        wish = MailOfTheWeek.objects.filter(account=self.member.pk).first()
        context = {"form": form, "wish": wish, "is_offered": mails.are_offered(), "days": VALID.days}
        return self.render_page("accounts/mail.html", context, status=status)


class LinkPage(PageView):
    """The base of pages that a link in a mail leads to. Programs follow links too, so that only a post does anything.

    The link's signature is what gives the right to it: neither a session nor a form's token is needed.
    """

    cache_control = PRIVATE
    noindex = True
    is_anonymous = True

    def show(self, **words: str) -> HttpResponse:
        return self.render_page("accounts/mail_link.html", words)


class ConfirmPage(LinkPage):
    """GET /mail-of-the-week/confirm/{token} → 200, a button, or 404 for a link that is none or too old. POST → 200,
    confirmed: the first mail comes on the next Monday.
    """

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        mail_of_the_week.check_confirmation(token)
        return self.show(title="Get the mail of the week?", button="Yes, send it to me")

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        mail_of_the_week.confirm(token)
        text = "The first mail comes on Monday. Each one has a link that stops it."
        return self.show(title="Your address is confirmed", text=text)


class StopPage(LinkPage):
    """GET /mail-of-the-week/stop/{token} → 200, a button, or 404 for a link that is none. POST → 200, stopped, also
    for a program for mail, which posts `List-Unsubscribe=One-Click` from anywhere (RFC 8058).
    """

    def check_post(self, request: HttpRequest) -> None:
        """Take posts of every site, also of one where mail is read."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        mail_of_the_week.check_stop(token)
        return self.show(title="Stop the mail of the week?", button="Stop it")

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        mail_of_the_week.stop_by_link(token)
        text = "You get no mail of the week any more, and your address for it is deleted."
        return self.show(title="The mail is stopped", text=text)
