"""The worker's lists of plays to analyse, and of cards whose costs a reader wants (deals.solver.queues)."""

import re
from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db import models
from django.dispatch import Signal

from boards.analysis.questions import question_about
from boards.models import Board, CardCosts, PlayAnalysis
from boards.models.analysis import MAX_TRACE, SolverAnswer
from deals.solver.queues import Answer, Columns, Order, Queue

analysis_changed = Signal()
"""The analysis of `board_ids` or its status has changed. Sent in the transaction of the change."""


class BoardQueue(Queue):
    """A list of boards about which the solver is asked. The answer is a text, stored in the column of its name."""

    model: type[SolverAnswer]
    column: str
    pattern: re.Pattern[str]
    seconds_per_job = 10  # A play takes 0.02 s and its costs 0.05 s, and the worst ones seen 0.5 and 1.4 s.

    def choose(self, claimable: models.QuerySet[Any], order: Order) -> list[Any]:
        first = "asked_at" if order is Order.OLDEST else "-asked_at"
        return self.lock(claimable.select_related("board__deal").order_by(first))

    def ask(self, row: Any) -> Any:
        return question_about(row.board)

    def read(self, answer: Answer) -> Columns:
        text = answer.get(self.column)
        if not isinstance(text, str) or not self.pattern.fullmatch(text):
            raise ValueError(self.column)
        return {self.column: text}


class Plays(BoardQueue):
    """Boards whose play has no trace. Nobody waits for one, but it takes a tenth of a table's time."""

    task, model, column = "plays", PlayAnalysis, "trace"
    pattern = re.compile(rf"[0-9a-d]{{1,{MAX_TRACE}}}")
    batch_size = 25

    def choose(self, claimable: models.QuerySet[Any], order: Order) -> list[Any]:
        return [] if order is Order.WANTED else super().choose(claimable, order)

    def hold(self, ids: Collection[UUID]) -> None:
        """Lock the boards before their analyses, as whoever changes a board does."""
        list(Board.objects.filter(pk__in=ids).order_by("pk").select_for_update().values_list("pk"))

    def announce(self, ids: Collection[UUID], *, is_solved: bool) -> None:
        analysis_changed.send(sender=PlayAnalysis, board_ids=ids)


class Costs(BoardQueue):
    """Boards of which a reader wants to know what each card costs. Nothing announces it: a page looks for it itself."""

    task, model, column = "costs", CardCosts, "costs"
    pattern = re.compile(r"[0-9a-d.]+")
    batch_size = 5


PLAYS, COSTS = Plays(), Costs()
