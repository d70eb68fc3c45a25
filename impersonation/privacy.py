"""Who looked through whose eyes. Erased, a person's live ones end; the record stays, with plain ids."""

from django.db.models import Q, QuerySet

from accounts.models import Account
from accounts.privacy import Holding, holds
from impersonation import services
from impersonation.models import Impersonation, ImpersonationEvent


def impersonations_of(account: Account) -> QuerySet[Impersonation]:
    return Impersonation.objects.of(account)


def end(account: Account) -> int:
    return services.end(Impersonation.objects.of(account), origin=services.Origin("the account was erased"))


def events_of(account: Account) -> QuerySet[ImpersonationEvent]:
    return ImpersonationEvent.objects.filter(Q(actor_id=account.pk) | Q(subject_id=account.pk))


holds(Holding("impersonations", impersonations_of, end), Holding("impersonationEvents", events_of))
