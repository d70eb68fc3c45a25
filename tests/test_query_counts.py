"""A change, a read and a member's page take as many queries among many rows as among few."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import Collection
from tests import factories
from tests.members import signed_in
from tests.routes import plain_pages
from themes.models import Theme
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db


def queries(client: APIClient, path: str, change: dict[str, Any], method: str = "patch") -> int:
    with CaptureQueriesContext(connection) as captured:
        assert getattr(client, method)(path, change).status_code in (200, 204)
    return len(captured)


def test_a_change_takes_as_many_queries_among_many_rows_as_among_few(support: APIClient, service: APIClient) -> None:
    board, theme = factories.board(themes=(factories.theme(),)), factories.theme()
    owner, places = Account.objects.get(pk="support"), [CollectionEntry(board.pk)]
    collection, _ = create_collection(owner=owner, texts=Texts("A title"), places=places)
    cast_vote(account=owner, board_id=board.pk, value=Vote.Value.UP)

    def counts(text: str) -> list[int]:
        return [
            queries(support, "/api/accounts/support", {"displayName": text}),
            queries(support, f"/api/themes/{theme.pk}", {"labels": {"en": text}}),
            queries(support, f"/api/collections/{collection.pk}", {"title": text}),
            queries(service, f"/api/deals/{board.deal_id}/boards/{board.pk}", {"title": text}),
            queries(support, f"/api/voting/{board.pk}", {"vote": "down" if text == "few" else "up"}, "put"),
        ]

    few = counts("few")
    for _ in range(3):
        other = factories.board(owner=factories.account(), themes=(factories.theme(),))
        create_collection(owner=other.owner, texts=Texts("Another"), places=[CollectionEntry(other.pk)])
        for voted, voter in ((other, owner), (board, other.owner)):
            cast_vote(account=voter, board_id=voted.pk, value=Vote.Value.UP)
    assert counts("many") == few


OF_MEMBERS = 3
"""The queries that a member's page may take beside the public page's: the session, the account and the own votes."""


def fill_for(member: Account, theme: Theme) -> None:
    """Store boards, votes, collections and sessions of a member, and boards of others."""
    values = {"event": "Friday pairs", "date": "2026.11.20", "themes": (theme,), "votes": (3, 1)}
    boards = [factories.board(owner=member, **values), factories.board(**values)]
    factories.board(owner=member, published=False)
    for board in boards:
        cast_vote(account=member, board_id=board.pk, value=Vote.Value.UP)
    texts = Texts(f"Number {Collection.objects.count()}", visibility="public")
    create_collection(owner=member, texts=texts, places=[CollectionEntry(board.pk) for board in boards])
    signed_in(member)


def test_a_read_takes_as_many_queries_for_many_rows_as_for_few(member: APIClient, anonymous: APIClient) -> None:
    account, voted = Account.objects.get(pk="member"), []
    for _ in range(2):
        for _ in range(3):
            voted.append(str(factories.board(themes=(factories.theme(owner=factories.account()),)).pk))
            cast_vote(account=account, board_id=voted[-1], value=Vote.Value.UP)
            factories.auction_system()
        for client, path, expected in (
            # The revision, then all themes and all auction systems; the account and its votes.
            (anonymous, "/api/themes", 3), (anonymous, "/api/auction-systems", 1),
            (member, f"/api/voting?boardIds={','.join(voted)}", 2), (member, "/api/accounts/me", 1),
            (member, "/api/accounts/system", 2),
        ):  # fmt: skip
            with CaptureQueriesContext(connection) as captured:
                assert client.get(path).status_code == 200
            assert len(captured) == expected, path


def test_a_member_s_page_takes_as_many_queries_among_many_rows_as_among_few(client: Client) -> None:
    member, theme = factories.account("mia"), factories.theme("stayman")
    board = factories.board(themes=(theme,), event="Friday pairs", date="2026.11.20")
    paths = [*plain_pages(), f"/boards/{board.pk}", "/themes/stayman", f"/events/{board.event_slug}"]

    def counts(browser: Client) -> dict[str, int]:
        found = {}
        for path in paths:
            with CaptureQueriesContext(connection) as captured:
                status = browser.get(path).status_code
            assert status < 500, path
            if status == 200 or browser is not client:
                found[path] = len(captured)
        return found

    browser = signed_in(member)
    for _ in range(2):
        fill_for(member, theme)
    counts(browser)  # what a process looks up once
    few = counts(browser)
    for _ in range(2):
        fill_for(member, theme)
    assert counts(browser) == few
    assert [path for path, number in counts(client).items() if few[path] > number + OF_MEMBERS] == []
