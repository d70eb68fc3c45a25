"""The mail that tells the operators of a submission, and what it must not contain."""

import uuid
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from django_tasks_db.models import DBTaskResult
from rest_framework.test import APIClient

from config.worker.queue import request_id_of
from config.worker.runner import Runner
from config.worker.shutdown import ShutdownRequest
from forms import robots
from forms.models import Submission
from forms.tasks import send_submission_mail
from tests import factories
from tests.forms.bodies import CONTACT, bodies, page_token

pytestmark = pytest.mark.django_db

OPERATORS = ["one@example.org", "two@example.org"]


@pytest.fixture(autouse=True)
def _operators(settings: Any) -> None:
    settings.FORM_MAIL_TO = OPERATORS


def sent(form: str = "contact", /, **changes: Any) -> Submission:
    answer = APIClient().post(f"/api/forms/{form}", {**bodies()[form], **changes})
    return Submission.objects.get(pk=answer.json()["id"])


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("contact", "Write to us"),
        ("organisation", "Join as an organisation"),
        ("board-report", "Report a problem with a board"),
    ],
)
def test_the_mail_tells_the_operators_where_to_read_the_submission(name: str, title: str) -> None:
    submission = sent(name)
    assert send_submission_mail(submission.pk) is True
    (message,) = mail.outbox
    assert (message.subject, message.to) == (f"[Bridge Boards] {title}", OPERATORS)
    assert f"http://testserver/admin/forms/submission/{submission.pk}/change/" in message.body


def test_the_address_in_the_mail_opens_the_submission() -> None:
    send_submission_mail(sent().pk)
    (address,) = [word for word in mail.outbox[0].body.split() if word.startswith("http")]
    client = Client()
    client.force_login(factories.account("boss", role="admin"))
    assert CONTACT["message"] in client.get(address).content.decode()


def test_the_mail_contains_nothing_that_the_visitor_typed() -> None:
    typed = {"name": "Zebedee", "email": "z@zebra.example", "subject": "Zigzag", "message": "Zounds"}
    send_submission_mail(sent(**typed).pk)
    whole = mail.outbox[0].message().as_string()
    assert not any(word in whole for word in typed.values())


@pytest.mark.parametrize("line_break", ["\r\n", "\n", "\r", "\u2028"], ids=ascii)
def test_no_visitor_can_add_a_header_to_the_mail(line_break: str) -> None:
    injected = f"x{line_break}Bcc: everybody@example.org"
    submission = sent(subject=injected, name=injected, message=injected)
    assert send_submission_mail(submission.pk)
    message = mail.outbox[0].message()
    assert sorted(message.keys()) == sorted(
        [
            "Content-Type",
            "MIME-Version",
            "Content-Transfer-Encoding",
            "Subject",
            "From",
            "To",
            "Date",
            "Message-ID",
        ]
    )
    assert "everybody" not in message.as_string()


def test_without_recipients_there_is_no_mail(settings: Any) -> None:
    settings.FORM_MAIL_TO = []
    assert send_submission_mail(sent().pk) is False
    assert mail.outbox == []


def test_a_submission_of_a_suspected_robot_mails_nobody() -> None:
    Client().post("/forms/contact", {**CONTACT, **page_token("contact"), robots.HONEYPOT: "x"})
    submission = Submission.objects.get(is_suspected=True)
    assert send_submission_mail(submission.pk) is False
    assert mail.outbox == []


def test_a_submission_that_was_erased_mails_nobody() -> None:
    assert send_submission_mail(uuid.uuid4()) is False
    assert mail.outbox == []


def test_the_mail_names_a_form_that_is_no_longer_declared() -> None:
    submission = sent()
    Submission.objects.update(form="survey")
    assert send_submission_mail(submission.pk)
    assert mail.outbox[0].subject == "[Bridge Boards] survey"


def test_the_worker_sends_the_mail_and_the_request_does_not() -> None:
    submission = sent()
    assert mail.outbox == []
    assert request_id_of(DBTaskResult.objects.get()) == submission.request_id != ""
    Runner(ShutdownRequest()).run(once=True)
    (message,) = mail.outbox
    assert str(submission.pk) in message.body


def test_a_new_submission_is_mailed_once_and_a_repeat_not_at_all() -> None:
    for _ in range(3):
        sent()
    Runner(ShutdownRequest()).run(once=True)
    assert len(mail.outbox) == 1


def test_a_submission_that_was_rolled_back_is_not_mailed() -> None:
    with transaction.atomic():
        sent()
        transaction.set_rollback(True)
    assert not DBTaskResult.objects.exists()
