"""The mail by which somebody confirms an address for the mail of the week. The worker sends it."""

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.urls import reverse
from django_tasks import task

from accounts.models import MailOfTheWeek
from config.worker import mails

CONFIRM = "accounts.mail_of_the_week.confirm"
"""The salt of links that confirm an address: what is signed for anything else does not."""

VALID = timedelta(days=2)
"""How long such a link can be followed, and how long an address waits for it."""

BODY = """\
Somebody, most likely you, wants the mail of the week of
{site}
at this address: the hands of the day and what readers said, once a week. Confirm it within {days} days here:

{link}

If it was not you, you need not do anything: no further mail comes of it, and the address is deleted.
"""


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
