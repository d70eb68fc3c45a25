"""ETags, conditional requests, and which answers caches may store."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from config.api.conditional import etag_of
from tests import factories
from tests.answers import assert_error
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
        response = anonymous.get(path)
        assert response["ETag"] == etag_of(response.content)
        assert response["ETag"].startswith('"')


def test_the_etag_changes_with_the_representation_alone(anonymous: APIClient, theme: Theme) -> None:
    first = anonymous.get(url(theme))["ETag"]
    assert anonymous.get(url(theme))["ETag"] == first
    Theme.objects.filter(pk=theme.pk).update(labels={"en": "Other"})
    assert anonymous.get(url(theme))["ETag"] != first


def test_a_read_of_the_version_that_the_caller_has_is_a_304(
    subtests: pytest.Subtests, anonymous: APIClient, theme: Theme
) -> None:
    for sent in ["{etag}", "W/{etag}", '"other", {etag}', "*", "  {etag}  "]:
        for method in ["GET", "HEAD"]:
            with subtests.test(sent=sent, method=method):
                etag = anonymous.get(url(theme))["ETag"]
                response = anonymous.generic(method, url(theme), headers={"if-none-match": sent.format(etag=etag)})
                assert (response.status_code, response.content) == (304, b"")
                assert (response["ETag"], response["Cache-Control"]) == (etag, PUBLIC)
                assert "Authorization" in response["Vary"]
                assert response["X-Request-Id"]


def test_a_read_of_another_version_is_the_whole_answer(
    subtests: pytest.Subtests, anonymous: APIClient, theme: Theme
) -> None:
    for sent in ['"other"', "", "nonsense", '"', "W/", "{bare}", "é", '"a' * 900]:
        with subtests.test(sent=sent):
            etag = anonymous.get(url(theme))["ETag"]
            response = anonymous.get(url(theme), headers={"if-none-match": sent.format(bare=etag.strip('"'))})
            assert (response.status_code, response["ETag"]) == (200, etag)


def test_an_error_is_never_a_304(anonymous: APIClient) -> None:
    response = anonymous.get("/api/themes/7e57ab1e-0000-4000-8000-000000000000", headers={"if-none-match": "*"})
    assert response.status_code == 404
    assert "ETag" not in response


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_read_of_a_version_that_is_gone_is_a_412_in_the_shape_of_errors(
    method: str, anonymous: APIClient, theme: Theme
) -> None:
    response = anonymous.generic(method, url(theme), headers={"if-match": '"other"'})
    assert (response.status_code, response["Content-Type"]) == (412, "application/json")
    if method == "GET":
        meta = assert_error(response, 412, "precondition_failed")["meta"]
        assert meta == {"etag": anonymous.get(url(theme))["ETag"], "requestId": response["X-Request-Id"]}


def test_a_read_of_the_version_that_is_there_is_answered(anonymous: APIClient, theme: Theme) -> None:
    etag = anonymous.get(url(theme))["ETag"]
    assert anonymous.get(url(theme), headers={"if-match": etag}).status_code == 200
    assert anonymous.get(url(theme), headers={"if-match": "*"}).status_code == 200


def test_dates_of_change_are_ignored_since_there_are_none(
    subtests: pytest.Subtests, anonymous: APIClient, theme: Theme
) -> None:
    for name in ["if-unmodified-since", "if-modified-since"]:
        for date in ["Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2099 07:28:00 GMT", "yesterday"]:
            with subtests.test(name=name, date=date):
                path, fits = url(theme), anonymous.get(url(theme))["ETag"]
                assert anonymous.get(path, headers={name: date}).status_code == 200
                for condition, etag, status in (
                    *(("if-none-match", fits, 304), ("if-none-match", '"other"', 200)),
                    *(("if-match", fits, 200), ("if-match", '"other"', 412)),
                ):
                    assert anonymous.get(path, headers={name: date, condition: etag}).status_code == status, condition


def test_a_change_answers_the_etag_of_the_next_read(owner: APIClient, theme: Theme) -> None:
    changed = owner.patch(url(theme), {"labels": {"en": "New"}})
    assert changed.status_code == 200
    assert changed["ETag"] == etag_of(changed.content) == owner.get(url(theme))["ETag"]


def test_a_change_of_the_version_that_was_read_is_made(
    subtests: pytest.Subtests, owner: APIClient, theme: Theme
) -> None:
    for number, sent in enumerate(["{etag}", '"other", {etag}', "*", " * "]):
        with subtests.test(sent=sent):
            labels = {"en": f"New {number}"}
            header = sent.format(etag=owner.get(url(theme))["ETag"])
            assert owner.patch(url(theme), {"labels": labels}, headers={"if-match": header}).status_code == 200
            theme.refresh_from_db()
            assert theme.labels == labels


def test_a_change_of_another_version_is_a_412_and_changes_nothing(
    subtests: pytest.Subtests, owner: APIClient, theme: Theme
) -> None:
    for sent in ['"other"', "W/{etag}", "", "nonsense", "{bare}"]:
        with subtests.test(sent=sent):
            before = Theme.objects.values().get(pk=theme.pk)
            etag = owner.get(url(theme))["ETag"]
            header = sent.format(etag=etag, bare=etag.strip('"'))
            response = owner.patch(url(theme), {"labels": {"en": "New"}}, headers={"if-match": header})
            assert assert_error(response, 412, "precondition_failed")["meta"]["etag"] == etag
            assert Theme.objects.values().get(pk=theme.pk) == before


def test_of_two_editors_with_the_same_reading_the_second_gets_a_412(owner: APIClient, theme: Theme) -> None:
    etag = owner.get(url(theme))["ETag"]
    first = owner.patch(url(theme), {"labels": {"en": "First"}}, headers={"if-match": etag})
    second = owner.patch(url(theme), {"labels": {"en": "Second"}}, headers={"if-match": etag})
    assert (first.status_code, second.status_code) == (200, 412)
    again = owner.patch(url(theme), {"labels": {"en": "Second"}}, headers={"if-match": first["ETag"]})
    assert again.status_code == 200


def test_each_caller_has_an_etag_of_its_own(member: APIClient, support: APIClient) -> None:
    factories.account("shy", email="shy@example.org")
    etags = {caller.get("/api/accounts/shy")["ETag"] for caller in (member, support)}
    assert len(etags) == 2


def test_a_stale_change_by_a_caller_without_permission_is_still_a_403(member: APIClient, theme: Theme) -> None:
    response = member.patch(url(theme), {"labels": {}}, headers={"if-match": '"other"'})
    assert response.status_code == 403


# --- Cache-Control and Vary ----------------------------------------------------------------------------------


def test_a_public_read_may_be_stored_and_revalidated(
    subtests: pytest.Subtests, anonymous: APIClient, member: APIClient
) -> None:
    for path in ["/api/themes", "/api/boards", "/api/auction-systems", "/api/openapi.json"]:
        with subtests.test(path=path):
            public, private = anonymous.get(path), member.get(path)
            assert public["Cache-Control"] == PUBLIC
            assert private["Cache-Control"] == PRIVATE
            for response in (public, private):
                assert {"Authorization", "X-Impersonation-Id", "origin"} <= set(response["Vary"].split(", "))


@pytest.mark.parametrize("header", ["Basic x", "Bearer", "nonsense"])
def test_no_cache_stores_an_answer_to_a_request_with_credentials(header: str, anonymous: APIClient) -> None:
    response = anonymous.get("/api/themes", headers={"authorization": header})
    assert response["Cache-Control"] in (PRIVATE, "no-store")


@pytest.mark.parametrize(
    "path", ["/api/accounts/me", "/api/accounts/member", "/api/voting?boardIds=7e57ab1e-0000-4000-8000-000000000000"]
)
def test_no_cache_stores_what_depends_on_the_caller(path: str, member: APIClient) -> None:
    assert member.get(path)["Cache-Control"] == PRIVATE


@pytest.mark.parametrize("path", ["/api/nothing", "/api/accounts/me", "/api/boards?page=0"])
def test_no_cache_stores_an_error(path: str, anonymous: APIClient) -> None:
    response = anonymous.get(path)
    assert response.status_code >= 400
    assert response["Cache-Control"] == "no-store"


def test_no_cache_stores_an_answer_to_a_change(member: APIClient) -> None:
    response = member.patch("/api/accounts/member", {"displayName": "New"})
    assert response["Cache-Control"] == PRIVATE
    assert Account.objects.get(pk="member").display_name == "New"
