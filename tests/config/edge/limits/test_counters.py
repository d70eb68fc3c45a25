"""The exact counters while their store hangs: few requests wait for it, and the first one after it is counted."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from django.core.cache import caches

from config.api.errors import ServiceUnavailable
from config.edge.limits import counters
from config.edge.limits.counters import Limit

LIMIT = Limit("client:192.0.2.7", 10, 60)
THREADS = 8


def wait_for_thread() -> None:
    """Wait until the thread that asks the store has ended."""
    for thread in threading.enumerate():
        if thread.name == "wait for counters":
            thread.join()


@pytest.fixture
def hung_store(settings: Any) -> Iterator[socket.socket]:
    """Yield a server that takes connections and answers nothing, as Redis does when it is stopped."""
    with socket.create_server(("127.0.0.1", 0), backlog=200) as store:
        settings.CACHES = {
            "default": {
                "BACKEND": "django.core.cache.backends.redis.RedisCache",
                "LOCATION": f"redis://127.0.0.1:{store.getsockname()[1]}/0",
                "OPTIONS": {"socket_connect_timeout": 0.2, "socket_timeout": 0.2},
            }
        }
        yield store
    caches["default"].close()
    wait_for_thread()


def connections_of(store: socket.socket) -> int:
    """Close the connections that were made so far. Return how many they are."""
    store.setblocking(False)
    made = 0
    with suppress(BlockingIOError):
        while True:
            store.accept()[0].close()
            made += 1
    return made


def count() -> bool:
    """Tell whether the store has counted."""
    try:
        counters.count("test", LIMIT)
    except ServiceUnavailable:
        return False
    return True


def test_a_store_that_hangs_holds_up_the_first_requests_only(hung_store: socket.socket) -> None:
    assert not count()
    with ThreadPoolExecutor(THREADS) as pool:
        assert not any(pool.map(lambda _: count(), range(100)))
        asking = [thread.name for thread in threading.enumerate()].count("wait for counters")
    assert asking == 1, "one thread asks the store"
    assert connections_of(hung_store) < 50, "and no request does"


def test_the_first_request_after_a_store_has_come_back_is_counted(hung_store: socket.socket, settings: Any) -> None:
    assert not count()
    assert not count()
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    wait_for_thread()
    assert count()


def test_a_store_that_refuses_connections_after_it_has_hung_holds_up_nobody(hung_store: socket.socket) -> None:
    assert not count()
    hung_store.close()
    wait_for_thread()
    assert not count()
    assert not counters.outage.is_on
