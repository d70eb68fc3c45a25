"""The mail of the week: the hands of its days and what readers said, for members who have confirmed an address.

Here it is written and queued, and these are its pages: it is asked for and stopped by a member, confirmed and stopped
by the links of mails. Who gets it is in accounts.mail_of_the_week. Nobody gets it twice: a mail that may have gone out
is never sent again (decision 0060).
"""

from collections.abc import Iterator
from datetime import date, timedelta

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django_tasks import task

from accounts import mail_of_the_week
from accounts.mail_of_the_week import VALID, stop_link, week_of
from accounts.models import MailOfTheWeek
from accounts.tokens.claims import MAX_EMAIL_LENGTH
from bridge.names import format_call
from config.api.views import PRIVATE
from config.worker import mails
from pages.practice.daily import Day, latest_days, tell
from pages.site.base import MemberPage, PageView, SeeOther

AT_ONCE = 100
"""The mails that are queued at once, in one transaction."""

LATEST = 21
"""The days that are read. A mail is queued in the week after its days, and tried for a day."""

BODY = """\
The hands of the day from {first} to {last}, and what readers said.

{hands}

You get this mail because you asked for it on {site}
To stop it, open this and press the button; you need not sign in:
{stop}
"""


def queue_mails() -> int:
    """Queue the mail of the week for those who have not had it queued. Return how many.

    Several workers may do it at once: each row is queued by one of them. The worker asks about once a second.
    """
    week = week_of(timezone.now())
    due = MailOfTheWeek.objects.filter(queued_for__lt=week)
    if not mails.are_offered() or not (ids := list(due.values_list("pk", flat=True)[:AT_ONCE])):
        return 0
    with transaction.atomic():
        queued = [pk for pk in sorted(ids) if due.filter(pk=pk).update(queued_for=week)]
        for pk in queued:
            send_mail_of_the_week.enqueue(str(pk), week.isoformat())
    return len(queued)


@task
def send_mail_of_the_week(wish_id: str, week: str) -> bool:
    """Send one member the hands of the week before this Monday, and return whether the mail went out.

    A task that runs twice sends at most one. The mail server is reached before the mail is claimed, and a mail that it
    refuses is released: then the error makes the worker try again. After any other error the mail stays claimed, since
    the server may have taken it.
    """
    monday = date.fromisoformat(week)
    wish = MailOfTheWeek.objects.filter(pk=wish_id, account__is_active=True).exclude(confirmed_at=None).first()
    days = read_days(monday)
    if wish is None or not days:
        return False
    mail = make_mail(wish, days)
    with get_connection() as mail.connection:
        if not wish.claim(monday):
            return False
        try:
            return mails.send(mail)
        except mails.Refused:
            wish.release(monday)
            raise


def read_days(monday: date) -> list[Day]:
    """Return the days of the week before, the first one first. Those that pages do not tell either are left out."""
    latest = tell(latest_days(LATEST))
    return [day for day in reversed(latest) if monday - timedelta(days=7) <= day.day < monday]


def make_mail(wish: MailOfTheWeek, days: list[Day]) -> EmailMessage:
    """Return the mail. It has no word that a member has written, and one recipient."""
    first, last, stop = days[0].name_of_day, days[-1].name_of_day, stop_link(wish.account_id)
    hands = "\n\n".join("\n".join(write_day(day)) for day in days)
    body = BODY.format(first=first, last=last, hands=hands, site=settings.PUBLIC_BASE_URL, stop=stop)
    headers = {
        "Auto-Submitted": "auto-generated",
        # One click, by RFC 8058: the program for mail posts to the address.
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    subject = f"[{settings.CLUB.name}] The hands of the week"
    return EmailMessage(subject, body, to=[wish.address], headers=headers)


def write_day(day: Day) -> Iterator[str]:
    """Yield the lines about a day: the hand, the calls before it, and what was said."""
    yield day.name_of_day
    yield f"You are {day.seat.full_name}, {day.diagram.title.partition(': ')[2]}."
    yield "  ".join(f"{suit.symbol} {suit.ranks or '–'}" for suit in day.diagram.hands[day.seat.key].suits)
    if day.question:
        yield f"Before you: {', '.join(map(format_call, day.calls))}." if day.calls else "You are the first to call."
        yield f"{day.answers_in_words}."
    yield settings.PUBLIC_BASE_URL + reverse("board-page", args=[day.board.pk])


class AddressForm(forms.Form):
    address = forms.EmailField(
        label="E-mail address",
        help_text="It is used only for this mail, and deleted when you stop it.",
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
            messages.success(request, "You will get no mail of the week, and your address for it was deleted.")
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
        return self.render_page("practice/mail.html", context, status=status)


class LinkPage(PageView):
    """The base of pages that a link in a mail leads to. Programs follow links too, so that only a post does anything.

    The link's signature is what gives the right to it: neither a session nor a form's token is needed.
    """

    cache_control = PRIVATE
    noindex = True
    is_anonymous = True

    def show(self, **words: str) -> HttpResponse:
        return self.render_page("practice/mail_link.html", words)


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
        text = "You will get no more mails of the week, and your address for them was deleted."
        return self.show(title="The mail is stopped", text=text)
