"""Limits on logging in to the admin. No password is hashed beyond them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client
from pytest import MonkeyPatch
from time_machine import Traveller

from accounts.models import Account
from accounts.signing_in import admin
from tests import factories

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"
URL = "/admin/login/"


@pytest.fixture(autouse=True)
def clock() -> Iterator[Traveller]:
    """Stop the clock, so that no window ends within a test."""
    with time_machine.travel("2026-11-21T10:00:00Z", tick=False) as clock:
        yield clock


@pytest.fixture
def hashed(monkeypatch: MonkeyPatch) -> list[str]:
    """Record the passwords that are hashed."""
    passwords: list[str] = []
    encode = MD5PasswordHasher.encode

    def counting(self: MD5PasswordHasher, password: str, salt: str) -> str:
        passwords.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counting)
    return passwords


@pytest.fixture
def boss(db: None) -> Account:
    account = factories.account("Boss", role=Account.Role.ADMIN)
    account.set_password(PASSWORD)
    account.save()
    return account


@contextmanager
def all_hashing() -> Iterator[None]:
    """Keep every slot busy that strangers can have."""
    assert admin._hashing.acquire(blocking=False) and admin._hashing.acquire(blocking=False)
    try:
        yield
    finally:
        admin._hashing.release(2)


def log_in(name: str = "Boss", password: str = "a guess", address: str = "192.0.2.7", **more: Any) -> Any:
    return Client(REMOTE_ADDR=address, **more).post(f"{URL}?next=/admin/", {"username": name, "password": password})


def change_password(client: Client, old: str, new: str) -> Any:
    return client.post("/admin/password_change/", {"old_password": old, "new_password1": new, "new_password2": new})


@pytest.fixture
def inside(boss: Account) -> Client:
    client = Client()
    client.force_login(boss)
    return client


def test_the_sixth_attempt_of_a_client_in_a_minute_is_refused_unhashed(
    boss: Account, hashed: list[str], clock: Traveller
) -> None:
    for _ in range(20):  # to look at the page is not an attempt
        assert Client(REMOTE_ADDR="192.0.2.7").get(URL).status_code == 200
    assert [log_in(f"guess-{number}").status_code for number in range(5)] == [200] * 5
    hashed.clear()
    refused = log_in(password=PASSWORD)
    assert (refused.status_code, hashed, "sessionid" in refused.cookies) == (429, [], False)
    wait = int(refused["Retry-After"])
    assert 1 <= wait <= 61
    assert refused["Content-Type"].startswith("text/html") and "no-store" in refused["Cache-Control"]
    html = refused.content.decode()
    assert "<h1>You cannot log in now</h1>" in html and "Too many attempts" in html
    assert f"Try again in {wait} second" in html
    clock.shift(wait)
    assert log_in(password=PASSWORD).status_code == 302


def test_neither_made_up_addresses_nor_those_of_one_household_or_network_help() -> None:
    attempts: list[tuple[int, list[dict[str, str]]]] = [
        (5, [{"HTTP_X_FORWARDED_FOR": f"198.51.100.{number}"} for number in range(6)]),
        (5, [{"address": f"2001:db8:9::{number:x}"} for number in range(6)]),
        (20, [{"address": f"2001:db8:0:{number:x}::1"} for number in range(21)]),
    ]
    for allowed, clients in attempts:
        statuses = [log_in(f"name-{number}", **client).status_code for number, client in enumerate(clients)]
        assert statuses == [200] * allowed + [429], clients[0]


def test_no_more_than_two_passwords_are_hashed_at_once(boss: Account, hashed: list[str]) -> None:
    with all_hashing():
        refused = log_in(password=PASSWORD)
    assert (refused.status_code, refused["Retry-After"], hashed) == (503, "1", [])
    assert "Try again in 1 second." in refused.content.decode()
    assert log_in(password=PASSWORD).status_code == 302


def test_changing_a_password_is_limited_like_a_login(inside: Client) -> None:
    answers = [change_password(inside, "wrong", "x") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    html = answers[-1].content.decode()
    assert "<h1>You cannot change your password now</h1>" in html and "log in" not in html
    assert f"Try again in {answers[-1]['Retry-After']} second" in html
    assert "no-store" in inside.get("/admin/password_change/")["Cache-Control"]


@pytest.mark.parametrize("length", [64, 1000])
def test_a_long_password_is_taken_and_counts_to_its_last_character(inside: Client, length: int) -> None:
    long = ("a wood pigeon on the roof " * 40)[:length]
    assert change_password(inside, PASSWORD, long).status_code == 302
    assert log_in(password=long[:-1] + "#").status_code == 200, "it asks again"
    assert log_in(password=long).status_code == 302


def test_a_client_past_its_limit_does_not_use_up_a_name(boss: Account) -> None:
    for _ in range(30):
        log_in()
    assert log_in(password=PASSWORD, address="198.51.100.1").status_code == 302


def test_a_limited_account_still_has_the_api_and_its_session(inside: Client, boss: Account, client_of: Any) -> None:
    for number in range(12):
        log_in(address=f"192.0.2.{number}")
    assert client_of(boss).get("/api/accounts/me").status_code == 200
    assert inside.get("/admin/").status_code == 200


def test_without_the_counters_nobody_logs_in_and_nothing_is_hashed(
    boss: Account, hashed: list[str], settings: Any
) -> None:
    """tests/forms/test_limits.py has the store that swallows its failure."""
    redis = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    settings.CACHES = {"default": redis}
    refused = log_in(password=PASSWORD)
    assert (refused.status_code, hashed, int(refused["Retry-After"]) >= 1) == (503, [], True)
    assert refused["Content-Type"].startswith("text/html")
    assert Client().get(URL).status_code == 200


def test_every_page_sends_strangers_to_the_limited_one() -> None:
    for path in ("/admin/", "/admin/boards/board/", "/admin/password_change/"):
        assert Client().get(path)["Location"].startswith(URL)


def test_logging_in_makes_a_new_session(boss: Account) -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    client.force_login(factories.account(role=Account.Role.SUPPORT))
    before = client.session.session_key
    client.post(f"{URL}?next=/admin/", {"username": "Boss", "password": PASSWORD})
    assert client.session.session_key != before
    assert client.session["_auth_user_id"] == "Boss"
