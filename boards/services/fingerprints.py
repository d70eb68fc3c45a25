"""Giving stored boards the fingerprints of what they have become."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count

from boards.models import Board
from boards.records import fingerprint_of, record_of


def renew_fingerprints(boards: Iterable[Board]) -> None:
    """Set each board's fingerprint, not saved: that of its record, with the first number that no other board has.

    So two boards that have become equal stay two. Lock them before, and select their deals and auction systems.
    """
    equal: dict[str, list[Board]] = defaultdict(list)
    for board in boards:
        equal[fingerprint_of(record_of(board), board.owner_id or "")].append(board)
    stored = dict(Board.objects.filter(fingerprint__in=equal).values_list("fingerprint", "pk"))
    for fingerprint, group in equal.items():
        if len(group) == 1 and stored.get(fingerprint, group[0].pk) == group[0].pk:
            group[0].fingerprint = fingerprint
        else:
            for board, free in zip(group, free_fingerprints(group), strict=False):
                board.fingerprint = free


def free_fingerprints(group: list[Board]) -> Iterator[str]:
    """Yield the fingerprints of a record, by number, that none but these boards has. They are looked up in lots."""
    record, owner_id, own = record_of(group[0]), group[0].owner_id or "", {board.pk for board in group}
    for first in count(1, len(group)):
        lot = [fingerprint_of(record, owner_id, number) for number in range(first, first + len(group))]
        stored = dict(Board.objects.filter(fingerprint__in=lot).values_list("fingerprint", "pk"))
        yield from (each for each in lot if each not in stored or stored[each] in own)
