"""The exact counters while their store hangs: few requests wait for it, and they count again when it answers."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from django.core.cache import caches

from config.api.errors import ServiceUnavailable
from config.edge.limits import counters
from config.edge.limits.counters import Limit

LIMIT = Limit("client:192.0.2.7", 10, 60)
THREADS = 8


class HungStore:
    """A server that takes connections and answers nothing, as Redis does when it is stopped."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.taken: list[socket.socket] = []
        threading.Thread(target=self.take, daemon=True).start()

    def take(self) -> None:
        try:
            while True:
                self.taken.append(self.listener.accept()[0])
        except OSError:
            return  # closed

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for each in self.taken:
            each.close()


@pytest.fixture
def hung_store(settings: Any) -> Iterator[HungStore]:
    with closing(HungStore()) as store:
        settings.CACHES = {
            "default": {
                "BACKEND": "django.core.cache.backends.redis.RedisCache",
                "LOCATION": f"redis://127.0.0.1:{store.port}/0",
                "OPTIONS": {"socket_connect_timeout": 0.2, "socket_timeout": 0.2},
            }
        }
        yield store
        caches["default"].close()


def count() -> bool:
    """Tell whether the store has counted."""
    try:
        counters.count("test", LIMIT)
    except ServiceUnavailable:
        return False
    return True


def test_a_store_that_hangs_holds_up_the_first_requests_only(hung_store: HungStore) -> None:
    assert not count()
    first = len(hung_store.taken)
    assert first
    with ThreadPoolExecutor(THREADS) as pool:
        assert not any(pool.map(lambda _: count(), range(100)))
    assert len(hung_store.taken) == first


def test_one_request_at_a_time_tries_the_store_again(
    hung_store: HungStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not count()
    first = len(hung_store.taken)
    assert counters.outage.next_try
    monkeypatch.setattr(counters.outage, "next_try", 0.0)  # long ago
    with ThreadPoolExecutor(THREADS) as pool:
        assert not any(pool.map(lambda _: count(), range(100)))
    assert first < len(hung_store.taken) <= 2 * first


def test_a_store_that_answers_again_counts_again(hung_store: HungStore, settings: Any) -> None:
    assert not count()
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    assert not count()
    counters.outage.next_try = 0.0
    assert count()
    assert count()
