"""What is kept for a time only. Each app says so in its module `retention`, found as Django finds `admin`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

BATCH = 1000


@dataclass(frozen=True, slots=True)
class Rule:
    """Rows for which `past(until)` holds are deleted, `until` being so many days ago as the setting says.

    `delete` gets the keys of a batch and the time, inside a transaction of that batch.
    """

    name: str
    setting: str
    past: Callable[[datetime], QuerySet]
    delete: Callable[[list[Any], datetime], int]

    @property
    def until(self) -> datetime | None:
        """None keeps for ever."""
        days = getattr(settings, self.setting)
        return timezone.now() - timedelta(days=days) if days > 0 else None


RULES: list[Rule] = []


def keeps(*rules: Rule) -> None:
    """For the module `retention` of an app, when it is imported."""
    RULES.extend(rules)


def due(rule: Rule) -> int:
    return rule.past(rule.until).count() if rule.until else 0


def prune(rule: Rule) -> Iterator[int]:
    """Deletes in batches, each a transaction, so that no lock is held for long; yields how many went with each."""
    until = rule.until
    if until is None:
        return
    while keys := list(rule.past(until).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            yield rule.delete(keys, until)
