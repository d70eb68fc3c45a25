"""Nobody's wrong guesses keep an admin out from somewhere else, or from a device that logged in before."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from pytest import MonkeyPatch
from time_machine import Traveller

from accounts.models import Account
from accounts.signing_in import attempts
from tests import factories
from tests.accounts.signing_in.test_login_limits import (
    PASSWORD,
    URL,
    all_hashing,
    boss,
    change_password,
    clock,
    hashed,
    log_in,
)  # fmt: skip
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db
__all__ = ["boss", "clock", "hashed"]  # fixtures

ATTACKER, OFFICE = "192.0.2.7", "198.51.100.1"
MINUTE = 60


def guess(clock: Traveller, addresses: Sequence[str]) -> list[int]:
    """Guess at the password of Boss from each address, few a minute. Return the statuses."""
    statuses = []
    for number, address in enumerate(addresses):
        if number % attempts.PER_CLIENT[0] == 0:
            clock.shift(MINUTE + 1)
        statuses.append(log_in(address=address).status_code)
    return statuses


def test_one_customer_of_a_provider_cannot_lock_a_name_by_changing_addresses(boss: Account, clock: Traveller) -> None:
    """A /48 has 65,536 networks of a household. After 20 guesses it counts no further against the name."""
    assert attempts.PER_NAME_AND_NETWORK[0] * 5 < attempts.PER_NAME[0]
    assert guess(clock, [f"2001:db8:0:{number:x}::1" for number in range(40)]) == [200] * 20 + [429] * 20
    assert log_in(password=PASSWORD, address=OFFICE).status_code == 302


@pytest.fixture
def few_names(monkeypatch: MonkeyPatch) -> int:
    """Make the limit of a bare name small enough for a test. Return it."""
    monkeypatch.setattr(attempts, "PER_NAME", (4, 3600))
    return 4


def guess_from_everywhere(times: int, name: str = "Boss") -> list[int]:
    return [log_in(name, address=f"203.0.113.{number}").status_code for number in range(times)]


def test_wrong_guesses_from_one_address_keep_nobody_out_elsewhere(
    boss: Account, hashed: list[str], clock: Traveller
) -> None:
    assert guess(clock, [ATTACKER] * 10) == [200] * 10
    clock.shift(MINUTE + 1)
    hashed.clear()
    refused = log_in(password=PASSWORD, address=ATTACKER)
    assert (refused.status_code, hashed) == (429, [])
    assert MINUTE < int(refused["Retry-After"]) <= 3601
    assert log_in("Other", address=ATTACKER).status_code == 200
    assert log_in(password=PASSWORD, address=OFFICE).status_code == 302


def test_a_name_is_the_same_however_it_is_written(boss: Account, hashed: list[str], clock: Traveller) -> None:
    for written in ("boss", " Boss ", "BOSS", "\tboss", " " * 300 + "boss") * 2:
        assert log_in(written, address=ATTACKER).status_code == 200, written
        clock.shift(20)
    clock.shift(MINUTE + 1)
    hashed.clear()
    assert log_in(password=PASSWORD, address=ATTACKER).status_code == 429
    assert hashed == []


@pytest.mark.parametrize("name", ["Boss", "nobody", "", "x" * 5000, "a\x00b"], ids=lambda name: name[:8])
def test_a_name_guessed_at_from_everywhere_is_locked_with_one_alarm(
    name: str, boss: Account, hashed: list[str], few_names: int, lines: Lines
) -> None:
    assert guess_from_everywhere(few_names, name) == [200] * few_names
    assert "login_locked" not in "".join(lines.raw)
    hashed.clear()
    refused = [log_in(name, PASSWORD, address=f"198.51.100.{number}") for number in range(3)]
    assert ([each.status_code for each in refused], hashed) == ([429] * 3, [])
    (alarm,) = [line for line in lines.of("security") if line["event"] == "login_locked"]
    assert alarm["account"] == ("Boss" if name == "Boss" else "")
    assert (alarm["network"], alarm["attempts"]) == ("198.51.100.0", few_names)


def test_a_remembered_device_gets_in_while_its_name_and_its_address_are_locked(
    boss: Account, few_names: int, clock: Traveller
) -> None:
    device = remembered(OFFICE)
    guess_from_everywhere(few_names + 1)
    guess(clock, [OFFICE] * 12)
    assert log_in(password=PASSWORD, address=OFFICE).status_code == 429
    with all_hashing():
        assert post(device, PASSWORD, OFFICE).status_code == 302
    clock.shift(MINUTE + 1)
    assert log_in(password=PASSWORD, address="198.51.100.9").status_code == 429
    assert post(device, PASSWORD, "198.51.100.9").status_code == 302


def test_a_remembered_device_has_a_limit_that_logging_in_again_does_not_raise(boss: Account, hashed: list[str]) -> None:
    device = remembered(OFFICE)
    for _ in range(5):
        assert post(device, PASSWORD, OFFICE).status_code == 302
    answers = [post(device, "a guess", f"192.0.2.{number}").status_code for number in range(6)]
    assert answers == [200] * 5 + [429]
    hashed.clear()
    assert (post(device, PASSWORD, OFFICE).status_code, hashed) == (429, [])
    assert log_in(password=PASSWORD, address=OFFICE).status_code == 302


def test_the_cookie_of_a_device_is_the_browsers_alone_and_names_nobody(boss: Account, settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = True
    assert attempts.cookie_name("Boss") not in log_in().cookies, "a wrong password makes no device known"
    (cookie,) = device_cookies(remembered(OFFICE))
    kept = {name: cookie[name] for name in ("httponly", "secure", "samesite", "domain", "path", "max-age")}
    alone = {"httponly": True, "secure": True, "samesite": "Lax", "domain": ""}
    assert kept == {**alone, "path": "/", "max-age": 90 * 86400}
    assert cookie.key.startswith("__Host-device_") and "oss" not in cookie.key + cookie.value


@pytest.mark.parametrize("what", ["made up", "of another account", "old", "before a new password"])
def test_a_cookie_that_is_not_good_makes_a_stranger(what: str, boss: Account, few_names: int, clock: Traveller) -> None:
    other = factories.account("Other", role="admin")
    other.set_password(PASSWORD)
    other.save()
    device = remembered(OFFICE, "Other" if what == "of another account" else "Boss")
    (cookie,) = device_cookies(device)
    device.cookies[attempts.cookie_name("Boss")] = cookie.value + ("x" if what == "made up" else "")
    if what == "old":
        clock.shift(90 * 86400 + 1)
    if what == "before a new password":
        boss.set_password(PASSWORD)
        boss.save()
    guess_from_everywhere(few_names)
    assert post(device, PASSWORD, OFFICE).status_code == 429


def test_wrong_old_passwords_of_a_session_leave_the_login_alone(boss: Account, clock: Traveller) -> None:
    inside = Client(REMOTE_ADDR=ATTACKER)
    inside.force_login(boss)
    statuses = []
    for number in range(12):
        if number % 5 == 0:
            clock.shift(MINUTE + 1)
        statuses.append(change_password(inside, "wrong", "x").status_code)
    assert statuses == [200] * 10 + [429] * 2
    assert log_in(password=PASSWORD, address=OFFICE).status_code == 302


def remembered(address: str, name: str = "Boss") -> Client:
    """Return a browser that has logged in and out."""
    client = Client()
    assert post(client, PASSWORD, address, name).status_code == 302
    client.post("/admin/logout/")
    assert "sessionid" not in client.cookies or not client.cookies["sessionid"].value
    return client


def post(client: Client, password: str, address: str, name: str = "Boss") -> Any:
    typed = {"username": name, "password": password}
    return client.post(f"{URL}?next=/admin/", typed, REMOTE_ADDR=address)


def device_cookies(client: Client) -> list[Any]:
    return [cookie for name, cookie in client.cookies.items() if "device_" in name]
