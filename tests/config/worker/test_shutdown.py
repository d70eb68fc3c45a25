"""A shutdown request reaches every thread that waits."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from config.worker.shutdown import ShutdownRequest, ShutdownRequested


def test_a_request_wakes_every_waiting_thread_and_ends_later_waits_at_once() -> None:
    shutdown = ShutdownRequest()
    started = time.monotonic()
    with ThreadPoolExecutor(3) as pool:
        waits = [pool.submit(shutdown.wait, 60) for _ in range(3)]
        time.sleep(0.1)
        shutdown.request()
        assert [type(wait.exception()) for wait in waits] == [ShutdownRequested] * 3
    with pytest.raises(ShutdownRequested):
        shutdown.wait(60)
    assert time.monotonic() - started < 30


def test_without_a_request_a_wait_lasts_its_time() -> None:
    started = time.monotonic()
    ShutdownRequest().wait(0.05)
    assert time.monotonic() - started >= 0.04
