"""Bring deals in and take them out."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models import Count, ProtectedError
from django.shortcuts import get_object_or_404
from django.utils import timezone

from bridge.layout import Layout
from config.api.errors import DealInUse
from config.database.transactions import retried_transaction
from deals.events.recording import record_deals
from deals.models import Deal, FeedEvent, SolverStatus
from deals.solver.queues import TABLES


@retried_transaction
def register_deal(*, layout: Layout, source: dict[str, str] | None = None) -> tuple[Deal, bool]:
    """Return the deal of these 52 cards and whether it is new. A known deal keeps its source.

    A new one is solved before those of a file, since it was sent alone.
    """
    first = {"solver_priority": Deal.SolverPriority.REQUESTED, "wanted_at": timezone.now()}
    # Locked, so that it is not just being deleted.
    deals = Deal.objects.select_for_update(no_key=True)
    deal, created = deals.get_or_create(cards=layout.cards, defaults={**first, **(source or {})})
    if created:
        record_deals(FeedEvent.Type.DEAL_IMPORTED, [deal.pk])
    elif deal.brought_by_member:
        keep_deals([deal.pk])
    return deal, created


def keep_deals(deal_ids: Collection[UUID]) -> None:
    """Keep these deals when their last board goes: a program or staff have brought them or asked for them."""
    Deal.objects.filter(pk__in=deal_ids, brought_by_member=True).update(brought_by_member=False)


@retried_transaction
def delete_unused_deals(deal_ids: Collection[UUID]) -> None:
    """Delete those that only members' files have brought and that have no board any more.

    Call it after the transaction that has deleted the boards: of two at once, the second then sees what the first has
    done, and no lock of a board meets the worker's lock of its deal. Boards are looked for once the deals are locked,
    since none can be added then.
    """
    brought = Deal.objects.filter(pk__in=deal_ids, brought_by_member=True).order_by("pk")
    locked = list(brought.select_for_update().values_list("pk", flat=True))
    Deal.objects.filter(pk__in=locked, boards=None).delete()


def delete_deal(*, deal: Deal) -> None:
    """Delete the deal. Raise DealInUse when a board shows it."""
    try:
        with transaction.atomic():
            deal.delete()
    except ProtectedError as error:
        raise DealInUse(meta=Deal.objects.filter(pk=deal.pk).aggregate(boards=Count("boards"))) from error


@retried_transaction
def request_double_dummy(*, deal: Deal) -> None:
    """Put the deal first on the worker's list, unless it is solved: the same cards have one answer.

    Lock it first, so that nobody deletes it before the commit. Raise Http404 when it was deleted.
    """
    get_object_or_404(Deal.objects.select_for_update(no_key=True), pk=deal.pk)
    unsolved = Deal.objects.filter(pk=deal.pk).exclude(double_dummy_status=SolverStatus.DONE)
    tried = unsolved.exclude(double_dummy_status=SolverStatus.PENDING, solver_attempts=0)
    list(TABLES.reset(tried, SolverStatus.PENDING))
    unsolved.raise_priority(Deal.SolverPriority.REQUESTED)
    keep_deals([deal.pk])
    deal.refresh_from_db()


def prefer_published(*, deal_id: UUID) -> None:
    """Let the deal of a board that was published now be solved before those of files. Call it in the transaction.

    The deal is skipped while another transaction has locked it. That is the worker, which stores its table or claims
    it; to wait could deadlock, because the worker locks first the deal and then its boards.
    """
    unsolved = Deal.objects.filter(pk=deal_id).exclude(double_dummy_status=SolverStatus.DONE)
    free = list(unsolved.select_for_update(skip_locked=True).values_list("pk", flat=True))
    Deal.objects.filter(pk__in=free).raise_priority(Deal.SolverPriority.PUBLISHED)
