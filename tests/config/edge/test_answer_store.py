"""The memory of kept answers has a limit, and without memory none are kept."""

from typing import Any

import pytest
from django.db import connection

from config.edge.kept_answers import ENTRY_BYTES, AnswerStore, KeptAnswers


def test_the_store_drops_what_was_not_used_for_the_longest_time() -> None:
    store = AnswerStore(10 * (ENTRY_BYTES + 100))
    for number in range(10):
        store.put(number, str(number), 100)
    assert store.get(0) == "0"
    store.put(10, "10", 100)
    assert [store.get(number) for number in (0, 1, 2, 10)] == ["0", None, "2", "10"]
    assert store.bytes == store.max_bytes


def test_the_store_counts_an_entry_once_and_takes_none_too_large() -> None:
    store = AnswerStore(100_000)
    for _ in range(1000):
        store.put("key", "value", 1000)
    assert store.bytes == 1000 + ENTRY_BYTES
    store.put("key", "a large value", 100_000 // 8)
    assert (store.get("key"), store.bytes) == (None, 0)
    store.discard("key")
    assert store.bytes == 0


@pytest.mark.django_db(transaction=True)
def test_nothing_is_kept_without_memory_or_without_postgresql(settings: Any) -> None:
    settings.KEPT_ANSWERS_MIB = 8
    assert KeptAnswers().may_keep == (connection.vendor == "postgresql")
    settings.KEPT_ANSWERS_MIB = 0
    assert not KeptAnswers().may_keep
