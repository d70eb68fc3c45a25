"""The registry of tables with personal data."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.models import Account
from config.database.retention import RETENTIONS, Retention


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What one table holds about a person: `rows`. `name` is its key in the export.

    `erased` is what `erase_account` writes after the number of rows that an erasure has changed, such as "votes
    deleted"; blank where they are a record that stays. `erase` changes them, in a transaction that has the account's
    row locked, and returns how many; by default it deletes them. `retention` is None where they do not expire.
    """

    name: str
    rows: Callable[[Account], QuerySet]
    erased: str = ""
    erase: Callable[[Account], int] | None = None
    retention: Retention | None = None

    def forget(self, account: Account) -> int:
        """Take the person out of the rows. Return how many changed."""
        return self.erase(account) if self.erase else self.rows(account).delete()[0]


REGISTRY: list[PersonalData] = []


def register(*tables: PersonalData) -> None:
    """Add tables, for the module `personal_data` of an app when it is imported."""
    REGISTRY.extend(tables)
    RETENTIONS.extend(table.retention for table in tables if table.retention)
