"""`permissions` of GET /api/accounts/me: what the caller may do now."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings
from rest_framework.test import APIClient

from accounts.abilities import ABILITIES
from accounts.models import Account
from tests import factories
from tests.conformance.document import document
from tests.conftest import token_of

pytestmark = pytest.mark.django_db

MEMBERS = {"askToPublish", "changeOwnAccount", "makeCollections", "uploadBoards", "vote"}
SUPPORTS = MEMBERS | {"changeAccounts", "impersonate"}
ADMINS = SUPPORTS | {"giveRoles"}


def permissions_of(client: APIClient) -> list[str]:
    return client.get("/api/accounts/me").json()["permissions"]


def test_a_role_gives_its_permissions_in_order(member: APIClient, support: APIClient, admin: APIClient) -> None:
    told = [permissions_of(client) for client in (member, support, admin)]
    assert told == [sorted(names) for names in (MEMBERS, SUPPORTS, ADMINS)]


def test_how_members_publish_is_told_and_what_no_page_offers_is_not(member: APIClient, settings: Any) -> None:
    for publishing, expected in (("off", set()), ("review", {"askToPublish"}), ("open", {"publishBoards"})):
        settings.MEMBER_PUBLISHING = publishing
        assert {*permissions_of(member)} & {"askToPublish", "publishBoards"} == expected, publishing
    for name, value in (("DEVELOPMENT_SIGN_IN", False), ("MEMBER_BOARDS", 0)):
        with override_settings(**{name: value}):
            assert "uploadBoards" not in permissions_of(member), name


def test_whoever_impersonates_may_do_nothing() -> None:
    running = factories.impersonation(factories.account("sue", role="support"), factories.account("zia"))
    headers = {"authorization": f"Bearer {token_of(running.actor)}", "x-impersonation-id": str(running.pk)}
    me = APIClient(headers=headers).get("/api/accounts/me").json()
    assert (me["id"], me["permissions"]) == ("zia", [])


def test_nobody_is_told_what_another_may_do(member: APIClient, admin: APIClient) -> None:
    for client, other in ((member, "admin"), (admin, "member")):
        assert "permissions" not in client.get(f"/api/accounts/{other}").json()


def test_the_document_lists_every_word() -> None:
    schemas = document()["components"]["schemas"]
    (enum,) = [schema["enum"] for name, schema in schemas.items() if "changeOwnAccount" in schema.get("enum", ())]
    assert enum == sorted(ABILITIES)
    assert schemas["OwnAccount"]["properties"]["permissions"]["type"] == "array"
    assert "permissions" in schemas["OwnAccount"]["required"]


def test_me_is_the_own_id_with_permissions(client_of: Callable[[Account], APIClient]) -> None:
    as_zia = client_of(factories.account("zia"))
    me, own = as_zia.get("/api/accounts/me"), as_zia.get("/api/accounts/zia")
    assert "permissions" not in own.json()
    assert me.json() == {**own.json(), "permissions": me.json()["permissions"]}
    assert me["ETag"] != own["ETag"]


def test_a_patch_may_name_what_me_has_answered(client_of: Callable[[Account], APIClient], support: APIClient) -> None:
    """`me` has another ETag than the account, since it has the permissions. A client may have read either."""
    as_zia = client_of(factories.account("zia"))
    own = support.get("/api/accounts/me")["ETag"]
    read = as_zia.get("/api/accounts/me")["ETag"]
    for client, etag, status in ((as_zia, read, 200), (as_zia, read, 412), (support, own, 412)):
        change = {"displayName": f"{status}"}
        assert client.patch("/api/accounts/zia", change, headers={"if-match": etag}).status_code == status
        assert Account.objects.get(pk="zia").display_name == "200"
