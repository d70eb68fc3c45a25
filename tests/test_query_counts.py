"""A change and a member's page take as many queries among many rows as among few."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.collections.services import Place, Texts, create_collection
from boards.models import Collection
from tests import factories
from tests.members import signed_in
from tests.routes import plain_pages
from themes.models import Theme
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db


def fill(rows: int) -> None:
    for _ in range(rows):
        board = factories.board(owner=factories.account(), themes=(factories.theme(),))
        create_collection(owner=board.owner, texts=Texts("Another"), places=[Place(board.pk)])


def queries(client: APIClient, path: str, body: dict[str, Any]) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.patch(path, body).status_code == 200
    return len(captured)


def test_a_patch_takes_as_many_queries_among_many_rows_as_among_few(support: APIClient, service: APIClient) -> None:
    board, theme = factories.board(themes=(factories.theme(),)), factories.theme()
    owner, places = Account.objects.get(pk="support"), [Place(board.pk)]
    collection, _ = create_collection(owner=owner, texts=Texts("A title"), places=places)

    def counts(text: str) -> dict[str, int]:
        changes = (
            (support, "/api/accounts/support", {"displayName": text}),
            (support, f"/api/themes/{theme.pk}", {"labels": {"en": text}}),
            (support, f"/api/collections/{collection.pk}", {"title": text}),
            (service, f"/api/deals/{board.deal_id}/boards/{board.pk}", {"title": text}),
        )
        return {path: queries(client, path, body) for client, path, body in changes}

    few = counts("few")
    fill(6)
    assert counts("many") == few


OF_MEMBERS = 3
"""The queries that a member's page may take beside the public page's: the session, the account and the own votes."""


def page_queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code < 500
    return len(captured)


def fill_for(member: Account, rows: int) -> None:
    """Store boards, votes, collections and sessions of a member, and boards of others."""
    theme = Theme.objects.get(identifier="stayman")
    for number in range(rows):
        values = {"event": "Friday pairs", "date": "2026.11.20", "themes": (theme,), "votes": (3, 1)}
        boards = [factories.board(owner=member, **values), factories.board(**values)]
        factories.board(owner=member, published=False)
        for board in boards:
            cast_vote(account=member, board_id=board.pk, value=Vote.Value.UP)
        texts = Texts(f"Number {Collection.objects.count()} {number}", visibility="public")
        create_collection(owner=member, texts=texts, places=[Place(board.pk) for board in boards])
        signed_in(member)


def test_a_member_s_page_takes_as_many_queries_among_many_rows_as_among_few(client: Client) -> None:
    member, theme = factories.account("mia"), factories.theme("stayman")
    board = factories.board(themes=(theme,), event="Friday pairs", date="2026.11.20")
    paths = [*plain_pages(), f"/boards/{board.pk}", "/themes/stayman", f"/events/{board.event_slug}"]
    browser = signed_in(member)

    def counts() -> dict[str, int]:
        return {path: page_queries(browser, path) for path in paths}

    fill_for(member, 2)
    counts()  # what a process looks up once
    few = counts()
    fill_for(member, 3)
    assert counts() == few
    for path in paths:
        if client.get(path).status_code == 200:
            assert few[path] <= page_queries(client, path) + OF_MEMBERS, path
