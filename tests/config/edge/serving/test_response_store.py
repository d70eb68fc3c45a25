"""The memory of cached responses has a limit, and without memory none are kept."""

from typing import Any

import pytest
from django.db import connection

from config.edge.serving.cached_responses import ENTRY_BYTES, CachedResponses, ResponseStore


def test_the_store_drops_what_was_not_used_for_the_longest_time() -> None:
    store = ResponseStore(10 * (ENTRY_BYTES + 100))
    for number in range(11):
        store.put(number, str(number), 100)
        assert store.get(0) == "0"
    assert [store.get(number) for number in (1, 2, 10)] == [None, "2", "10"]
    assert store.bytes == store.max_bytes


def test_the_store_counts_an_entry_once_and_takes_none_too_large() -> None:
    store = ResponseStore(100_000)
    for _ in range(1000):
        store.put("key", "value", 1000)
    assert store.bytes == 1000 + ENTRY_BYTES
    store.put("key", "a large value", 100_000 // 8)
    assert (store.get("key"), store.bytes) == (None, 0)
    store.discard("key")
    assert store.bytes == 0


@pytest.mark.django_db(transaction=True)
def test_nothing_is_kept_without_memory_or_without_postgresql(settings: Any) -> None:
    settings.CACHED_RESPONSES_MIB = 8
    assert CachedResponses().may_keep == (connection.vendor == "postgresql")
    settings.CACHED_RESPONSES_MIB = 0
    assert not CachedResponses().may_keep
