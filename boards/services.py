"""Making and changing boards, one at a time. boards.files.importing does it by the thousand."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, cast

from django.db import transaction

from accounts.identifiers import SYSTEM
from accounts.models import AuctionSystem
from boards.models import Board
from boards.records import columns_of, fingerprint_of, record_of
from config.api.errors import Conflict
from deals.bridge.board import BoardRecord
from deals.models import Deal
from themes.models import Theme


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a board belongs: whose it is, under which themes, in which system it was bid."""

    owner_id: str = SYSTEM
    themes: Collection[Theme] = field(default=())
    auction_system: AuctionSystem | None = None


@transaction.atomic
def publish_board(*, deal: Deal, record: BoardRecord, placement: Placement) -> tuple[Board, bool]:
    """The board with this record's fingerprint, published, and whether it is new.

    An existing one keeps its texts and gains the themes. The record must pass its `check`.
    """
    board, created = Board.objects.get_or_create(
        fingerprint=fingerprint_of(record, placement.owner_id),
        defaults={
            **columns_of(record),
            "deal": deal,
            "owner_id": placement.owner_id,
            "auction_system": placement.auction_system,
        },
    )
    board.themes.add(*placement.themes)
    board.publish()
    return board, created


def change_board(
    *, board: Board, record: BoardRecord, themes: Collection[Theme] | None, **columns: Any
) -> Board:
    """Store the changed record; Conflict when that makes it another existing board. Call inside a transaction."""
    owner_id = cast(str, columns.get("owner_id") or board.owner_id)  # To the stubs a default means nullable.
    fingerprint = fingerprint_of(record, owner_id)
    if fingerprint == fingerprint_of(record_of(board), cast(str, board.owner_id)):
        fingerprint = (
            board.fingerprint
        )  # A twin (boards.personal_data) stays one while only its texts change.
    if Board.objects.exclude(pk=board.pk).filter(fingerprint=fingerprint).exists():
        raise Conflict("There is a board like that already: same deal, owner, auction, contract and result.")
    for name, value in {**columns_of(record), **columns, "fingerprint": fingerprint}.items():
        setattr(board, name, value)
    board.save()
    if themes is not None:
        board.themes.set(themes)
    return board
