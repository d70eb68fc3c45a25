"""The mails about a submission, which the worker sends: one to the operators, and the copy that its sender asked for.

Anybody can type anybody's address, so a copy is a way to have this service write to strangers (decision 0037).
"""

import re
from collections.abc import Iterator

from django.conf import settings
from django.core.mail import EmailMessage, send_mail
from django.urls import reverse
from django.utils.formats import localize
from django_tasks import task

from config.edge.limits.counters import Limit
from config.worker import mails
from forms.models import Submission
from forms.reading import answers, title_of

FIELD = "sendCopy"

OF_CLIENT = 10
"""How many copies a day are asked for by one client."""

UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn the direction of a text and so can hide what it says."""

DOT = re.compile(r"[.。．｡](?=[^\W\d_])")
"""A dot as in the name of a host: programs for mail make a link of what has one, with or without https://."""

BODY = """\
Somebody, most likely you, sent the form "{title}" at {time} UTC on
{site}
and asked for a copy to this address.

If it was not you, somebody else entered your address. You need not do anything: at most {limit} copies
a day are sent to one address. If this happens again, please tell us: {site}/forms/contact

The text that was sent is below, marked with >. We have not checked it. Web addresses in it have brackets, so that
none can be opened from here.

{quoted}
"""


def is_wanted(submission: Submission) -> bool:
    """Tell whether the sender asked for a copy, and may get one: no robot does, and no address with quotation marks."""
    wish, address = submission.data.get(FIELD), submission.data.get("email", "")
    return bool(wish) and not submission.is_suspected and mails.PLAIN_ADDRESS.fullmatch(address) is not None


def count(address: str, client: str) -> bool:
    """Count a copy to this address, and tell whether it may be sent. A refused one counts no further.

    Raise ServiceUnavailable when the counters are out of reach.
    """
    return mails.count("forms.copies", address, Limit(f"client:{client}", OF_CLIENT, mails.A_DAY)) is None


def make_mail(submission: Submission) -> EmailMessage:
    """Return the copy. Subject and introduction are ours; what was typed is quoted, and no part of it is a link."""
    body = BODY.format(
        title=title_of(submission.form),
        time=localize(submission.created_at),
        site=settings.PUBLIC_BASE_URL,
        limit=mails.TO_ADDRESS,
        quoted="\n".join(quote(submission)),
    )
    # RFC 3834: no program answers such a mail.
    headers = {"Auto-Submitted": "auto-replied"}
    subject = f"[{settings.CLUB.name}] A copy of what you sent"
    return EmailMessage(subject, body, to=[submission.data["email"]], headers=headers)


def quote(submission: Submission) -> Iterator[str]:
    """Yield the lines of what was sent, each marked as quoted."""
    for answer in answers(submission):
        if answer.name not in ("email", FIELD):
            first, *others = disarm(answer.text).splitlines() or [""]
            yield f"> {answer.label}: {first}"
            yield from (f"> {line}" for line in others)


def disarm(text: str) -> str:
    """Return the text so that no program for mail makes a link of a part of it."""
    return DOT.sub("[.]", UNSEEN.sub("", text).replace("://", "[:]//"))


MAIL_BODY = """\
A visitor sent the form "{title}" at {time} UTC (language: {language}).

Read it in the administration, and mark it as handled there:
{url}
"""


@task
def send_copy(submission_id: str) -> bool:
    """Send the sender the copy that was counted, and return whether one went out. A task that runs twice sends two.

    None goes out when the row is gone or wants none, or when the mail server refuses the address for good. Raise what
    `mails.send` raises, so that the worker tries again.
    """
    submission = Submission.objects.filter(pk=submission_id).first()
    return submission is not None and is_wanted(submission) and mails.send(make_mail(submission))


@task
def announce(submission_id: str) -> bool:
    """Tell FORM_MAIL_TO that there is a submission to read, and return whether a mail went out.

    A task that runs twice sends two. No mail goes out without recipients, for a suspected robot, or when the row is
    gone. Neither the headers nor the body contain anything that the visitor typed, since nobody knows where a mail is
    kept and who reads it. Raise what the e-mail backend raises (SMTPException, OSError): the worker tries again.
    """
    submission = Submission.objects.filter(pk=submission_id, is_suspected=False).first()
    if submission is None or not settings.FORM_MAIL_TO:
        return False
    title = title_of(submission.form)
    path = reverse("admin:forms_submission_change", args=[submission.pk])
    body = MAIL_BODY.format(
        title=title,
        time=localize(submission.created_at),
        language=submission.language,
        url=settings.PUBLIC_BASE_URL + path,
    )
    return bool(send_mail(f"[{settings.CLUB.name}] {title}", body, None, settings.FORM_MAIL_TO))
