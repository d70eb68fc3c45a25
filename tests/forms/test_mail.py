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
from config.worker.runner import Runner, ShutdownRequest
from forms.models import Submission
from forms.tasks import announce
from pages.forms import views
from tests.config.admin.conftest import staff_client
from tests.forms.bodies import CONTACT, bodies, page_token

pytestmark = pytest.mark.django_db

OPERATORS = ["one@example.org", "two@example.org"]


@pytest.fixture(autouse=True)
def _operators(settings: Any) -> None:
    settings.FORM_MAIL_TO = OPERATORS


def sent(form: str = "contact", /, **changes: Any) -> Submission:
    answer = APIClient().post(f"/api/forms/{form}", {**bodies()[form], **changes})
    return Submission.objects.get(pk=answer.json()["id"])


def test_the_mail_tells_the_operators_where_to_read_the_submission_also_of_a_form_that_is_no_longer_declared() -> None:
    for name, title in (
        ("organisation", "Join as an organisation"), ("board-report", "Report a problem with a board"),
        ("contact", "Write to us"), ("survey", "survey"),
    ):  # fmt: skip
        submission = sent("contact" if name == "survey" else name)
        Submission.objects.filter(pk=submission.pk).update(form=name)
        assert announce.call(str(submission.pk)) is True
        message = mail.outbox.pop()
        assert (message.subject, message.to) == (f"[Bridge Boards] {title}", OPERATORS)
        (address,) = [word for word in message.body.split() if word.startswith("http")]
        assert address == f"http://testserver/admin/forms/submission/{submission.pk}/change/"
    assert CONTACT["message"] in staff_client("admin").get(address).content.decode(), "the address opens the last one"


def test_the_mail_has_no_header_and_nothing_else_that_a_visitor_typed() -> None:
    announce.call(str(sent().pk))
    headers = mail.outbox.pop().message().keys()
    for line_break in ("\r\n", "\n", "\r", "\u2028"):
        injected = dict.fromkeys(("subject", "name", "message"), f"Zounds{line_break}Bcc: everybody@example.org")
        assert announce.call(str(sent(**injected, email="z@zebra.example").pk))
        message = mail.outbox.pop().message()
        assert message.keys() == headers and "Bcc" not in headers, ascii(line_break)
        assert not any(word in message.as_string() for word in ("Zounds", "everybody", "zebra")), ascii(line_break)


def test_there_is_no_mail_without_recipients_of_a_robots_submission_and_of_one_that_was_erased(settings: Any) -> None:
    Client().post("/forms/contact", {**CONTACT, **page_token("contact"), views.HONEYPOT: "x"})
    for submission in (Submission.objects.get(is_suspected=True).pk, uuid.uuid4()):
        assert announce.call(str(submission)) is False
    person = sent().pk
    settings.FORM_MAIL_TO = []
    assert announce.call(str(person)) is False
    assert mail.outbox == []


def test_the_worker_sends_the_mail_once_and_neither_the_request_nor_a_repeat_sends_one() -> None:
    submission = sent()
    assert mail.outbox == []
    assert request_id_of(DBTaskResult.objects.get()) == submission.request_id != ""
    sent()
    Runner(ShutdownRequest()).run(once=True)
    (message,) = mail.outbox
    assert str(submission.pk) in message.body


def test_a_submission_that_was_rolled_back_is_not_mailed() -> None:
    with transaction.atomic():
        sent()
        transaction.set_rollback(True)
    assert not DBTaskResult.objects.exists()
