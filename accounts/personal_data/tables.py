"""What the tables of accounts and of Django's admin hold about a person."""

from datetime import datetime

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q, QuerySet

from accounts.models import Account, AccountChange, OneTimeCode, Session
from accounts.personal_data.registry import Erasure, PersonalData, register
from config.database.retention import Retention


def admin_log_of(account: Account) -> QuerySet[LogEntry]:
    """Return what the admin's log says about the account and what it did there."""
    about = Q(content_type=ContentType.objects.get_for_model(Account), object_id=account.pk)
    return LogEntry.objects.filter(about | Q(user=account))


def erase_names(account: Account) -> int:
    """Replace the account's name by its id, shortened to fit, in the admin's log. Return how many entries changed."""
    short_id = account.pk[: LogEntry._meta.get_field("object_repr").max_length]
    about = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Account), object_id=account.pk
    )
    return about.exclude(object_repr=short_id).update(object_repr=short_id)


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
    ),
    PersonalData(
        "oneTimeCodes",
        rows=one_time_codes_of,
        erasure=Erasure("one-time codes deleted", erase_one_time_codes),
    ),
    PersonalData(
        "accountChanges",
        rows=changes_of,
        retention=Retention("changes of accounts", "EVENT_RETENTION_DAYS", expired_changes, delete_changes),
    ),
)
