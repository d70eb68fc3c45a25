"""What members' client and the admin's do alike with a real OpenID provider, and the admin's own.

test_refused_sign_ins.py has the answers that nobody gets in with, test_member_sign_in.py the accounts of members.
"""

import time
from typing import Any

import pytest
import time_machine
from django.contrib.auth.signals import user_login_failed
from django.test import Client

from accounts.models import Account, Session
from accounts.signing_in import clients
from tests import factories
from tests.system.provider.openid_provider import OpenIdProvider
from tests.system.provider.ways_in import (
    ADMIN,
    BOTH,
    CLIENTS,
    FROM_OUR_PAGE,
    HOST,
    MEMBERS,
    WayIn,
    query_of,
    signed_in_as,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clients")]


@pytest.fixture(autouse=True)
def alice(transactional_db: None) -> Account:
    return factories.account("alice", role="admin")


@BOTH
def test_the_browser_is_sent_with_state_nonce_and_a_challenge(way: WayIn, settings: Any) -> None:
    first, second = (query_of(way.to_provider(Client())) for _ in range(2))
    asked = {"response_type": "code", "code_challenge_method": "S256", "client_id": f"{way.name}-basic"}
    asked |= {"redirect_uri": HOST + way.callback, "scope": {MEMBERS: "openid profile email", ADMIN: "openid"}[way]}
    assert asked.items() <= first.items()
    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name]) >= 20 and first[name] != second[name]
    assert query_of(way.begin_and_answer(Client(), "alice"))["iss"] == settings.JWT_ISSUER


@BOTH
def test_a_stopped_provider_is_a_503_and_comes_back(way: WayIn, openid: OpenIdProvider) -> None:
    client = Client()
    with openid.stopped():
        answer = client.get(way.begin, headers=FROM_OUR_PAGE)
        assert answer.status_code == 503 and "does not answer" in answer.content.decode()
    callback = way.begin_and_answer(client, "alice")
    with openid.stopped():
        answer = client.get(callback)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert way.sign_in(client, "alice").status_code == 302


@BOTH
def test_visits_are_limited_for_each_client(way: WayIn) -> None:
    def begin(address: str) -> int:
        return Client(REMOTE_ADDR=address).get(way.begin, headers=FROM_OUR_PAGE).status_code

    most = {MEMBERS: 60, ADMIN: 20}[way]
    with time_machine.travel(time.time(), tick=False):  # a window that ends in between lets more in
        assert [begin("192.0.2.7") for _ in range(most + 1)] == [302] * most + [429]
    assert begin("192.0.2.8") == 302 and Session.objects.count() == most + 1


def test_another_site_begins_no_sign_in() -> None:
    """Show its visitor the page of signing in, from which a click leads on."""
    for site in ("cross-site", "same-site", "none"):
        headers = {"sec-fetch-site": site, "sec-fetch-mode": "navigate"}
        assert Client().get(MEMBERS.begin, headers=headers).status_code == 200
        answer = Client().get(ADMIN.begin, headers=headers)
        assert (answer.status_code, answer["Location"]) == (302, "/admin/login/")
    assert not Session.objects.exists()


@BOTH
def test_no_more_than_two_threads_wait_for_the_provider(way: WayIn) -> None:
    visits = {MEMBERS: clients.MEMBERS, ADMIN: clients.ADMIN}[way].visits
    assert visits.acquire(blocking=False) and visits.acquire(blocking=False)
    try:
        answer = Client().get(way.begin, headers=FROM_OUR_PAGE)
    finally:
        visits.release(2)
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert Client().get(way.begin, headers=FROM_OUR_PAGE).status_code == 302


@BOTH
def test_a_key_from_before_the_sign_in_is_worth_nothing(way: WayIn) -> None:
    """An attacker who has planted a session in a victim's browser gets nothing from the victim's sign-in."""
    attacker, victim, other = Client(), Client(), Client()
    way.to_provider(attacker)
    planted = attacker.session.session_key or ""
    for client, key in ((victim, planted), (other, "a" * 32)):  # also one that nobody made
        client.cookies["sessionid"] = key
        way.sign_in(client, "alice")
        assert client.session.session_key != key and not Session.objects.filter(pk=key).exists()
    assert attacker.get("/account/devices").status_code == 302


def test_a_member_who_logs_in_to_the_admin_gets_a_new_key_and_keeps_nothing_of_another_person() -> None:
    """Whoever has a member's key must not get staff rights when that person logs in to the admin."""
    client, thief = Client(), Client()
    MEMBERS.sign_in(client, "alice", "?next=/admin/")
    assert signed_in_as(client) == "alice" and client.get("/account/devices").status_code == 200
    assert client.get("/admin/").status_code == client.get("/admin/accounts/account/").status_code == 302
    thief.cookies["sessionid"] = client.cookies["sessionid"].value
    assert ADMIN.sign_in(client, "alice").status_code == 302
    assert client.get("/admin/").status_code == 200
    assert thief.get("/admin/").status_code == 302 and thief.get("/account/devices").status_code == 302
    assert Session.objects.filter(account="alice").count() == 1

    MEMBERS.sign_in(other := Client(), "bob")
    session = other.session
    session["impersonation"] = "an id"
    session.save()
    ADMIN.sign_in(other, "alice")
    assert signed_in_as(other) == "alice" and "impersonation" not in other.session


def test_an_answer_of_a_stranger_leaves_whoever_is_signed_in() -> None:
    """A link with the attacker's own answer must not make a member upload into the attacker's account."""
    victim = Client()
    MEMBERS.sign_in(victim, "alice")
    assert victim.get(MEMBERS.begin_and_answer(Client(), "mallory")).status_code == 400
    assert signed_in_as(victim) == "alice" and not Session.objects.filter(account="mallory").exists()


def test_two_tabs_sign_in_one_after_the_other() -> None:
    client = Client()
    callbacks = [MEMBERS.begin_and_answer(client, "alice") for _ in range(2)]
    assert [client.get(each).status_code for each in callbacks] == [302, 302]
    assert signed_in_as(client) == "alice" and Session.objects.count() == 1


def test_what_is_stored_of_sign_ins_that_nobody_ends_is_bounded() -> None:
    """A flood is held to an hour's sign-ins without the nightly prune: who begins deletes ten old ones."""
    for _ in range(12):
        MEMBERS.to_provider(Client())
    Session.objects.update(expire_date="2020-01-01T00:00:00Z")
    for left in (3, 2):
        MEMBERS.to_provider(client := Client())
        assert Session.objects.count() == left

    def size_after(times: int) -> int:
        for _ in range(times):
            MEMBERS.to_provider(client)
        return len(Session.objects.get(pk=client.session.session_key).session_data)

    assert size_after(5) * 1.2 > size_after(10)


class TestStrength:
    """alice logs in with two factors, bob with one. Of dave's login the provider says nothing."""

    @pytest.mark.parametrize(
        ("setting", "value"),
        [("ADMIN_OIDC_ACR", ["urn:club:two-factors", "urn:club:key"]), ("ADMIN_OIDC_AMR", ["otp", "hwk"])],
    )
    def test_the_admins_client_asks_for_it_and_refuses_less(
        self, setting: str, value: list[str], settings: Any, lines: Any
    ) -> None:
        setattr(settings, setting, value)
        for name in ("bob", "dave"):
            factories.account(name, role="admin")
            answer = ADMIN.sign_in(Client(), name)
            assert answer.status_code == 403 and "second factor" in answer.content.decode()
        assert not Session.objects.filter(account__isnull=False).exists()
        assert lines.events.count("sign_in_refused") == 2
        client = Client()
        assert ADMIN.sign_in(client, "alice").status_code == 302
        assert client.get("/admin/").status_code == 200
        asked = [query_of(way.to_provider(Client())).get("acr_values") for way in (ADMIN, MEMBERS)]
        assert asked == ["urn:club:two-factors urn:club:key" if setting == "ADMIN_OIDC_ACR" else None, None]


# --- The admin's -----------------------------------------------------------------------------------------------------


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
        assert f"{account} is not an active staff account" in answer.content.decode()
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
