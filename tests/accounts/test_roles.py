"""What a role allows in the admin, and logging in to it."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client

from accounts.models import Account
from accounts.roles import SUPPORT_PERMISSIONS, ensure_support_group
from tests import factories

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


@pytest.mark.usefixtures("reference_data")
def test_support_has_the_rights_of_its_group() -> None:
    expected = {f"{app}.{name}" for app, names in SUPPORT_PERMISSIONS.items() for name in names}
    assert staff("support").get_all_permissions() == expected
    assert len(expected) == Group.objects.get(name="support").permissions.count()


@pytest.mark.usefixtures("reference_data")
def test_a_change_of_the_group_by_admins_holds_and_is_not_undone() -> None:
    group = Group.objects.get(name="support")
    group.permissions.remove(Permission.objects.get(codename="change_theme"))
    group.permissions.add(Permission.objects.get(codename="delete_theme"))
    assert ensure_support_group() is False
    support = staff("support")
    assert support.has_perm("themes.delete_theme")
    assert not support.has_perm("themes.change_theme")


def test_admins_have_every_right_and_support_none_before_the_group_exists() -> None:
    assert len(staff("admin").get_all_permissions()) == Permission.objects.count()
    assert staff("support").get_all_permissions() == set()


@pytest.mark.usefixtures("reference_data")
def test_members_and_inactive_accounts_have_no_rights() -> None:
    member = staff("member")
    assert member.get_all_permissions() == set()
    assert not member.has_module_perms("boards")
    for role in Account.Role.values:
        account = factories.account(role=role, is_active=False)
        assert account.get_all_permissions() == set(), role


@pytest.mark.usefixtures("reference_data")
def test_an_account_loses_its_rights_with_its_role() -> None:
    staff("support")
    Account.objects.update(role="member")
    assert Account.objects.get(pk="support").get_all_permissions() == set()


def test_active_staff_log_in_to_the_admin_with_id_and_password_and_nobody_else() -> None:
    for role in Account.Role.values:
        staff(role)
    assert {role: log_in(role) for role in Account.Role.values} == {"member": False, "support": True, "admin": True}
    wrong = ("", "wrong", PASSWORD.capitalize())
    assert {password: log_in("admin", password) for password in wrong} == dict.fromkeys(wrong, False)
    Account.objects.update(is_active=False)
    assert not log_in("admin")


def test_an_account_without_a_password_cannot_log_in() -> None:
    factories.account("admin", role="admin")
    Account.objects.filter(pk="system").update(role="admin", is_active=True)
    for password in ("", "!"):
        assert not log_in("admin", password) and not log_in("system", password), password


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
