"""What holds for mails to addresses that anybody may have typed: who may get how many, and what a refusal means."""

import re
import unicodedata
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.crypto import salted_hmac

from config.checks import mail_that_reaches_nobody
from config.edge.limits import counters
from config.edge.limits.counters import Limit, Usage

A_DAY = 86_400
TO_ADDRESS, IN_TOTAL = 3, 200
"""How many mails of one kind go to one address, and are sent in all, each a day."""

PLAIN_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[^\s\"@]+")

REFUSED_FOR_GOOD = 500
"""The first code of a mail server (RFC 5321) that says that it would refuse the same again."""


class Refused(SMTPException):
    """The mail server has said that it does not take a mail now: nobody gets it."""


def are_offered() -> bool:
    """Tell whether pages offer mails: not at a public address without a mail server, where nobody would get one."""
    return not (settings.HTTPS and mail_that_reaches_nobody())


def count(kind: str, address: str, sender: Limit) -> Usage | None:
    """Count a mail of this kind, such as "forms.copies", to an address. Return the limit that refuses it, if one does.

    `sender` limits who asks for it. A refused mail counts no further. Raise ServiceUnavailable when the counters are
    out of reach.
    """
    mailbox = salted_hmac(kind, mailbox_of(address), algorithm="sha256").hexdigest()
    limits = (sender, Limit(f"mailbox:{mailbox}", TO_ADDRESS, A_DAY), Limit("everybody", IN_TOTAL, A_DAY))
    return next((usage for limit in limits if (usage := counters.count(kind, limit)).exceeded), None)


def mailbox_of(address: str) -> str:
    """Return the same text for addresses that may be one mailbox: Ann.Bo+x@example.org and annbo@example.org."""
    local, _, host = unicodedata.normalize("NFKC", address).casefold().rpartition("@")
    return re.sub(r"[^a-z0-9]", "", local.partition("+")[0]) + f"@{host.rstrip('.')}"


def send(mail: EmailMessage) -> bool:
    """Send a mail to its one recipient. Return False when the mail server refuses the address for good.

    Raise Refused when it takes the mail at another time perhaps, and what the e-mail backend raises otherwise
    (SMTPException, OSError): then nobody knows whether it has taken it. No error has the address, which would stay in
    the task's traceback.
    """
    try:
        return bool(mail.send())
    except SMTPRecipientsRefused as error:
        if all(code >= REFUSED_FOR_GOOD for code, _ in error.recipients.values()):
            return False
        raise Refused("The mail server does not accept mail for this address now.") from None
    except SMTPResponseException as error:
        raise Refused(f"The mail server refused a mail with {error.smtp_code}.") from None
