"""A change takes as many queries among many rows as among few."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.collections.services import Place, Texts, create_collection
from tests import factories

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
