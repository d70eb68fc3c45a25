"""The registry of tables with personal data."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.models import Account
from config.database.retention import RETENTIONS, Retention


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
    RETENTIONS.extend(table.retention for table in tables if table.retention)
