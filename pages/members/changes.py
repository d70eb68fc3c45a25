"""Changing many of a member's own boards, and saying in a sentence what was done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from accounts.models import Account
from boards.models import Board, PublicationReview
from boards.querysets import BoardQuerySet
from boards.services import bulk, ownership
from boards.services.reviews import Publishing, publishing
from config.edge.security.security_log import log_change
from config.values.words import format_count

MAX_SECONDS = 20
"""How long one press goes on, which proxies wait for. The rest needs another press."""

DRAFT = Q(published_at=None)
PUBLISHED = Q(published_at__isnull=False)
WAITING = Q(review__state=PublicationReview.State.WAITING)


@dataclass(frozen=True)
class Change:
    """A change that a button makes. `done` says what was done with the boards of a number, such as "3 boards".

    `concerns` are the boards that it can change. Each press takes the first of them, and leaves fewer.
    """

    name: str
    concerns: Q
    make: Callable[[Account, Sequence[UUID]], list[Board]]
    done: str


def publication() -> Change:
    """Return the change of the button that publishes: at once, or after a review by staff."""
    is_open = publishing() is Publishing.OPEN
    concerns = DRAFT if is_open else DRAFT & ~WAITING
    done = "Published {boards}." if is_open else "Asked staff to publish {boards}."
    return Change("publish", concerns, ownership.ask_to_publish, done)


WITHDRAW = Change("withdraw", PUBLISHED | WAITING, ownership.withdraw, "Took back {boards}.")
DELETE = Change("delete", DRAFT, ownership.delete_drafts, "Deleted {boards}.")


def make(change: Change, member: Account, boards: BoardQuerySet) -> str:
    """Change those of the boards that are the member's, a few hundred at a time. Return what was done as a text."""
    unchanged = boards.exclude(change.concerns).count()
    progress = bulk.run(
        boards.filter(change.concerns), lambda board_ids: change.make(member, board_ids), seconds=MAX_SECONDS
    )
    if progress.changed:
        log_change("own_boards_changed", change=change.name, boards=progress.changed)
    unchanged += progress.seen - progress.changed
    sentences = [
        change.done.format(boards=format_count(progress.changed, "board")),
        f"{format_count(unchanged, 'board')} needed no change." * bool(unchanged),
        "There are more: press the button again to go on." * bool(progress.last),
    ]
    return " ".join(filter(None, sentences))
