"""A person's themes. When the person is erased, they pass to an account without a name."""

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Account
from accounts.personal_data import PersonalData, register
from accounts.personal_data.successors import Successor
from themes.models import Theme


def themes_of(account: Account) -> QuerySet[Theme]:
    return Theme.objects.filter(owner=account)


def hand_over(account: Account, successor: Successor) -> int:
    themes = themes_of(account)
    return themes.update(owner_id=successor.id, updated_at=timezone.now()) if themes.exists() else 0


register(PersonalData("themes", themes_of, "themes kept without a name", hand_over=hand_over))
