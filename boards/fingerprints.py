"""Giving stored boards the fingerprints of what they have become."""

from collections.abc import Iterable

from boards.models import Board
from boards.records import fingerprint_of, record_of


def renew_fingerprints(boards: Iterable[Board]) -> None:
    """Set each board's fingerprint, not saved: that of its record, with the first number that no other board has.

    So two boards that have become equal stay two. Lock them before, and select their deals and auction systems.
    """
    given: set[str] = set()
    waiting, number = list(boards), 1
    while waiting:
        wanted = {board.pk: fingerprint_of(record_of(board), board.owner_id or "", number) for board in waiting}
        stored = dict(Board.objects.filter(fingerprint__in=wanted.values()).values_list("fingerprint", "pk"))
        for board in waiting:
            fingerprint = wanted[board.pk]
            if fingerprint not in given and stored.get(fingerprint, board.pk) == board.pk:
                board.fingerprint = fingerprint
                given.add(fingerprint)
                del wanted[board.pk]
        waiting, number = [board for board in waiting if board.pk in wanted], number + 1
