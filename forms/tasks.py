"""The mail that tells the operators of a submission. The worker sends it, never the request."""

from uuid import UUID

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse
from django_tasks import task

from forms.declarations import FORMS
from forms.models import Submission

MAIL_BODY = """\
A visitor sent the form "{title}" at {time:%Y-%m-%d %H:%M} UTC (language: {language}).

Read it in the administration, and mark it as handled there:
{url}
"""


@task
def announce(submission_id: str) -> None:
    """Send the mail. A task that runs twice sends two."""
    send_submission_mail(UUID(submission_id))


def send_submission_mail(submission_id: UUID) -> bool:
    """Tell FORM_MAIL_TO that there is a submission to read, and return whether a mail went out.

    No mail goes out without recipients, for a suspected robot, or when the row is gone. Neither the headers nor the
    body contain anything that the visitor typed, since nobody knows where a mail is kept and who reads it. Raise what
    the e-mail backend raises (SMTPException, OSError), so that the worker tries again.
    """
    submission = Submission.objects.filter(pk=submission_id, is_suspected=False).first()
    if submission is None or not settings.FORM_MAIL_TO:
        return False
    title = FORMS[submission.form].title if submission.form in FORMS else submission.form
    path = reverse("admin:forms_submission_change", args=[submission.pk])
    body = MAIL_BODY.format(
        title=title,
        time=submission.created_at,
        language=submission.language,
        url=settings.PUBLIC_BASE_URL + path,
    )
    return bool(send_mail(f"[Bridge Boards] {title}", body, None, settings.FORM_MAIL_TO))
