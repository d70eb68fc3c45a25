"""The copy that a sender may ask for, and what keeps others from mailing strangers with it."""

from collections.abc import Sequence
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django_tasks_db.models import DBTaskResult
from rest_framework.test import APIClient

from config.edge.limits import counters
from config.worker import mails
from config.worker.runner import Runner, ShutdownRequest
from forms import tasks
from forms.declarations import FORMS
from forms.models import Submission
from forms.tasks import send_copy
from pages.forms import views
from tests.answers import field_errors
from tests.forms.bodies import CONTACT, board_report, bodies, page_token

pytestmark = pytest.mark.django_db


def send(form: str = "contact", /, client: str = "192.0.2.7", **changes: Any) -> Any:
    body = {**bodies()[form], "email": "ann@example.org", "sendCopy": True, **changes}
    return APIClient().post(f"/api/forms/{form}", body, REMOTE_ADDR=client)


def promised() -> int:
    return DBTaskResult.objects.filter(task_path="forms.tasks.send_copy").count()


class RefusingBackend(BaseEmailBackend):
    """A mail server that refuses every address."""

    code = 550

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        address = email_messages[0].to[0]
        raise SMTPRecipientsRefused({address: (self.code, f"{address}: not here".encode())})


def deliver() -> list[Any]:
    Runner(ShutdownRequest()).run(once=True)
    return mail.outbox


@pytest.mark.parametrize("name", FORMS)
def test_the_worker_sends_the_copy_to_the_sender_and_the_request_does_not(name: str) -> None:
    assert send(name).status_code == 201
    assert mail.outbox == []
    (copy,) = deliver()
    assert (copy.to, copy.subject) == (["ann@example.org"], "[Bridge Boards] A copy of what you sent")
    assert f'the form "{FORMS[name].title}"' in copy.body and "http://testserver/forms/contact" in copy.body
    assert copy.message()["Auto-Submitted"] == "auto-replied", "no program answers it"


def test_a_copy_quotes_each_field_with_its_label_and_a_choice_by_its_text() -> None:
    send(message="Two\nlines\n\n> quoted a\u202eb\x1b[31m\u2066c", subject="Cards")
    quoted = [line for line in deliver()[0].body.splitlines() if line.startswith(">")]
    message = ["> Message: Two", "> lines", "> ", "> > quoted ab[31mc"]  # nothing hidden by the direction of the text
    assert quoted == ["> Your name: Ann", "> Subject: Cards", *message]
    send("board-report")
    assert "> What is wrong: The cards" in deliver()[1].body


def test_who_does_not_ask_gets_no_copy() -> None:
    for wish in ({}, {"sendCopy": False}):
        assert APIClient().post("/api/forms/contact", {**CONTACT, **wish}).status_code == 201
    assert (promised(), deliver()) == (0, [])


def test_a_copy_needs_an_address_and_the_wish_is_a_boolean() -> None:
    for email in ({}, {"email": ""}):
        refused = APIClient().post("/api/forms/board-report", {**board_report(), **email, "sendCopy": True})
        assert field_errors(refused) == {"email": ["required"]}
    assert field_errors(send(sendCopy="yes")) == {"sendCopy": ["invalid"]}
    assert not Submission.objects.exists()


def test_an_address_is_tried_again_unless_refused_for_good(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.RefusingBackend"
    assert send_copy.call(send().json()["id"]) is False
    monkeypatch.setattr(RefusingBackend, "code", 450)
    deliver()
    task = DBTaskResult.objects.get(task_path="forms.tasks.send_copy")
    assert (task.status, task.exception_class_path) == ("READY", "config.worker.mails.Refused")
    assert "ann@" not in task.traceback


# --- On the page ---------------------------------------------------------------------------------------------


def send_page(seconds: float = 60, **changes: str) -> Any:
    return Client().post("/forms/contact", {**CONTACT, **page_token("contact", seconds), **changes})


def test_a_page_sends_a_copy_when_the_box_is_checked_which_it_stays_when_the_form_comes_back() -> None:
    assert "checked" not in Client().get("/forms/contact").content.decode()
    assert 'type="checkbox" value="yes" checked' in send_page(sendCopy="yes", email="nobody").content.decode()
    assert send_page().status_code == send_page(sendCopy="yes").status_code == 303
    assert [one.data.get("sendCopy") for one in Submission.objects.order_by("created_at")] == [None, True]
    assert promised() == 1


def test_a_suspected_robot_gets_no_copy_and_uses_up_no_limit() -> None:
    for number in range(5):
        send_page(sendCopy="yes", subject=str(number), **{views.HONEYPOT: "x"})
        send_page(seconds=1, sendCopy="yes", subject=str(number))
    assert promised() == 0
    assert send_page(sendCopy="yes").status_code == 303
    assert promised() == 1


def test_a_public_site_without_a_mail_server_offers_no_copy(settings: Any) -> None:
    for https, server, offered in ((True, "console", 0), (True, "smtp", 1), (False, "console", 1)):
        settings.HTTPS, settings.EMAIL_BACKEND = https, f"django.core.mail.backends.{server}.EmailBackend"
        page = Client().get("/forms/contact").content.decode()
        assert page.count('name="sendCopy"') == offered, (https, server)


# --- Nobody mails strangers ----------------------------------------------------------------------------------


@pytest.fixture
def clock() -> Any:
    with time_machine.travel("2026-11-21T10:00:00Z", tick=False) as stopped:
        yield stopped


@pytest.mark.usefixtures("clock")
def test_three_copies_a_day_go_to_one_mailbox_however_it_is_written() -> None:
    for number, email in enumerate(
        ("ann@example.org", "ANN@Example.org", "a.n.n@example.org", "ann+1@example.org", '"ann"@example.org')
    ):
        assert send(client=f"192.0.2.{number}", email=email).status_code == 201
    assert (Submission.objects.count(), promised()) == (5, mails.TO_ADDRESS)
    assert send(client="192.0.2.99", email="bob@example.org").status_code == 201
    assert promised() == mails.TO_ADDRESS + 1


@pytest.mark.usefixtures("clock")
def test_ten_copies_a_day_are_asked_for_by_one_client_not_counting_repeats() -> None:
    for _ in range(5):
        send(email="x0@example.org")
    assert promised() == 1
    for number in range(12):
        assert send(email=f"x{number}@example.org").status_code == 201
    assert promised() == tasks.OF_CLIENT
    send(client="192.0.2.8", email="bob@example.org")
    assert promised() == tasks.OF_CLIENT + 1


def test_a_refused_copy_does_not_use_up_the_limit_in_total(clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mails, "IN_TOTAL", 5)
    for number in range(6):
        send(client=f"192.0.2.{number}", email="ann@example.org", subject=str(number))
    for number in range(6):
        assert send(client=f"198.51.100.{number}", email=f"x{number}@example.org").status_code == 201
    assert promised() == 5
    clock.shift(2 * mails.A_DAY)
    send()
    assert promised() == 6


def test_no_part_of_what_was_typed_is_a_link() -> None:
    for link in (
        "https://evil.example/login", "HTTP://EVIL.EXAMPLE", "www.evil.example", "evil.example/x", "ann@evil.example",
        "evil。example", "ftp://10.0.0.1",
    ):  # fmt: skip
        cache.clear()
        send(name=link, subject=link, message=f"Click {link}\n{link}")
        body = deliver().pop().body
        assert link not in body
        quoted = "\n".join(line for line in body.splitlines() if line.startswith(">"))
        assert "://" not in quoted and not tasks.DOT.search(quoted.replace("[.]", "")), link


def test_what_was_typed_adds_no_header_and_leaves_no_quotation() -> None:
    for line_break in ("\r\n", "\n", "\r", "\x0b", "\x85", "\u2028"):
        cache.clear()
        injected = f"x{line_break}Bcc: everybody@example.org"
        send(subject=injected, name=injected, message=injected)
        copy = deliver().pop()
        assert (copy.recipients(), "Bcc" in copy.message()) == (["ann@example.org"], False), ascii(line_break)
        assert "everybody" not in str(copy.message()["Subject"])
        intro, _, quoted = copy.body.partition("\n> ")
        assert "everybody" not in intro, ascii(line_break)
        assert all(line.startswith(">") for line in f"> {quoted}".strip().splitlines()), ascii(line_break)


def test_a_submission_that_was_erased_is_not_copied() -> None:
    erased = send().json()["id"]
    Submission.objects.all().delete()
    assert send_copy.call(erased) is False
    assert deliver() == []


def test_counters_that_fail_meanwhile_lose_nothing_that_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any) -> bool:
        raise counters._unreachable()

    monkeypatch.setattr(tasks, "count", fail)
    shown = send_page(sendCopy="yes")
    assert shown.status_code == 503 and int(shown["Retry-After"]) > 0
    assert CONTACT["message"] in shown.content.decode()
    assert send().status_code == 503
    assert not Submission.objects.exists()
