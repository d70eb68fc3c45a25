"""ETags of what a POST answers, and DELETE with If-Match."""

from itertools import product

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board
from config.api.conditional import etag_of
from deals.models import Deal
from tests import factories
from tests.answers import assert_error
from tests.impersonation.starts import start
from tests.undone import undone

pytestmark = pytest.mark.django_db


def test_a_new_deal_and_a_known_one_have_the_etag_of_the_next_read(service: APIClient) -> None:
    body = {"cards": factories.layout().cards, "source": {"name": "A dealing machine"}}
    for status in (201, 200):
        response = service.post("/api/deals", body)
        assert response.status_code == status
        read = service.get(f"/api/deals/{response.json()['id']}")
        assert response["ETag"] == read["ETag"] == etag_of(response.content)


def test_a_deal_that_is_to_be_solved_has_the_etag_of_the_next_read(service: APIClient) -> None:
    deal = factories.deal(double_dummy_status="failed")
    response = service.post(f"/api/deals/{deal.pk}/double-dummy")
    assert response.status_code == 202
    assert response["ETag"] == service.get(f"/api/deals/{deal.pk}")["ETag"]


def test_a_published_board_has_the_etag_that_its_readers_get(service: APIClient, anonymous: APIClient) -> None:
    theme, deal = factories.theme("stayman"), factories.deal()
    for status in (201, 200):
        response = service.post(f"/api/deals/{deal.pk}/boards", {"boardNumber": 7, "themes": [str(theme.pk)]})
        assert response.status_code == status
        assert response["ETag"] == anonymous.get(f"/api/boards/{response.json()['id']}")["ETag"]


def test_an_etag_of_a_post_is_good_for_the_change_that_follows(service: APIClient) -> None:
    deal = factories.deal()
    created = service.post(f"/api/deals/{deal.pk}/boards", {"boardNumber": 7})
    url = f"/api/deals/{deal.pk}/boards/{created.json()['id']}"
    changed = service.patch(url, {"title": "A title"}, headers={"if-match": created["ETag"]})
    assert changed.status_code == 200
    assert service.delete(url, headers={"if-match": changed["ETag"]}).status_code == 204


def test_a_started_impersonation_has_the_etag_of_the_running_one(support: APIClient) -> None:
    factories.account("zia")
    response = start(support)
    assert response.status_code == 201
    assert response["ETag"] == support.get("/api/impersonation/current")["ETag"]
    stopped = support.post("/api/impersonation/stop", {"impersonationId": response.json()["impersonationId"]})
    assert stopped.status_code == 200 and "ETag" not in stopped


def test_an_answer_that_no_get_gives_has_no_etag(service: APIClient, anonymous: APIClient) -> None:
    imported = service.generic("POST", "/api/deals/import", "", content_type="text/plain")
    sent = anonymous.post("/api/forms/contact", {})
    for response in (imported, sent, service.post("/api/deals", {"cards": "none"})):
        assert "ETag" not in response


# --- DELETE


@pytest.fixture
def deal() -> Deal:
    return factories.deal()


@pytest.fixture
def board() -> Board:
    return factories.board()


def urls(row: Deal | Board) -> tuple[str, str]:
    """Return where the row is deleted, and where its ETag is read."""
    if isinstance(row, Deal):
        return f"/api/deals/{row.pk}", f"/api/deals/{row.pk}"
    return f"/api/deals/{row.deal_id}/boards/{row.pk}", f"/api/boards/{row.pk}"


def test_a_version_that_is_gone_is_not_deleted(
    subtests: pytest.Subtests, service: APIClient, deal: Deal, board: Board
) -> None:
    for row, sent in product((deal, board), ('"other"', "W/{etag}", "", "nonsense")):
        with subtests.test(row=row, sent=sent):
            url, read_url = urls(row)
            etag = service.get(read_url)["ETag"]
            response = service.delete(url, headers={"if-match": sent.format(etag=etag)})
            assert assert_error(response, 412, "precondition_failed")["meta"]["etag"] == etag
            assert type(row).objects.filter(pk=row.pk).exists()


def test_the_version_that_was_read_is_deleted(
    subtests: pytest.Subtests, service: APIClient, deal: Deal, board: Board
) -> None:
    for row, sent in product((deal, board), ("{etag}", '"other", {etag}', "*")):
        with subtests.test(row=row, sent=sent), undone():
            url, read_url = urls(row)
            etag = service.get(read_url)["ETag"]
            assert service.delete(url, headers={"if-match": sent.format(etag=etag)}).status_code == 204
            assert not type(row).objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize("kind", ["deal", "board"])
def test_the_row_is_locked_before_it_is_compared(kind: str, service: APIClient, request: pytest.FixtureRequest) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has no locks of rows: a transaction that may write waits for the one before")
    url, _ = urls(request.getfixturevalue(kind))
    with CaptureQueriesContext(connection) as queries:
        assert service.delete(url, headers={"if-match": '"other"'}).status_code == 412
    assert any("FOR UPDATE" in query["sql"] for query in queries)


def test_the_document_says_that_a_delete_may_be_refused(anonymous: APIClient) -> None:
    paths = anonymous.get("/api/openapi.json").json()["paths"]
    deletes = {path: methods["delete"] for path, methods in paths.items() if "delete" in methods}
    refused = {path for path, operation in deletes.items() if "412" in operation["responses"]}
    # A board is taken out of a collection, and has no ETag there.
    assert deletes.keys() - refused == {"/api/collections/{id}/boards/{boardId}"} and len(refused) == 3


# --- Without a body


def test_a_304_has_no_content_length(anonymous: APIClient, member: APIClient) -> None:
    board = factories.board()
    theme = factories.theme("stayman", owner=Account.objects.get(pk="member"))
    for path in (f"/api/themes/{theme.pk}", f"/api/boards/{board.pk}", f"/api/boards/{board.pk}.svg", "/boards"):
        for client in (anonymous, member):
            etag = client.get(path)["ETag"]
            response = client.get(path, headers={"if-none-match": etag})
            assert (response.status_code, "Content-Length" in response) == (304, False)
