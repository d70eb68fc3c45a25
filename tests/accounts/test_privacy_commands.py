"""A person's data on request, from the shell."""

import io
import json
from datetime import timedelta

import pytest
from django.core.management import CommandError
from django.test import TestCase
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import Account, Session
from accounts.signing_in.sessions import SessionStore
from tests import factories
from tests.accounts.conftest import everything
from tests.accounts.test_commands import run
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db


def test_export_account_prints_the_file_and_erase_account_reports_in_a_dry_run_and_then_erases(world: Account) -> None:
    assert json.loads(run("export_account", "zia"))["account"]["id"] == "zia"
    before = everything()
    said = run("erase_account", "zia", "--dry-run")
    assert said == (
        "Would erase zia: 0 sessions ended, 1 names replaced in the admin's log, 1 one-time codes deleted, "
        "1 themes given to the service, 3 boards given to the service, 0 uploaded files deleted, "
        "0 boards taken out of collections, 0 collections deleted, 4 votes deleted, "
        "1 impersonations ended and their reasons deleted.\n"
    )
    assert everything() == before
    assert run("erase_account", "zia") == said.replace("Would erase", "Erased")
    assert not Account.objects.get(pk="zia").is_active
    for command in (("erase_account", "nobody"), ("export_account", "nobody"), ("erase_account", SYSTEM)):
        with pytest.raises(CommandError, match=r"no account nobody|The account system cannot be erased"):
            run(*command)


def test_erase_again_erases_those_whom_the_log_names_and_nobody_else(
    zia: Account, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An erasure after the backup; then the backup is there again."""
    factories.account("mia@example.org", display_name="Mia")
    factories.account("stays", display_name="Stays")
    backup = {account.pk: account for account in Account.objects.filter(pk__in=["zia", "mia@example.org"])}
    with TestCase.captureOnCommitCallbacks(execute=True):
        for name in ("mia@example.org", "zia"):
            run("erase_account", name)
        run("erase_account", "stays", "--dry-run")
    log = ["Traceback (most recent call last):", '"account_erased"', "[]", *lines.raw]
    log.append(json.dumps({"logger": "security", "event": "account_erased", "subject": "unknown"}))
    log.append(json.dumps({"logger": "access", "event": "account_erased", "subject": "stays"}))
    assert "mia@" not in "".join(log)
    Account.objects.filter(pk__in=backup).delete()
    Account.objects.bulk_create(backup.values())

    before = everything()
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(log)))
    said = run("erase_again", "--dry-run")
    assert said == "Would erase mia@example.org.\nWould erase zia.\nunknown is not in this database.\n"
    assert everything() == before
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(log)))
        assert run("erase_again") == said.replace("Would erase", "Erased")
        names = dict(Account.objects.exclude(pk=SYSTEM).values_list("pk", "display_name"))
        assert {names["zia"], names["mia@example.org"]} == {""} and names["stays"] == "Stays"
        assert not any(Account.objects.filter(pk__in=backup).values_list("is_active", flat=True))


def test_erase_again_says_whom_it_could_not_erase_and_goes_on(zia: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    factories.account("boss", role="admin")
    log = [json.dumps({"logger": "security", "event": "account_erased", "subject": name}) for name in ("boss", "zia")]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(log)))
    with pytest.raises(CommandError, match="1 account could not be erased"):
        run("erase_again")
    assert Account.objects.get(pk="boss").is_active and Account.objects.get(pk="zia").erased_at


def test_prune_deletes_expired_sessions() -> None:
    """A browser that goes to the identity provider and never comes back leaves one."""
    SessionStore().save()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    SessionStore().save()
    run("prune", "--dry-run")
    assert Session.objects.count() == 2
    run("prune")
    assert [session.expire_date > timezone.now() for session in Session.objects.all()] == [True]
