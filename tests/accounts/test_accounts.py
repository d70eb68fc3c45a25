"""GET /api/accounts/me, GET and PATCH /api/accounts/{id}."""

import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.forms.models import model_to_dict
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.roles import WRITABLE_BY_ADMIN, WRITABLE_BY_SELF, WRITABLE_BY_STAFF
from tests import factories
from tests.answers import field_errors
from tests.undone import undone

pytestmark = pytest.mark.django_db

VALUES: dict[str, Any] = {
    "displayName": "Zia", "firstName": "Zia", "lastName": "Mahmood", "organisationName": "The Club",
    "country": "NL", "language": "pt-BR", "auctionSystem": "acol", "isOrganisation": False,
    "showEmailPublicly": True, "avatarUrl": "https://example.org/zia.png", "email": "zia@example.org",
    "isActive": True, "role": "member", "id": "another", "createdAt": "2026-11-21T00:00:00.000000Z",
    "updatedAt": "2026-11-21T00:00:00.000000Z", "password": "hunter2", "isStaff": True,
}  # fmt: skip


@pytest.fixture
def zia(db: None) -> Account:
    factories.auction_system("acol", sort_order=3)
    return factories.account("zia", email="old@example.org")


@pytest.fixture
def as_zia(zia: Account, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(zia)


def stored(pk: str = "zia") -> dict[str, Any]:
    account = Account.objects.get(pk=pk)
    return {**model_to_dict(account), "updated_at": account.updated_at}


def reasons(response: Any) -> dict[str, str]:
    """Return the code of the first reason, by field."""
    return {name: codes[0] for name, codes in field_errors(response).items()}


def refuse(client: APIClient, body: Any, expected: dict[str, str]) -> None:
    before = stored()
    assert reasons(client.patch("/api/accounts/zia", body)) == expected
    assert stored() == before


def test_an_account_shows_all_its_fields_to_itself(as_zia: APIClient, zia: Account) -> None:
    assert as_zia.get("/api/accounts/me").json() == {
        "id": "zia",
        "email": "old@example.org",
        "displayName": "",
        "firstName": "",
        "lastName": "",
        "organisationName": "",
        "country": "",
        "language": "",
        "auctionSystem": {
            "id": "other",
            "identifier": "other",
            "labels": {"en": "Other / no agreement"},
            "sortOrder": 9999,
        },
        "isActive": True,
        "role": "member",
        "isOrganisation": False,
        "showEmailPublicly": False,
        "avatarUrl": "",
        "createdAt": f"{zia.created_at:%Y-%m-%dT%H:%M:%S.%f}Z",
        "updatedAt": f"{zia.updated_at:%Y-%m-%dT%H:%M:%S.%f}Z",
        "permissions": ["askToPublish", "changeOwnAccount", "makeCollections", "uploadBoards", "vote"],
    }


def test_a_stranger_sees_everything_but_the_address_unless_it_is_shown_publicly_and_staff_see_it(
    as_zia: APIClient, member: APIClient, support: APIClient, admin: APIClient
) -> None:
    shown = as_zia.get("/api/accounts/zia").json()
    assert member.get("/api/accounts/zia").json() == {**shown, "email": ""}
    for staff in (support, admin):
        assert staff.get("/api/accounts/zia").json()["email"] == "old@example.org"
    Account.objects.filter(pk="zia").update(show_email_publicly=True)
    assert member.get("/api/accounts/zia").json()["email"] == "old@example.org"


def test_an_anonymous_caller_is_asked_for_a_token(zia: Account, anonymous: APIClient) -> None:
    for path in ("/api/accounts/me", "/api/accounts/zia"):
        response = anonymous.get(path)
        assert (response.status_code, response.json()["code"]) == (401, "not_authenticated"), path
        assert response["WWW-Authenticate"].startswith("Bearer"), path


def test_an_id_that_is_nobodys_is_not_found_and_me_is_not_patched(admin: APIClient) -> None:
    for pk in ("nobody", "x" * 255, "x" * 256, "a b", "%ff", "%00", "é"):
        assert admin.get(f"/api/accounts/{pk}").status_code == 404, pk
        assert admin.patch(f"/api/accounts/{pk}", {"displayName": "X"}).status_code == 404, pk
    assert admin.patch("/api/accounts/me", {"displayName": "X"}).status_code == 405
    assert stored("admin")["display_name"] == ""


def test_each_caller_writes_its_own_set_of_fields(
    as_zia: APIClient, support: APIClient, admin: APIClient, subtests: pytest.Subtests
) -> None:
    callers = ((as_zia, WRITABLE_BY_SELF), (support, WRITABLE_BY_STAFF), (admin, WRITABLE_BY_ADMIN))
    before = stored()
    for (number, (client, writable)), (name, value) in itertools.product(enumerate(callers), VALUES.items()):
        with subtests.test(f"{name} by {('zia', 'support', 'admin')[number]}"), undone():
            response = client.patch("/api/accounts/zia", {name: value})
            if name in writable:
                assert response.status_code == 200, response.content
                shown = response.json()[name]
                assert (shown["id"] if name == "auctionSystem" else shown) == value
                assert client.get("/api/accounts/zia").json() == response.json()
                assert response.json()["updatedAt"] > response.json()["createdAt"]
            else:
                code = "unknown_field" if name in ("password", "isStaff") else "read_only"
                assert reasons(response) == {name: code}
                assert stored() == before


def test_a_stranger_writes_no_field(zia: Account, member: APIClient) -> None:
    before = stored()
    answers = {name: member.patch("/api/accounts/zia", {name: value}) for name, value in VALUES.items()}
    codes = {name: (answer.status_code, answer.json()["code"]) for name, answer in answers.items()}
    assert codes == dict.fromkeys(VALUES, (403, "permission_denied"))
    assert stored() == before


def test_every_refused_field_is_named_and_nothing_is_written(as_zia: APIClient) -> None:
    body = {"displayName": "Zia", "role": "admin", "email": "a@example.org", "colour": "red"}
    refuse(as_zia, body, {"role": "read_only", "email": "read_only", "colour": "unknown_field"})


def test_a_member_cannot_make_itself_staff_by_any_name(as_zia: APIClient) -> None:
    for name in ("role", "is_staff", "isSuperuser", "is_superuser", "groups", "isActive"):
        assert reasons(as_zia.patch("/api/accounts/zia", {name: True})).keys() == {name}
    assert not Account.objects.get(pk="zia").is_staff


def test_support_may_not_change_other_staff(support: APIClient) -> None:
    for role in ("support", "admin"):
        other = factories.account(role=role)
        before = stored(other.pk)
        response = support.patch(f"/api/accounts/{other.pk}", {"isActive": False})
        assert (response.status_code, response.json()["code"]) == (403, "permission_denied")
        assert response.json()["message"] == "Only admins may change another staff member's account."
        assert stored(other.pk) == before


def test_support_may_change_itself_but_not_its_role(support: APIClient) -> None:
    assert support.patch("/api/accounts/support", {"email": "s@example.org"}).json()["email"] == "s@example.org"
    assert reasons(support.patch("/api/accounts/support", {"role": "admin"})) == {"role": "read_only"}
    assert stored("support")["role"] == "support"


def test_an_admin_gives_a_role_and_it_works_at_once(admin: APIClient, as_zia: APIClient) -> None:
    assert admin.patch("/api/accounts/zia", {"role": "support"}).json()["role"] == "support"
    assert as_zia.get("/api/impersonation/current").status_code == 404
    assert as_zia.patch("/api/accounts/zia", {"email": "new@example.org"}).status_code == 200


def test_a_deactivated_account_is_refused_from_the_next_request_on(support: APIClient, as_zia: APIClient) -> None:
    assert support.patch("/api/accounts/zia", {"isActive": False}).json()["isActive"] is False
    response = as_zia.get("/api/accounts/me")
    assert (response.status_code, response.json()["code"]) == (401, "invalid_token")


def test_a_country_is_a_code_of_iso_3166_and_a_language_is_kept_in_its_standard_form(as_zia: APIClient) -> None:
    for name, sent, kept in (
        ("country", "NL", "NL"), ("country", "GB", "GB"), ("country", "", ""), ("language", "en", "en"),
        ("language", "PT-br", "pt-BR"), ("language", "zh-hant-tw", "zh-Hant-TW"), ("language", "", ""),
    ):  # fmt: skip
        assert as_zia.patch("/api/accounts/zia", {name: sent}).json()[name] == kept, sent


def test_any_other_country_or_language_is_refused(as_zia: APIClient) -> None:
    for country in ("nl", "XX", "NLD"):
        refuse(as_zia, {"country": country}, {"country": "unknown"})
    # `sh` is standardised to `sr-Latn`, which the column could not hold.
    too_long = ("en-x-" + "a1-" * 10 + "a1", "sh-x-aaaaaaaa-bbbbbbbb-cccccccc-ddd")
    for language in ("english please", "xx-", "é", *too_long):
        refuse(as_zia, {"language": language}, {"language": "unknown"})


def test_an_auction_system_is_named_by_id_or_identifier_or_object(as_zia: APIClient) -> None:
    factories.auction_system("precision_club", id="precise", sort_order=4)
    labels = {"en": "precision_club"}
    shown = {"id": "precise", "identifier": "precision_club", "labels": labels, "sortOrder": 4}
    whole = {"id": "precise", "identifier": "x", "labels": {}}
    for named in ("precise", "precision_club", {"id": "precise"}, whole):
        as_zia.patch("/api/accounts/zia", {"auctionSystem": "other"})
        response = as_zia.patch("/api/accounts/zia", {"auctionSystem": named})
        assert response.json()["auctionSystem"] == shown, named
        assert stored()["auction_system"] == "precise"


def test_the_id_of_an_auction_system_wins_over_anothers_identifier(as_zia: APIClient) -> None:
    factories.auction_system("renamed", id="strong")
    factories.auction_system("strong", id="weak")
    assert as_zia.patch("/api/accounts/zia", {"auctionSystem": "strong"}).json()["auctionSystem"]["id"] == "strong"


REFUSED: dict[str, list[tuple[Any, str]]] = {
    "displayName": [
        (5, "invalid"), (True, "invalid"), (["Zia"], "invalid"), ({}, "invalid"), (None, "null"),
        ("x" * 151, "max_length"),
    ],
    "organisationName": [("x" * 201, "max_length")],
    "country": [(31, "invalid")],
    "language": [(5, "invalid")],
    "isOrganisation": [("true", "invalid"), (1, "invalid"), (None, "null")],
    "showEmailPublicly": [("yes", "invalid"), ([], "invalid")],
    "isActive": [(0, "invalid")],
    "email": [
        (5, "invalid"), ("nobody", "invalid"), ("x" * 60 + "@" + "y" * 60 + ".org" * 50, "max_length"),
    ],
    "role": [
        ("owner", "invalid_choice"), ("", "invalid_choice"), (None, "null"), (["admin"], "invalid_choice"),
    ],
    "auctionSystem": [
        ("martian", "does_not_exist"), ("", "does_not_exist"), ("x" * 70_000, "does_not_exist"),
        ({"id": "martian"}, "does_not_exist"), ({}, "invalid"), ({"identifier": "acol"}, "invalid"),
        ({"id": 5}, "invalid"), ([], "invalid"), (["acol"], "invalid"), (5, "invalid"), (True, "invalid"),
        (None, "null"),
    ],
    "avatarUrl": [
        (5, "invalid"),
        *((url, "invalid") for url in (
            "http://example.org/a.png", "//example.org/a.png", "javascript:alert(1)", "avatar.png",
            "data:image/png;base64,AAAA", "https://", "https://[", "https://exa mple.org/",
        )),
    ],
}  # fmt: skip


def test_a_value_of_another_type_or_length_an_unknown_system_and_an_avatar_without_https_are_refused(
    zia: Account, admin: APIClient, subtests: pytest.Subtests
) -> None:
    for name, values in REFUSED.items():
        for value, code in values:
            with subtests.test(f"{name} {str(value)[:40]!r}"), undone():
                refuse(admin, {name: value}, {name: code})


def test_an_avatar_can_be_taken_away(as_zia: APIClient) -> None:
    Account.objects.update(avatar_url="https://example.org/a.png")
    assert as_zia.patch("/api/accounts/zia", {"avatarUrl": ""}).json()["avatarUrl"] == ""


def test_an_organisation_needs_a_name_and_cannot_lose_it(as_zia: APIClient) -> None:
    unnamed = {"organisationName": "organisation_unnamed"}
    refuse(as_zia, {"isOrganisation": True}, unnamed)
    refuse(as_zia, {"isOrganisation": True, "organisationName": " "}, unnamed)
    named = {"isOrganisation": True, "organisationName": "The Club"}
    assert as_zia.patch("/api/accounts/zia", named).json()["isOrganisation"] is True
    refuse(as_zia, {"organisationName": ""}, unnamed)
    both = as_zia.patch("/api/accounts/zia", {"organisationName": "", "isOrganisation": False})
    assert both.status_code == 200


def test_a_body_that_is_no_object_is_refused(as_zia: APIClient) -> None:
    before = stored()
    bodies: list[Any] = ["", "text", [], [{}], 5, True, None]
    for body in bodies:
        sent = json.dumps(body)
        response = as_zia.generic("PATCH", "/api/accounts/zia", sent, content_type="application/json")
        assert reasons(response).keys() == {"nonFieldErrors"}, body
        assert stored() == before


def test_an_empty_patch_changes_nothing_not_even_the_time(as_zia: APIClient) -> None:
    before = as_zia.get("/api/accounts/zia").json()
    after = as_zia.patch("/api/accounts/zia", {}).json()
    assert after == before


def test_a_patch_answers_the_etag_of_the_next_get(as_zia: APIClient) -> None:
    patched = as_zia.patch("/api/accounts/zia", {"displayName": "Zia"})
    assert patched["ETag"] == as_zia.get("/api/accounts/zia")["ETag"]
    same = as_zia.get("/api/accounts/zia", headers={"if-none-match": patched["ETag"]})
    assert (same.status_code, same.content) == (304, b"")


def test_a_patch_from_a_stale_reading_is_refused_and_writes_nothing(as_zia: APIClient, support: APIClient) -> None:
    read = as_zia.get("/api/accounts/zia")["ETag"]
    current = support.patch("/api/accounts/zia", {"displayName": "Support's"})["ETag"]
    response = as_zia.patch("/api/accounts/zia", {"displayName": "Zia's"}, headers={"if-match": read})
    assert (response.status_code, response.json()["code"]) == (412, "precondition_failed")
    assert response.json()["meta"]["etag"] == current
    assert stored()["display_name"] == "Support's"
    again = as_zia.patch("/api/accounts/zia", {"displayName": "Zia's"}, headers={"if-match": current})
    assert again.json()["displayName"] == "Zia's"


def test_an_account_takes_a_number_of_queries_that_does_not_depend_on_it(
    as_zia: APIClient, member: APIClient, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        as_zia.get("/api/accounts/me")
    with django_assert_num_queries(2):
        member.get("/api/accounts/zia")
