"""Voting on pages: what a page needs so that its reader can vote on the boards that it shows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest
from django.middleware.csrf import get_token

from config.edge.reader import reader_of
from voting.services import get_votes_by_board


@dataclass(frozen=True)
class Ballot:
    """The reader's votes, "up" or "down" by board, the token of the page's forms, and the page to come back to."""

    votes: Mapping[UUID, str]
    token: str
    back: str


def ballot_of(request: HttpRequest, board_ids: Collection[UUID]) -> Ballot | None:
    """Return the ballot of whoever is signed in, or None: strangers do not vote, and nobody does for another member."""
    reader = reader_of(request)
    if reader is None or getattr(request, "impersonation", None):
        return None
    votes = get_votes_by_board(account=reader, board_ids=board_ids) if board_ids else {}
    return Ballot(votes, get_token(request), request.get_full_path())
