"""Bring deals in and take them out."""

from django.db import transaction
from django.db.models import ProtectedError

from config.api.errors import DealInUse
from deals.bridge.layout import Layout
from deals.events.recording import record_deals
from deals.models import Deal, FeedEvent
from deals.signals import double_dummy_changed


@transaction.atomic
def register_deal(*, layout: Layout, source: dict[str, str] | None = None) -> tuple[Deal, bool]:
    """Return the deal of these 52 cards and whether it is new. A known deal keeps its source."""
    deal, created = Deal.objects.get_or_create(cards=layout.cards, defaults=source or {})
    if created:
        record_deals(FeedEvent.Type.DEAL_IMPORTED, [deal.pk])
    return deal, created


def delete_deal(*, deal: Deal) -> None:
    """Delete the deal. Raise DealInUse when a board shows it."""
    try:
        with transaction.atomic():
            deal.delete()
    except ProtectedError as error:
        raise DealInUse(meta={"boards": len(error.protected_objects)}) from error


@transaction.atomic
def request_double_dummy(*, deal: Deal) -> None:
    """Put the deal on the worker's list again, unless it is solved: the same cards have one answer."""
    status = Deal.DoubleDummyStatus
    unsolved = Deal.objects.filter(pk=deal.pk).exclude(double_dummy_status=status.DONE)
    unsolved.exclude(double_dummy_status=status.PENDING, solver_attempts=0).reset_double_dummy(status.PENDING)
    double_dummy_changed.send(sender=Deal, deal_ids=[deal.pk])
    deal.refresh_from_db()
