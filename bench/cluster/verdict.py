"""What is compared when the traffic is over: acknowledged writes, counters, what readers get, and the feed."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bench.load.database import INEXACT_COUNTERS
from tests.traffic import Traffic

PUBLICATIONS = "SELECT board_id, count(*) FROM deals_feedevent WHERE type = 'board.published' GROUP BY board_id"


def find_wrong(
    traffic: Traffic, fetch: Callable[[str], Iterable[Sequence[Any]]], json_is_right: Callable[[], bool]
) -> dict[str, int]:
    """Return how many of each kind are wrong: lost, not the sum of the votes, or without their one event.

    `json_is_right` runs `refresh_boards --check` and `index_boards --check`. Call it when nobody writes any more.
    """
    ((counters,),) = fetch(INEXACT_COUNTERS)
    events = {str(board).replace("-", ""): count for board, count in fetch(PUBLICATIONS)}
    published = [board.replace("-", "") for (board,) in traffic.acknowledged["board"]]
    return {
        **traffic.find_lost(fetch),
        "counter": counters,
        "event": sum(events.get(board) != 1 for board in published),
        "text": int(not json_is_right()),
    }
