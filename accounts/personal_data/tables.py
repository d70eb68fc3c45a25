"""What the tables of accounts and of Django's admin hold about a person."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Left

from accounts.models import Account, AccountChange, OneTimeCode, Session
from accounts.personal_data.registry import REGISTRY, Erasure, PersonalData, register
from config.database.retention import Retention

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
    own = [table.rows(account) for table in REGISTRY if table.erasure]
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


def expired_log(before: datetime) -> QuerySet[LogEntry]:
    return LogEntry.objects.filter(action_time__lt=before)


def delete_log(keys: list[int], before: datetime) -> int:
    return LogEntry.objects.filter(pk__in=keys).delete()[0]


def changes_of(account: Account) -> QuerySet[AccountChange]:
    return AccountChange.objects.filter(Q(subject_id=account.pk) | Q(actor_id=account.pk))


def expired_changes(before: datetime) -> QuerySet[AccountChange]:
    return AccountChange.objects.filter(created_at__lt=before)


def delete_changes(keys: list[int], before: datetime) -> int:
    return AccountChange.objects.filter(pk__in=keys).delete()[0]


def one_time_codes_of(account: Account) -> QuerySet[OneTimeCode]:
    return OneTimeCode.objects.filter(account=account)


def erase_one_time_codes(account: Account) -> int:
    return one_time_codes_of(account).delete()[0]


def sessions_of(account: Account) -> QuerySet[Session]:
    return Session.objects.filter(account=account)


def end_sessions(account: Account) -> int:
    return sessions_of(account).delete()[0]


register(
    PersonalData("sessions", rows=sessions_of, erasure=Erasure("sessions ended", end_sessions)),
    PersonalData(
        "administration",
        rows=admin_log_of,
        erasure=Erasure("names replaced in the admin's log", erase_names),
        retention=Retention("entries of the admin's log", "EVENT_RETENTION_DAYS", expired_log, delete_log),
    ),
    PersonalData(
        "oneTimeCodes", rows=one_time_codes_of, erasure=Erasure("one-time codes deleted", erase_one_time_codes)
    ),
    PersonalData(
        "accountChanges",
        rows=changes_of,
        retention=Retention("changes of accounts", "EVENT_RETENTION_DAYS", expired_changes, delete_changes),
    ),
)
