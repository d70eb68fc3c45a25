"""The deletion of rows that are older than their retention."""

from collections.abc import Iterator

from django.db import transaction

from accounts.personal_data.registry import Retention

BATCH = 1000


def count_expired(retention: Retention) -> int:
    """Return how many rows `prune` would delete."""
    before = retention.before()
    return retention.expired(before).count() if before else 0


def prune(retention: Retention) -> Iterator[int]:
    """Delete expired rows in batches, each in its own transaction to hold no lock for long. Yield each batch's size."""
    before = retention.before()
    if before is None:
        return
    while keys := list(retention.expired(before).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            yield retention.delete(keys, before)
