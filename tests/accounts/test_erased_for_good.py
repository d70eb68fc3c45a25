"""An erased account is never switched on again: not by the interface, the admin, a command or a statement."""

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import Account
from tests import factories
from tests.accounts.erasing import erase
from tests.accounts.test_last_admin import save_in_the_admin
from tests.answers import assert_error

pytestmark = pytest.mark.django_db


@pytest.fixture
def erased(db: None) -> Account:
    factories.account("zia", display_name="Zia")
    factories.account("another admin", role="admin")
    erase()
    return Account.objects.get(pk="zia")


def stays_erased(account: Account) -> bool:
    row = Account.objects.get(pk=account.pk)
    return (row.is_active, row.role, row.erased_at) == (False, "member", account.erased_at)


def test_the_interface_refuses_it_and_another_field_can_be_changed_as_before(admin: APIClient, erased: Account) -> None:
    for change in ({"isActive": True}, {"role": "support"}, {"isActive": True, "role": "admin"}):
        refusal = assert_error(admin.patch("/api/accounts/zia", change), 400, "validation_error")
        (error,) = refusal["meta"]["fields"]["isActive"]
        assert error["code"] == "erased" and "was erased" in error["message"], change
        assert stays_erased(erased), change
    assert admin.patch("/api/accounts/zia", {"country": "NL"}).status_code == 200
    factories.account("yan")
    for value in (False, True):
        assert admin.patch("/api/accounts/yan", {"isActive": value}).json()["isActive"] is value, "only suspended"


def test_the_admin_refuses_it(erased: Account) -> None:
    boss = Client()
    boss.force_login(factories.account("boss", role="admin"))
    assert save_in_the_admin(boss, erased).status_code == 302
    for change in ({"is_active": "on"}, {"role": "admin"}):
        answer = save_in_the_admin(boss, erased, **change)
        assert answer.status_code == 200 and "was erased" in answer.content.decode()
    assert stays_erased(erased)


def test_commands_and_the_database_refuse_it_and_erasing_again_keeps_the_time_of_the_first(erased: Account) -> None:
    for command in (("create_staff", "--id", "zia", "--generated"), ("issue_token", "zia", "--role", "support")):
        with pytest.raises(CommandError, match="was erased"):
            call_command(*command)
        assert stays_erased(erased), command
    for change in (
        {"is_active": True}, {"role": "admin"}, {"erased_at": None}, {"erased_at": None, "is_active": True},
    ):  # fmt: skip
        with pytest.raises(IntegrityError), transaction.atomic():
            Account.objects.filter(pk="zia").update(**change)
        assert stays_erased(erased), change
    erase()
    assert stays_erased(erased)
