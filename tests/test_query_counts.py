"""A change and a member's page take as many queries among many rows as among few."""

from collections.abc import Callable

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


def queries(change: Callable[[str], int], text: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert change(text) == 200
    return len(captured)


@pytest.mark.parametrize("what", ["account", "theme", "board", "collection"])
def test_a_patch_takes_as_many_queries_among_many_rows_as_among_few(
    what: str, support: APIClient, service: APIClient
) -> None:
    board, theme = factories.board(themes=(factories.theme(),)), factories.theme()
    owner, places = Account.objects.get(pk="support"), [Place(board.pk)]
    collection, _ = create_collection(owner=owner, texts=Texts("A title"), places=places)
    paths = {
        "account": (support, "/api/accounts/support", lambda text: {"displayName": text}),
        "theme": (support, f"/api/themes/{theme.pk}", lambda text: {"labels": {"en": text}}),
        "collection": (support, f"/api/collections/{collection.pk}", lambda text: {"title": text}),
        "board": (service, f"/api/deals/{board.deal_id}/boards/{board.pk}", lambda text: {"title": text}),
    }
    client, path, body = paths[what]

    def change(text: str) -> int:
        return client.patch(path, body(text)).status_code

    few = queries(change, "few")
    fill(20)
    assert queries(change, "many") == few


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
        for path in paths:
            browser.get(path)  # what a process looks up once
        return {path: page_queries(browser, path) for path in paths}

    fill_for(member, 3)
    few = counts()
    fill_for(member, 12)
    assert counts() == few
    for path in paths:
        if client.get(path).status_code == 200:
            assert few[path] <= page_queries(client, path) + OF_MEMBERS, path
