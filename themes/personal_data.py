"""A person's themes. When the person is erased, they go to the account `system`."""

from django.db.models import QuerySet
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import Account
from accounts.personal_data import PersonalData, register
from themes.models import Theme


def themes_of(account: Account) -> QuerySet[Theme]:
    return Theme.objects.filter(owner=account)


def hand_over(account: Account) -> int:
    return themes_of(account).update(owner_id=SYSTEM, updated_at=timezone.now())


register(PersonalData("themes", themes_of, "themes given to the service", hand_over))
