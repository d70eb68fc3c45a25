"""Publishing and changing boards one at a time. `bulk` and boards.files.importing do so by the thousand.

Stored boards get the fingerprints of what they have become.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import count
from typing import cast

from django.db import transaction
from django.shortcuts import get_object_or_404

from accounts.identifiers import SYSTEM
from accounts.models import AuctionSystem
from accounts.services import lock_if_active
from boards.catalogue.refreshing import refresh
from boards.models import Board, PublicationReview, leave_events
from boards.records import columns_of, fingerprint_of, record_of
from boards.services.stories import STORY, lock_tables, share_story, take_stories
from bridge.board import BoardRecord
from config.api.errors import Conflict, ValidationFailed
from config.database.transactions import retried_transaction
from deals.models import Deal
from deals.services import prefer_published
from themes.models import Theme


def require_active_owner(owner_id: str) -> None:
    """Raise ValidationFailed for an owner who is switched off or erased, else keep the owner so for the transaction."""
    if not lock_if_active(owner_id):
        reason = {"code": "inactive", "message": "This account is not active, so it cannot own new boards."}
        raise ValidationFailed(meta={"fields": {"userId": [reason]}})


@retried_transaction
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
    The deal is locked, so that a solver that is about to store its double dummy waits, and then finds the board. An
    existing board is locked before it is published: one that is being deleted is waited for, and then made again.
    """
    require_active_owner(owner_id)
    get_object_or_404(Deal.objects.select_for_update(no_key=True), pk=deal.pk)
    board, created = Board.objects.select_for_update(of=("self",)).get_or_create(
        fingerprint=fingerprint_of(record, owner_id),
        defaults={
            **columns_of(record),
            "deal": deal,
            "owner_id": owner_id,
            "auction_system": auction_system,
        },
    )
    others = []
    if created and board.event:
        take_stories([board])
        board.save(update_fields=STORY)
        lock_tables(board.pk)
        others = share_story(board)
    board.themes.add(*themes)
    publish_or_unpublish(board, True)
    refresh([board.pk, *others])
    return board, created


def publish_or_unpublish(board: Board, published: bool) -> None:
    """Publish or unpublish a board. The deal of one that becomes public is solved before those of files."""
    if not published:
        board.unpublish()
    elif board.publish():
        prefer_published(deal_id=board.deal_id)


@transaction.atomic
def change_board(
    *,
    board: Board,
    record: BoardRecord,
    owner_id: str,
    auction_system: AuctionSystem | None,
    themes: Collection[Theme] | None = None,
    published: bool | None = None,
) -> Board:
    """Store this record, owner and auction system in the board. Replace its themes, unless they are None.

    Write the columns that change and no others: repeating a change changes nothing, not even `updated_at`. Return the
    board as `with_details` reads it.
    A story of its deal that changes is then that of all tables of the deal.
    Publish or unpublish it, unless `published` is None: a board that is published already keeps its date. Raise
    Conflict when the change would make the board equal to another one. Lock the board before, and the other tables of
    its deal where the story changes.
    """
    if owner_id != board.owner_id:
        require_active_owner(owner_id)
        # What the owner so far has asked of staff, and their answer, are nothing to the next one.
        PublicationReview.objects.filter(pk=board.pk).delete()
    columns = {"owner_id": owner_id, "auction_system": auction_system, **columns_of(record)}
    columns["fingerprint"] = unique_fingerprint(board, record, owner_id)
    changed = {name: value for name, value in columns.items() if getattr(board, name) != value}
    has_themes = themes is None or set(board.themes.all()) == set(themes)
    if not changed and has_themes and published in (None, board.published_at is not None):
        return board
    for name, value in changed.items():
        setattr(board, name, value)
    board.save(update_fields=[*changed, "updated_at"])
    if themes is not None:
        board.themes.set(themes)
    if published is not None:
        publish_or_unpublish(board, published)
    others = [] if changed.keys().isdisjoint(STORY) else share_story(board)
    refresh([board.pk, *others])
    if "owner_id" in changed and board.event:
        leave_events([board.event_slug])
    return Board.objects.with_details().get(pk=board.pk)


def unique_fingerprint(board: Board, record: BoardRecord, owner_id: str) -> str:
    """Return the fingerprint that a stored board has with this record and owner. Raise Conflict if another has it.

    A board that is not the first among its equals keeps its number while only its texts change.
    """
    fingerprint = fingerprint_of(record, owner_id)
    old_owner_id = cast(str, board.owner_id)  # To the stubs a default means nullable.
    if fingerprint == fingerprint_of(record_of(board), old_owner_id):
        fingerprint = board.fingerprint
    if Board.objects.exclude(pk=board.pk).filter(fingerprint=fingerprint).exists():
        raise Conflict(
            "Another board has the same deal, owner, event, dealer, vulnerability, auction, contract and result. "
            "Change or delete that board instead."
        )
    return fingerprint


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
