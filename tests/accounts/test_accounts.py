"""GET /api/accounts/me with its `permissions`, GET and PATCH /api/accounts/{id}."""

from collections.abc import Callable
from typing import Any

import pytest
from django.forms.models import model_to_dict
from django.test import override_settings
from rest_framework.test import APIClient

from accounts.identifiers import SYSTEM
from accounts.models import Account
from accounts.roles import ABILITIES, WRITABLE_BY_ADMIN, WRITABLE_BY_SELF, WRITABLE_BY_STAFF
from tests import factories
from tests.answers import assert_error, field_errors
from tests.conformance.document import document
from tests.undone import undone

pytestmark = pytest.mark.django_db

VALUES: dict[str, Any] = {
    "displayName": "Zia", "firstName": "Zia", "lastName": "Mahmood", "organisationName": "The Club",
    "country": "NL", "language": "pt-BR", "auctionSystem": "acol", "isOrganisation": False,
    "showEmailPublicly": True, "avatarUrl": "https://example.org/zia.png", "email": "zia@example.org",
    "isActive": True, "role": "member", "id": "another", "createdAt": "2026-11-21T00:00:00.000000Z",
    "updatedAt": "2026-11-21T00:00:00.000000Z", "permissions": ["giveRoles"],
}  # fmt: skip
UNKNOWN = ("password", "isStaff", "is_staff", "isSuperuser", "is_superuser", "groups", "permissions")
"""No field of an account that somebody writes. `permissions` are those of /api/accounts/me."""


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


def test_an_account_shows_all_its_fields_to_itself_and_its_permissions_as_me(as_zia: APIClient, zia: Account) -> None:
    texts = "displayName firstName lastName organisationName country language avatarUrl"
    own = {
        **dict.fromkeys(texts.split(), ""), "id": "zia", "email": "old@example.org", "isActive": True,
        "auctionSystem": {
            "id": "other", "identifier": "other", "labels": {"en": "Other / no agreement"}, "sortOrder": 9999,
        },
        "role": "member", "isOrganisation": False, "showEmailPublicly": False,
        "createdAt": f"{zia.created_at:%Y-%m-%dT%H:%M:%S.%f}Z",
        "updatedAt": f"{zia.updated_at:%Y-%m-%dT%H:%M:%S.%f}Z",
    }  # fmt: skip
    by_id, me = as_zia.get("/api/accounts/zia"), as_zia.get("/api/accounts/me")
    assert (by_id.json(), me.json()) == (own, own | {"permissions": sorted(MEMBERS)})
    assert me["ETag"] != by_id["ETag"]


def test_a_stranger_sees_everything_but_the_address_unless_it_is_shown_publicly_and_staff_see_it(
    as_zia: APIClient, member: APIClient, support: APIClient, admin: APIClient
) -> None:
    shown = as_zia.get("/api/accounts/zia").json()
    assert member.get("/api/accounts/zia").json() == {**shown, "email": ""}
    for staff in (support, admin):
        assert staff.get("/api/accounts/zia").json()["email"] == "old@example.org"
    Account.objects.filter(pk="zia").update(show_email_publicly=True)
    assert member.get("/api/accounts/zia").json()["email"] == "old@example.org"


def test_an_id_that_is_nobodys_is_not_found_and_me_is_not_patched(admin: APIClient) -> None:
    for pk in ("nobody", "x" * 255, "x" * 256, "a b", "%ff", "%00", "é"):
        assert admin.get(f"/api/accounts/{pk}").status_code == 404, pk
        assert admin.patch(f"/api/accounts/{pk}", {"displayName": "X"}).status_code == 404, pk
    assert admin.patch("/api/accounts/me", {"displayName": "X"}).status_code == 405
    assert stored("admin")["display_name"] == ""


def test_each_caller_writes_its_own_set_of_fields(
    as_zia: APIClient, support: APIClient, admin: APIClient, subtests: pytest.Subtests
) -> None:
    before, values = stored(), VALUES | dict.fromkeys(UNKNOWN, True)
    for caller, client, writable in (
        ("zia", as_zia, WRITABLE_BY_SELF), ("support", support, WRITABLE_BY_STAFF), ("admin", admin, WRITABLE_BY_ADMIN),
    ):  # fmt: skip
        with subtests.test(caller), undone():
            refused = {name: value for name, value in values.items() if name not in writable}
            codes = {name: "unknown_field" if name in UNKNOWN else "read_only" for name in refused}
            assert (reasons(client.patch("/api/accounts/zia", refused)), stored()) == (codes, before)
            for name in writable:
                response = client.patch("/api/accounts/zia", {name: values[name]})
                written = response.json()
                assert (written[name]["id"] if name == "auctionSystem" else written[name]) == values[name], name
                assert written["updatedAt"] > written["createdAt"]
            read = client.get("/api/accounts/zia")
            assert (read.json(), read["ETag"]) == (written, response["ETag"])
            for change in ({name: values[name] for name in writable}, {}):
                assert client.patch("/api/accounts/zia", change).json() == written


def test_support_changes_itself_but_neither_its_role_nor_other_staff(support: APIClient) -> None:
    assert support.patch("/api/accounts/support", {"email": "s@example.org"}).json()["email"] == "s@example.org"
    assert reasons(support.patch("/api/accounts/support", {"role": "admin"})) == {"role": "read_only"}
    assert stored("support")["role"] == "support"
    for role in ("support", "admin"):
        other = factories.account(role=role)
        before = stored(other.pk)
        refusal = assert_error(
            support.patch(f"/api/accounts/{other.pk}", {"isActive": False}), 403, "permission_denied"
        )
        assert refusal["message"] == "Only admins may change the account of another member of staff."
        assert stored(other.pk) == before


def test_nobody_changes_the_account_that_reference_data_belongs_to(support: APIClient, admin: APIClient) -> None:
    before = stored(SYSTEM)
    for change in ({"isActive": True}, {"displayName": "Mine"}):
        for staff in (support, admin):
            assert staff.patch(f"/api/accounts/{SYSTEM}", change).status_code == 403, change
    assert stored(SYSTEM) == before


def test_a_role_and_a_suspension_work_at_once(admin: APIClient, as_zia: APIClient) -> None:
    assert admin.patch("/api/accounts/zia", {"role": "support"}).json()["role"] == "support"
    assert "impersonate" in as_zia.get("/api/accounts/me").json()["permissions"]
    assert as_zia.patch("/api/accounts/zia", {"email": "new@example.org"}).status_code == 200
    assert admin.patch("/api/accounts/zia", {"isActive": False}).json()["isActive"] is False
    assert_error(as_zia.get("/api/accounts/me"), 401, "invalid_token")


def test_a_country_is_a_code_of_iso_3166_and_a_language_is_kept_in_its_standard_form(as_zia: APIClient) -> None:
    Account.objects.update(avatar_url="https://example.org/a.png")
    for name, sent, kept in (
        ("country", "NL", "NL"), ("country", "GB", "GB"), ("country", "", ""), ("language", "en", "en"),
        ("language", "PT-br", "pt-BR"), ("language", "zh-hant-tw", "zh-Hant-TW"), ("language", "", ""),
        ("avatarUrl", "", ""),
    ):  # fmt: skip
        assert as_zia.patch("/api/accounts/zia", {name: sent}).json()[name] == kept, sent


def test_an_auction_system_is_named_by_id_before_identifier_or_by_an_object(as_zia: APIClient) -> None:
    factories.auction_system("precision_club", id="precise", sort_order=4)
    factories.auction_system("precise", id="another")
    labels = {"en": "precision_club"}
    shown = {"id": "precise", "identifier": "precision_club", "labels": labels, "sortOrder": 4}
    whole = {"id": "precise", "identifier": "x", "labels": {}}
    for named in ("precise", "precision_club", {"id": "precise"}, whole):
        as_zia.patch("/api/accounts/zia", {"auctionSystem": "other"})
        response = as_zia.patch("/api/accounts/zia", {"auctionSystem": named})
        assert (response.json()["auctionSystem"], stored()["auction_system"]) == (shown, "precise"), named


REFUSED: dict[str, list[tuple[Any, str]]] = {
    "displayName": [
        (5, "invalid"), (True, "invalid"), (["Zia"], "invalid"), ({}, "invalid"), (None, "null"),
        ("x" * 151, "max_length"),
    ],
    "organisationName": [("x" * 201, "max_length")],
    "country": [(31, "invalid"), *((country, "unknown") for country in ("nl", "XX", "NLD"))],
    # `sh` is standardised to `sr-Latn`, which the column could not hold.
    "language": [
        (5, "invalid"), *((tag, "unknown") for tag in ("english please", "xx-", "é")),
        ("en-x-" + "a1-" * 10 + "a1", "unknown"), ("sh-x-aaaaaaaa-bbbbbbbb-cccccccc-ddd", "unknown"),
    ],
    "isOrganisation": [("true", "invalid"), (1, "invalid"), (None, "null")],
    "showEmailPublicly": [("yes", "invalid"), ([], "invalid")],
    "isActive": [(0, "invalid")],
    "email": [(5, "invalid"), ("nobody", "invalid"), ("x" * 60 + "@" + "y" * 60 + ".org" * 50, "max_length")],
    "role": [*((value, "invalid_choice") for value in ("owner", "", ["admin"])), (None, "null")],
    "auctionSystem": [
        *((value, "does_not_exist") for value in ("martian", "", "x" * 70_000, {"id": "martian"})),
        *((value, "invalid") for value in ({}, {"identifier": "acol"}, {"id": 5}, [], ["acol"], 5, True)),
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


def test_a_value_that_a_field_cannot_have_is_refused(zia: Account, admin: APIClient, subtests: pytest.Subtests) -> None:
    for name, values in REFUSED.items():
        for value, code in values:
            with subtests.test(f"{name} {str(value)[:40]!r}"), undone():
                refuse(admin, {name: value}, {name: code})


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
    for body in ('""', '"text"', "[]", "[{}]", "5", "true", "null", ""):
        response = as_zia.generic("PATCH", "/api/accounts/zia", body, content_type="application/json")
        assert response.status_code == 400 and stored() == before, body
        assert not body or reasons(response).keys() == {"nonFieldErrors"}, body


MEMBERS = {"askToPublish", "changeOwnAccount", "makeCollections", "uploadBoards", "vote"}


def permissions_of(client: APIClient) -> list[str]:
    return client.get("/api/accounts/me").json()["permissions"]


def test_staff_have_more_permissions_in_order(support: APIClient, admin: APIClient) -> None:
    supports = MEMBERS | {"changeAccounts", "impersonate"}
    told = [permissions_of(client) for client in (support, admin)]
    assert told == [sorted(supports), sorted(supports | {"giveRoles"})]


def test_how_members_publish_is_told_and_what_no_page_offers_is_not(member: APIClient, settings: Any) -> None:
    for publishing, expected in (("off", set()), ("review", {"askToPublish"}), ("open", {"publishBoards"})):
        settings.MEMBER_PUBLISHING = publishing
        assert {*permissions_of(member)} & {"askToPublish", "publishBoards"} == expected, publishing
    for name, value in (("DEVELOPMENT_SIGN_IN", False), ("MEMBER_BOARDS", 0)):
        with override_settings(**{name: value}):
            assert "uploadBoards" not in permissions_of(member), name


def test_the_document_lists_every_word() -> None:
    schemas = document()["components"]["schemas"]
    (enum,) = [schema["enum"] for name, schema in schemas.items() if "changeOwnAccount" in schema.get("enum", ())]
    assert enum == sorted(ABILITIES)
    assert schemas["OwnAccount"]["properties"]["permissions"]["type"] == "array"
    assert "permissions" in schemas["OwnAccount"]["required"]


def test_a_patch_may_name_what_me_has_answered(client_of: Callable[[Account], APIClient], support: APIClient) -> None:
    """`me` has another ETag than the account, since it has the permissions. A client may have read either."""
    as_zia = client_of(factories.account("zia"))
    own = support.get("/api/accounts/me")["ETag"]
    read = as_zia.get("/api/accounts/me")["ETag"]
    for client, etag, status in ((as_zia, read, 200), (as_zia, read, 412), (support, own, 412)):
        change = {"displayName": f"{status}"}
        assert client.patch("/api/accounts/zia", change, headers={"if-match": etag}).status_code == status
        assert Account.objects.get(pk="zia").display_name == "200"
