"""ETags, conditional requests, and which answers caches may store."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from config.api.conditional import etag_of
from tests import factories
from tests.answers import assert_error
from tests.impersonation.starts import start
from tests.undone import undone
from themes.models import Theme

pytestmark = pytest.mark.django_db

PUBLIC = "public, max-age=0, must-revalidate"
PRIVATE = "private, no-store"


@pytest.fixture
def theme() -> Theme:
    return factories.theme("stayman", owner=factories.account("owner"))


@pytest.fixture
def owner(theme: Theme, client_of: Any) -> APIClient:
    return client_of(theme.owner)


def url(theme: Theme) -> str:
    return f"/api/themes/{theme.pk}"


def test_the_etag_is_strong_and_the_hash_of_the_body(anonymous: APIClient, theme: Theme) -> None:
    for path in (url(theme), "/api/themes", "/api/boards", "/api/auction-systems", "/api/openapi.json"):
        first, second = (anonymous.get(path) for _ in range(2))
        assert first["ETag"] == second["ETag"] == etag_of(first.content), path
        assert first["ETag"].startswith('"')
    before = anonymous.get(url(theme))["ETag"]
    Theme.objects.filter(pk=theme.pk).update(labels={"en": "Other"})
    assert anonymous.get(url(theme))["ETag"] != before


def test_a_read_of_the_version_that_the_caller_has_is_a_304(anonymous: APIClient, theme: Theme) -> None:
    etag = anonymous.get(url(theme))["ETag"]
    for sent in ("{etag}", "W/{etag}", '"other", {etag}', "*", "  {etag}  "):
        for method in ("GET", "HEAD"):
            response = anonymous.generic(method, url(theme), headers={"if-none-match": sent.format(etag=etag)})
            assert (response.status_code, response.content) == (304, b""), (sent, method)
            assert (response["ETag"], response["Cache-Control"]) == (etag, PUBLIC)
            assert "Authorization" in response["Vary"] and response["X-Request-Id"]


def test_a_read_of_another_version_or_of_nothing_is_never_a_304(anonymous: APIClient, theme: Theme) -> None:
    etag = anonymous.get(url(theme))["ETag"]
    for sent in ('"other"', "", "nonsense", '"', "W/", etag.strip('"'), "é", '"a' * 900):
        response = anonymous.get(url(theme), headers={"if-none-match": sent})
        assert (response.status_code, response["ETag"]) == (200, etag), sent
    response = anonymous.get(f"/api/themes/{factories.NOBODYS_ID}", headers={"if-none-match": "*"})
    assert (response.status_code, "ETag" in response) == (404, False)


def test_a_read_of_a_version_that_is_gone_is_a_412_in_the_shape_of_errors(anonymous: APIClient, theme: Theme) -> None:
    etag = anonymous.get(url(theme))["ETag"]
    for sent in (etag, "*"):
        assert anonymous.get(url(theme), headers={"if-match": sent}).status_code == 200
    response, head = (anonymous.generic(each, url(theme), headers={"if-match": '"other"'}) for each in ("GET", "HEAD"))
    meta = assert_error(response, 412, "precondition_failed")["meta"]
    assert meta == {"etag": etag, "requestId": response["X-Request-Id"]}
    assert (head.status_code, head["Content-Type"]) == (412, "application/json")


def test_dates_of_change_are_ignored_since_there_are_none(anonymous: APIClient, theme: Theme) -> None:
    etag = anonymous.get(url(theme))["ETag"]
    for name in ("if-unmodified-since", "if-modified-since"):
        for date in ("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2099 07:28:00 GMT", "yesterday"):
            for conditions, status in (
                *(({}, 200), ({"if-none-match": etag}, 304), ({"if-none-match": '"other"'}, 200)),
                *(({"if-match": etag}, 200), ({"if-match": '"other"'}, 412)),
            ):
                response = anonymous.get(url(theme), headers={name: date, **conditions})
                assert response.status_code == status, (name, date, conditions)


def test_a_change_of_the_version_that_was_read_answers_the_next_etag(owner: APIClient, theme: Theme) -> None:
    etag = owner.get(url(theme))["ETag"]
    for sent in ("{etag}", '"other", {etag}', "*", " * "):
        labels = {"en": f"New for {sent}"}
        changed = owner.patch(url(theme), {"labels": labels}, headers={"if-match": sent.format(etag=etag)})
        assert (changed.status_code, changed.json()["labels"]) == (200, labels)
        etag = changed["ETag"]
        assert etag == etag_of(changed.content) == owner.get(url(theme))["ETag"]


def test_a_change_of_another_version_is_a_412_and_changes_nothing(owner: APIClient, theme: Theme) -> None:
    before, etag = Theme.objects.values().get(pk=theme.pk), owner.get(url(theme))["ETag"]
    for sent in ('"other"', f"W/{etag}", "", "nonsense", etag.strip('"')):
        response = owner.patch(url(theme), {"labels": {"en": "New"}}, headers={"if-match": sent})
        assert assert_error(response, 412, "precondition_failed")["meta"]["etag"] == etag, sent
        assert Theme.objects.values().get(pk=theme.pk) == before, sent


def test_a_stale_change_by_a_caller_without_permission_is_still_a_403(member: APIClient, theme: Theme) -> None:
    response = member.patch(url(theme), {"labels": {}}, headers={"if-match": '"other"'})
    assert response.status_code == 403


def test_a_public_read_without_credentials_may_be_stored(anonymous: APIClient, member: APIClient) -> None:
    for path in ("/api/themes", "/api/boards", "/api/auction-systems", "/api/openapi.json"):
        for client, stored in ((anonymous, PUBLIC), (member, PRIVATE)):
            response = client.get(path)
            assert response["Cache-Control"] == stored, path
            assert {"Authorization", "X-Impersonation-Id", "origin"} <= set(response["Vary"].split(", ")), path
    for header in ("Basic x", "Bearer", "nonsense"):
        response = anonymous.get("/api/themes", headers={"authorization": header})
        assert response["Cache-Control"] in (PRIVATE, "no-store"), header


def test_no_cache_stores_what_depends_on_the_caller_or_answers_a_change(member: APIClient) -> None:
    for path in ("/api/accounts/me", "/api/accounts/member", f"/api/voting?boardIds={factories.NOBODYS_ID}"):
        assert member.get(path)["Cache-Control"] == PRIVATE, path
    assert member.patch("/api/accounts/member", {"displayName": "New"})["Cache-Control"] == PRIVATE


def test_a_new_deal_and_a_known_one_have_the_etag_of_the_next_read(service: APIClient) -> None:
    body = {"cards": factories.layout().cards, "source": {"name": "A dealing machine"}}
    failed = factories.deal(double_dummy_status="failed")
    for path, status in (("", 201), ("", 200), (f"/{failed.pk}/double-dummy", 202)):
        response = service.post(f"/api/deals{path}", {} if path else body)
        assert response.status_code == status
        read = service.get(f"/api/deals/{response.json()['id']}")
        assert response["ETag"] == read["ETag"] == etag_of(read.content), path


def test_a_new_board_and_a_known_one_have_the_etag_of_their_readers(service: APIClient, anonymous: APIClient) -> None:
    theme, deal = factories.theme("stayman"), factories.deal()
    for status in (201, 200):
        response = service.post(f"/api/deals/{deal.pk}/boards", {"boardNumber": 7, "themes": [str(theme.pk)]})
        assert response.status_code == status
        board_id = response.json()["id"]
        assert response["ETag"] == anonymous.get(f"/api/boards/{board_id}")["ETag"]


def test_a_started_impersonation_has_the_etag_of_the_running_one(support: APIClient) -> None:
    factories.account("zia")
    response = start(support)
    assert response.status_code == 201
    assert response["ETag"] == support.get("/api/impersonation/current")["ETag"]


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
