"""Claims deals, has them solved, stores what comes of it, and outlives failures of solver and database."""

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from uuid import UUID

from config.worker.outages import OUTAGES, disconnect, insist, pause_after
from config.worker.shutdown import Stop, Stopping
from deals.solver import jobs
from deals.solver.jobs import Claim, Job
from deals.solver.process import (
    Solution,
    Solver,
    SolverError,
    SolverFailed,
    SolverKilled,
    SolverNotStarted,
    SolverUnavailable,
)

logger = logging.getLogger(__name__)

POLL_SECONDS = 2
BASE_SECONDS, SECONDS_A_DEAL = 60, 5
"""The time limit. A deal takes 0.3 s, the worst one seen 2.5 s; a busy machine is no reason to kill."""
MOST_BLAMELESS = 8
"""Failures in a row that are no deal's fault: about a minute and a half."""


class Worker:
    """One solver, one claim at a time. `solved` and `failed` count deals since the start."""

    def __init__(self, solver: Solver, stop: Stop) -> None:
        self.solver = solver
        self.stop = stop
        self.solved = self.failed = 0
        self.blameless = 0
        self.available: bool | None = None
        self.claim: Claim | None = None

    def run(self, *, once: bool = False) -> None:
        """Until asked to stop, or with `once` until nothing is free.

        SolverError when the solver cannot be kept running; nothing is held then either.
        """
        try:
            with suppress(Stopping):
                while (worked := self._solve_some()) or not once:
                    if not worked:
                        self.stop.pause(POLL_SECONDS)
        finally:
            self.solver.close()
            self._let_go()

    def _solve_some(self) -> bool:
        """`_step`, with patience for a solver that does not start."""
        self.stop.check()
        try:
            worked = self._step()
        except SolverNotStarted as error:
            self._let_go()
            self._bear(error)
            return True
        self.blameless = 0
        return worked

    def _bear(self, error: SolverError) -> None:
        """What is no deal's fault is tried again, later each time, until whoever supervises us must know."""
        self.blameless += 1
        if self.blameless == MOST_BLAMELESS:
            raise error
        pause_after(self.stop, error, self.blameless, "The solver does not run.")

    def _step(self) -> bool:
        """Solve one claim. False when there is nothing to do, or nothing to do it with."""
        if not self._solver_is_there():
            self._mark(jobs.mark_unavailable, "Deals are unavailable: there is no solver.")
            return False
        self.claim = insist(self.stop, jobs.claim)
        if self.claim is None:
            return False
        began, solved, failed = time.monotonic(), self.solved, self.failed
        self._work_off(self.claim)
        self.claim = None
        took = round(time.monotonic() - began, 3)
        done = {"solved": self.solved - solved, "failed": self.failed - failed, "seconds": took}
        logger.info("Deals solved.", extra={"fields": done})
        return True

    def _solver_is_there(self) -> bool:
        """Asked of the first child; without endplay there is no second."""
        if self.available is None:
            try:
                self.solver.start(self.stop.check)
            except SolverUnavailable as error:
                logger.warning("There is no solver here.", extra={"fields": {"reason": str(error)}})
                self.available = False
            else:
                self._mark(jobs.mark_available, "Deals that were unavailable are pending.")
                self.available = True
        return self.available

    def _work_off(self, claim: Claim) -> None:
        """Together those that never failed; whatever comes of that, alone what is left, round after round."""
        together = [job for job in claim.jobs if not job.attempts]
        if len(together) > 1:
            together = self._solve_together(claim, together)
        alone = deque([*together, *(job for job in claim.jobs if job.attempts)])
        while alone:
            if again := self._solve_alone(claim, alone.popleft()):
                alone.append(again)

    def _solve_together(self, claim: Claim, batch: list[Job]) -> list[Job]:
        """Those that were not solved; whose fault it is shows when they are alone."""
        try:
            return self._solve(claim, batch)
        except SolverFailed as error:
            _report(error, batch)
            return batch

    def _solve_alone(self, claim: Claim, job: Job) -> Job | None:
        """The job, when it is to be tried again."""
        try:
            failed = self._solve(claim, [job])
        except SolverKilled as error:
            self._bear(error)
            return job
        except SolverFailed as error:
            _report(error, [job])
            failed = [job]
        return self._count_failure(claim, job) if failed else None

    def _solve(self, claim: Claim, batch: Sequence[Job]) -> list[Job]:
        """Solve and store; those that the solver refuses."""
        seconds = BASE_SECONDS + SECONDS_A_DEAL * len(batch)
        cards = [job.cards for job in batch]
        answers = self.solver.solve(cards, seconds=seconds, tick=lambda: self._tick(claim))
        solutions = {job.id: answer for job, answer in zip(batch, answers, strict=True) if answer}
        if solutions:
            self._store(claim, solutions)
        return [job for job in batch if job.id not in solutions]

    def _store(self, claim: Claim, solutions: dict[UUID, Solution]) -> None:
        self.solved += insist(self.stop, lambda: jobs.store(claim, solutions))
        self.blameless = 0

    def _count_failure(self, claim: Claim, job: Job) -> Job | None:
        again = insist(self.stop, lambda: jobs.count_failure(claim, job))
        if again is None:
            self.failed += 1
            logger.error("A deal cannot be solved.", extra={"fields": {"deal": str(job.id)}})
        return again

    def _tick(self, claim: Claim) -> None:
        """While the child thinks. A renewal that fails is no harm: the next tick tries again."""
        self.stop.check()
        if claim.due:
            try:
                jobs.renew(claim)
            except OUTAGES as error:
                disconnect(error)

    def _mark(self, mark: Callable[[], int], message: str) -> None:
        if count := insist(self.stop, mark):
            logger.info(message, extra={"fields": {"deals": count}})

    def _let_go(self) -> None:
        """Give back what is held. Without a database the end of the lease does it."""
        # Twice: the first may only show that the connection broke while the child was thinking.
        for _ in range(2):
            if self.claim:
                try:
                    count = jobs.give_back(self.claim)
                except OUTAGES as error:
                    disconnect(error)
                else:
                    self.claim = None
                    logger.info("Deals given back.", extra={"fields": {"deals": count}})
        self.claim = None


def _report(error: SolverError, batch: Sequence[Job]) -> None:
    fields = {"reason": str(error), "deals": [str(job.id) for job in batch]}
    logger.warning("The solver failed.", extra={"fields": fields})
