"""What pages and the API say of a board by double dummy: the cards that cost a trick, and sentences."""

from typing import NamedTuple

from boards.models import Board
from boards.records import record_without_calls
from bridge.double_dummy import par_for
from bridge.play_analysis import PlayedCard, lost_by
from bridge.replay import cards_of
from bridge.verdict import Verdict, judge


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
