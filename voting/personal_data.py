"""A person's votes. Erasing deletes them, and the boards' counters stay the exact sum of the votes that are left."""

from django.db.models import QuerySet

from accounts.models import Account
from accounts.personal_data.registry import Erasure, PersonalData, register
from voting import services
from voting.models import Vote


def votes_of(account: Account) -> QuerySet[Vote]:
    return Vote.objects.filter(account=account)


register(PersonalData("votes", rows=votes_of, erasure=Erasure("votes deleted", services.delete_votes)))
