"""A person's boards; erased, they belong to the service."""

from hashlib import sha256

from django.db.models import QuerySet
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import Account
from accounts.personal_data.registry import PersonalData, register
from boards.models import Board
from boards.records import fingerprint_of, record_of

CHUNK = 500


def boards_of(account: Account) -> QuerySet[Board]:
    return Board.objects.filter(owner=account)


def hand_over(account: Account) -> int:
    """Call inside a transaction. A board the service has already in the same form stays beside it, as its twin."""
    mine = boards_of(account).select_related("deal", "auction_system").order_by("pk")
    moved = 0
    while chunk := list(mine.select_for_update(of=("self",))[:CHUNK]):
        wanted = {board.pk: fingerprint_of(record_of(board), SYSTEM) for board in chunk}
        known = Board.objects.filter(fingerprint__in=wanted.values()).values_list("fingerprint", flat=True)
        taken = set(known)
        for board in chunk:
            fingerprint = wanted[board.pk]
            board.fingerprint = twins_fingerprint(board, fingerprint) if fingerprint in taken else fingerprint
            board.owner_id, board.updated_at = SYSTEM, timezone.now()
        Board.objects.bulk_update(chunk, ["fingerprint", "owner", "updated_at"])
        moved += len(chunk)
    return moved


def twins_fingerprint(board: Board, fingerprint: str) -> str:
    """Its own, since the column is unique: publishing the same again finds the other, and this one keeps its address,
    texts, themes and votes."""
    return sha256(f"{fingerprint} {board.pk}".encode()).hexdigest()


register(PersonalData("boards", rows=boards_of, erase=hand_over))
