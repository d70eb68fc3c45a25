"""Who gets the mail of the week: a member who has given an address and confirmed it by the link that was sent there.

pages.practice.mails writes it and has its pages. Decision 0060 says why each step is as it is.
"""

import re
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import timezone
from django_tasks import task

from accounts.models import MailOfTheWeek, stop_key_of
from accounts.services import lock_alone
from config.api.errors import InvalidToken, NotFound, RateLimited
from config.database.retention import Retention
from config.database.transactions import retried_transaction
from config.edge.limits.counters import Limit
from config.worker import mails

CONFIRM = "accounts.mail_of_the_week.confirm"
"""The salt of links that confirm an address. A signature made for another purpose does not confirm one."""

VALID = timedelta(days=2)
"""How long such a link is valid. An address that was not confirmed by then is deleted."""

BODY = """\
Somebody, most likely you, wants the mail of the week of
{site}
at this address: the hands of the day and what readers said, once a week. Confirm it within {days} days here:

{link}

If it was not you, do nothing: nothing more is sent, and the address is deleted.
"""

STOP_KEY = re.compile(r"[0-9a-f]{64}")
"""The end of the link that stops the mail. It never expires, since mails are kept for years."""

OF_ACCOUNT = 3
"""The confirmation mails that an account may request in a day."""

SENT_AT = timedelta(hours=6)
"""How long after the beginning of Monday (UTC) the mail goes out."""

RETENTION = Retention(
    "addresses that nobody confirmed",
    "",
    lambda before: MailOfTheWeek.objects.filter(confirmed_at=None, asked_at__lt=before),
    days=VALID.days,
)


def week_of(now: datetime) -> date:
    """Return the Monday whose mail is the latest: it has the hands of the seven days before."""
    day = (now - SENT_AT).date()
    return day - timedelta(days=day.weekday())


def ask(*, account_id: str, address: str) -> None:
    """Keep an address in place of the former one, and have the link sent there that confirms it.

    Raise RateLimited when the account or the mailbox has had as many as it may today, ServiceUnavailable when the
    counters are out of reach, and InvalidToken for an account that is not active.
    """
    usage = mails.count("accounts.mails", address, Limit(f"account:{account_id}", OF_ACCOUNT, mails.A_DAY))
    if usage:
        message = f"An account, or an address, gets at most {OF_ACCOUNT} such mails a day. Try again tomorrow."
        raise RateLimited(message, headers={"Retry-After": str(usage.wait)})
    replace(account_id, address)


@retried_transaction
def replace(account_id: str, address: str) -> None:
    if not lock_alone(account_id):
        raise InvalidToken("This account is not active.")
    MailOfTheWeek.objects.filter(account=account_id).delete()
    wish = MailOfTheWeek.objects.create(account_id=account_id, address=address)
    send_confirmation.enqueue(str(wish.pk))


@task
def send_confirmation(wish_id: str) -> bool:
    """Send the link that confirms an address, and return whether it went out. A task that runs twice sends two.

    None goes out when the wish is gone or confirmed, or when the mail server refuses the address for good. Raise what
    `mails.send` raises, so that the worker tries again.
    """
    wish = MailOfTheWeek.objects.filter(pk=wish_id, confirmed_at=None).first()
    if wish is None:
        return False
    link = settings.PUBLIC_BASE_URL + reverse("mail-confirm", args=[signing.dumps(wish_id, salt=CONFIRM)])
    body = BODY.format(site=settings.PUBLIC_BASE_URL, link=link, days=VALID.days)
    subject = f"[{settings.CLUB.name}] Confirm your address"
    return mails.send(EmailMessage(subject, body, to=[wish.address], headers={"Auto-Submitted": "auto-generated"}))


def confirm(token: str) -> None:
    """Confirm the address that a link was sent to: its first mail comes on the next Monday. It is safe to repeat.

    Raise NotFound for a link that is none or too old, or whose address is not wanted any more.
    """
    wish = MailOfTheWeek.objects.filter(pk=check_confirmation(token))
    now = timezone.now()
    wish.filter(confirmed_at=None).update(confirmed_at=now, queued_for=week_of(now))
    if not wish.exists():
        raise NotFound("This link is no longer valid. Request a new one on your account's page.")


def check_confirmation(token: str) -> Any:
    """Return the id in a link that confirms. Raise NotFound for one that is none or too old."""
    try:
        return signing.loads(token, salt=CONFIRM, max_age=VALID)
    except signing.BadSignature:
        sentence = f"This link is broken or older than {VALID.days} days. Request a new one on your account's page."
        raise NotFound(sentence) from None


def stop_link(account_id: str) -> str:
    """Return the address that stops an account's mail, by a post or by the button of its page. It names nobody."""
    return settings.PUBLIC_BASE_URL + reverse("mail-stop", args=[stop_key_of(account_id)])


def check_stop(key: str) -> None:
    """Raise NotFound for what cannot be the key of a link that stops a mail."""
    if not STOP_KEY.fullmatch(key):
        raise NotFound("This link is incomplete. Copy all of it from the mail.")


def stop(account_id: str) -> None:
    """Delete the address of an account, so that no mail is sent any more. It is safe to repeat."""
    MailOfTheWeek.objects.filter(account=account_id).delete()


def stop_by_link(key: str) -> None:
    """Do the same for anyone with the link of a mail. The answer does not tell whether it was still sent. Raise
    NotFound.
    """
    check_stop(key)
    MailOfTheWeek.objects.filter(stop_key=key).delete()
