"""The work list: the deals' own status. Nothing else is queued, so nothing is ever lost or queued twice.

A claim is a lease, `claimed_until`, and the lease is the proof: it is later than any earlier lease of the
same deal, as it was made when that was over, so what has it in its WHERE clause touches only what is still
ours. A worker that dies leaves its deals to the next one within LEASE.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from deals.models import Deal
from deals.querysets import DealQuerySet
from deals.solver.process import Solution

LEASE = timedelta(seconds=30)
BATCH = 20
"""Larger ones are no faster on one thread, and are more to do again."""
ATTEMPTS = 3
CHUNK = 1000
"""Rows to a statement where there may be a million: none meets the database's time limit for one."""

Status = Deal.DoubleDummyStatus


@dataclass(frozen=True, slots=True)
class Job:
    id: UUID
    cards: str
    attempts: int


@dataclass(slots=True)
class Claim:
    jobs: list[Job]
    until: datetime

    @property
    def due(self) -> bool:
        """It is time to renew it."""
        return self.until - timezone.now() < LEASE / 2


def free() -> DealQuerySet:
    """Pending deals that no living worker has."""
    now = timezone.now()
    return Deal.objects.filter(
        Q(claimed_until__isnull=True) | Q(claimed_until__lt=now), double_dummy_status=Status.PENDING
    )


def claim() -> Claim | None:
    """The oldest free deals, at most BATCH; None costs one look at a small index.

    PostgreSQL skips what others are claiming at this moment; SQLite lets one claim at a time (IMMEDIATE).
    """
    if not free().exists():
        return None
    with transaction.atomic():
        rows = free().order_by("created_at", "id").select_for_update(skip_locked=True)
        jobs = [Job(*row) for row in rows.values_list("id", "cards", "solver_attempts")[:BATCH]]
        found = Claim(jobs, timezone.now() + LEASE)
        Deal.objects.filter(id__in=[job.id for job in jobs]).update(claimed_until=found.until)
    return found if jobs else None


def renew(claim: Claim) -> None:
    until = timezone.now() + LEASE
    _held(claim).update(claimed_until=until)
    claim.until = until


def give_back(claim: Claim) -> int:
    """What is not done of it is free at once."""
    return _held(claim).update(claimed_until=None)


def store(claim: Claim, solutions: Mapping[UUID, Solution]) -> int:
    """How many were still ours to store."""
    with transaction.atomic():
        return sum(_store(claim, deal_id, solution) for deal_id, solution in solutions.items())


def _store(claim: Claim, deal_id: UUID, solution: Solution) -> int:
    return (
        _held(claim)
        .filter(id=deal_id)
        .update(
            double_dummy_status=Status.DONE,
            double_dummy=solution.table,
            par=solution.par,
            claimed_until=None,
            updated_at=timezone.now(),
        )
    )


def count_failure(claim: Claim, job: Job) -> Job | None:
    """The job with one attempt more, or None when that was the last and the deal is `failed`."""
    attempts = job.attempts + 1
    held = _held(claim).filter(id=job.id)
    if attempts < ATTEMPTS:
        held.update(solver_attempts=attempts)
        return Job(job.id, job.cards, attempts)
    held.update(
        solver_attempts=attempts,
        double_dummy_status=Status.FAILED,
        claimed_until=None,
        updated_at=timezone.now(),
    )
    return None


def _held(claim: Claim) -> DealQuerySet:
    return Deal.objects.filter(
        id__in=[job.id for job in claim.jobs], double_dummy_status=Status.PENDING, claimed_until=claim.until
    )


def mark_unavailable() -> int:
    """For a worker without a solver: free deals wait for nothing any more. How many."""
    return sum(move(free(), Status.UNAVAILABLE)) if free().exists() else 0


def mark_available() -> int:
    """For a worker with one: they wait again. How many."""
    return sum(move(Deal.objects.filter(double_dummy_status=Status.UNAVAILABLE), Status.PENDING))


def move(deals: DealQuerySet, status: Deal.DoubleDummyStatus) -> Iterator[int]:
    """Set their status, with no attempts made and no claim; yields how many after each CHUNK."""
    last = UUID(int=0)
    while ids := list(deals.filter(id__gt=last).order_by("id").values_list("id", flat=True)[:CHUNK]):
        yield deals.filter(id__in=ids).update(
            double_dummy_status=status, solver_attempts=0, claimed_until=None, updated_at=timezone.now()
        )
        last = ids[-1]
