"""Publishing and changing boards one at a time. boards.files.importing imports them by the thousand."""

from collections.abc import Collection
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


@transaction.atomic
def publish_board(
    *,
    deal: Deal,
    record: BoardRecord,
    owner_id: str = SYSTEM,
    themes: Collection[Theme] = (),
    auction_system: AuctionSystem | None = None,
) -> tuple[Board, bool]:
    """Publish the board with this record's fingerprint. Return it and whether it is new.

    An existing board keeps its texts and auction system and gains the themes. The record must have passed its `check`.
    """
    board, created = Board.objects.get_or_create(
        fingerprint=fingerprint_of(record, owner_id),
        defaults={
            **columns_of(record),
            "deal": deal,
            "owner_id": owner_id,
            "auction_system": auction_system,
        },
    )
    board.themes.add(*themes)
    board.publish()
    return board, created


def change_board(
    *, board: Board, record: BoardRecord, themes: Collection[Theme] | None, **columns: Any
) -> Board:
    """Store the changed record and columns; replace the themes unless they are None. Call inside a transaction.

    Raise Conflict when the change would make the board equal to another one.
    """
    owner_id = cast(str, columns.get("owner_id") or board.owner_id)  # To the stubs a default means nullable.
    fingerprint = fingerprint_of(record, owner_id)
    if fingerprint == fingerprint_of(record_of(board), cast(str, board.owner_id)):
        # A duplicate (boards.personal_data) keeps its own fingerprint while only its texts change.
        fingerprint = board.fingerprint
    if Board.objects.exclude(pk=board.pk).filter(fingerprint=fingerprint).exists():
        raise Conflict(
            "Another board has the same deal, owner, dealer, vulnerability, auction, contract and result. "
            "Change or delete that board instead."
        )
    for name, value in {**columns_of(record), **columns, "fingerprint": fingerprint}.items():
        setattr(board, name, value)
    board.save()
    if themes is not None:
        board.themes.set(themes)
    return board
