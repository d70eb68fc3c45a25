"""Logging in to the admin with a real OpenID provider: authorization code flow with PKCE, state and nonce."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.signals import user_login_failed
from django.test import Client

from accounts.models import Account
from tests import factories
from tests.system.provider.openid_provider import OpenIdProvider
from tests.system.provider.ways_in import ADMIN, FROM_OUR_PAGE, HOST, SECRET

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("doors")]

BEGIN, CALLBACK = ADMIN.begin, ADMIN.callback


@pytest.fixture
def alice(transactional_db: None) -> Account:
    return factories.account("alice", role="admin")


@pytest.mark.parametrize(
    ("client_id", "secret"), [("admin-basic", SECRET), ("admin-es256", SECRET), ("admin-public", "")]
)
def test_staff_sign_in_with_the_provider(client_id: str, secret: str, alice: Account, settings: Any) -> None:
    settings.ADMIN_OIDC_CLIENT_ID, settings.ADMIN_OIDC_CLIENT_SECRET = client_id, secret
    client = Client()
    answer = ADMIN.sign_in(client, "alice", "?next=/admin/boards/board/")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/boards/board/")
    assert client.get("/admin/boards/board/").status_code == 200
    assert client.session["_auth_user_backend"] == "accounts.backends.ProviderBackend"
    assert not [name for name, _ in client.session.items() if name.startswith("admin_")]


def test_the_browser_is_sent_with_state_nonce_and_a_challenge(alice: Account) -> None:
    first, second = (parse_qs(urlsplit(ADMIN.to_provider(Client())).query) for _ in range(2))
    assert first["response_type"] == ["code"] and first["code_challenge_method"] == ["S256"]
    assert first["redirect_uri"] == [HOST + CALLBACK]
    assert first["scope"] == ["openid"]
    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name][0]) >= 20 and first[name] != second[name]


@pytest.mark.parametrize("account", ["nobody", "member", "off"])
def test_who_is_no_active_member_of_staff_is_not_let_in_and_gets_no_account(
    account: str, transactional_db: None
) -> None:
    factories.account("member")
    factories.account("off", role="admin", is_active=False)
    failed: list[str] = []

    def note(credentials: dict[str, str], **kwargs: object) -> None:
        failed.append(credentials["username"])

    user_login_failed.connect(note)
    client = Client()
    try:
        answer = ADMIN.sign_in(client, account)
    finally:
        user_login_failed.disconnect(note)
    assert answer.status_code == 403
    assert f"The account {account} is no active member of staff" in answer.content.decode()
    assert "_auth_user_id" not in client.session and failed == [account]
    assert not Account.objects.filter(pk="nobody").exists()


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/admin", "/boards", "javascript:1"])
def test_a_target_outside_the_admin_is_not_followed(target: str, alice: Account) -> None:
    assert ADMIN.sign_in(Client(), "alice", f"?next={target}")["Location"] == "/admin/"


def test_a_stopped_provider_is_a_503_and_comes_back(
    openid: OpenIdProvider, alice: Account, keys: list[dict[str, Any]]
) -> None:
    openid.stop()
    answer = Client().get(BEGIN, headers=FROM_OUR_PAGE)
    assert answer.status_code == 503 and "does not answer" in answer.content.decode()
    openid.start(keys)
    client = Client()
    callback = ADMIN.begin_and_answer(client, "alice")
    openid.stop()
    answer = client.get(callback)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    openid.start(keys)
    assert ADMIN.sign_in(client, "alice").status_code == 302


def test_passwords_are_switched_off(alice: Account) -> None:
    alice.set_password("correct horse battery")
    alice.save()
    client = Client()
    page = client.get("/admin/login/?next=/admin/boards/board/").content.decode()
    assert 'href="/admin/login/provider/?next=%2Fadmin%2Fboards%2Fboard%2F"' in page
    assert 'type="password"' not in page
    typed = {"username": "alice", "password": "correct horse battery"}
    answer = client.post("/admin/login/", typed)
    assert answer.status_code == 403 and "Passwords are switched off" in answer.content.decode()
    assert not client.login(**typed) and "_auth_user_id" not in client.session
    assert ADMIN.sign_in(client, "alice").status_code == 302
    assert client.get("/admin/password_change/").status_code == 403


def test_switching_passwords_off_ends_the_sessions_that_began_with_one(alice: Account, settings: Any) -> None:
    both = ["accounts.backends.PasswordBackend", "accounts.backends.ProviderBackend"]
    settings.AUTHENTICATION_BACKENDS = both
    with_password, with_provider = Client(), Client()
    with_password.force_login(alice, backend=both[0])
    ADMIN.sign_in(with_provider, "alice")
    assert [each.get("/admin/").status_code for each in (with_password, with_provider)] == [200, 200]
    settings.AUTHENTICATION_BACKENDS = both[1:]
    assert [each.get("/admin/").status_code for each in (with_password, with_provider)] == [302, 200]


def test_without_a_client_there_is_no_such_way(settings: Any, transactional_db: None) -> None:
    settings.ADMIN_OIDC_CLIENT_ID = ""
    assert [Client().get(path).status_code for path in (BEGIN, CALLBACK)] == [404, 404]
    assert "identity provider" not in Client().get("/admin/login/").content.decode()


def test_visits_are_limited_for_each_client(alice: Account) -> None:
    answers = [Client(REMOTE_ADDR="192.0.2.7").get(BEGIN, headers=FROM_OUR_PAGE).status_code for _ in range(21)]
    assert answers == [302] * 20 + [429]
    assert Client(REMOTE_ADDR="192.0.2.8").get(BEGIN, headers=FROM_OUR_PAGE).status_code == 302
