"""The mails about a submission: one tells the operators, one is the sender's copy. The worker sends them."""

from smtplib import SMTPException, SMTPRecipientsRefused
from uuid import UUID

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse
from django_tasks import task

from forms import copies
from forms.models import Submission
from forms.reading import title_of

REFUSED_FOR_GOOD = 500
"""The first code of a mail server (RFC 5321) that says that it would refuse the same again."""

MAIL_BODY = """\
A visitor sent the form "{title}" at {time:%Y-%m-%d %H:%M} UTC (language: {language}).

Read it in the administration, and mark it as handled there:
{url}
"""


@task
def announce(submission_id: str) -> None:
    """Send the mail. A task that runs twice sends two."""
    send_submission_mail(UUID(submission_id))


@task
def send_copy(submission_id: str) -> None:
    """Send the copy that was counted and promised. A task that runs twice sends two."""
    send_copy_mail(UUID(submission_id))


def send_copy_mail(submission_id: UUID) -> bool:
    """Send the sender a copy, and return whether one went out.

    None goes out when the row is gone or wants none, or when the mail server refuses the address for good. Raise what
    the e-mail backend raises otherwise (SMTPException, OSError), so that the worker tries again.
    """
    submission = Submission.objects.filter(pk=submission_id).first()
    if submission is None or not copies.is_wanted(submission):
        return False
    try:
        return bool(copies.make_mail(submission).send())
    except SMTPRecipientsRefused as error:
        if all(code >= REFUSED_FOR_GOOD for code, _ in error.recipients.values()):
            return False
        # Without the address, which would stay in the task's traceback.
        raise SMTPException("The mail server does not take a copy for its address now.") from None


def send_submission_mail(submission_id: UUID) -> bool:
    """Tell FORM_MAIL_TO that there is a submission to read, and return whether a mail went out.

    No mail goes out without recipients, for a suspected robot, or when the row is gone. Neither the headers nor the
    body contain anything that the visitor typed, since nobody knows where a mail is kept and who reads it. Raise what
    the e-mail backend raises (SMTPException, OSError), so that the worker tries again.
    """
    submission = Submission.objects.filter(pk=submission_id, is_suspected=False).first()
    if submission is None or not settings.FORM_MAIL_TO:
        return False
    title = title_of(submission.form)
    path = reverse("admin:forms_submission_change", args=[submission.pk])
    body = MAIL_BODY.format(
        title=title, time=submission.created_at, language=submission.language, url=settings.PUBLIC_BASE_URL + path
    )
    return bool(send_mail(f"[Bridge Boards] {title}", body, None, settings.FORM_MAIL_TO))
