"""The worker's lists of plays to analyse, and of cards whose costs a reader wants (deals.solver.queues)."""

import re
from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db import models
from django.dispatch import Signal

from boards.analysis.questions import question_about
from boards.models import Board, CardCosts, PlayAnalysis
from boards.models.analysis import MAX_TRACE
from deals.solver.queues import Answer, Columns, Order, Queue

analysis_changed = Signal()
"""The analysis of `board_ids` or its status has changed. Sent in the transaction of the change."""

_TRACE = re.compile(rf"[0-9a-d]{{1,{MAX_TRACE}}}")
_COSTS = re.compile(r"[0-9a-d.]+")


def read_text(answer: Answer, name: str, pattern: re.Pattern[str]) -> Columns:
    """Return the column of an answer that is one text. Raise ValueError for another."""
    text = answer.get(name)
    if not isinstance(text, str) or not pattern.fullmatch(text):
        raise ValueError(name)
    return {name: text}


class Plays(Queue):
    """Boards whose play has no trace. Nobody waits for one, but it takes a tenth of a table's time."""

    task = "plays"
    batch_size = 25
    seconds_per_job = 2  # It takes 0.02 s, and the worst one seen 0.4 s.

    @property
    def rows(self) -> models.QuerySet[PlayAnalysis]:
        return PlayAnalysis.objects.all()

    def choose(self, claimable: models.QuerySet[Any], order: Order) -> list[Any]:
        if order is Order.WANTED:
            return []
        first = "asked_at" if order is Order.OLDEST else "-asked_at"
        return self.lock(claimable.select_related("board__deal").order_by(first))

    def ask(self, row: PlayAnalysis) -> Any:
        return question_about(row.board)

    def read(self, answer: Answer) -> Columns:
        return read_text(answer, "trace", _TRACE)

    def hold(self, ids: Collection[UUID]) -> None:
        """Lock the boards before their analyses, as whoever changes a board does."""
        list(Board.objects.filter(pk__in=ids).order_by("pk").select_for_update().values_list("pk"))

    def announce(self, ids: Collection[UUID], *, is_solved: bool) -> None:
        analysis_changed.send(sender=PlayAnalysis, board_ids=ids)


class Costs(Queue):
    """Boards of which a reader wants to know what each card costs. A page looks for it again and again."""

    task = "costs"
    batch_size = 5
    seconds_per_job = 2  # It takes 0.05 s, and the worst one seen 0.4 s.

    @property
    def rows(self) -> models.QuerySet[CardCosts]:
        return CardCosts.objects.all()

    def choose(self, claimable: models.QuerySet[Any], order: Order) -> list[Any]:
        first = "asked_at" if order is Order.OLDEST else "-asked_at"
        return self.lock(claimable.select_related("board__deal").order_by(first))

    def ask(self, row: CardCosts) -> Any:
        return question_about(row.board)

    def read(self, answer: Answer) -> Columns:
        return read_text(answer, "costs", _COSTS)

    def announce(self, ids: Collection[UUID], *, is_solved: bool) -> None:
        """Tell nobody: the page of a board reads the row itself."""


PLAYS, COSTS = Plays(), Costs()
