"""What the solver is asked about boards. Whoever writes a board calls `keep_questions` in the same transaction."""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from django.db import transaction

from boards.models import Board, CardCosts, PlayAnalysis
from config.database.inserting import insert_rows
from config.edge.limits.posts import ClientNetworks, PostLimits
from deals.models import SolverStatus


def question_about(board: Board) -> dict[str, Any] | None:
    """Return what the child is asked (deals.solver.dds.PlayQuestion), or None for a board that nobody played.

    Select the board's deal with it, which is read.
    """
    if not board.declarer:
        return None
    play = board.play or ([board.opening_lead] if board.opening_lead else [])
    return {"cards": board.deal.cards, "contract": board.contract, "declarer": board.declarer, "play": play}


def hash_of(question: dict[str, Any]) -> str:
    return sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:32]


def hash_about(board: Board) -> str:
    """Return the hash of the question about a board, or "" where nobody played it."""
    question = question_about(board)
    return hash_of(question) if question else ""


def hash_of_play(board: Board) -> str:
    """Return the hash of the question about a board's play, or "" where no card is known."""
    return hash_about(board) if board.play or board.opening_lead else ""


def ask_new(boards: Iterable[Board]) -> None:
    """Ask about the plays of boards that this transaction has stored, or whose row it has deleted."""
    rows = []
    for board in boards:
        forget_analysis(board)
        if question := hash_of_play(board):
            rows.append(PlayAnalysis(board=board, question=question))  # which the board has from now on
    insert_rows(rows)


def forget_analysis(board: Board) -> None:
    """Make the board as `select_related` leaves one without a row, so that nobody looks for it again."""
    field: Any = Board._meta.get_field("analysis")
    field.set_cached_value(board, None)


def keep_questions(boards: Sequence[Board]) -> None:
    """Ask about plays that are new or have changed, and forget the answers about what is no longer so.

    The boards are locked, and as `with_details` returns them.
    """
    changed = [board for board in boards if hash_of_play(board) != known_question(board)]
    if changed:
        PlayAnalysis.objects.filter(pk__in=[board.pk for board in changed]).delete()
        ask_new(changed)
    costs = CardCosts.objects.filter(pk__in=[board.pk for board in boards])
    asked_about = dict(costs.values_list("pk", "question"))
    asked = [board for board in boards if board.pk in asked_about]
    if outdated := [board.pk for board in asked if hash_about(board) != asked_about[board.pk]]:
        costs.filter(pk__in=outdated).delete()


def known_question(board: Board) -> str:
    analysis: PlayAnalysis | None = getattr(board, "analysis", None)
    return analysis.question if analysis else ""


LIMITS = PostLimits("questions", "EXPORT_RATE", "QUESTION_RATE_IN_TOTAL")


def want_costs(board: Board, client: ClientNetworks) -> None:
    """Ask what each card costs, unless it is asked already. Raise RateLimited when it or all want too much."""
    if CardCosts.objects.filter(pk=board.pk).exclude(status=SolverStatus.FAILED).exists():
        return
    LIMITS.count("costs", client)
    ask_for_costs(board)


@transaction.atomic
def ask_for_costs(board: Board) -> None:
    """Ask what each card costs that could be played, unless it is asked already. A failed one is asked again.

    Lock the board, so that its play stays as it is until the question is stored.
    """
    locked = Board.objects.select_for_update(of=("self",)).select_related("deal").filter(pk=board.pk).first()
    question = question_about(locked) if locked else None
    if not locked or not question:
        return
    new = {"question": hash_of(question)}
    row, created = CardCosts.objects.get_or_create(board=locked, defaults=new)
    if not created and row.status == SolverStatus.FAILED:
        CardCosts.objects.filter(pk=row.pk).update(status=SolverStatus.PENDING, attempts=0)
