from uuid import UUID

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse

from forms.declarations import FORMS
from forms.models import Submission

BODY = """\
Somebody sent the form "{title}" at {time:%Y-%m-%d %H:%M} UTC (language: {language}).

Read it, and mark it as handled, in the administration:
{url}
"""


def send_submission_mail(submission_id: UUID) -> bool:
    """Tell FORM_MAIL_TO that there is something to read; whether a mail went out.

    None goes out without recipients, for what a robot seems to have sent, or when the row is gone. Nothing a visitor
    typed is in the mail, neither in its head nor in its body: mail lies about in places the service knows nothing of.
    Raises what the e-mail backend raises (SMTPException, OSError): the worker then tries again.
    """
    submission = Submission.objects.filter(pk=submission_id, is_suspected=False).first()
    if submission is None or not settings.FORM_MAIL_TO:
        return False
    title = FORMS[submission.form].title if submission.form in FORMS else submission.form
    path = reverse("admin:forms_submission_change", args=[submission.pk])
    body = BODY.format(
        title=title,
        time=submission.created_at,
        language=submission.language,
        url=settings.PUBLIC_BASE_URL + path,
    )
    return bool(send_mail(f"[Bridge Boards] {title}", body, None, settings.FORM_MAIL_TO))
