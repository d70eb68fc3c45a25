"""The provider's keys in a process: fetched rarely, kept through outages, waited for at most two seconds."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt import PyJWK
from jwt.algorithms import get_default_algorithms

from accounts.tokens import jwks
from accounts.tokens.jwks import (
    COOL_DOWN,
    MAX_AGE,
    MAX_FETCHES,
    MAX_WAIT,
    REFRESH_AFTER,
    FetchError,
    KeySet,
    parse_keys,
)
from config.api.errors import ServiceUnavailable
from tests.clock import Clock
from tests.identity_provider import public_jwk


class Keys:
    """A fetch that counts its calls and fails while `fails` is set."""

    def __init__(self, *kids: str | None) -> None:
        self.kids, self.fails, self.count = list(kids), False, 0

    def __call__(self, url: str) -> jwks.Keys:
        self.count += 1
        if self.fails:
            raise FetchError("down")
        return {kid: [PyJWK(public_jwk("ec"))] for kid in self.kids}


class ImmediateThread(threading.Thread):
    """A thread that runs in the thread that starts it."""

    def start(self) -> None:
        self.run()


@pytest.fixture
def background(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks.threading, "Thread", ImmediateThread)


def test_keys_are_fetched_once_for_many_tokens_and_once_in_a_cool_down_for_unknown_kids(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a", "b"))
    assert all(keys.get_keys(kid) for kid in ("a", "b", "a"))
    fetch.kids = ["a", "b", "c"]
    clock.now += 1
    for number in range(200):
        assert_unavailable(keys, f"random {number}")
    assert_unavailable(keys, "c")
    assert fetch.count == 1
    clock.now += COOL_DOWN
    assert keys.get_keys("c")
    assert fetch.count == 2


def assert_unavailable(keys: KeySet, kid: str, retry_after: float = COOL_DOWN - 1) -> None:
    with pytest.raises(ServiceUnavailable) as refused:
        keys.get_keys(kid)
    assert refused.value.headers["Retry-After"] == str(int(retry_after))


def test_a_kid_is_unknown_for_good_once_a_later_fetch_has_not_shown_it(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a"))
    assert not keys.get_keys("first"), "its own fetch has shown that"
    clock.now += 1
    assert_unavailable(keys, "second")
    assert not keys.get_keys("first"), "nothing new is known of it"
    clock.now += COOL_DOWN
    assert not keys.get_keys("second"), "the next fetch has shown that"
    clock.now += 1
    assert not keys.get_keys("second"), "and later requests need not wait for another"
    assert fetch.count == 2


def test_what_is_remembered_of_unknown_kids_has_a_limit(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks, "MAX_ASKED", 5)
    keys = KeySet("", Keys("a", "b"))
    assert keys.get_keys("a")
    clock.now += 1
    for number in range(50):
        assert_unavailable(keys, f"random {number}")
    assert len(keys.asked_at) <= 5
    assert not keys.get_keys("x" * (jwks.MAX_KID + 1))
    assert not keys.get_keys(None)


def test_a_failure_starts_the_cool_down_too(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a"))
    fetch.fails = True
    for number in range(200):
        assert_unavailable(keys, f"random {number}", COOL_DOWN)
    assert fetch.count == 1
    fetch.fails = False
    clock.now += COOL_DOWN + 1
    assert keys.get_keys("a")


def test_known_keys_serve_for_a_day_without_the_provider(clock: Clock, background: None) -> None:
    keys = KeySet("", fetch := Keys("a"))
    assert keys.get_keys("a")
    fetch.fails = True
    clock.now += COOL_DOWN + 1
    assert_unavailable(keys, "b", COOL_DOWN)
    clock.now += MAX_AGE - COOL_DOWN - 2
    assert keys.get_keys("a")
    clock.now += 2
    with pytest.raises(ServiceUnavailable) as refused:
        keys.get_keys("a")
    assert int(refused.value.headers["Retry-After"]) >= 1


def test_keys_are_renewed_or_forgotten_behind_the_requests_that_use_them(clock: Clock, background: None) -> None:
    keys = KeySet("", fetch := Keys("a", "b"))
    first, withdrawn = keys.get_keys("a"), keys.get_keys("b")
    fetch.kids = ["a"]
    clock.now += REFRESH_AFTER + 1
    assert keys.get_keys("b") is withdrawn
    assert keys.get_keys("a") is not first
    clock.now += 1
    assert not keys.get_keys("b"), "no key that the provider has just made"
    assert fetch.count == 2


def test_a_token_without_kid_means_the_only_key_through_an_outage_too(clock: Clock, background: None) -> None:
    assert not KeySet("", Keys("a", "b")).get_keys(None)
    keys = KeySet("", fetch := Keys("a"))
    assert keys.get_keys(None)
    clock.now += COOL_DOWN + 1
    assert keys.get_keys(None) and fetch.count == 1
    fetch.fails = True
    clock.now += REFRESH_AFTER
    assert keys.get_keys(None) and keys.get_keys(None) and fetch.count == 2


class SlowKeys:
    """A fetch that hangs. `release(n)` lets the n-th end, which answers with the key "n"."""

    def __init__(self) -> None:
        self.releases: list[threading.Event] = []
        self.started = threading.Semaphore(0)

    def __call__(self, url: str) -> jwks.Keys:
        number, released = len(self.releases), threading.Event()
        self.releases.append(released)
        self.started.release()
        released.wait()
        return {str(number): [PyJWK(public_jwk("ec"))]}


@pytest.fixture
def slow() -> Iterator[SlowKeys]:
    fetch = SlowKeys()
    yield fetch
    for released in fetch.releases:
        released.set()


def test_all_requests_wait_for_a_provider_that_answers_at_once() -> None:
    def answer_soon(url: str) -> jwks.Keys:
        time.sleep(0.05)
        return Keys("a")(url)

    keys = KeySet("", answer_soon)
    with ThreadPoolExecutor(10) as pool:
        answers = [pool.submit(keys.get_keys, "a") for _ in range(10)]
    assert all(answer.result() for answer in answers)


def test_two_requests_at_once_wait_for_one_fetch_and_the_others_are_told_to_come_back(slow: SlowKeys) -> None:
    keys = KeySet("", slow)
    refusals: Queue[ServiceUnavailable] = Queue()

    def ask() -> bool:
        try:
            return bool(keys.get_keys("0"))
        except ServiceUnavailable as refusal:
            refusals.put(refusal)
            return False

    with ThreadPoolExecutor(10) as pool:
        answers = [pool.submit(ask) for _ in range(10)]
        slow.started.acquire()
        retry_after = [refusals.get().headers["Retry-After"] for _ in range(10 - jwks.MAX_WAITING)]
        slow.releases[0].set()
    assert {"1", "2"} >= set(retry_after)
    assert [answer.result() for answer in answers].count(True) == jwks.MAX_WAITING == 2
    assert len(slow.releases) == 1


def start_fetch(keys: KeySet, slow: SlowKeys) -> threading.Event:
    """Start a fetch and return once it is under way. The event is set when it has ended."""
    keys.refresh()
    slow.started.acquire()
    return keys.finished


def test_a_known_kid_does_not_wait_for_a_fetch_under_way(clock: Clock, slow: SlowKeys) -> None:
    keys = KeySet("", Keys("a"))
    assert keys.get_keys("a")
    keys.fetch = slow
    clock.now += REFRESH_AFTER + 1
    start_fetch(keys, slow)
    assert keys.get_keys("a")
    assert not keys.finished.is_set()


def test_a_request_waits_for_a_hanging_fetch_until_its_deadline_and_later_ones_do_not_wait(
    clock: Clock, slow: SlowKeys, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = KeySet("", slow)
    monkeypatch.setattr(jwks, "MAX_WAIT", 0.05)
    assert_unavailable(keys, "0", COOL_DOWN)
    monkeypatch.setattr(jwks, "MAX_WAIT", MAX_WAIT)
    clock.now += MAX_WAIT
    began_at = time.perf_counter()
    with pytest.raises(ServiceUnavailable):
        keys.get_keys("0")
    assert time.perf_counter() - began_at < MAX_WAIT / 2
    finished = keys.finished
    slow.releases[0].set()
    finished.wait()
    assert keys.get_keys("0") and len(slow.releases) == 1


def test_a_fetch_that_hangs_does_not_stop_the_next_and_replaces_nothing_newer(clock: Clock, slow: SlowKeys) -> None:
    keys = KeySet("", slow)
    first = start_fetch(keys, slow)
    clock.now += COOL_DOWN + 1
    second = start_fetch(keys, slow)
    slow.releases[1].set()
    second.wait()
    assert keys.get_keys("1")
    slow.releases[0].set()
    first.wait()
    assert keys.get_keys("1") and not keys.get_keys("0")


def test_fetches_that_hang_do_not_pile_up(clock: Clock, slow: SlowKeys) -> None:
    keys = KeySet("", slow)
    events = []
    for _ in range(MAX_FETCHES):
        events.append(start_fetch(keys, slow))
        clock.now += COOL_DOWN + 1
    clock.now += MAX_WAIT
    assert_unavailable(keys, "0", 1)
    assert len(slow.releases) == MAX_FETCHES
    slow.releases[0].set()
    events[0].wait()
    start_fetch(keys, slow)
    assert len(slow.releases) == MAX_FETCHES + 1


def test_keys_without_a_kid_and_keys_that_share_one_stand_beside_each_other() -> None:
    """Allow alternatives of different types under one kid, as RFC 7517 §4.5 does."""
    entries = [public_jwk(kid) for kid in ("rsa", "ec", "ed")]
    for entry in entries:
        del entry["kid"]
    keys = KeySet("", lambda url: parse_keys([*entries, public_jwk("stranger")]))
    assert [key.key_type for key in keys.get_keys(None)] == ["RSA", "EC", "OKP"]
    assert len(keys.get_keys("stranger")) == 1
    with pytest.raises(ServiceUnavailable):
        keys.get_keys("unknown")
    shared = KeySet("", lambda url: parse_keys([{**entry, "kid": "shared"} for entry in entries[:2]]))
    assert [key.key_type for key in shared.get_keys("shared")] == ["RSA", "EC"]


def test_a_key_too_short_to_trust_is_left_out() -> None:
    """Require 2048 bits, as RFC 7518 §3.3 does."""
    numbers = rsa.generate_private_key(65537, 1024).public_key()
    short = {**get_default_algorithms()["RS256"].to_jwk(numbers, as_dict=True), "kid": "short"}
    assert parse_keys([short, public_jwk("ec")]).keys() == {"ec"}
