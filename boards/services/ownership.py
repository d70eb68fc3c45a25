"""What members do with boards of their own: publish, withdraw, change and delete them (decision 0048).

Each function locks the account first and then its boards. It passes over boards of others, and is safe to repeat.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import Http404

from accounts.models import Account
from accounts.services import lock_if_active
from boards.input_serializers import BoardChangesSerializer
from boards.models import Board
from boards.services import bulk
from boards.services.boards import change_board
from boards.services.reviews import Publishing, let_wait, publishing, renew, take_back
from bridge.texts import clean_lines, to_one_line
from config.api.errors import InvalidToken, PermissionRefused
from config.database.transactions import retry_conflicts
from deals.services import delete_unused_deals

NOT_HERE = "Members do not publish boards here. Write to the people who run this site."
CHANGED_BY_STAFF = "This board is published, and members do not publish here: only staff change it. Write to them."


CLEAN = {"title": to_one_line, "commentary": clean_lines}
"""What a form makes of texts. Programs may have stored others."""


def lock_own(account: Account, board_ids: Sequence[UUID]) -> list[Board]:
    """Lock the account, and those of the boards that it owns. Raise InvalidToken when it is switched off."""
    if not lock_if_active(account.pk):
        raise InvalidToken("This account is not active.")
    return bulk.lock(board_ids, owner=account)


@retry_conflicts
@transaction.atomic
def ask_to_publish(account: Account, board_ids: Sequence[UUID]) -> list[Board]:
    """Publish those that are drafts, or let them wait for staff, as the operator allows. Return those that change.

    Raise PermissionRefused when members do not publish here. Of the boards of a file the first is listed first.
    """
    if (mode := publishing()) is Publishing.OFF:
        raise PermissionRefused(NOT_HERE)
    drafts = [board for board in lock_own(account, board_ids) if board.published_at is None]
    if mode is Publishing.REVIEW:
        asking = let_wait([board.pk for board in drafts])
        return [board for board in drafts if board.pk in asking]
    drafts.sort(key=lambda board: board.number)
    return bulk.publish_drafts([board.pk for board in drafts])


@retry_conflicts
@transaction.atomic
def withdraw(account: Account, board_ids: Sequence[UUID]) -> list[Board]:
    """Make drafts of those that are published, and take back what was asked of staff. Return those that change."""
    boards = lock_own(account, board_ids)
    asked = take_back([board.pk for board in boards])
    published = [board.pk for board in boards if board.published_at]
    return [*bulk.unpublish_boards(published), *(board for board in boards if board.pk in asked)]


def delete_drafts(account: Account, board_ids: Sequence[UUID]) -> list[Board]:
    """Delete those that are drafts, with the votes that they got while they were published. Return them.

    Deals that only members have brought go with their last board: uploads that are deleted would fill the database.
    """
    deleted = delete_own_drafts(account, board_ids)
    delete_unused_deals({board.deal_id for board in deleted})
    return deleted


@retry_conflicts
@transaction.atomic
def delete_own_drafts(account: Account, board_ids: Sequence[UUID]) -> list[Board]:
    boards = lock_own(account, board_ids)
    return bulk.delete_boards([board.pk for board in boards if board.published_at is None])


def editable_values(board: Board) -> dict[str, Any]:
    """Return what the owner may change, named as the API names it."""
    return {
        "title": board.title,
        "difficulty": board.difficulty,
        "commentary": board.commentary,
        "auctionSystem": board.auction_system_id,
        "themes": sorted(str(theme.pk) for theme in board.themes.all()),
    }


@retry_conflicts
@transaction.atomic
def edit_board(account: Account, board_id: UUID, values: Mapping[str, Any]) -> Board:
    """Store values that are named as `editable_values` names them.

    Where staff review boards, a published one that changes is a draft again and waits. Raise Http404 for a board of
    somebody else, PermissionRefused, and REST framework's ValidationError by the rules of the API.
    """
    if not lock_own(account, [board_id]):
        raise Http404
    board = Board.objects.with_details().get(pk=board_id)
    stored = editable_values(board)
    changes = {name: value for name, value in values.items() if differs(name, stored[name], value)}
    if not changes:
        return board
    must_wait = board.published_at is not None and publishing() is not Publishing.OPEN
    if must_wait and publishing() is Publishing.OFF:
        raise PermissionRefused(CHANGED_BY_STAFF)
    serializer = BoardChangesSerializer(board, data=changes, partial=True)
    serializer.is_valid(raise_exception=True)
    arguments = {**serializer.validated_data, "published": False if must_wait else None}
    changed = change_board(board=board, **arguments)
    if must_wait:
        let_wait([board_id])
    renew([board_id])
    return changed


def differs(name: str, stored: Any, value: Any) -> bool:
    """Tell whether a form says something else. Of a text it gives back what it shows: without tabs and outer spaces."""
    if clean := CLEAN.get(name):
        return clean(stored) != clean(value)
    if isinstance(stored, list):
        return stored != sorted(map(str, value))
    return (stored or None) != (value or None)
