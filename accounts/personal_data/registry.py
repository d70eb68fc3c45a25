"""The registry of tables with personal data."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Account


@dataclass(frozen=True, slots=True)
class Retention:
    """How long rows are kept: as many days as the setting says, 0 for ever.

    `expired(before)` finds the rows to delete. `delete(keys, before)` deletes a batch of them inside a transaction
    and returns how many it deleted. `label` is what `prune` calls the rows.
    """

    label: str
    setting: str
    expired: Callable[[datetime], QuerySet]
    delete: Callable[[list[Any], datetime], int]

    def before(self) -> datetime | None:
        """Return the moment before which rows are expired, or None when they are kept for ever."""
        days = getattr(settings, self.setting)
        return timezone.now() - timedelta(days=days) if days > 0 else None


@dataclass(frozen=True, slots=True)
class Erasure:
    """How a table forgets a person.

    `erase(account)` removes the person from the rows and returns how many changed. It runs inside a transaction that
    has the account's row locked. `label` is what `erase_account` writes after that number, such as "votes deleted".
    """

    label: str
    erase: Callable[[Account], int]


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What one table holds about a person. `name` is its key in the export.

    `erasure` is None where the rows are a record that stays, `retention` where they do not expire.
    """

    name: str
    rows: Callable[[Account], QuerySet]
    erasure: Erasure | None = None
    retention: Retention | None = None


REGISTRY: list[PersonalData] = []


def register(*tables: PersonalData) -> None:
    """Add tables, for the module `personal_data` of an app when it is imported."""
    REGISTRY.extend(tables)
