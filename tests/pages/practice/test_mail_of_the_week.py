"""The mail of the week, as a mail server gets it from the worker: what is in it, and that nobody gets it twice."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.mail_of_the_week import week_of
from accounts.models import Account, MailOfTheWeek
from boards.models import BoardOfTheDay, PracticeAnswer
from config.worker.runner import Runner, ShutdownRequest
from pages.practice.daily import latest_days
from pages.practice.mails import queue_mails, send_mail_of_the_week
from tests import factories
from tests.mail_server import MailServer, running_mail_server

pytestmark = pytest.mark.django_db

MONDAY = date(2026, 11, 23)
SIX = "2026-11-23T06:00:00Z"


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(SIX, tick=False) as stopped:
        yield stopped


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    with running_mail_server(settings) as server:
        yield server


@pytest.fixture(autouse=True)
def _days(clock: Any) -> None:
    """Give each of the last ten days a board, the newest of which is still asked."""
    for age in range(10):
        board = factories.board(
            seed=age, number=7, calls="1NT Pass 3NT Pass Pass Pass", student="S", title="http://evil.example"
        )
        BoardOfTheDay.objects.create(day=MONDAY - timedelta(days=age), board=board)


def member(name: str = "zia", **columns: Any) -> MailOfTheWeek:
    wish = {"confirmed_at": timezone.now(), "queued_for": MONDAY - timedelta(days=7), **columns}
    return MailOfTheWeek.objects.create(account=factories.account(name), address=f"{name}@example.org", **wish)


def work() -> None:
    Runner(ShutdownRequest()).run(once=True)


def recipients(server: MailServer) -> list[str]:
    assert all(len(to) == 1 for to, _ in server.received)
    return sorted(to[0] for to, _ in server.received)


def test_each_member_who_confirmed_gets_one_mail_on_monday_at_six(server: MailServer, clock: Any) -> None:
    for name in ("zia", "ann"):
        member(name)
    member("unsure", confirmed_at=None, queued_for=None)
    Account.objects.filter(pk=member("left").account_id).update(is_active=False)
    clock.shift(-1)
    work()
    assert recipients(server) == []
    clock.shift(1)
    for _ in range(3):
        work()
    assert recipients(server) == ["ann@example.org", "zia@example.org"]
    clock.shift(timedelta(days=6, hours=23))
    work()
    assert len(server.received) == 2, "all week long"
    BoardOfTheDay.objects.create(day=MONDAY + timedelta(days=6), board=factories.board(calls="Pass Pass Pass Pass"))
    BoardOfTheDay.objects.get_or_create(day=MONDAY + timedelta(days=7), defaults={"board": factories.board()})
    clock.shift(timedelta(hours=1))
    work()
    assert recipients(server) == ["ann@example.org"] * 2 + ["zia@example.org"] * 2


def test_the_mail_has_the_seven_days_what_readers_said_and_a_link_that_stops_it(server: MailServer) -> None:
    member()
    sunday = latest_days(2)[1]
    assert sunday.question
    for said, count in (("1NT", 41), ("1C", 12), ("Pass", 3)):
        PracticeAnswer.objects.create(board=sunday.board, question=sunday.question.key, answer=said, count=count)
    work()
    ((_, message),) = server.received
    headers = {name: message[name] for name in ("Subject", "To", "Auto-Submitted", "List-Unsubscribe-Post")}
    assert headers == {
        "Subject": "[Bridge Boards] The hands of the week", "To": "zia@example.org",
        "Auto-Submitted": "auto-generated", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }  # fmt: skip
    text = message.get_content()
    stop = message["List-Unsubscribe"].strip().removeprefix("<").removesuffix(">")
    assert stop.startswith("http://testserver/mail-of-the-week/stop/") and stop in text.split()
    assert "from Monday 16 November to Sunday 22 November" in text
    days = [line for line in text.splitlines() if line.endswith(" November")]
    assert days == [f"{MONDAY - timedelta(days=age):%A %-d} November" for age in range(7, 0, -1)]
    told = [line for line in text.splitlines() if "at the table" in line]
    assert told == ["No reader answered; at the table 1NT."] * 6 + [
        "Readers said 1NT 41, 1♣ 12, Pass 3; at the table 1NT."
    ]
    assert f"http://testserver/boards/{sunday.board.pk}" in text and "evil.example" not in message.as_string()
    hand = [f"{suit.symbol} {suit.ranks or '–'}" for suit in sunday.diagram.hands["south"].suits]
    assert "  ".join(hand) in text and "You are South, dealer South, both sides vulnerable." in text


def test_a_mail_that_may_have_arrived_is_never_sent_again(server: MailServer, clock: Any) -> None:
    """End the connection when the server has the mail and has not said so: a worker that dies then knows as little."""
    wish = member()
    server.answers = {"DATA": ""}
    work()
    assert (len(server.received), DBTaskResult.objects.get().status) == (1, "READY"), "the error is seen"
    server.answers = {}
    clock.shift(timedelta(days=1))
    work()
    assert send_mail_of_the_week.call(str(wish.pk), MONDAY.isoformat()) is False
    assert (len(server.received), DBTaskResult.objects.get().status) == (1, "SUCCESSFUL")


def test_a_mail_that_did_not_go_out_is_tried_again_and_one_that_is_refused_for_good_is_not(
    server: MailServer, clock: Any, settings: Any
) -> None:
    for name, answers in (
        ("full", {"RCPT": "450 Later"}), ("busy", {"MAIL": "421 Too many"}), ("odd", {"DATA": "554 Not so"}),
    ):  # fmt: skip
        member(name)
        server.answers = answers
        work()
        server.received.clear()
        server.answers = {}
        clock.shift(timedelta(minutes=1))
        work()
        assert recipients(server) == [f"{name}@example.org"], name
        assert f"{name}@" not in DBTaskResult.objects.get().traceback
        DBTaskResult.objects.all().delete()
        server.received.clear()
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    member("down")
    work()
    settings.EMAIL_PORT = port
    clock.shift(timedelta(minutes=1))
    work()
    assert recipients(server) == ["down@example.org"]
    server.answers = {"RCPT": "550 Nobody"}
    member("nobody")
    work()
    assert {task.status for task in DBTaskResult.objects.all()} == {"SUCCESSFUL"}
    assert len(server.received) == 1


def test_nobody_who_has_stopped_it_gets_what_is_queued_and_a_week_without_hands_has_no_mail(
    server: MailServer,
) -> None:
    for name in ("zia", "ann"):
        member(name)
    assert (queue_mails(), queue_mails()) == (2, 0)
    MailOfTheWeek.objects.get(account="zia").delete()
    work()
    assert recipients(server) == ["ann@example.org"]
    BoardOfTheDay.objects.filter(day__lt=MONDAY).delete()
    member("late")
    work()
    assert len(server.received) == 1


def test_where_mail_reaches_nobody_none_is_queued(settings: Any) -> None:
    member()
    settings.HTTPS, settings.EMAIL_BACKEND = True, "django.core.mail.backends.console.EmailBackend"
    assert queue_mails() == 0
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert queue_mails() == 1


def test_a_week_begins_on_monday_at_six() -> None:
    moments = {"2026-11-23T05:59": 16, "2026-11-23T06:00": 23, "2026-11-29T23:59": 23, "2026-11-30T06:00": 30}
    found = {text: week_of(datetime.fromisoformat(text).replace(tzinfo=UTC)).day for text in moments}
    assert found == moments
