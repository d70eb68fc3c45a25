"""What waits for the solver: rows with a status of their own. Nothing else is queued, so nothing can be lost.

A claim is a lease until `claimed_until`, and that value is also the proof of the lease: it is later than that of any
earlier lease of the same row, since a claim is made only after the last one expired. A statement with the value in its
WHERE clause therefore changes only rows that are still leased to us. When a worker dies, another one claims its rows
within LEASE.

The deals' tables and pars are the first queue; apps above add theirs.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, ClassVar
from uuid import UUID

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from deals.events.recording import record_deals
from deals.models import Deal, FeedEvent, SolverStatus, double_dummy_changed

LEASE = timedelta(seconds=30)
MAX_ATTEMPTS = 3
CHUNK_SIZE = 1000
"""The rows that one statement changes. There may be a million, and a statement must not run into its timeout."""

ChildAnswer = Mapping[str, Any]
"""What the child answers for one row."""
Columns = dict[str, Any]
"""What is stored of an answer, by column."""


class Order(Enum):
    """Which rows a claim takes: those that a reader waits for, the latest first; the newest; or the oldest."""

    WANTED = "wanted"
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True)
class Job:
    """One row, what the child is asked about it, and how often the solver failed on it alone."""

    id: UUID
    question: Any
    attempts: int


@dataclass(slots=True)
class Claim:
    """The rows that this worker has leased."""

    queue: "Queue"
    jobs: list[Job]
    expires_at: datetime

    @property
    def should_be_renewed(self) -> bool:
        return self.expires_at - timezone.now() < LEASE / 2


class Queue(ABC):
    """The rows of a model that wait for the solver. A subclass names the rows, the question and what is stored.

    `task` is what the child calls the question (deals.solver.child). No answer of a claim is stored before the last one
    is there, so a batch is small where an answer takes long. `status` and `attempts` are columns.
    """

    model: type[models.Model]
    task: ClassVar[str]
    batch_size: int
    status: ClassVar[str] = "status"
    attempts: ClassVar[str] = "attempts"

    @abstractmethod
    def choose(self, claimable: models.QuerySet[Any], order: Order) -> list[Job]:
        """Lock the rows of the next claim, at most `batch_size`, by `lock`, and return what is asked about them."""

    @abstractmethod
    def read(self, answer: ChildAnswer) -> Columns:
        """Return what is stored of an answer. Raise ValueError for one that is none."""

    @contextmanager
    def changing(self, ids: Collection[UUID], *, is_solved: bool = False) -> Iterator[list[UUID]]:
        """Make one transaction of a block that changes some of these rows, and lists those. A subclass tells others."""
        with transaction.atomic():
            yield []

    @property
    def rows(self) -> models.QuerySet[Any]:
        return self.model._default_manager.all()

    def claimable(self) -> models.QuerySet[Any]:
        """Filter for pending rows that no living worker has claimed."""
        is_free = Q(claimed_until__isnull=True) | Q(claimed_until__lt=timezone.now())
        return self.rows.filter(is_free, **{self.status: SolverStatus.PENDING})

    def claim(self, order: Order) -> Claim | None:
        """Claim the first claimable rows in this order, or return None.

        PostgreSQL skips the rows that others are claiming at this moment; SQLite lets one claim at a time (IMMEDIATE).
        """
        with transaction.atomic():
            jobs = self.choose(self.claimable(), order)
            claim = Claim(self, jobs, timezone.now() + LEASE)
            self.rows.filter(pk__in=[job.id for job in jobs]).update(claimed_until=claim.expires_at)
        return claim if jobs else None

    def lock(self, rows: models.QuerySet[Any]) -> list[Any]:
        """Lock the first of these rows that nobody else has locked."""
        return list(rows.select_for_update(skip_locked=True, of=("self",))[: self.batch_size])

    def renew(self, claim: Claim) -> None:
        """Extend the lease of the rows that are still ours to LEASE from now."""
        expires_at = timezone.now() + LEASE
        self._still_claimed(claim).update(claimed_until=expires_at)
        claim.expires_at = expires_at

    def release(self, claim: Claim) -> int:
        """Make the unsolved rows of the claim claimable at once. Return how many were released."""
        return self._still_claimed(claim).update(claimed_until=None)

    def store(self, claim: Claim, solutions: Mapping[UUID, Columns]) -> int:
        """Store the solutions of the rows that are still ours. Return how many were stored."""
        with self.changing(solutions, is_solved=True) as stored:
            claimed = self._still_claimed(claim)
            for pk, columns in sorted(solutions.items()):
                if self.change(claimed.filter(pk=pk), SolverStatus.DONE, claimed_until=None, **columns):
                    stored.append(pk)
        return len(stored)

    def record_failure(self, claim: Claim, job: Job) -> Job | None:
        """Count a failed attempt. Return the job to try again, or None when it is `failed` after MAX_ATTEMPTS."""
        attempts = job.attempts + 1
        row = self._still_claimed(claim).filter(pk=job.id)
        if attempts < MAX_ATTEMPTS:
            row.update(**{self.attempts: attempts})
            return Job(job.id, job.question, attempts)
        with self.changing([job.id]) as failed:
            if self.change(row, SolverStatus.FAILED, **{self.attempts: attempts}, claimed_until=None):
                failed.append(job.id)
        return None

    def _still_claimed(self, claim: Claim) -> models.QuerySet[Any]:
        ids = [job.id for job in claim.jobs]
        return self.rows.filter(pk__in=ids, claimed_until=claim.expires_at, **{self.status: SolverStatus.PENDING})

    def mark_unavailable(self) -> int:
        """Mark the claimable rows as unavailable, for a worker without a solver. Return how many were marked."""
        if not self.claimable().exists():
            return 0
        return sum(self.reset(self.claimable(), SolverStatus.UNAVAILABLE))

    def mark_available(self) -> int:
        """Make the unavailable rows pending again, for a worker with a solver. Return how many were marked."""
        return sum(self.reset(self.rows.filter(**{self.status: SolverStatus.UNAVAILABLE}), SolverStatus.PENDING))

    def reset(self, rows: models.QuerySet[Any], status: SolverStatus) -> Iterator[int]:
        """Give the rows this status and no failed attempts. Yield the number of rows after each CHUNK_SIZE.

        A claim stays, so that a worker which is solving a row at this moment can still store the answer.
        """
        last_id = UUID(int=0)
        while ids := list(rows.filter(pk__gt=last_id).order_by("pk").values_list("pk", flat=True)[:CHUNK_SIZE]):
            with self.changing(ids) as changed:
                count = self.change(rows.filter(pk__in=ids), status, **{self.attempts: 0})
                changed.extend(ids)
            yield count
            last_id = ids[-1]

    def change(self, rows: models.QuerySet[Any], status: SolverStatus, **columns: Any) -> int:
        """Give the rows this status and columns. Return how many there are."""
        return rows.update(**{self.status: status}, **columns)


QUEUES: list[Queue] = []
"""All queues, those with the shortest answers in front. Apps above the deals add theirs in `ready`."""


def claim_next(order: Order, queues: Sequence[Queue] | None = None) -> Claim | None:
    """Claim the first rows in this order of the first queue that has some.

    Those that a reader waits for come first, of any queue. Then come the short ones, and with OLDEST the long ones: so
    no row waits for ever, whatever comes in. Where nothing waits, a look at a small index of each queue says so.
    """
    waiting = [queue for queue in (QUEUES if queues is None else queues) if queue.claimable().exists()]
    if order is Order.OLDEST:
        tries = [(queue, Order.OLDEST) for queue in reversed(waiting)]
    else:
        tries = [(queue, each) for each in (Order.WANTED, Order.NEWEST) for queue in waiting]
    return next((claim for queue, each in tries if (claim := queue.claim(each))), None)


_TABLE = re.compile(r"[0-9a-d]{20}")


class Tables(Queue):
    """Deals without a table. A wanted one has a priority: the highest come first, and all of a claim have the same.

    A deal that comes in waits until the batch in hand is solved. Larger batches are hardly faster on one thread.
    """

    model, task = Deal, "tables"
    batch_size = 5
    status = "double_dummy_status"
    attempts = "solver_attempts"

    def choose(self, claimable: Any, order: Order) -> list[Job]:
        deals = claimable.only("id", "cards", "solver_attempts", "solver_priority")
        if order is Order.OLDEST:
            chosen = self.lock(deals.order_by("created_at", "id"))
        elif order is Order.NEWEST:
            chosen = self.lock(deals.order_by("-created_at", "-id"))
        else:
            wanted = deals.filter(solver_priority__isnull=False)
            first = self.lock(wanted.order_by("-solver_priority", "-wanted_at", "id"))
            chosen = [deal for deal in first if deal.solver_priority == first[0].solver_priority]
        return [Job(deal.pk, deal.cards, deal.solver_attempts) for deal in chosen]

    def read(self, answer: ChildAnswer) -> Columns:
        """Return table and par in the stored forms of `bridge.double_dummy`."""
        if not _TABLE.fullmatch(str(answer.get("table"))) or not isinstance(answer.get("par"), dict):
            raise ValueError
        return {"double_dummy": answer["table"], "par": answer["par"]}

    @contextmanager
    def changing(self, ids: Collection[UUID], *, is_solved: bool = False) -> Iterator[list[UUID]]:
        with super().changing(ids) as changed:
            yield changed
            if is_solved:
                record_deals(FeedEvent.Type.DEAL_ANALYSED, changed)
            double_dummy_changed.send(sender=Deal, deal_ids=changed)

    def change(self, rows: models.QuerySet[Any], status: SolverStatus, **columns: Any) -> int:
        return super().change(rows, status, updated_at=timezone.now(), **columns)


TABLES = Tables()
