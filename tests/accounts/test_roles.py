"""What a role allows in the admin, and logging in to it."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.test import Client

from accounts.identifiers import SYSTEM
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
