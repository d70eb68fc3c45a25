"""ETags of what a POST answers, and DELETE with If-Match."""

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from config.api.conditional import etag_of
from tests import factories
from tests.answers import assert_error
from tests.impersonation.starts import start
from tests.undone import undone

pytestmark = pytest.mark.django_db


def test_a_new_deal_and_a_known_one_have_the_etag_of_the_next_read(service: APIClient) -> None:
    body = {"cards": factories.layout().cards, "source": {"name": "A dealing machine"}}
    failed = factories.deal(double_dummy_status="failed")
    for path, status in (("", 201), ("", 200), (f"/{failed.pk}/double-dummy", 202)):
        response = service.post(f"/api/deals{path}", {} if path else body)
        assert response.status_code == status
        read = service.get(f"/api/deals/{response.json()['id']}")
        assert response["ETag"] == read["ETag"] == etag_of(read.content), path


def test_a_published_board_has_the_etag_of_its_readers_which_is_good_for_the_next_change(
    service: APIClient, anonymous: APIClient
) -> None:
    theme, deal = factories.theme("stayman"), factories.deal()
    for status in (201, 200):
        response = service.post(f"/api/deals/{deal.pk}/boards", {"boardNumber": 7, "themes": [str(theme.pk)]})
        assert response.status_code == status
        board_id = response.json()["id"]
        assert response["ETag"] == anonymous.get(f"/api/boards/{board_id}")["ETag"]
    url = f"/api/deals/{deal.pk}/boards/{board_id}"
    changed = service.patch(url, {"title": "A title"}, headers={"if-match": response["ETag"]})
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


def test_the_version_that_was_read_is_deleted_and_no_other(service: APIClient) -> None:
    deal, board = factories.deal(), factories.board()
    for row, url, read_url in (
        (deal, f"/api/deals/{deal.pk}", f"/api/deals/{deal.pk}"),
        (board, f"/api/deals/{board.deal_id}/boards/{board.pk}", f"/api/boards/{board.pk}"),
    ):
        etag, rows = service.get(read_url)["ETag"], type(row).objects.filter(pk=row.pk)
        for sent in ('"other"', f"W/{etag}", "", "nonsense"):
            response = service.delete(url, headers={"if-match": sent})
            assert assert_error(response, 412, "precondition_failed")["meta"]["etag"] == etag, (url, sent)
            assert rows.exists()
        for sent in (etag, f'"other", {etag}', "*"):
            with undone():
                assert service.delete(url, headers={"if-match": sent}).status_code == 204, (url, sent)
                assert not rows.exists()


def test_a_304_has_no_content_length(anonymous: APIClient, member: APIClient) -> None:
    board = factories.board()
    theme = factories.theme("stayman", owner=Account.objects.get(pk="member"))
    for path in (f"/api/themes/{theme.pk}", f"/api/boards/{board.pk}", f"/api/boards/{board.pk}.svg", "/boards"):
        for client in (anonymous, member):
            etag = client.get(path)["ETag"]
            response = client.get(path, headers={"if-none-match": etag})
            assert (response.status_code, "Content-Length" in response) == (304, False)
