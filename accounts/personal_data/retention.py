"""Deleting what is past its retention."""

from collections.abc import Iterator

from django.db import transaction

from accounts.personal_data.registry import Retention

BATCH = 1000


def count_expired(retention: Retention) -> int:
    before = retention.before()
    return retention.expired(before).count() if before else 0


def prune(retention: Retention) -> Iterator[int]:
    """Delete in batches, each in a transaction of its own so that no lock is held long. Yield each batch's size."""
    before = retention.before()
    if before is None:
        return
    while keys := list(retention.expired(before).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            yield retention.delete(keys, before)
