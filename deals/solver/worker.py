"""Claim what waits for the solver, have it solved and store the results, through failures of solver and database."""

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from uuid import UUID

from django.db import DatabaseError

from config.worker.runner import (
    OUTAGE_ERRORS,
    ShutdownRequest,
    ShutdownRequested,
    back_off,
    close_connection,
    pause_after_refusal,
    retry_through_outage,
)
from deals.solver.process import Solver, SolverError, SolverFailed, SolverKilled, SolverNotStarted, SolverUnavailable
from deals.solver.queues import QUEUES, Claim, Columns, Job, Order, Queue, claim_next
from deals.watching import clear_fault, record_fault

logger = logging.getLogger(__name__)

POLL_SECONDS = 2
LONGEST_WAITING_EVERY = 4
"""After this number of claims, one takes what has waited longest. So nothing waits for ever, whatever comes in."""
BASE_SECONDS, SECONDS_PER_JOB = 60, 10
"""The time limit of a batch is the first and one of the second for each job. The worst table seen took 2.5 s, the worst
costs of a play 1.4 s, and a busy machine is not a reason to kill the child."""
MAX_CONSECUTIVE_FAILURES = 8
"""After this number of failures in a row that no job caused, about a minute and a half, a claim is released.

With `once` the worker then gives up. Otherwise it goes on trying, since the tasks beside it do not need the solver.
"""


class Worker:
    """A loop with one solver and at most one claim. `solved` and `failed` count jobs since the start."""

    def __init__(self, solver: Solver, shutdown: ShutdownRequest) -> None:
        self.solver = solver
        self.shutdown = shutdown
        self.solved = self.failed = 0
        self.consecutive_failures = 0
        self.fault_is_recorded = False
        self.solver_available: bool | None = None
        self.claim: Claim | None = None
        self.claims = 0

    def run(self, *, once: bool = False) -> None:
        """Solve what is claimed until shut down or, with `once`, until nothing is left.

        While the solver cannot be kept running, all of it waits and /readyz says why; with `once`, raise SolverError.
        Release the claim either way, but not after an error of the database: other deals come first then.
        """
        try:
            with suppress(ShutdownRequested):
                while (worked := self._solve_next(once)) or not once:
                    if not worked:
                        self.shutdown.wait(POLL_SECONDS)
        except DatabaseError:
            self.claim = None
            raise
        finally:
            self.solver.close()
            self._release_claim()

    def _solve_next(self, once: bool) -> bool:
        """Claim jobs and solve them; back off when the solver does not run. Return False when idle."""
        self.shutdown.check()
        try:
            worked = self._claim_and_solve()
        except (SolverNotStarted, SolverKilled) as error:
            self._release_claim()
            if once and self.consecutive_failures >= MAX_CONSECUTIVE_FAILURES - 1:
                raise
            self._back_off(error)
            return True
        self._count_no_failures()
        return worked

    def _back_off(self, error: SolverError) -> None:
        """Wait, longer after each consecutive failure that no job is to blame for, and say so for /readyz."""
        self.consecutive_failures += 1
        self._record_fault(lambda: record_fault(error))
        self.fault_is_recorded = True
        back_off(self.shutdown, error, self.consecutive_failures, "The solver does not run.")

    def _count_no_failures(self) -> None:
        self.consecutive_failures = 0
        if self.fault_is_recorded and self._record_fault(clear_fault):
            self.fault_is_recorded = False
            logger.info("The solver runs again.")

    @staticmethod
    def _record_fault(action: Callable[[], None]) -> bool:
        """Change what /readyz says, and tell whether it was stored. While the database is down nobody could read it."""
        try:
            action()
        except OUTAGE_ERRORS as error:
            close_connection(error)
            return False
        return True

    def _claim_and_solve(self) -> bool:
        """Solve the jobs of one claim. Return False when none is pending or there is no solver."""
        if not self._check_solver():
            self._mark(lambda queue: queue.mark_unavailable(), "Marked as unavailable: there is no solver.")
            return False
        is_turn_of_oldest = self.claims % LONGEST_WAITING_EVERY == LONGEST_WAITING_EVERY - 1
        order = Order.OLDEST if is_turn_of_oldest else Order.WANTED
        self.claim = retry_through_outage(self.shutdown, lambda: claim_next(order))
        if self.claim is None:
            return False
        self.claims += 1
        started, solved, failed = time.monotonic(), self.solved, self.failed
        task = self.claim.queue.task
        self._solve_claim(self.claim)
        self.claim = None
        seconds = round(time.monotonic() - started, 3)
        counts = {"solved": self.solved - solved, "failed": self.failed - failed}
        logger.info("Solved.", extra={"fields": {"task": task, **counts, "seconds": seconds}})
        return True

    def _check_solver(self) -> bool:
        """Tell whether the solver is installed. The first child shows it; without a solver no second one is started."""
        if self.solver_available is None:
            try:
                self.solver.start(self.shutdown.check)
            except SolverUnavailable as error:
                logger.warning("There is no solver here.", extra={"fields": {"reason": str(error)}})
                self.solver_available = False
            else:
                self._mark(lambda queue: queue.mark_available(), "What was unavailable is pending again.")
                self.solver_available = True
        return self.solver_available

    def _solve_claim(self, claim: Claim) -> None:
        """Solve the jobs that never failed as one batch, then each remaining one alone until it is solved or failed.

        A failure counts against a job only when it was alone.
        """
        unsolved = batch = [job for job in claim.jobs if not job.attempts]
        if len(batch) > 1:
            try:
                unsolved = self._solve(claim, batch)
            except SolverFailed as error:
                _log_failure(error, batch)
        queue = deque([*unsolved, *(job for job in claim.jobs if job.attempts)])
        while queue:
            if retry := self._solve_alone(claim, queue.popleft()):
                queue.append(retry)

    def _solve_alone(self, claim: Claim, job: Job) -> Job | None:
        """Solve one job. Return it when it must be tried again."""
        try:
            refused = self._solve(claim, [job])
        except SolverKilled as error:
            if self.consecutive_failures >= MAX_CONSECUTIVE_FAILURES - 1:
                raise  # perhaps it is this job after all: let others have their turn
            self._back_off(error)
            return job
        except SolverFailed as error:
            _log_failure(error, [job])
            return self._record_failure(claim, job)
        return self._record_failure(claim, job) if refused else None

    def _solve(self, claim: Claim, batch: Sequence[Job]) -> list[Job]:
        """Solve the batch and store the solutions. Return the jobs that the solver refused."""
        queue = claim.queue
        answers = self.solver.solve(
            [job.question for job in batch],
            task=queue.task,
            seconds=BASE_SECONDS + SECONDS_PER_JOB * len(batch),
            tick=lambda: self._tick(claim),
            read=queue.read,
        )
        solutions = {job.id: answer for job, answer in zip(batch, answers, strict=True) if answer is not None}
        if solutions:
            self._store(claim, solutions)
        return [job for job in batch if job.id not in solutions]

    def _store(self, claim: Claim, solutions: dict[UUID, Columns]) -> None:
        """Store the solutions: one by one, when the database refuses one. That job is tried again after the lease."""
        try:
            self.solved += retry_through_outage(self.shutdown, lambda: claim.queue.store(claim, solutions))
        except DatabaseError as error:
            if len(solutions) == 1:
                pause_after_refusal(self.shutdown, error)
            else:
                for pk, solution in solutions.items():
                    self._store(claim, {pk: solution})
        self._count_no_failures()

    def _record_failure(self, claim: Claim, job: Job) -> Job | None:
        retry = retry_through_outage(self.shutdown, lambda: claim.queue.record_failure(claim, job))
        if retry is None:
            self.failed += 1
            fields = {"task": claim.queue.task, "id": str(job.id)}
            logger.error("The solver fails on a job again and again.", extra={"fields": fields})
        return retry

    def _tick(self, claim: Claim) -> None:
        """Renew the lease while the child solves. After a failed renewal the next tick tries again."""
        self.shutdown.check()
        if claim.should_be_renewed:
            try:
                claim.queue.renew(claim)
            except OUTAGE_ERRORS as error:
                close_connection(error)

    def _mark(self, mark: Callable[[Queue], int], message: str) -> None:
        for queue in QUEUES:
            if count := retry_through_outage(self.shutdown, partial(mark, queue)):
                logger.info(message, extra={"fields": {"task": queue.task, "count": count}})

    def _release_claim(self) -> None:
        """Release the claim, if there is one. While the database is down, the end of the lease releases it."""
        # Twice, since the first attempt may only show that the connection broke while the child was solving.
        for _ in range(2):
            if self.claim:
                try:
                    count = self.claim.queue.release(self.claim)
                except OUTAGE_ERRORS as error:
                    close_connection(error)
                else:
                    self.claim = None
                    logger.info("Jobs released.", extra={"fields": {"count": count}})
        self.claim = None


def _log_failure(error: SolverError, batch: Sequence[Job]) -> None:
    fields = {"reason": str(error), "jobs": [str(job.id) for job in batch]}
    logger.warning("The solver failed.", extra={"fields": fields})
