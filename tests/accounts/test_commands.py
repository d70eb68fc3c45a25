"""manage.py issue_token, create_staff, createsuperuser and enrol_one_time_code, and a person's data from the shell."""

import io
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client, TestCase
from django.utils import timezone
from pytest_django import Settings

from accounts.identifiers import LOCAL_ADMIN, SYSTEM
from accounts.management.commands import create_staff
from accounts.models import Account, OneTimeCode, Session
from accounts.models.sessions import SessionStore
from accounts.password_words import CONTEXT_WORDS
from accounts.tokens import development
from tests import factories
from tests.accounts.conftest import everything, who
from tests.accounts.enrolled import secret_of
from tests.answers import assert_error
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db


def run(name: str, *arguments: str, **options: Any) -> str:
    out = io.StringIO()
    call_command(name, *arguments, stdout=out, stderr=out, **options)
    return out.getvalue()


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that sets what is typed at the question for a password."""
    monkeypatch.setattr("sys.stdin", Terminal())
    return lambda answer: monkeypatch.setattr(create_staff, "getpass", lambda prompt: answer)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_issue_token_prints_the_token_and_nothing_else() -> None:
    printed = run("issue_token", "zia")
    assert printed.endswith("\n") and printed.count("\n") == 1
    answer = who(f"Bearer {printed.rstrip()}").json()
    assert (answer["id"], answer["role"]) == ("zia", "member")


def test_issue_token_gives_a_role_and_keeps_the_rest_of_the_account() -> None:
    factories.account("zia", display_name="Zia")
    run("issue_token", "zia", "--role", "support")
    run("issue_token", "zia")
    zia = Account.objects.get(pk="zia")
    assert (zia.role, zia.display_name) == ("support", "Zia")


def test_issue_token_refuses_where_tokens_come_from_a_provider(settings: Settings) -> None:
    settings.DEVELOPMENT_TOKENS = False
    with pytest.raises(CommandError, match="identity provider"):
        run("issue_token", "zia")
    assert not Account.objects.filter(pk="zia").exists()


def test_no_command_takes_an_invalid_id() -> None:
    before = Account.objects.count()
    for account in ("", "me", "system", ".", "..", "a b", "é", "a/b", "a\n", "x" * 256):
        for command in (("issue_token",), ("create_staff", "--generated", "--id")):
            with pytest.raises(CommandError, match="cannot be an account's id"):
                run(*command, account)
        if account:
            with pytest.raises(CommandError):
                run("createsuperuser", "--id", account, interactive=False)
        assert Account.objects.count() == before, account


def test_no_command_gives_a_role_that_it_does_not_know() -> None:
    for command in (("issue_token", "zia", "--role", "owner"), ("create_staff", "--id", "zia", "--role", "member")):
        with pytest.raises(CommandError, match="invalid choice"):
            run(*command)


def test_no_token_names_the_local_admin() -> None:
    factories.account(LOCAL_ADMIN, role="admin")
    with pytest.raises(CommandError, match="cannot be an account's id"):
        run("issue_token", LOCAL_ADMIN)
    token = development.issue_token(LOCAL_ADMIN, timedelta(hours=1))
    assert_error(who(f"Bearer {token}"), 401, "invalid_token")


def test_create_staff_makes_an_account_that_can_log_in_and_keeps_the_rest_of_one_that_exists(
    typed: Callable[[str], None],
) -> None:
    factories.account("support", display_name="Zia")
    factories.account("boss", role="admin")
    typed("a long enough one")
    assert run("create_staff", "--id", "boss") == "The account boss has the role admin.\n", "it stays an admin"
    assert run("create_staff", "--id", "support") == "The account support has the role support instead of member.\n"
    assert Account.objects.get(pk="support").display_name == "Zia"
    said = run("create_staff", "--id", "auth0|zia", "--role", "admin")
    assert said == "The account auth0|zia has the role admin.\n"
    for account in ("support", "auth0|zia", "boss"):
        browser = Client()
        browser.post("/admin/login/?next=/admin/", {"username": account, "password": "a long enough one"})
        assert browser.get("/admin/").context["user"].pk == account
    answer = who(f"Bearer {run('issue_token', 'auth0|zia').rstrip()}").json()
    assert (answer["id"], answer["role"]) == ("auth0|zia", "admin"), "the token's account is that of the login"


def test_create_staff_refuses_a_weak_password_and_stores_nothing(
    typed: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for password in (
        "short", "password123", "Bridge-Club-2026", "ADMINtestserver!7", "spadeHEART-diamond", "zia-from-oslo1"
    ):  # fmt: skip
        typed(password)
        with pytest.raises(CommandError):
            run("create_staff", "--id", "zia-from-oslo")
        assert not Account.objects.filter(pk="zia-from-oslo").exists(), password

    def end_of_input(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(create_staff, "getpass", end_of_input)
    with pytest.raises(CommandError, match="The password is empty"):
        run("create_staff", "--id", "zia-from-oslo")
    assert not Account.objects.filter(pk="zia-from-oslo").exists()


def test_create_staff_takes_a_password_of_any_characters(typed: Callable[[str], None]) -> None:
    for password in ("8472619305", "ябълкагрозде", "🂡🂱🃁🃑🂡🂱🃁🃑", "bridge is a game for life"):
        typed(password)
        run("create_staff", "--id", "zia")
        assert Account.objects.get(pk="zia").check_password(password), password


def test_the_words_that_make_no_password_strong_are_documented() -> None:
    page = (settings.BASE_DIR / "docs/reliability/sign-in.md").read_text(encoding="utf-8")
    (paragraph,) = (part for part in page.split("\n\n") if part.startswith("These words count for nothing"))
    assert re.findall(r"`([a-z]+)`", paragraph) == [*CONTEXT_WORDS]


def test_create_staff_generates_a_password_once_only(settings: Settings) -> None:
    factories.account(role="admin")
    run("issue_token", "zia")  # an account without a password
    password = run("create_staff", "--id", "zia", "--role", "admin", "--generated").split()[-1]
    assert len(password) >= 12
    again = run("create_staff", "--id", "zia", "--role", "support", "--generated")
    assert again == "The account zia has the role support instead of admin and keeps its password.\n"
    assert Account.objects.get(pk="zia").check_password(password)
    settings.ADMIN_PASSWORDS = False
    assert "signs in with the identity provider" in run("create_staff", "--id", "mia", "--generated")
    mia = Account.objects.get(pk="mia")
    assert (mia.role, mia.password) == ("support", "")


def test_create_staff_enrols_an_account_once_where_codes_are_asked_for(
    settings: Settings, typed: Callable[[str], None]
) -> None:
    for passwords, codes in ((True, False), (False, True)):
        settings.ADMIN_PASSWORDS, settings.ADMIN_ONE_TIME_CODES = passwords, codes
        assert "otpauth" not in run("create_staff", "--id", "zia", "--generated")
        assert not OneTimeCode.objects.exists(), (passwords, codes)
    settings.ADMIN_PASSWORDS = True
    assert len(secret_of(run("create_staff", "--id", "mia", "--generated"))) == 20
    stored = OneTimeCode.objects.get(pk="mia").secret
    typed("a long enough one")  # as a new password
    for more in (["--generated"], []):
        assert "otpauth" not in run("create_staff", "--id", "mia", *more)
        assert OneTimeCode.objects.get(pk="mia").secret == stored


def test_enrol_one_time_code_prints_what_an_app_reads_and_replaces_the_former(settings: Settings) -> None:
    settings.PUBLIC_BASE_URL = "https://boards.example"
    factories.account("zia", role="support")
    printed = run("enrol_one_time_code", "zia")
    assert "otpauth://totp/boards.example:zia?digits=6&secret=" in printed
    former = secret_of(printed)
    assert secret_of(run("enrol_one_time_code", "zia")) != former
    assert OneTimeCode.objects.filter(pk="zia").count() == 1


def test_enrol_one_time_code_is_for_staff() -> None:
    factories.account("member")
    for account, reason in (("nobody", "no account"), ("member", "no staff role")):
        with pytest.raises(CommandError, match=reason):
            run("enrol_one_time_code", account)
    assert not OneTimeCode.objects.exists()


class Closed(io.StringIO):
    def flush(self) -> None:
        raise BrokenPipeError


@pytest.mark.django_db(transaction=True)
def test_a_secret_or_password_that_could_not_be_printed_is_not_stored() -> None:
    inside = Client()
    inside.force_login(factories.account("zia", role="support"))
    for command in (("enrol_one_time_code", "zia"), ("create_staff", "--id", "mia", "--generated")):
        with pytest.raises(BrokenPipeError):
            call_command(*command, stdout=Closed())
    assert not OneTimeCode.objects.exists() and not Account.objects.filter(pk="mia").exists()
    assert inside.get("/admin/").status_code == 200, "its sessions go on"


def test_no_command_asks_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in (("create_staff", "--id", "zia", "--role", "admin"), ("createsuperuser", "--id", "zia")):
        monkeypatch.setattr("sys.stdin", io.StringIO("a password in a pipe\n"))
        with pytest.raises(CommandError, match=r"No terminal.*--generated"):
            run(*command)
        assert not Account.objects.filter(pk="zia").exists(), command


def test_createsuperuser_makes_an_admin_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "a long enough one")
    run("createsuperuser", "--id", "zia", interactive=False)
    zia = Account.objects.get(pk="zia")
    assert (zia.role, zia.check_password("a long enough one")) == ("admin", True)
    with pytest.raises(CommandError, match="already taken"):
        run("createsuperuser", "--id", "zia", interactive=False)


def test_export_account_prints_the_file_and_erase_account_reports_in_a_dry_run_and_then_erases(world: Account) -> None:
    assert json.loads(run("export_account", "zia"))["account"]["id"] == "zia"
    before = everything()
    said = run("erase_account", "zia", "--dry-run")
    assert said == (
        "Would erase zia: 0 sessions ended, 1 names replaced in the admin's log, "
        "1 addresses for the mail of the week deleted, 1 one-time codes deleted, "
        "1 themes kept without a name, 3 boards deleted or, if published, kept without a name, "
        "0 rankings of events deleted, "
        "0 uploaded files deleted, "
        "0 classes deleted, 0 boards taken out of collections, 0 collections deleted, 4 votes deleted, "
        "1 impersonations ended and their reasons deleted.\n"
    )
    assert everything() == before
    assert run("erase_account", "zia") == said.replace("Would erase", "Erased")
    assert not Account.objects.get(pk="zia").is_active
    for command in (("erase_account", "nobody"), ("export_account", "nobody"), ("erase_account", SYSTEM)):
        with pytest.raises(CommandError, match=r"no account nobody|The account “system” cannot be erased"):
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
