"""A person's data on request, from the shell."""

import io
import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import Account, Session
from accounts.signing_in.sessions import SessionStore
from tests.accounts.conftest import everything

pytestmark = pytest.mark.django_db


def run(name: str, *arguments: str) -> str:
    out = io.StringIO()
    call_command(name, *arguments, stdout=out)
    return out.getvalue()


def test_export_account_prints_the_file(world: Account) -> None:
    assert json.loads(run("export_account", "zia"))["account"]["id"] == "zia"


def test_erase_account_reports_in_a_dry_run_and_then_erases(world: Account) -> None:
    before = everything()
    said = run("erase_account", "zia", "--dry-run")
    assert said == (
        "Would erase zia: 0 sessions ended, 1 names replaced in the admin's log, 1 one-time codes deleted, "
        "1 themes given to the service, 3 boards given to the service, 0 uploaded files deleted, "
        "0 boards taken out of collections, 0 collections deleted, 4 votes deleted, "
        "1 impersonations ended.\n"
    )
    assert everything() == before
    assert run("erase_account", "zia") == said.replace("Would erase", "Erased")
    assert not Account.objects.get(pk="zia").is_active


@pytest.mark.parametrize("name", ["erase_account", "export_account"])
def test_an_unknown_account_is_named_in_the_error(name: str) -> None:
    with pytest.raises(CommandError, match="no account nobody"):
        run(name, "nobody")


def test_nobody_erases_the_account_of_the_system() -> None:
    with pytest.raises(CommandError, match="The account system cannot be erased"):
        run("erase_account", SYSTEM)


def test_prune_deletes_expired_sessions() -> None:
    """A browser that goes to the identity provider and never comes back leaves one."""
    SessionStore().save()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    SessionStore().save()
    run("prune", "--dry-run")
    assert Session.objects.count() == 2
    run("prune")
    assert [session.expire_date > timezone.now() for session in Session.objects.all()] == [True]
