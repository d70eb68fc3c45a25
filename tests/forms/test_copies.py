"""The copy that a sender may ask for, and what keeps others from mailing strangers with it."""

from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django_tasks_db.models import DBTaskResult
from rest_framework.test import APIClient

from config.worker.runner import Runner
from config.worker.shutdown import ShutdownRequest
from forms import copies, robots
from forms.declarations import FORMS
from forms.models import Submission
from forms.tasks import send_copy_mail
from tests.answers import field_errors
from tests.forms import refusing_backend
from tests.forms.bodies import CONTACT, board_report, bodies, page_token
from tests.undone import undone

pytestmark = pytest.mark.django_db


def send(form: str = "contact", /, client: str = "192.0.2.7", **changes: Any) -> Any:
    body = {**bodies()[form], "email": "ann@example.org", "sendCopy": True, **changes}
    return APIClient().post(f"/api/forms/{form}", body, REMOTE_ADDR=client)


def promised() -> int:
    return DBTaskResult.objects.filter(task_path="forms.tasks.send_copy").count()


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


def test_a_copy_quotes_each_field_with_its_label() -> None:
    send(message="Two\nlines\n\n> quoted", subject="Cards")
    lines = deliver()[0].body.splitlines()
    quoted = [line for line in lines if line.startswith(">")]
    assert quoted == [
        "> Your name: Ann", "> Subject: Cards", "> Message: Two", "> lines", "> ", "> > quoted",
    ]  # fmt: skip


def test_a_choice_is_copied_by_its_text() -> None:
    send("board-report")
    assert "> What is wrong: The cards" in deliver()[0].body


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


def test_an_address_that_is_refused_for_good_is_not_tried_again(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EMAIL_BACKEND = "tests.forms.refusing_backend.EmailBackend"
    monkeypatch.setattr(refusing_backend.EmailBackend, "code", 550)
    assert send_copy_mail(UUID(send().json()["id"])) is False


def test_an_address_that_is_refused_for_now_is_tried_again_and_stays_out_of_the_traceback(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_BACKEND = "tests.forms.refusing_backend.EmailBackend"
    monkeypatch.setattr(refusing_backend.EmailBackend, "code", 450)
    send()
    deliver()
    task = DBTaskResult.objects.get(task_path="forms.tasks.send_copy")
    assert (task.status, task.exception_class_path) == ("READY", "smtplib.SMTPException")
    assert "ann@" not in task.traceback


# --- On the page ---------------------------------------------------------------------------------------------


def send_page(seconds: float = 60, **changes: str) -> Any:
    return Client().post("/forms/contact", {**CONTACT, **page_token("contact", seconds), **changes})


def test_a_page_sends_a_copy_when_the_box_is_checked() -> None:
    assert "checked" not in Client().get("/forms/contact").content.decode()
    assert send_page().status_code == send_page(sendCopy="yes").status_code == 303
    assert [one.data.get("sendCopy") for one in Submission.objects.order_by("created_at")] == [None, True]
    assert promised() == 1


def test_the_box_stays_checked_when_the_form_comes_back() -> None:
    shown = send_page(sendCopy="yes", email="nobody").content.decode()
    assert 'type="checkbox" value="yes" checked' in shown


def test_a_suspected_robot_gets_no_copy_and_uses_up_no_limit() -> None:
    for number in range(5):
        send_page(sendCopy="yes", subject=str(number), **{robots.HONEYPOT: "x"})
        send_page(seconds=1, sendCopy="yes", subject=str(number))
    assert promised() == 0
    assert send_page(sendCopy="yes").status_code == 303
    assert promised() == 1


@pytest.mark.parametrize(
    ("https", "server", "offered"), [(True, "console", 0), (True, "smtp", 1), (False, "console", 1)]
)
def test_a_public_site_without_a_mail_server_offers_no_copy(
    https: bool, server: str, offered: int, settings: Any
) -> None:
    settings.HTTPS, settings.EMAIL_BACKEND = https, f"django.core.mail.backends.{server}.EmailBackend"
    assert Client().get("/forms/contact").content.decode().count('name="sendCopy"') == offered


# --- Nobody mails strangers ----------------------------------------------------------------------------------


@pytest.fixture
def clock() -> Any:
    with time_machine.travel("2026-11-21T10:00:00Z", tick=False) as stopped:
        yield stopped


@pytest.mark.usefixtures("clock")
def test_three_copies_a_day_go_to_one_mailbox_however_it_is_written() -> None:
    spellings = [
        "ann@example.org", "ANN@Example.org", "a.n.n@example.org", "ann+1@example.org", '"ann"@example.org',
    ]  # fmt: skip
    answers = [send(client=f"192.0.2.{number}", email=email) for number, email in enumerate(spellings)]
    assert {answer.status_code for answer in answers} == {201}
    assert (Submission.objects.count(), promised()) == (5, copies.TO_ADDRESS)
    assert send(client="192.0.2.99", email="bob@example.org").status_code == 201
    assert promised() == copies.TO_ADDRESS + 1


@pytest.mark.usefixtures("clock")
def test_ten_copies_a_day_are_asked_for_by_one_client() -> None:
    for number in range(12):
        assert send(email=f"x{number}@example.org").status_code == 201
    assert promised() == copies.OF_CLIENT
    send(client="192.0.2.8", email="bob@example.org")
    assert promised() == copies.OF_CLIENT + 1


def test_there_is_a_limit_in_total_that_a_refused_copy_does_not_use_up(
    clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "IN_TOTAL", 5)
    for number in range(6):
        send(client=f"192.0.2.{number}", email="ann@example.org", subject=str(number))
    for number in range(6):
        assert send(client=f"198.51.100.{number}", email=f"x{number}@example.org").status_code == 201
    assert promised() == 5
    clock.shift(2 * copies.A_DAY)
    send()
    assert promised() == 6


def test_a_repeat_of_the_same_form_is_neither_counted_nor_copied_again() -> None:
    for _ in range(5):
        send()
    assert promised() == 1
    send(subject="Another")
    assert promised() == 2


LINKS = [
    "https://evil.example/login", "HTTP://EVIL.EXAMPLE", "www.evil.example", "evil.example/x",
    "ann@evil.example", "evil。example", "ftp://10.0.0.1",
]  # fmt: skip


def test_no_part_of_what_was_typed_is_a_link(subtests: pytest.Subtests) -> None:
    for link in LINKS:
        with subtests.test(repr(link)), undone():
            cache.clear()
            mail.outbox.clear()
            send(name=link, subject=link, message=f"Click {link}\n{link}")
            body = deliver()[0].body
            assert link not in body
            quoted = "\n".join(line for line in body.splitlines() if line.startswith(">"))
            assert "://" not in quoted and not copies.DOT.search(quoted.replace("[.]", ""))


def test_what_was_typed_adds_no_header_and_leaves_no_quotation(subtests: pytest.Subtests) -> None:
    for line_break in ["\r\n", "\n", "\r", "\x0b", "\x85", "\u2028"]:
        with subtests.test(repr(line_break)), undone():
            cache.clear()
            mail.outbox.clear()
            injected = f"x{line_break}Bcc: everybody@example.org"
            send(subject=injected, name=injected, message=injected)
            (copy,) = deliver()
            assert copy.recipients() == ["ann@example.org"]
            assert "Bcc" not in copy.message() and "everybody" not in str(copy.message()["Subject"])
            intro, _, quoted = copy.body.partition("\n> ")
            assert "everybody" not in intro
            assert all(line.startswith(">") for line in f"> {quoted}".strip().splitlines())


def test_a_copy_hides_nothing_by_the_direction_of_its_text() -> None:
    send(message="a\u202eb\x1b[31m\u2066c")
    assert "> Message: ab[31mc" in deliver()[0].body


def test_no_program_answers_a_copy() -> None:
    send()
    assert deliver()[0].message()["Auto-Submitted"] == "auto-replied"


def test_a_submission_that_was_erased_is_not_copied() -> None:
    submission = Submission.objects.get(pk=send().json()["id"])
    submission.delete()
    assert send_copy_mail(submission.pk) is False
    assert deliver() == []


def test_counters_that_fail_meanwhile_lose_nothing_that_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any) -> bool:
        raise copies.counters._unreachable()

    monkeypatch.setattr(copies, "count", fail)
    shown = send_page(sendCopy="yes")
    assert shown.status_code == 503 and int(shown["Retry-After"]) > 0
    assert CONTACT["message"] in shown.content.decode()
    assert send().status_code == 503
    assert not Submission.objects.exists()
