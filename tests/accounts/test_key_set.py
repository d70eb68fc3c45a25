"""The provider's keys in a process: asked for rarely, kept through outages, never waited for twice."""

import threading
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt import PyJWK
from jwt.algorithms import get_default_algorithms

from accounts import jwks
from accounts.fetching import FetchError
from accounts.jwks import COOL_DOWN, FRESH, KEPT, KeySet, signing_keys
from config.api.errors import ServiceUnavailable
from tests.clock import Clock
from tests.identity_provider import public_jwk


class Keys:
    """A fetch that counts, and fails when told to."""

    def __init__(self, *kids: str | None) -> None:
        self.kids, self.fails, self.count = list(kids), False, 0

    def __call__(self, url: str) -> jwks.Keys:
        self.count += 1
        if self.fails:
            raise FetchError("down")
        return {kid: [PyJWK(public_jwk("ec"))] for kid in self.kids}


class Here(threading.Thread):
    """A thread that runs where it is started."""

    def start(self) -> None:
        self.run()


@pytest.fixture
def background(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks.threading, "Thread", Here)


def test_keys_are_fetched_once_for_many_tokens(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a", "b"))
    assert all(keys.keys(kid) for kid in ("a", "b", "a"))
    assert fetch.count == 1


def test_an_unknown_kid_asks_again_but_once_in_a_cool_down(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a"))
    assert keys.keys("a")
    fetch.kids = ["a", "b"]
    assert not any(keys.keys(f"random {number}") for number in range(200))
    assert not keys.keys("b")
    assert fetch.count == 1
    clock.now += COOL_DOWN + 1
    assert keys.keys("b")
    assert fetch.count == 2


def test_a_failure_starts_the_cool_down_too(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a"))
    fetch.fails = True
    for number in range(200):
        with pytest.raises(ServiceUnavailable) as refused:
            keys.keys(f"random {number}")
    assert fetch.count == 1
    assert refused.value.headers["Retry-After"] == str(int(COOL_DOWN))
    fetch.fails = False
    clock.now += COOL_DOWN + 1
    assert keys.keys("a")


def test_known_keys_serve_for_a_day_without_the_provider(clock: Clock, background: None) -> None:
    keys = KeySet("", fetch := Keys("a"))
    assert keys.keys("a")
    fetch.fails = True
    clock.now += KEPT - 1
    assert keys.keys("a")
    clock.now += 2
    with pytest.raises(ServiceUnavailable) as refused:
        keys.keys("a")
    assert int(refused.value.headers["Retry-After"]) >= 1


def test_an_unknown_kid_during_an_outage_is_not_called_wrong(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a"))
    assert keys.keys("a")
    fetch.fails = True
    clock.now += COOL_DOWN + 1
    with pytest.raises(ServiceUnavailable):
        keys.keys("b")
    assert keys.keys("a")


def test_keys_are_renewed_behind_the_requests_that_use_them(clock: Clock, background: None) -> None:
    keys = KeySet("", fetch := Keys("a"))
    first = keys.keys("a")
    clock.now += FRESH + 1
    assert keys.keys("a") is first
    assert keys.keys("a") is not first
    assert fetch.count == 2


def test_a_key_the_provider_withdrew_is_forgotten_at_the_renewal(clock: Clock, background: None) -> None:
    keys = KeySet("", fetch := Keys("a", "b"))
    assert keys.keys("a")
    fetch.kids = ["b"]
    clock.now += FRESH + 1
    keys.keys("a")
    assert not keys.keys("a")


def test_a_token_without_kid_means_the_only_key(clock: Clock) -> None:
    assert KeySet("", Keys("a")).keys(None)
    assert not KeySet("", Keys("a", "b")).keys(None)


def test_a_token_without_kid_lives_through_an_outage_and_asks_no_more_often(
    clock: Clock, background: None
) -> None:
    keys = KeySet("", fetch := Keys("a"))
    assert keys.keys(None)
    clock.now += COOL_DOWN + 1
    assert keys.keys(None)
    assert fetch.count == 1
    fetch.fails = True
    clock.now += FRESH
    assert keys.keys(None)
    assert keys.keys(None)
    assert fetch.count == 2


def test_requests_that_come_together_wait_for_one_fetch() -> None:
    arrived, release = threading.Event(), threading.Event()
    fetched: list[str] = []

    def slow(url: str) -> jwks.Keys:
        fetched.append(url)
        arrived.set()
        release.wait()
        return {"a": [PyJWK(public_jwk("ec"))]}

    keys = KeySet("", slow)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(keys.keys("a"))) for _ in range(10)]
    for thread in threads:
        thread.start()
    arrived.wait()
    release.set()
    for thread in threads:
        thread.join()
    assert len(fetched) == 1
    assert len(found) == 10
    assert all(found)


def test_a_known_kid_does_not_wait_for_a_fetch_under_way(clock: Clock) -> None:
    keys = KeySet("", Keys("a"))
    assert keys.keys("a")
    with keys.lock:
        assert keys.keys("a")


def test_warming_asks_once_and_the_first_token_waits_for_that_answer() -> None:
    arrived, release = threading.Event(), threading.Event()
    fetch = Keys("a")

    def slow(url: str) -> jwks.Keys:
        arrived.set()
        release.wait()
        return fetch(url)

    keys = KeySet("", slow)
    keys.renew()
    arrived.wait()
    found: list[Any] = []
    token = threading.Thread(target=lambda: found.append(keys.keys("a")))
    token.start()
    release.set()
    token.join()
    assert found[0]
    assert fetch.count == 1


def test_keys_without_a_kid_stand_beside_each_other() -> None:
    entries = [public_jwk(kid) for kid in ("rsa", "ec", "ed")]
    for entry in entries:
        del entry["kid"]
    keys = KeySet("", lambda url: signing_keys([*entries, public_jwk("stranger")]))
    assert [key.key_type for key in keys.keys(None)] == ["RSA", "EC", "OKP"]
    assert len(keys.keys("stranger")) == 1
    assert not keys.keys("unknown")


def test_keys_that_share_a_kid_stand_beside_each_other() -> None:
    """RFC 7517 §4.5: alternatives of different types."""
    entries = [{**public_jwk(kid), "kid": "shared"} for kid in ("rsa", "ec")]
    keys = KeySet("", lambda url: signing_keys(entries))
    assert [key.key_type for key in keys.keys("shared")] == ["RSA", "EC"]


def test_a_key_too_short_to_trust_is_left_out() -> None:
    """RFC 7518 §3.3: at least 2048 bits."""
    numbers = rsa.generate_private_key(65537, 1024).public_key()
    short = {**get_default_algorithms()["RS256"].to_jwk(numbers, as_dict=True), "kid": "short"}
    assert signing_keys([short, public_jwk("ec")]).keys() == {"ec"}
