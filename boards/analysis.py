"""What the solver says of boards: the trace of each play, and the costs of cards when a reader asks.

Whoever writes a board calls `keep_questions` in the same transaction. The worker has a list of plays to analyse and one
of cards whose costs a reader wants (deals.solver.queues). Pages and the API say by double dummy which cards cost a
trick, in sentences.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from django.db import models, transaction
from django.dispatch import Signal

from boards.models import Board, CardCosts, PlayAnalysis
from boards.models.analysis import MAX_TRACE, SolverAnswer
from boards.records import record_without_calls
from bridge.double_dummy import par_for
from bridge.play_analysis import PlayedCard, lost_by
from bridge.replay import cards_of
from bridge.verdict import Verdict, judge
from config.database.inserting import insert_rows
from config.edge.limits.posts import PostLimits
from deals.models import SolverStatus
from deals.solver.queues import ChildAnswer, Columns, Job, Order, Queue


def question_about(board: Board) -> dict[str, Any] | None:
    """Return what the child is asked (deals.solver.dds.PlayQuestion), or None for a board that nobody played.

    Select the board's deal with it, which is read.
    """
    if not board.declarer:
        return None
    play = board.play or ([board.opening_lead] if board.opening_lead else [])
    return {"cards": board.deal.cards, "contract": board.contract, "declarer": board.declarer, "play": play}


def hash_about(board: Board) -> str:
    """Return the hash of the question about a board, or "" where nobody played it."""
    question = question_about(board)
    return sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:32] if question else ""


def hash_of_play(board: Board) -> str:
    """Return the hash of the question about a board's play, or "" where no card is known."""
    return hash_about(board) if board.play or board.opening_lead else ""


def ask_new(boards: Iterable[Board]) -> None:
    """Ask about the plays of boards that this transaction has stored, or whose row it has deleted."""
    rows = []
    field: Any = Board._meta.get_field("analysis")
    for board in boards:
        field.set_cached_value(board, None)  # As `select_related` leaves one without a row: nobody looks for it again.
        if question := hash_of_play(board):
            rows.append(PlayAnalysis(board=board, question=question))  # which the board has from now on
    insert_rows(rows)


def keep_questions(boards: Sequence[Board]) -> None:
    """Ask about plays that are new or have changed, and forget the answers about what is no longer so.

    The boards are locked, and as `with_details` returns them.
    """
    known = {board.pk: board.analysis.question for board in boards if hasattr(board, "analysis")}
    changed = [board for board in boards if hash_of_play(board) != known.get(board.pk, "")]
    if changed:
        PlayAnalysis.objects.filter(pk__in=[board.pk for board in changed]).delete()
        ask_new(changed)
    by_id = {board.pk: board for board in boards}
    asked = CardCosts.objects.filter(pk__in=by_id).values_list("pk", "question")
    if outdated := [pk for pk, question in asked if hash_about(by_id[pk]) != question]:
        CardCosts.objects.filter(pk__in=outdated).delete()


LIMITS = PostLimits("questions", "EXPORT_RATE", "QUESTION_RATE_IN_TOTAL")


def want_costs(board: Board, meta: Mapping[str, Any]) -> None:
    """Ask what each card costs, unless it is asked already. Raise RateLimited when the client or all want too much."""
    if CardCosts.objects.filter(pk=board.pk).exclude(status=SolverStatus.FAILED).exists():
        return
    LIMITS.count("costs", meta)
    ask_for_costs(board)


@transaction.atomic
def ask_for_costs(board: Board) -> None:
    """Ask what each card costs that could be played, unless it is asked already. A failed one is asked again.

    Lock the board, so that its play stays as it is until the question is stored.
    """
    locked = Board.objects.select_for_update(of=("self",)).select_related("deal").filter(pk=board.pk).first()
    if not locked or not (question := hash_about(locked)):
        return
    row, created = CardCosts.objects.get_or_create(board=locked, defaults={"question": question})
    if not created and row.status == SolverStatus.FAILED:
        CardCosts.objects.filter(pk=row.pk).update(status=SolverStatus.PENDING, attempts=0)


analysis_changed = Signal()
"""The analysis of `board_ids` or its status has changed. Sent in the transaction of the change."""


class BoardQueue(Queue):
    """A list of boards about which the solver is asked. The answer is a text, stored in the column of its name."""

    model: type[SolverAnswer]
    column: str
    pattern: re.Pattern[str]

    def choose(self, claimable: models.QuerySet[Any], order: Order) -> list[Job]:
        first = "asked_at" if order is Order.OLDEST else "-asked_at"
        rows = self.lock(claimable.select_related("board__deal").order_by(first))
        return [Job(row.pk, question_about(row.board), row.attempts) for row in rows]

    def read(self, answer: ChildAnswer) -> Columns:
        text = answer.get(self.column)
        if not isinstance(text, str) or not self.pattern.fullmatch(text):
            raise ValueError(self.column)
        return {self.column: text}


class Plays(BoardQueue):
    """Boards whose play has no trace. Nobody waits for one, but it takes a tenth of a table's time."""

    task, model, column = "plays", PlayAnalysis, "trace"
    pattern = re.compile(rf"[0-9a-d]{{1,{MAX_TRACE}}}")
    batch_size = 25

    def choose(self, claimable: models.QuerySet[Any], order: Order) -> list[Job]:
        return [] if order is Order.WANTED else super().choose(claimable, order)

    @contextmanager
    def changing(self, ids: Collection[UUID], *, is_solved: bool = False) -> Iterator[list[UUID]]:
        """Lock the boards before their analyses, as every change of a board does."""
        with super().changing(ids) as changed:
            list(Board.objects.filter(pk__in=ids).order_by("pk").select_for_update().values_list("pk"))
            yield changed
            analysis_changed.send(sender=PlayAnalysis, board_ids=changed)


class Costs(BoardQueue):
    """Boards of which a reader wants to know what each card costs. Nothing announces it: a page looks for it itself."""

    task, model, column = "costs", CardCosts, "costs"
    pattern = re.compile(r"[0-9a-d.]+")
    batch_size = 5


PLAYS, COSTS = Plays(), Costs()


class PlaySummary(NamedTuple):
    """What the cards of a board's play cost. Without a trace there are no figures."""

    status: str
    lead: int | None = None
    cards: tuple[PlayedCard, ...] = ()
    lost_by_declarer: int | None = None
    lost_by_defence: int | None = None


def summarise_play(board: Board) -> PlaySummary | None:
    """Return None where no card is known. The board must be as `with_details` returns it."""
    analysis = getattr(board, "analysis", None)
    if analysis is None:
        return None
    contract, trace = board.final_contract, board.trace
    if not trace or not contract or not contract.declarer:
        return PlaySummary(analysis.status)
    played = trace.costs(contract, cards_of(record_without_calls(board)))
    return PlaySummary(
        analysis.status,
        played[0].cost,
        tuple(each for each in played if each.cost),
        lost_by(contract.declarer.side, played),
        lost_by(contract.declarer.next.side, played),
    )


def verdict_of(board: Board) -> list[Verdict]:
    """Return what can be said of a board of `with_details`."""
    pars = board.deal.par
    par = par_for(pars, board.vulnerability, board.dealer) if pars else None
    return list(judge(record_without_calls(board), board.deal.table, par, board.trace))
