"""A person's data: what each table holds, how it is exported (GDPR article 15), erased (17) and how long it is kept.

Accounts stand below the apps that keep what people make. So each app registers its tables in its own module
`personal_data`, which is found as Django finds `admin` (docs/decisions/0007-erasing-a-person.md).
This module registers the tables of accounts.
"""

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q, QuerySet

from accounts.models import Account
from accounts.personal_data.registry import PersonalData, register


def admin_log_of(account: Account) -> QuerySet[LogEntry]:
    """Return what the admin's log says about the account and what it did there."""
    about = Q(content_type=ContentType.objects.get_for_model(Account), object_id=account.pk)
    return LogEntry.objects.filter(about | Q(user=account))


def erase_names(account: Account) -> int:
    """Replace the account's name by its id in the admin's log. Return how many entries changed."""
    id_shown = account.pk[: LogEntry._meta.get_field("object_repr").max_length]
    about = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Account), object_id=account.pk
    )
    return about.exclude(object_repr=id_shown).update(object_repr=id_shown)


register(PersonalData("administration", rows=admin_log_of, erase=erase_names))
