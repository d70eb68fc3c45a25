"""What is done after a submission is stored."""

from uuid import UUID

from django_tasks import task

from forms.mail import send_submission_mail


@task
def announce(submission_id: str) -> None:
    """Mail it to the operators; may run twice, and then sends two mails."""
    send_submission_mail(UUID(submission_id))
