"""What a role allows in the admin, and that the last active admin is neither demoted nor deactivated, by whomever."""

import io
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import CommandError, call_command
from django.test import Client
from rest_framework.test import APIClient

from accounts.identifiers import SYSTEM
from accounts.models import Account
from accounts.roles import SUPPORT_PERMISSIONS, ensure_support_group
from tests import factories
from tests.answers import assert_error
from tests.conftest import token_of
from tests.meetings import at_once
from tests.undone import undone

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"


def staff(role: str, **values: object) -> Account:
    account = factories.account(role, role=role, **values)
    account.set_password(PASSWORD)
    account.save()
    return account


def log_in(account_id: str, password: str = PASSWORD) -> bool:
    response = Client().post("/admin/login/?next=/admin/", {"username": account_id, "password": password})
    return response.status_code == 302 and response["Location"] == "/admin/"


def test_admins_have_every_right_support_those_of_its_group_and_nobody_else_any() -> None:
    assert len(staff("admin").get_all_permissions()) == Permission.objects.count()
    support = staff("support")
    assert support.get_all_permissions() == set(), "before the group exists"
    call_command("load_reference_data", verbosity=0)
    support = Account.objects.get(pk="support")
    expected = {f"{app}.{name}" for app, names in SUPPORT_PERMISSIONS.items() for name in names}
    assert support.get_all_permissions() == expected
    assert len(expected) == Group.objects.get(name="support").permissions.count()
    member = staff("member")
    assert member.get_all_permissions() == set() and not member.has_module_perms("boards")
    for role in Account.Role.values:
        assert factories.account(role=role, is_active=False).get_all_permissions() == set(), role
    Account.objects.update(role="member")
    assert Account.objects.get(pk="support").get_all_permissions() == set()


@pytest.mark.usefixtures("reference_data")
def test_a_change_of_the_group_by_admins_holds_and_is_not_undone() -> None:
    group = Group.objects.get(name="support")
    group.permissions.remove(Permission.objects.get(codename="change_theme"))
    group.permissions.add(Permission.objects.get(codename="delete_theme"))
    assert ensure_support_group() is False
    support = staff("support")
    assert support.has_perm("themes.delete_theme")
    assert not support.has_perm("themes.change_theme")


def test_active_staff_log_in_to_the_admin_with_id_and_password_and_nobody_else() -> None:
    for role in Account.Role.values:
        staff(role)
    assert {role: log_in(role) for role in Account.Role.values} == {"member": False, "support": True, "admin": True}
    assert [log_in("admin", password) for password in ("", "wrong", PASSWORD.capitalize())] == [False] * 3
    factories.account("without a password", role="admin")
    Account.objects.filter(pk=SYSTEM).update(role="admin", is_active=True)
    for account in ("without a password", SYSTEM):
        assert not log_in(account, "") and not log_in(account, "!"), account
    Account.objects.update(is_active=False)
    assert not log_in("admin")


@pytest.mark.usefixtures("reference_data")
def test_support_cannot_touch_an_admins_account_or_give_roles() -> None:
    staff("support")
    factories.account("boss", role="admin")
    factories.account("zia")
    client = Client()
    client.force_login(Account.objects.get(pk="support"))
    sent = {"display_name": "Taken", "role": "admin", "auction_system": "other", "is_active": "on"}
    assert client.post("/admin/accounts/account/boss/change/", sent).status_code == 403
    assert client.post("/admin/accounts/account/zia/change/", sent).status_code == 302
    stored = dict(Account.objects.values_list("pk", "role"))
    assert (stored["boss"], stored["zia"]) == ("admin", "member")
    assert list(Account.objects.filter(display_name="Taken")) == [Account(pk="zia")]


CHANGES: list[dict[str, Any]] = [
    {"role": "member"}, {"role": "support"}, {"isActive": False}, {"role": "member", "isActive": False},
]  # fmt: skip


def admins() -> set[str]:
    return set(Account.objects.filter(role="admin", is_active=True).values_list("pk", flat=True))


def test_the_last_admin_cannot_demote_or_deactivate_itself_and_may_change_everything_else(admin: APIClient) -> None:
    factories.account(role="admin", is_active=False)
    factories.account(role="support")
    for change in CHANGES:
        response = admin.patch("/api/accounts/admin", {"displayName": "Taken", **change})
        assert "role admin first" in assert_error(response, 409, "last_admin")["message"]
        assert admins() == {"admin"}, change
        assert not Account.objects.filter(display_name="Taken").exists()
    change = {"displayName": "Ada", "role": "admin", "isActive": True}
    assert admin.patch("/api/accounts/admin", change).status_code == 200


def test_one_of_two_admins_may_go_and_the_other_may_not(admin: APIClient) -> None:
    for change in CHANGES:
        other = factories.account(role="admin")
        assert admin.patch(f"/api/accounts/{other.pk}", change).status_code == 200, change
        assert_error(admin.patch("/api/accounts/admin", change), 409, "last_admin")
        assert admins() == {"admin"}, change


def patch(change: dict[str, Any], token: str, account: str) -> int:
    client = APIClient(headers={"authorization": f"Bearer {token}"})
    return client.patch(f"/api/accounts/{account}", change).status_code


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", CHANGES[1:3], ids=str)
@pytest.mark.parametrize("targets", ["each other", "themselves"])
def test_two_admins_who_go_at_once_leave_one(change: dict[str, Any], targets: str) -> None:
    for turn in range(3):
        ids = [f"{name}-{turn}" for name in ("ada", "ben")]
        tokens = [token_of(factories.account(account, role="admin")) for account in ids]
        changed = ids if targets == "themselves" else ids[::-1]
        statuses = at_once(partial(patch, change, *pair) for pair in zip(tokens, changed, strict=True))
        # The second may find that it was demoted or switched off before it was asked who it is.
        assert statuses.count(200) == 1 and set(statuses) <= {200, 401, 403, 409}, statuses
        assert len(admins()) == 1
        Account.objects.filter(pk__in=ids).update(role="member")


def test_no_command_takes_the_last_admin_away(admin: APIClient, subtests: pytest.Subtests) -> None:
    for command in [
        ("create_staff", "--id", "admin", "--role", "support", "--generated"),
        ("issue_token", "admin", "--role", "member"), ("issue_token", "admin", "--role", "support"),
        ("erase_account", "admin"), ("erase_account", "admin", "--dry-run"),
    ]:  # fmt: skip
        with subtests.test(repr(command)), undone():
            before = Account.objects.values().get(pk="admin")
            with pytest.raises(CommandError, match="last active admin"):
                call_command(*command, stdout=io.StringIO())
            assert Account.objects.values().get(pk="admin") == before
            factories.account("other", role="admin")
            call_command(*command, stdout=io.StringIO())
            assert admins() == ({"admin", "other"} if "--dry-run" in command else {"other"})


def save_in_the_admin(client: Client, account: Account, **changes: Any) -> Any:
    page = f"/admin/accounts/account/{account.pk}/change/"
    shown = client.get(page).context["adminform"].form
    values = {name: shown.get_initial_for_field(field, name) for name, field in shown.fields.items()}
    sent = {name: value for name, value in {**values, **changes}.items() if value not in (None, False)}
    return client.post(page, sent)


def test_the_django_admin_keeps_the_last_admin() -> None:
    boss, client = factories.account("boss", role="admin"), Client()
    client.force_login(boss)
    for change in ({"role": "member"}, {"is_active": False}):
        refused = save_in_the_admin(client, boss, display_name="Taken", **change)
        assert refused.status_code == 200 and "This account is the last active admin." in refused.content.decode()
        assert admins() == {"boss"} and not Account.objects.filter(display_name="Taken").exists(), change
        assert save_in_the_admin(client, factories.account(role="admin"), **change).status_code == 302
        assert admins() == {"boss"}, change
    assert save_in_the_admin(client, boss, display_name="Kept").status_code == 302


def test_what_is_no_country_any_more_is_shown_and_kept_by_the_api_and_refused_by_the_admin(admin: APIClient) -> None:
    Account.objects.filter(pk="admin").update(country="ZZ")
    assert admin.get("/api/accounts/admin").json()["country"] == "ZZ"
    assert admin.patch("/api/accounts/admin", {"displayName": "Ada"}).json()["country"] == "ZZ"
    boss, client = Account.objects.get(pk="admin"), Client()
    client.force_login(boss)
    assert "Not a country of ISO 3166-1" in save_in_the_admin(client, boss).content.decode()
    assert save_in_the_admin(client, boss, country="NL").status_code == 302
    assert Account.objects.get(pk="admin").country == "NL"
