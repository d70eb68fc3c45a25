"""Who gets the mail of the week: an address is given, confirmed by the link that is sent there, and stopped."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail, signing
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django_tasks_db.models import DBTaskResult

from accounts.mail_of_the_week import stop_link
from accounts.models import Account, MailOfTheWeek
from config.worker.runner import Runner, ShutdownRequest
from tests import factories
from tests.members import signed_in
from tests.pages.opening import open_page

pytestmark = pytest.mark.django_db

PAGE = "/account/mail"
MONDAY = "2026-11-23T12:00:00Z"


@pytest.fixture(autouse=True)
def clock() -> Any:
    with time_machine.travel(MONDAY, tick=False) as stopped:
        cache.clear()
        yield stopped


def ask(client: Client, address: str = "zia@home.example") -> Any:
    return client.post(PAGE, {"address": address})


def sent_link() -> str:
    """Return the path in the one mail that the worker sends."""
    Runner(ShutdownRequest()).run(once=True)
    (message,) = mail.outbox
    mail.outbox.clear()
    (link,) = [word for word in message.body.split() if "/mail-of-the-week/" in word]
    return link.removeprefix("http://testserver")


def confirmed(client: Client) -> Client:
    ask(client)
    assert Client().post(sent_link()).status_code == 200
    return client


def wish_of(account: str = "zia") -> tuple[str, bool] | None:
    wish = MailOfTheWeek.objects.filter(account=account).first()
    return (wish.address, wish.confirmed_at is not None) if wish else None


def test_an_address_is_confirmed_by_the_button_behind_the_link_that_is_sent_there(zia_client: Client) -> None:
    assert open_page(zia_client, "/account").links()["Mail of the week"] == PAGE
    assert open_page(zia_client, PAGE).form_values()["address"] == "zia@example.org", "which the provider gave"
    assert ask(zia_client)["Location"] == PAGE
    assert (mail.outbox, wish_of()) == ([], ("zia@home.example", False)), "the worker sends it"
    assert "on its way to zia@home.example" in open_page(zia_client, PAGE).html
    link, stranger = sent_link(), Client(enforce_csrf_checks=True)
    for method in (stranger.get, stranger.head, zia_client.get):
        answer = method(link)
        assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")
        assert wish_of() == ("zia@home.example", False), "programs follow links too"
    for _ in range(2):
        assert stranger.post(link).status_code == 200
        assert wish_of() == ("zia@home.example", True)
    assert "It goes to zia@home.example." in open_page(zia_client, PAGE).texts("p")


def test_a_link_that_was_queued_before_the_update_is_sent_after_it(zia_client: Client) -> None:
    ask(zia_client)
    DBTaskResult.objects.update(task_path="accounts.tasks.send_confirmation")
    assert Client().post(sent_link()).status_code == 200


def test_a_link_does_one_thing_for_one_address_and_for_two_days(zia_client: Client, clock: Any) -> None:
    ask(zia_client)
    first = sent_link()
    ask(zia_client, "zia@work.example")
    second = sent_link()
    token, root = second.rpartition("/")[2], "/mail-of-the-week"
    others = (signing.dumps("zia", salt=salt) for salt in ("accounts", "django.core.signing"))
    wrong = (first, second[:-1], f"{root}/stop/{token}", *(f"{root}/confirm/{other}" for other in others))
    answers = {path: Client().post(path) for path in (*wrong, f"{root}/confirm/%00", f"{root}/stop/é")}
    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(answers, 404)
    assert (wish_of(), "Request a new one" in answers[first].content.decode()) == (("zia@work.example", False), True)
    clock.shift(timedelta(days=2, seconds=2))
    assert Client().get(second).status_code == Client().post(second).status_code == 404
    call_command("prune")
    assert wish_of() is None, "an address that nobody confirms is deleted"


def test_prune_keeps_a_confirmed_address(zia_client: Client, clock: Any) -> None:
    confirmed(zia_client)
    clock.shift(timedelta(days=900))
    call_command("prune")
    assert wish_of() == ("zia@home.example", True)


def test_three_links_a_day_are_sent_for_one_account_and_to_one_mailbox(zia_client: Client, clock: Any) -> None:
    for number in range(4):
        answer = ask(zia_client, f"stranger{number}@example.org")
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (429, True)
    assert wish_of() == ("stranger2@example.org", False), "the refused one changes nothing"
    others = [signed_in(factories.account(f"other{number}")) for number in range(4)]
    addresses = ("ann@example.org", "ANN@Example.org", "a.n.n@example.org", "ann+1@example.org")
    statuses = [ask(client, address).status_code for client, address in zip(others, addresses, strict=True)]
    assert statuses == [303, 303, 303, 429]
    assert DBTaskResult.objects.filter(task_path="accounts.mail_of_the_week.send_confirmation").count() == 6
    clock.shift(timedelta(days=2))
    assert ask(zia_client).status_code == 303


def test_what_is_no_single_plain_address_is_refused_and_nothing_is_stored_or_sent(zia_client: Client) -> None:
    for address in (
        "", "nobody", "a@b.example, c@d.example", "a@b.example\r\nBcc: c@d.example", "a@b.example\nBcc: c@d.example",
        "Zia <a@b.example>", '"a b"@c.example', "a@b.example\x00", f"{'a' * 250}@b.example", "a@b.example c@d.example",
        "root@localhost", "a@[127.0.0.1]",
    ):  # fmt: skip
        answer = ask(zia_client, address)
        assert (answer.status_code, "No mail was sent" in answer.content.decode()) == (400, True), ascii(address)
    assert wish_of() is None and not DBTaskResult.objects.exists()


def test_without_a_mail_server_nothing_is_offered_and_what_is_can_be_stopped(zia: Account, settings: Any) -> None:
    client = confirmed(signed_in(zia))
    settings.HTTPS, settings.EMAIL_BACKEND = True, "django.core.mail.backends.console.EmailBackend"
    assert "Mail of the week" not in open_page(client, "/account").links()
    assert ask(client).status_code == 404
    assert client.post(PAGE, {"stop": "yes"}).status_code == 303
    page = open_page(client, PAGE)
    assert "This service has no mail server, so it sends no mail." in page.texts("p")
    assert wish_of() is None and not page.all("input", name="address")


def test_one_click_of_a_program_for_mail_stops_it_without_session_token_or_page(zia_client: Client) -> None:
    """Send what RFC 8058 §3.1 says, also as from a page where mail is read."""
    confirmed(zia_client)
    factories.account("other")
    MailOfTheWeek.objects.create(account_id="other", address="other@example.org")
    link, bare = stop_link("zia").removeprefix("http://testserver"), Client(enforce_csrf_checks=True)
    one_click = {"List-Unsubscribe": "One-Click"}
    foreign = {"origin": "https://mail.example", "sec-fetch-site": "cross-site"}
    assert Client().get(link).status_code == 200
    assert wish_of() == ("zia@home.example", True), "to open the page stops nothing"
    for headers in ({}, foreign):
        answer = bare.post(link, "List-Unsubscribe=One-Click", "application/x-www-form-urlencoded", headers=headers)
        assert (answer.status_code, wish_of(), wish_of("other") is None) == (200, None, False)
        assert not answer.cookies, "nobody is followed"
        MailOfTheWeek.objects.create(account_id="zia", address="zia@home.example")
    assert bare.post(link, one_click, headers=foreign).status_code == 200, "as multipart/form-data"
    assert wish_of() is None
    assert bare.post(link).status_code == 200, "again, from an older mail"


def test_a_member_stops_it_without_a_link(zia_client: Client) -> None:
    confirmed(zia_client)
    assert zia_client.post(PAGE, {"stop": "yes"}).status_code == 303
    assert "your address for it was deleted" in open_page(zia_client, PAGE).html
    assert wish_of() is None
