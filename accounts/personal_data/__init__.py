"""A person's data: what each table holds, how it is exported (GDPR article 15), erased (17) and how long it is kept.

Each app registers its tables in a module `personal_data`, which is discovered like `admin` (decision 0007). This one
has the tables of accounts and of Django's admin.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Left

from accounts import mail_of_the_week
from accounts.models import Account, AccountChange, MailOfTheWeek, OneTimeCode, Session
from accounts.personal_data.successors import Successor
from config.database.retention import RETENTIONS, Retention


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What one table holds about a person: `rows`. `name` is its key in the export.

    `erased` is what `erase_account` writes after the number of rows that an erasure has changed, such as "votes
    deleted"; blank where they are a record that stays. `erase` changes them, in a transaction that has the account's
    row locked, and returns how many; by default it deletes them. `hand_over` does so where rows that are published stay
    and pass to a successor. `retention` is None where they do not expire.
    """

    name: str
    rows: Callable[[Account], QuerySet]
    erased: str = ""
    erase: Callable[[Account], int] | None = None
    retention: Retention | None = None
    hand_over: Callable[[Account, Successor], int] | None = None

    def forget(self, account: Account, successor: Successor) -> int:
        """Take the person out of the rows. Return how many changed."""
        if self.hand_over:
            return self.hand_over(account, successor)
        return self.erase(account) if self.erase else self.rows(account).delete()[0]


REGISTRY: list[PersonalData] = []


def register(*tables: PersonalData) -> None:
    """Add tables, for the module `personal_data` of an app when it is imported."""
    REGISTRY.extend(tables)
    RETENTIONS.extend(table.retention for table in tables if table.retention)


CHUNK = 500
MAX_NAME_LENGTH = 200
"""How long a name may be in Django's log (`object_repr`)."""


def admin_log_of(account: Account) -> QuerySet[LogEntry]:
    """Return what the admin's log says about the account and what it did there."""
    about = Q(content_type=ContentType.objects.get_for_model(Account), object_id=account.pk)
    return LogEntry.objects.filter(about | Q(user=account))


def erase_names(account: Account) -> int:
    """Replace what the admin's log calls the account and all that it made by ids. Return how many entries changed.

    The names are what the person wrote: titles of boards and collections, names of files. It runs before the other
    tables are erased, since afterwards nobody knows whose the rows were: accounts register first.
    """
    own = [table.rows(account) for table in REGISTRY if table.erased]
    uploaded = LogEntry.objects.filter(user=account, object_id=None).exclude(object_repr="")
    return (
        uploaded.update(object_repr="")
        + replace_names(Account, [account.pk])
        + sum(replace_names(rows.model, rows.values_list("pk", flat=True)) for rows in own)
    )


def replace_names(model: type[Model], keys: Iterable[Any]) -> int:
    """Replace the names of these rows by their ids, shortened to fit, in the admin's log. Return how many changed."""
    about = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
    if not about.exists():
        return 0
    short_id = Left("object_id", MAX_NAME_LENGTH)
    return sum(
        about.filter(object_id__in=[str(key) for key in some])
        .exclude(object_repr=short_id)
        .update(object_repr=short_id)
        for some in batched(keys)
    )


def batched(keys: Iterable[Any]) -> Iterator[list[Any]]:
    rest = iter(keys)
    while some := list(islice(rest, CHUNK)):
        yield some


register(
    PersonalData("sessions", lambda account: Session.objects.filter(account=account), "sessions ended"),
    PersonalData(
        "administration",
        admin_log_of,
        "names replaced in the admin's log",
        erase_names,
        Retention(
            "entries of the admin's log",
            "EVENT_RETENTION_DAYS",
            lambda before: LogEntry.objects.filter(action_time__lt=before),
        ),
    ),
    PersonalData(
        "mailOfTheWeek",
        lambda account: MailOfTheWeek.objects.filter(account=account),
        "addresses for the mail of the week deleted",
        retention=mail_of_the_week.RETENTION,
    ),
    PersonalData("oneTimeCodes", lambda account: OneTimeCode.objects.filter(account=account), "one-time codes deleted"),
    PersonalData(
        "accountChanges",
        lambda account: AccountChange.objects.filter(Q(subject_id=account.pk) | Q(actor_id=account.pk)),
        retention=Retention(
            "changes of accounts",
            "EVENT_RETENTION_DAYS",
            lambda before: AccountChange.objects.filter(created_at__lt=before),
        ),
    ),
)
