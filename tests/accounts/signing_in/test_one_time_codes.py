"""The admin's login with a password and a one-time code."""

import re
from functools import partial
from typing import Any

import pytest
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.contrib.auth import authenticate, user_login_failed
from django.db import connection
from django.test import Client
from pytest import MonkeyPatch
from time_machine import Traveller

from accounts.models import Account, OneTimeCode
from accounts.signing_in import attempts, one_time_codes
from accounts.signing_in.admin import WRONG
from accounts.signing_in.one_time_codes import enrol
from tests import factories
from tests.accounts.enrolled import code_at, secret_of
from tests.accounts.signing_in.test_login_limits import PASSWORD, URL, boss, clock, hashed
from tests.log_lines import Lines
from tests.meetings import at_once

pytestmark = pytest.mark.django_db
__all__ = ["boss", "clock", "hashed"]  # fixtures

BACKEND = "accounts.backends.OneTimeCodeBackend"


@pytest.fixture(autouse=True)
def _codes_are_asked_for(settings: Any) -> None:
    settings.ADMIN_ONE_TIME_CODES = True
    settings.AUTHENTICATION_BACKENDS = [BACKEND]


@pytest.fixture
def secret(boss: Account) -> bytes:
    """Enrol the boss. Return the secret."""
    return secret_of(enrol("Boss"))


def log_in(code: str, password: str = PASSWORD, name: str = "Boss", client: Client | None = None) -> Any:
    client = client or Client(REMOTE_ADDR="192.0.2.7")
    return client.post(f"{URL}?next=/admin/", {"username": name, "password": password, "one_time_code": code})


def text_of(answer: Any) -> str:
    """Return the page without what differs between any two answers."""
    return re.sub(r'value="[^"]*"', "", answer.content.decode())


@pytest.fixture
def generated(monkeypatch: MonkeyPatch) -> list[float]:
    """Record the times whose codes are computed."""
    times: list[float] = []
    generate = TOTP.generate

    def recording(self: TOTP, time: float) -> bytes:
        times.append(time)
        return generate(self, time)

    monkeypatch.setattr(TOTP, "generate", recording)
    return times


def test_the_codes_are_those_of_rfc_6238() -> None:
    """Compare with appendix B, whose eight digits end with our six."""
    secret = b"12345678901234567890"
    known = {59: "94287082", 1111111109: "07081804", 1234567890: "89005924", 20000000000: "65353130"}
    assert {moment: one_time_codes.totp_of(secret).generate(moment).decode() for moment in known} == {
        moment: digits[2:] for moment, digits in known.items()
    }


def test_the_page_asks_for_the_code_in_the_same_step_unless_passwords_do(boss: Account, settings: Any) -> None:
    html = Client().get(URL).content.decode()
    (field,) = re.findall(r'<input[^>]*name="one_time_code"[^>]*>', html)
    assert 'autocomplete="one-time-code"' in field and 'inputmode="numeric"' in field
    assert '<label for="id_one_time_code"' in html
    assert html.index('name="password"') < html.index('name="one_time_code"') < html.index('type="submit"')
    settings.ADMIN_ONE_TIME_CODES = False
    settings.AUTHENTICATION_BACKENDS = ["accounts.backends.PasswordBackend"]
    assert "one_time_code" not in Client().get(URL).content.decode()
    assert log_in("").status_code == 302


def test_password_and_code_let_in_also_when_typed_as_apps_show_it(secret: bytes) -> None:
    client, code = Client(REMOTE_ADDR="192.0.2.7"), code_at(secret)
    assert log_in(f" {code[:3]} {code[3:]} ", client=client).status_code == 302
    assert client.get("/admin/").status_code == 200


def test_a_clock_may_differ_by_one_step(secret: bytes) -> None:
    statuses = {steps: log_in(code_at(secret, steps)).status_code for steps in (-2, -1, 0, 1, 2)}
    assert statuses == {-2: 200, -1: 302, 0: 302, 1: 302, 2: 200}


def test_what_is_no_code_lets_nobody_in(secret: bytes) -> None:
    for number, code in enumerate(("", "000000x", "12345", "1234567", "١٢٣٤٥٦", "x" * 9999)):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        assert log_in(code, client=client).status_code == 200, code
        assert "_auth_user_id" not in client.session, code


def test_every_wrong_answer_is_the_same_page_and_uses_nothing_up(secret: bytes) -> None:
    """Compare a wrong password, a wrong code, an account without codes, one that is not staff, and none at all."""
    right, wrong = code_at(secret), code_at(secret, 5)
    for name, role in (("Never", "admin"), ("Member", "member")):
        account = factories.account(name, role=role)
        account.set_password(PASSWORD)
        account.save()
    members = secret_of(enrol("Member"))
    typed = [
        (right, "a guess", "Boss"), (wrong, PASSWORD, "Boss"), (wrong, "a guess", "Boss"),
        (right, PASSWORD, "Never"), (right, PASSWORD, "Nobody"), (code_at(members), PASSWORD, "Member"),
    ]  # fmt: skip
    answers = [log_in(*each, client=Client(REMOTE_ADDR=f"192.0.2.{number}")) for number, each in enumerate(typed)]
    assert {answer.status_code for answer in answers} == {200}
    assert len({text_of(answer) for answer in answers}) == 1
    assert WRONG in answers[0].content.decode()
    assert log_in(code_at(secret, -1)).status_code == 302, "no step is used up"


def test_a_code_serves_once_and_none_before_it_serves_later(secret: bytes) -> None:
    statuses = [log_in(code_at(secret, step)).status_code for step in (0, 0, -1, 1)]
    assert statuses == [302, 200, 200, 302]


@pytest.mark.django_db(transaction=True)
def test_of_eight_logins_at_once_with_one_code_one_succeeds(secret: bytes) -> None:
    typed = {"username": "Boss", "password": PASSWORD, "one_time_password": code_at(secret)}
    logins = at_once([partial(authenticate, None, **typed)] * 8)
    assert len(logins) - logins.count(None) == 1


def test_the_secret_of_a_login_that_began_before_another_enrolment_is_not_stored_again(secret: bytes) -> None:
    row = OneTimeCode.objects.get(pk="Boss")
    step = one_time_codes.find_step(row, code_at(secret))
    assert step
    enrol("Boss")
    stored = OneTimeCode.objects.get(pk="Boss").secret
    assert not one_time_codes.use(row, step)
    assert OneTimeCode.objects.get(pk="Boss").secret == stored


def test_guesses_at_the_code_count_like_guesses_at_the_password_and_nothing_is_computed_beyond_the_limit(
    secret: bytes, clock: Traveller, hashed: list[str], generated: list[float]
) -> None:
    for number in range(attempts.PER_NAME_AND_CLIENT[0]):
        if number % attempts.PER_CLIENT[0] == 0:
            clock.shift(61)
        assert log_in(f"{number:06}").status_code == 200
    clock.shift(61)
    right = code_at(secret)
    generated.clear()
    hashed.clear()
    assert log_in(right).status_code == 429
    assert (generated, hashed, OneTimeCode.objects.get(pk="Boss").last_step) == ([], [], 0)


def test_password_and_code_are_checked_whatever_the_other_is_and_nothing_without_a_code(
    secret: bytes, hashed: list[str], generated: list[float]
) -> None:
    for code, password, name, checks in (
        *(("000000", PASSWORD, "Boss", (1, 3)), ("000000", "a guess", "Boss", (1, 3))),
        *(("000000", "a guess", "Nobody", (1, 3)), ("", PASSWORD, "Boss", (0, 0))),
    ):
        hashed.clear()
        generated.clear()
        answer = log_in(code, password, name)
        assert (len(hashed), len(generated)) == checks, name
    assert "This field is required." in answer.content.decode()


def test_the_log_says_of_whom_no_code_is_known_and_nobody_is_told_the_code(boss: Account, lines: Lines) -> None:
    """Nor are the receivers of Django's signal, which others write."""
    received: list[dict[str, str]] = []

    def receive(sender: object, credentials: dict[str, str], **more: Any) -> None:
        received.append(credentials)

    user_login_failed.connect(receive)
    log_in("123987")
    enrol("Boss")
    log_in("123987")
    log_in("123987", name="Nobody")
    user_login_failed.disconnect(receive)
    failed = [line for line in lines.of("security") if line["event"] == "login_failed"]
    reasons = [(line["account"], line.get("reason")) for line in failed]
    assert reasons == [("Boss", "no_one_time_code"), ("Boss", None), (None, None)]
    assert [each["username"] for each in received] == ["Boss", "Boss", "Nobody"]
    assert "123987" not in "".join(lines.raw) + str(received)


def test_enrolling_again_ends_sessions_and_former_codes(secret: bytes) -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    log_in(code_at(secret), client=client)
    assert client.get("/admin/").status_code == 200
    again = secret_of(enrol("Boss"))
    assert client.get("/admin/").status_code == 302
    assert log_in(code_at(secret, 1)).status_code == 200
    assert log_in(code_at(again)).status_code == 302


def test_sessions_that_began_with_a_password_alone_end_when_codes_are_asked_for(secret: bytes, settings: Any) -> None:
    client = Client()
    for backend, status in (("accounts.backends.PasswordBackend", 200), (BACKEND, 302)):
        settings.AUTHENTICATION_BACKENDS = [backend]
        if status == 200:
            client.force_login(Account.objects.get(pk="Boss"))
        assert client.get("/admin/").status_code == status


def test_the_database_has_no_secret_in_plain(secret: bytes) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM accounts_onetimecode")
        stored = repr(cursor.fetchall())
    typed = enrol("Boss").splitlines()[-1].replace(" ", "")
    assert not [text for text in (secret.hex(), typed, repr(secret)[2:-1]) if text in stored]


ANOTHER_KEY = "another key, as long as a real one: 0123456789abcdefghijk"


def test_a_secret_outlives_a_change_of_secret_key(secret: bytes, settings: Any) -> None:
    former, settings.SECRET_KEY = settings.SECRET_KEY, ANOTHER_KEY
    for step, keys in ((0, [former]), (1, [])):  # the first login has encrypted it anew
        settings.SECRET_KEY_FALLBACKS = keys
        assert log_in(code_at(secret, step)).status_code == 302


def test_a_secret_whose_key_is_lost_lets_nobody_in_and_is_logged(secret: bytes, settings: Any, lines: Lines) -> None:
    settings.SECRET_KEY = ANOTHER_KEY
    assert log_in(code_at(secret)).status_code == 200
    errors = [line["message"] for line in lines.of("security") if line["level"] == "error"]
    assert errors == ["one_time_code_unreadable"]
    assert log_in(code_at(secret_of(enrol("Boss")))).status_code == 302
