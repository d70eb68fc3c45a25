"""Boards of members: what members do with their own, and staff and the import with what waits (decision 0048).

What members do locks the account first and then its boards, passes over boards of others, and is safe to repeat. Lock
boards before their reviews, as everybody does.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from accounts.models import Account, AuctionSystem
from accounts.services import lock_if_active
from boards.models import Board, PublicationReview
from boards.services import bulk, edits
from boards.services.boards import change_board, unique_fingerprint
from boards.services.edits import OF_DEAL, add_to, changes_of, check_changes, differences, editable_values, values_of
from boards.services.stories import lock_tables
from config.api.errors import InvalidToken, PermissionRefused
from config.database.transactions import retried_transaction
from deals.services import delete_unused_deals
from themes.models import Theme

State = PublicationReview.State


class Publishing(StrEnum):
    """How members publish: not at all, after a review by staff, or at once."""

    OFF = "off"
    REVIEW = "review"
    OPEN = "open"


def publishing() -> Publishing:
    return Publishing(settings.MEMBER_PUBLISHING)


def let_wait(board_ids: Collection[UUID]) -> set[UUID]:
    """Let these drafts wait for staff, a declined one again. Return those that did not wait. Lock them before."""
    rows = PublicationReview.objects.filter(pk__in=board_ids)
    waiting = set(rows.waiting().values_list("pk", flat=True))
    rows.exclude(pk__in=waiting).delete()
    asking = set(board_ids) - waiting
    PublicationReview.objects.bulk_create([PublicationReview(board_id=pk) for pk in sorted(asking)])
    return asking


def renew(board_ids: Collection[UUID]) -> None:
    """Note that boards which wait have changed. Staff who looked before do not publish them (`publish_seen`)."""
    PublicationReview.objects.waiting().filter(pk__in=board_ids).update(asked_at=timezone.now())


def take_back(board_ids: Collection[UUID]) -> set[UUID]:
    """Let these boards wait no longer. Return those that did. Lock them before."""
    rows = PublicationReview.objects.waiting().filter(pk__in=board_ids)
    waiting = set(rows.values_list("pk", flat=True))
    rows.delete()
    return waiting


@retried_transaction
def publish_seen(board_ids: Sequence[UUID], *, looked_at: datetime, asked_only: bool = False) -> list[Board]:
    """Publish drafts for staff who looked at them at this moment. With `asked_only` leave those that do not wait.

    Leave those whose owner has asked or changed them since: nobody has seen what they say now.
    """
    drafts = {board.pk: board.updated_at for board in bulk.lock(board_ids, published_at__isnull=True)}
    asked = dict(PublicationReview.objects.waiting().filter(pk__in=drafts).values_list("pk", "asked_at"))
    changed = asked if asked_only else drafts | asked
    seen = {pk for pk, moment in changed.items() if moment <= looked_at}
    return bulk.publish_drafts([pk for pk in board_ids if pk in seen])


@retried_transaction
def decline(board_ids: Sequence[UUID], *, by: str, sentence: str, looked_at: datetime) -> list[Board]:
    """Answer those that wait with a sentence, and leave them as they are. Return them.

    Leave those that were asked for or changed after staff looked.
    """
    boards = bulk.lock(board_ids)
    waiting = PublicationReview.objects.waiting().filter(board__in=boards, asked_at__lte=looked_at)
    answered = set(waiting.values_list("pk", flat=True))
    waiting.update(state=State.DECLINED, sentence=sentence, answered_at=timezone.now(), answered_by_id=by)
    return [board for board in boards if board.pk in answered]


NOT_HERE = "Members do not publish boards here. Write to the people who run this site."
TOLD_BY_STAFF = (
    "Tables of this deal are published, so only staff can change the text that all its tables share. Write to them,"
    " or take your tables back first."
)
CHANGED_BY_STAFF = "This board is published, and members do not publish here: only staff can change it. Write to them."


def lock_own(account: Account, board_ids: Sequence[UUID]) -> list[Board]:
    """Lock the account, and those of the boards that it owns. Raise InvalidToken when it is switched off."""
    if not lock_if_active(account.pk):
        raise InvalidToken("This account is not active.")
    return bulk.lock(board_ids, owner=account)


def lock_own_tables(account: Account, board_id: UUID) -> list[Board]:
    """Lock the account, its board and its other tables of the deal, which may get a story. Return the tables.

    Raise Http404 for a board of somebody else.
    """
    lock_own(account, [])
    tables = lock_tables(board_id, owner=account)
    if not any(table.pk == board_id for table in tables):
        raise Http404
    return tables


@retried_transaction
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


@retried_transaction
def withdraw(account: Account, board_ids: Sequence[UUID]) -> list[Board]:
    """Make drafts of those that are published, and take back what was asked of staff. Return those that change.

    What was to be changed of a published board goes.
    """
    boards = lock_own(account, board_ids)
    asked = take_back([board.pk for board in boards if not board.published_at])
    published = [board.pk for board in boards if board.published_at]
    return [*bulk.unpublish_boards(published), *(board for board in boards if board.pk in asked)]


def delete_drafts(account: Account, board_ids: Sequence[UUID]) -> list[Board]:
    """Delete those that are drafts, with the votes that they got while they were published. Return them.

    Deals that only members have brought go with their last board: uploads that are deleted would fill the database.
    """
    deleted = delete_own_drafts(account, board_ids)
    delete_unused_deals({board.deal_id for board in deleted})
    return deleted


@retried_transaction
def delete_own_drafts(account: Account, board_ids: Sequence[UUID]) -> list[Board]:
    boards = lock_own(account, board_ids)
    return bulk.delete_boards([board.pk for board in boards if board.published_at is None])


@retried_transaction
def edit_board(account: Account, board_id: UUID, values: Mapping[str, Any]) -> Board:
    """Store values such as boards.services.edits has.

    Where staff review boards, the change of a published one waits for them, with what was to be changed before, and
    readers see the board as it is. The story of a deal changes for all its tables: a draft whose story would be seen
    at once, at tables that are published, is for staff alone. Raise Http404 for a board of somebody else,
    PermissionRefused, REST framework's ValidationError by the rules of the API, and Conflict when the board would
    become equal to another one.
    """
    tables = lock_own_tables(account, board_id)
    board = Board.objects.with_details().select_related("review").get(pk=board_id)
    waiting = change_asked_for(board)
    changes = differences(editable_values(board) | waiting, values)
    if not changes:
        return board
    is_story = not changes.keys().isdisjoint(OF_DEAL)
    if is_story and is_told_by_staff(board, tables):
        raise PermissionRefused(TOLD_BY_STAFF)
    mode = publishing() if board.published_at else None  # nobody else sees a draft
    if mode is Publishing.OFF:
        raise PermissionRefused(CHANGED_BY_STAFF)
    arguments = check_changes(board, add_to(waiting, changes))
    if mode is Publishing.REVIEW:
        ask_to_change(board, arguments)
        return board
    forget_changes([board_id])
    changed = change_board(board=board, **arguments)
    renew([table.pk for table in tables] if is_story else [board_id])
    return changed


def is_told_by_staff(board: Board, tables: Iterable[Board]) -> bool:
    """Tell whether only staff may change the story: readers would see it before staff have looked.

    The story of a published board waits, where staff review boards. That of a draft is seen at other tables at once.
    """
    waits = board.published_at is not None and publishing() is Publishing.REVIEW
    return publishing() is not Publishing.OPEN and not waits and any(table.published_at for table in tables)


@transaction.atomic
def correct_board(board_id: UUID, values: Mapping[str, Any]) -> Board:
    """Store values as `edit_board` does, for staff, at once. What the owner has asked for waits on."""
    if not bulk.lock([board_id]):
        raise Http404
    board = Board.objects.with_details().get(pk=board_id)
    changes = differences(editable_values(board), values)
    changed = change_board(board=board, **check_changes(board, changes)) if changes else board
    renew([board_id])
    return changed


def change_asked_for(board: Board) -> dict[str, Any]:
    """Return what the owner of a published board wants it to have instead, waiting or declined.

    A theme or an auction system that was deleted meanwhile is left out: nobody can want it any more.
    """
    review: PublicationReview | None = getattr(board, "review", None)
    changes = changes_of(review)
    if themes := changes.get("themes"):
        known = {str(pk) for pk in Theme.objects.filter(pk__in=themes).values_list("pk", flat=True)}
        changes["themes"] = [pk for pk in themes if pk in known]
    system = changes.get("auction_system")
    if system and not AuctionSystem.objects.filter(pk=system).exists():
        del changes["auction_system"]
    return changes


def ask_to_change(board: Board, arguments: Mapping[str, Any]) -> None:
    """Let a change wait that has these arguments of change_board, as far as it is one. Lock the board before."""
    record, system, themes = (arguments[name] for name in ("record", "auction_system", "themes"))
    unique_fingerprint(board, record, arguments["owner_id"])
    stored = editable_values(board)
    ids = stored["themes"] if themes is None else [theme.pk for theme in themes]
    wanted = values_of(record, system and system.pk, ids)
    forget_changes([board.pk])
    if changes := differences(stored, wanted):
        PublicationReview.objects.create(board=board, changes=edits.to_wire(changes))


def forget_changes(board_ids: Collection[UUID]) -> set[UUID]:
    """Delete what was to be changed of these boards. Return those of which something was. Lock them before."""
    rows = PublicationReview.objects.filter(pk__in=board_ids, changes__isnull=False)
    asked = set(rows.values_list("pk", flat=True))
    rows.delete()
    return asked


@retried_transaction
def take_back_changes(account: Account, board_ids: Sequence[UUID]) -> list[Board]:
    """Leave these boards as readers see them, whatever was to be changed. Return those of which something was."""
    boards = lock_own(account, board_ids)
    asked = forget_changes([board.pk for board in boards])
    return [board for board in boards if board.pk in asked]


def shown_of(review: PublicationReview) -> datetime:
    """Return since when a page shows what waits as it is now: what is asked, and of a change also what it changes."""
    return max(review.asked_at, review.board.updated_at) if review.is_change else review.asked_at


@retried_transaction
def accept_change(board_id: UUID, *, looked_at: datetime) -> list[Board]:
    """Make the change that staff looked at then of the board as it is now. Return the board.

    Return nothing where no change waits, or the change or the board has become another since. Raise as `edit_board`
    does when the change fits the board no longer.
    """
    lock_tables(board_id)
    board = Board.objects.with_details().select_related("review").filter(pk=board_id).first()
    review = getattr(board, "review", None)
    if not board or not review or not review.is_change or not review.is_waiting or shown_of(review) > looked_at:
        return []
    changed = change_board(board=board, **check_changes(board, changes_of(review)))
    forget_changes([board_id])
    return [changed]
