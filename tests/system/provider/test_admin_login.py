"""Logging in to the admin with a real OpenID provider."""

from typing import Any

import pytest
from django.contrib.auth.signals import user_login_failed
from django.test import Client

from accounts.models import Account
from tests import factories
from tests.system.provider.ways_in import ADMIN, CLIENTS, signed_in_as

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("doors")]


@pytest.fixture
def alice(transactional_db: None) -> Account:
    return factories.account("alice", role="admin")


@pytest.mark.parametrize("kind", CLIENTS)
def test_staff_sign_in_with_the_provider(kind: str, alice: Account, settings: Any) -> None:
    settings.ADMIN_OIDC_CLIENT_ID, settings.ADMIN_OIDC_CLIENT_SECRET = f"admin-{kind}", CLIENTS[kind]
    client = Client()
    answer = ADMIN.sign_in(client, "alice", "?next=/admin/boards/board/")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/boards/board/")
    assert client.get("/admin/boards/board/").status_code == 200
    assert client.session["_auth_user_backend"] == "accounts.backends.ProviderBackend"
    assert not [name for name in client.session.keys() if name.startswith("admin_")]  # noqa: SIM118


def test_who_is_no_active_member_of_staff_is_not_let_in_and_gets_no_account(transactional_db: None) -> None:
    factories.account("member")
    factories.account("off", role="admin", is_active=False)
    failed: list[str] = []

    def note(credentials: dict[str, str], **kwargs: object) -> None:
        failed.append(credentials["username"])

    user_login_failed.connect(note)
    for account in ("nobody", "member", "off"):
        client = Client()
        answer = ADMIN.sign_in(client, account)
        assert answer.status_code == 403
        assert f"The account {account} is no active member of staff" in answer.content.decode()
        assert signed_in_as(client) is None
    user_login_failed.disconnect(note)
    assert failed == ["nobody", "member", "off"]
    assert not Account.objects.filter(pk="nobody").exists()


def test_a_target_outside_the_admin_is_not_followed(alice: Account) -> None:
    for target in ("https://evil.example/", "//evil.example/admin", "/boards", "javascript:1"):
        assert ADMIN.sign_in(Client(), "alice", f"?next={target}")["Location"] == "/admin/", target


def test_passwords_are_switched_off(alice: Account, settings: Any) -> None:
    alice.set_password("correct horse battery")
    alice.save()
    client, with_password = Client(), Client()
    page = client.get("/admin/login/?next=/admin/boards/board/").content.decode()
    assert 'href="/admin/login/provider/?next=%2Fadmin%2Fboards%2Fboard%2F"' in page
    assert 'type="password"' not in page
    typed = {"username": "alice", "password": "correct horse battery"}
    answer = client.post("/admin/login/", typed)
    assert answer.status_code == 403 and "Passwords are switched off" in answer.content.decode()
    assert not client.login(**typed) and signed_in_as(client) is None
    assert ADMIN.sign_in(client, "alice").status_code == 302
    assert client.get("/admin/password_change/").status_code == 403

    backends = ["accounts.backends.PasswordBackend", "accounts.backends.ProviderBackend"]
    settings.AUTHENTICATION_BACKENDS = backends
    with_password.force_login(alice, backend=backends[0])
    assert [each.get("/admin/").status_code for each in (with_password, client)] == [200, 200]
    settings.AUTHENTICATION_BACKENDS = backends[1:]
    assert [each.get("/admin/").status_code for each in (with_password, client)] == [302, 200], "its sessions end"


def test_without_a_client_there_is_no_such_way(settings: Any, transactional_db: None) -> None:
    settings.ADMIN_OIDC_CLIENT_ID = ""
    assert [Client().get(path).status_code for path in (ADMIN.begin, ADMIN.callback)] == [404, 404]
    assert "identity provider" not in Client().get("/admin/login/").content.decode()
