from collections.abc import Collection, Iterable
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F
from django.http import Http404
from django.utils import timezone

from accounts.models import Account
from accounts.services import lock_if_active
from boards.catalogue.refreshing import refresh
from boards.models import Board
from config.api.errors import InvalidToken
from config.database import fetch_rows
from config.database.transactions import retry_conflicts
from deals.events.recording import BoardVotes, record_votes
from voting.models import Vote

COUNTERS = {Vote.Value.UP: "up_votes", Vote.Value.DOWN: "down_votes"}
"""The column of a board that counts its votes of each value."""

CHUNK = 500
"""How many boards `delete_votes` locks at a time."""


@retry_conflicts
def cast_vote(*, account: Account, board_id: UUID, value: Vote.Value | None) -> None:
    """Set or change a vote, or delete it for None. A repeated vote changes nothing, not even a time.

    Raise Http404 for a board that is not published, and InvalidToken for an account that was switched off or erased
    since its token was verified. The counters are always the exact sum of the votes:

    1. The account's row is locked first, as an erasure does (accounts.services.lock_if_active), and then the board's,
       before anything is written. Votes on one board wait for each other here, and a vote waits for a transaction that
       unpublishes or deletes the board. Code that deletes many votes, or a board with its votes, locks the boards first
       too. With the votes first, each of the two could hold the row that the other one asks for.
    2. Under this lock the vote is written, and what was written tells the previous value.
    3. The counters move by the difference, and the feed's event of the board's votes gets the new ones
       (deals.events.recording.record_votes). Everything is committed at once, and the lock ends.

    On PostgreSQL one statement does it all: steps cost 1.7 to 2.9 times as much (docs/performance.md).
    """
    write = write_with_one_statement if connection.vendor == "postgresql" else write_step_by_step
    if not write(account.pk, board_id, value):
        account.refresh_from_db(fields=["is_active"])
        if not account.is_active:
            raise InvalidToken("This account is not active.")
        raise Http404


STATEMENT = """
WITH voter AS (
    SELECT id FROM accounts_account WHERE id = %s AND is_active FOR SHARE
), board AS (
    SELECT boards_board.id, voter.id AS account_id, up_votes, down_votes FROM voter, boards_board
    WHERE boards_board.id = %s AND published_at IS NOT NULL FOR NO KEY UPDATE OF boards_board
), vote AS ({change}
), counted AS (
    UPDATE boards_board SET up_votes = board.up_votes + vote.up, down_votes = board.down_votes + vote.down
    FROM board, vote WHERE boards_board.id = board.id
    RETURNING boards_board.id, deal_id, boards_board.up_votes, boards_board.down_votes
), event AS (
    INSERT INTO deals_feedevent (type, board_id, votes_of, deal_id, up_votes, down_votes, created_at)
    SELECT 'board.votes_changed', id, id, deal_id, up_votes, down_votes, now() FROM counted
    ON CONFLICT (votes_of) DO UPDATE SET up_votes = excluded.up_votes, down_votes = excluded.down_votes,
        created_at = excluded.created_at, position = NULL
)
SELECT id FROM board
"""
# A row that was inserted has the xmax 0. One that was updated had the other value, since there are two. The statement
# sees the rows of the moment when it began, but ON CONFLICT and RETURNING use the newest version of theirs.
SET_VOTE = STATEMENT.format(
    change="""
    INSERT INTO voting_vote (account_id, board_id, value, created_at, updated_at)
    SELECT account_id, id, %s, %s, %s FROM board
    ON CONFLICT (account_id, board_id) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
    WHERE voting_vote.value <> excluded.value
    RETURNING (value = 'up')::int - (value = 'down' AND xmax <> 0)::int AS up,
              (value = 'down')::int - (value = 'up' AND xmax <> 0)::int AS down"""
)
# A vote that was first stored while this statement waited is not seen, and stays: as if it had come later.
DELETE_VOTE = STATEMENT.format(
    change="""
    DELETE FROM voting_vote USING board WHERE voting_vote.account_id = board.account_id AND board_id = board.id
    RETURNING -(value = 'up')::int AS up, -(value = 'down')::int AS down"""
)


def write_with_one_statement(account_id: str, board_id: UUID, value: Vote.Value | None) -> bool:
    """Write the vote in one round trip on PostgreSQL. Return False without an active account and a published board."""
    if value is None:
        return bool(fetch_rows(DELETE_VOTE, [account_id, board_id]))
    now = timezone.now()
    return bool(fetch_rows(SET_VOTE, [account_id, board_id, value.value, now, now]))


@transaction.atomic
def write_step_by_step(account_id: str, board_id: UUID, value: Vote.Value | None) -> bool:
    """Write the vote on SQLite, where a transaction locks the whole database. Return False as the other one does."""
    board = Board.objects.published().filter(pk=board_id)
    if not lock_if_active(account_id) or not board.exists():
        return False
    votes = Vote.objects.filter(account_id=account_id, board_id=board_id)
    before = votes.values_list("value", flat=True).first()
    if value == before:
        return True
    if value is None:
        votes.delete()
    else:
        Vote.objects.update_or_create(account_id=account_id, board_id=board_id, defaults={"value": value})
    board.update(
        **{column: F(column) + ((value == counted) - (before == counted)) for counted, column in COUNTERS.items()}
    )
    record_votes_of([board_id])
    return True


def record_votes_of(board_ids: Iterable[UUID]) -> None:
    """Tell the feed the votes of those of the boards that are published."""
    boards = Board.objects.published().filter(pk__in=board_ids).order_by("pk")
    record_votes(map(BoardVotes._make, boards.values_list("pk", "deal_id", *COUNTERS.values())))


@transaction.atomic
def delete_votes(account: Account) -> int:
    """Delete all votes of the account, and return how many.

    Lock the boards in the order of their ids, and each before its vote, as `cast_vote` does: so nothing deadlocks.
    Where the account is erased, its row is locked before: no vote comes after.
    """
    own = Vote.objects.filter(account=account)
    deleted = 0
    while ids := list(own.order_by("board_id").values_list("board_id", flat=True)[:CHUNK]):
        locked = Board.objects.filter(pk__in=ids).order_by("pk").select_for_update()
        boards = list(locked.values_list("pk", flat=True))
        votes = list(own.filter(board_id__in=boards))
        for value, column in COUNTERS.items():
            voted = [vote.board_id for vote in votes if vote.value == value]
            Board.objects.filter(pk__in=voted).update(**{column: F(column) - 1})
        record_votes_of(vote.board_id for vote in votes)
        refresh(Board.objects.drafts().filter(pk__in=boards).values_list("pk", flat=True))
        deleted += Vote.objects.filter(pk__in=[vote.pk for vote in votes]).delete()[0]
    return deleted


def get_votes_by_board(*, account: Account, board_ids: Collection[UUID]) -> dict[UUID, str]:
    """Return {board id: "up" | "down"} for those of the boards on which the account has voted."""
    votes = Vote.objects.filter(account=account, board_id__in=board_ids).order_by("board_id")
    return dict(votes.values_list("board_id", "value"))
