"""The list of work: the deals' own status. Nothing else is queued, so nothing can be lost or queued twice.

A claim is a lease until `claimed_until`, and that value is also the proof of the lease: it is later than that of any
earlier lease of the same deal, since a claim is made only after the last one expired. A statement with the value in
its WHERE clause therefore changes only deals that are still leased to us. When a worker dies, another one claims its
deals within LEASE.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from deals.events.recording import record_deals
from deals.models import Deal, FeedEvent
from deals.querysets import DealQuerySet
from deals.signals import double_dummy_changed
from deals.solver.process import Solution

LEASE = timedelta(seconds=30)
BATCH_SIZE = 5
"""A deal that comes in waits until the batch in hand is solved. Larger batches are hardly faster on one thread."""
MAX_ATTEMPTS = 3
CHUNK_SIZE = 1000
"""The rows that one statement changes. There may be a million, and a statement must not run into its timeout."""

Status = Deal.DoubleDummyStatus


@dataclass(frozen=True, slots=True)
class Job:
    """One deal to solve, and how often the solver failed on it alone."""

    id: UUID
    cards: str
    attempts: int


@dataclass(slots=True)
class Claim:
    """The deals that this worker has leased."""

    jobs: list[Job]
    expires_at: datetime

    @property
    def should_be_renewed(self) -> bool:
        """Tell whether less than half of the lease is left."""
        return self.expires_at - timezone.now() < LEASE / 2


def claimable() -> DealQuerySet:
    """Filter for pending deals that no living worker has claimed."""
    now = timezone.now()
    return Deal.objects.filter(
        Q(claimed_until__isnull=True) | Q(claimed_until__lt=now), double_dummy_status=Status.PENDING
    )


def claim(longest_waiting: bool = False) -> Claim | None:
    """Claim the first claimable deals, at most BATCH_SIZE. Without any, return None after one look at a small index.

    The first are those of the highest priority, the latest in front, and last those without one. All of a claim have
    the same priority, since no answer is stored before the last of them is there. With `longest_waiting` they are the
    oldest, of any priority. PostgreSQL skips the rows that others are claiming at this moment; SQLite lets one claim at
    a time (IMMEDIATE).
    """
    if not claimable().exists():
        return None
    with transaction.atomic():
        deals = _lock_oldest() if longest_waiting else _lock_wanted() or _lock_newest()
        jobs = [
            Job(deal.pk, deal.cards, deal.solver_attempts)
            for deal in deals
            if longest_waiting or deal.solver_priority == deals[0].solver_priority
        ]
        new_claim = Claim(jobs, timezone.now() + LEASE)
        Deal.objects.filter(id__in=[job.id for job in jobs]).update(claimed_until=new_claim.expires_at)
    return new_claim if jobs else None


def _lock_wanted() -> list[Deal]:
    wanted = claimable().filter(solver_priority__isnull=False)
    return _lock(wanted.order_by("-solver_priority", "-wanted_at", "id"))


def _lock_newest() -> list[Deal]:
    return _lock(claimable().order_by("-created_at", "-id"))


def _lock_oldest() -> list[Deal]:
    return _lock(claimable().order_by("created_at", "id"))


def _lock(deals: DealQuerySet) -> list[Deal]:
    columns = ("id", "cards", "solver_attempts", "solver_priority")
    return list(deals.select_for_update(skip_locked=True).only(*columns)[:BATCH_SIZE])


def renew(claim: Claim) -> None:
    """Extend the lease of the deals that are still ours to LEASE from now."""
    expires_at = timezone.now() + LEASE
    _still_claimed(claim).update(claimed_until=expires_at)
    claim.expires_at = expires_at


def release(claim: Claim) -> int:
    """Make the unsolved deals of the claim claimable at once. Return how many were released."""
    return _still_claimed(claim).update(claimed_until=None)


def store(claim: Claim, solutions: Mapping[UUID, Solution]) -> int:
    """Store the solutions of the deals that are still ours. Return how many were stored."""
    with transaction.atomic():
        stored = [deal_id for deal_id in sorted(solutions) if _store(claim, deal_id, solutions[deal_id])]
        record_deals(FeedEvent.Type.DEAL_ANALYSED, stored)
        double_dummy_changed.send(sender=Deal, deal_ids=stored)
    return len(stored)


def _store(claim: Claim, deal_id: UUID, solution: Solution) -> bool:
    return bool(
        _still_claimed(claim)
        .filter(id=deal_id)
        .update(
            double_dummy_status=Status.DONE,
            double_dummy=solution.table,
            par=solution.par,
            claimed_until=None,
            updated_at=timezone.now(),
        )
    )


def record_failure(claim: Claim, job: Job) -> Job | None:
    """Count a failed attempt. Return the job to try again, or None when the deal is `failed` after MAX_ATTEMPTS."""
    attempts = job.attempts + 1
    deal = _still_claimed(claim).filter(id=job.id)
    if attempts < MAX_ATTEMPTS:
        deal.update(solver_attempts=attempts)
        return Job(job.id, job.cards, attempts)
    with transaction.atomic():
        deal.update(
            solver_attempts=attempts,
            double_dummy_status=Status.FAILED,
            claimed_until=None,
            updated_at=timezone.now(),
        )
        double_dummy_changed.send(sender=Deal, deal_ids=[job.id])
    return None


def _still_claimed(claim: Claim) -> DealQuerySet:
    return Deal.objects.filter(
        id__in=[job.id for job in claim.jobs],
        double_dummy_status=Status.PENDING,
        claimed_until=claim.expires_at,
    )


def mark_unavailable() -> int:
    """Mark the claimable deals as unavailable, for a worker without a solver. Return how many were marked."""
    return sum(reset(claimable(), Status.UNAVAILABLE)) if claimable().exists() else 0


def mark_available() -> int:
    """Make the unavailable deals pending again, for a worker with a solver. Return how many were marked."""
    return sum(reset(Deal.objects.filter(double_dummy_status=Status.UNAVAILABLE), Status.PENDING))


def reset(deals: DealQuerySet, status: Deal.DoubleDummyStatus) -> Iterator[int]:
    """Give the deals this status and no failed attempts. Yield the number of rows after each CHUNK_SIZE."""
    last_id = UUID(int=0)
    while ids := list(deals.filter(id__gt=last_id).order_by("id").values_list("id", flat=True)[:CHUNK_SIZE]):
        with transaction.atomic():
            changed = deals.filter(id__in=ids).reset_double_dummy(status)
            double_dummy_changed.send(sender=Deal, deal_ids=ids)
        yield changed
        last_id = ids[-1]
