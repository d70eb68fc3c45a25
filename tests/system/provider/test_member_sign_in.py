"""Members sign in with a real OpenID provider. test_refused_sign_ins.py has the answers that nobody gets in with."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Account, Session
from accounts.personal_data.erasure import erase
from tests import factories
from tests.log_lines import Lines
from tests.system.provider.openid_provider import OpenIdProvider
from tests.system.provider.ways_in import (
    ADMIN,
    FROM_OUR_PAGE,
    HOST,
    MEMBERS,
    SECRET,
    accounts,
    nobody_is_signed_in,
    query_of,
    signed_in_as,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("doors")]


@pytest.mark.parametrize(
    ("client_id", "secret"), [("member-basic", SECRET), ("member-es256", SECRET), ("member-public", "")]
)
def test_a_person_signs_in_gets_an_account_and_is_led_back(
    client_id: str, secret: str, settings: Any, lines: Lines
) -> None:
    settings.MEMBER_OIDC_CLIENT_ID, settings.MEMBER_OIDC_CLIENT_SECRET = client_id, secret
    client = Client()
    answer = MEMBERS.sign_in(client, "alice", "?next=/boards%3Fpage%3D2")
    assert (answer.status_code, answer["Location"]) == (302, "/boards?page=2")
    alice = Account.objects.get(pk="alice")
    assert (alice.display_name, alice.language, alice.role) == ("Alice A.", "pt-BR", "member")
    assert alice.email == "alice@example.org"
    session = Session.objects.get(account=alice)
    assert session.door == "member" and bool(session.provider_session) is bool(secret)
    assert "Alice A." in client.get("/").content.decode()
    assert set(client.session.keys()).isdisjoint({"member_next", "member_sign_ins"})
    (line,) = [line for line in lines.of("security") if line["event"] == "login"]
    assert (line["account"], line["way"]) == ("alice", "accounts.backends.MemberBackend")


def test_a_name_that_the_id_token_has_not_comes_from_the_userinfo_endpoint(
    openid: OpenIdProvider, keys: list[dict[str, Any]]
) -> None:
    openid.stop()
    openid.names_in_id_tokens = False
    openid.start(keys)
    try:
        MEMBERS.sign_in(Client(), "alice")
        MEMBERS.sign_in(Client(), "bob")
    finally:
        openid.names_in_id_tokens = True
        openid.stop()
        openid.start(keys)
    alice = Account.objects.get(pk="alice")
    assert (alice.display_name, alice.language, alice.email) == ("Alice A.", "pt-BR", "alice@example.org")
    assert Account.objects.get(pk="bob").email == ""


def test_the_second_sign_in_finds_the_same_account_and_keeps_its_name() -> None:
    MEMBERS.sign_in(Client(), "alice")
    Account.objects.filter(pk="alice").update(display_name="Ally")
    client = Client()
    MEMBERS.sign_in(client, "alice")
    assert signed_in_as(client) == "alice" and accounts() == {"alice", "system"}
    assert Account.objects.get(pk="alice").display_name == "Ally"


def test_an_address_that_is_not_verified_is_not_kept() -> None:
    MEMBERS.sign_in(Client(), "bob")
    assert Account.objects.get(pk="bob").email == ""


def test_the_browser_is_sent_with_state_nonce_and_a_challenge(settings: Any) -> None:
    first, second = (query_of(MEMBERS.to_provider(Client())) for _ in range(2))
    assert first["response_type"] == "code" and first["code_challenge_method"] == "S256"
    assert first["redirect_uri"] == HOST + MEMBERS.callback
    assert first["scope"] == "openid profile email" and first["client_id"] == "member-basic"
    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name]) >= 20 and first[name] != second[name]
    callback = MEMBERS.begin_and_answer(Client(), "alice")
    assert query_of(callback)["iss"] == settings.JWT_ISSUER


@pytest.mark.parametrize("subject", ["me", "system", "local-admin", "..", "ann lee", "ann/x", "é", "x" * 256])
def test_who_cannot_have_an_account_gets_none(subject: str) -> None:
    answer = MEMBERS.sign_in(Client(), subject)
    assert answer.status_code == 403 and "named no person" in answer.content.decode()
    assert nobody_is_signed_in() and accounts() <= {"system"}


@pytest.mark.parametrize("what", ["switched off", "erased"])
def test_who_is_switched_off_or_erased_is_refused(what: str, lines: Lines) -> None:
    factories.account("alice", is_active=what != "switched off", role="member")
    if what == "erased":
        erase(account_id="alice", by=None)
    before = Account.objects.values().get(pk="alice")
    answer = MEMBERS.sign_in(Client(), "alice")
    assert answer.status_code == 403 and "switched off here" in answer.content.decode()
    assert nobody_is_signed_in() and Account.objects.values().get(pk="alice") == before
    (line,) = [line for line in lines.of("security") if line["event"] == "login_failed"]
    assert line["account"] == "alice"


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
@pytest.mark.parametrize("mode", ["navigate", "no-cors"])
def test_another_site_begins_no_sign_in(site: str, mode: str) -> None:
    """Show its visitor the door, from which a click leads on."""
    headers = {"sec-fetch-site": site, "sec-fetch-mode": mode}
    assert Client().get(MEMBERS.begin, headers=headers).status_code == 200
    answer = Client().get(ADMIN.begin, headers=headers)
    assert (answer.status_code, answer["Location"]) == (302, "/admin/login/")
    assert not Session.objects.exists()


@pytest.mark.parametrize("verb", ["post", "put", "delete"])
def test_the_callback_is_read_alone(verb: str) -> None:
    """Refuse an answer that a form of another site brings, as response_mode=form_post would."""
    client = Client()
    callback = MEMBERS.begin_and_answer(client, "alice")
    answer = getattr(client, verb)(MEMBERS.callback, query_of(callback))
    assert answer.status_code == 405 and nobody_is_signed_in()


def test_an_answer_of_a_stranger_leaves_whoever_is_signed_in(settings: Any) -> None:
    """A link with the attacker's own answer must not make a member upload into the attacker's account."""
    victim = Client()
    MEMBERS.sign_in(victim, "alice")
    assert victim.get(MEMBERS.begin_and_answer(Client(), "mallory")).status_code == 400
    assert signed_in_as(victim) == "alice" and "mallory" not in accounts()


class TestKeysOfSessions:
    def test_the_key_from_before_the_sign_in_is_worth_nothing(self) -> None:
        """An attacker who has planted a session in a victim's browser gets nothing from the victim's sign-in."""
        attacker, victim = Client(), Client()
        MEMBERS.to_provider(attacker)
        planted = attacker.session.session_key
        victim.cookies["sessionid"] = attacker.cookies["sessionid"].value
        MEMBERS.sign_in(victim, "alice")
        assert victim.session.session_key != planted and not Session.objects.filter(pk=planted).exists()
        assert attacker.get("/account/devices").status_code == 302

    def test_a_key_that_nobody_made_is_not_taken(self) -> None:
        client = Client()
        client.cookies["sessionid"] = "a" * 32
        MEMBERS.sign_in(client, "alice")
        assert client.session.session_key != "a" * 32 and not Session.objects.filter(pk="a" * 32).exists()

    def test_a_member_who_logs_in_to_the_admin_gets_a_new_one(self) -> None:
        """Whoever has a member's key must not get staff rights when that person logs in to the admin."""
        factories.account("alice", role="admin")
        client, thief = Client(), Client()
        MEMBERS.sign_in(client, "alice")
        thief.cookies["sessionid"] = client.cookies["sessionid"].value
        assert ADMIN.sign_in(client, "alice").status_code == 302
        assert client.get("/admin/").status_code == 200
        assert thief.get("/admin/").status_code == 302 and thief.get("/account/devices").status_code == 302
        assert Session.objects.filter(account="alice").count() == 1

    def test_another_person_s_sign_in_keeps_nothing_of_the_first(self) -> None:
        factories.account("alice", role="admin")
        client = Client()
        MEMBERS.sign_in(client, "bob")
        session = client.session
        session["impersonation"] = "an id"
        session.save()
        ADMIN.sign_in(client, "alice")
        assert signed_in_as(client) == "alice" and "impersonation" not in client.session


def test_a_session_of_the_members_door_gives_staff_no_rights() -> None:
    factories.account("alice", role="admin")
    client = Client()
    MEMBERS.sign_in(client, "alice", "?next=/admin/")
    assert signed_in_as(client) == "alice" and client.get("/account/devices").status_code == 200
    assert client.get("/admin/").status_code == client.get("/admin/accounts/account/").status_code == 302


def test_two_tabs_sign_in_one_after_the_other() -> None:
    client = Client()
    first = MEMBERS.begin_and_answer(client, "alice")
    second = MEMBERS.begin_and_answer(client, "alice")
    assert [client.get(each).status_code for each in (first, second)] == [302, 302]
    assert signed_in_as(client) == "alice" and Session.objects.count() == 1


def test_what_strangers_store_is_deleted_by_the_next_who_begin() -> None:
    """Hold a flood to an hour's sign-ins without the nightly prune."""
    for _ in range(12):
        MEMBERS.to_provider(Client())
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    MEMBERS.to_provider(Client())
    assert Session.objects.count() == 3
    MEMBERS.to_provider(Client())
    assert Session.objects.count() == 2


def test_a_browser_that_begins_again_and_again_stores_no_more() -> None:
    client = Client()
    for _ in range(5):
        MEMBERS.to_provider(client)
    size = len(Session.objects.get().session_data)
    for _ in range(10):
        MEMBERS.to_provider(client)
    assert len(Session.objects.get().session_data) < size * 1.2


def test_visits_are_limited_for_each_client() -> None:
    def begin(address: str) -> int:
        return Client(REMOTE_ADDR=address).get(MEMBERS.begin, headers=FROM_OUR_PAGE).status_code

    assert [begin("192.0.2.7") for _ in range(61)] == [302] * 60 + [429]
    assert begin("192.0.2.8") == 302 and Session.objects.count() == 61


def test_a_stopped_provider_is_a_503_and_comes_back(openid: OpenIdProvider, keys: list[dict[str, Any]]) -> None:
    openid.stop()
    answer = Client().get(MEMBERS.begin, headers=FROM_OUR_PAGE)
    assert answer.status_code == 503 and "does not answer" in answer.content.decode()
    openid.start(keys)
    assert MEMBERS.sign_in(Client(), "alice").status_code == 302


class TestStrength:
    """alice logs in with two factors, bob with one. Of dave's login the provider says nothing."""

    @pytest.fixture(autouse=True)
    def staff(self, transactional_db: None) -> None:
        for name in ("alice", "bob", "dave"):
            factories.account(name, role="admin")

    @pytest.mark.parametrize(
        ("setting", "value"),
        [("ADMIN_OIDC_ACR", ["urn:club:two-factors", "urn:club:key"]), ("ADMIN_OIDC_AMR", ["otp", "hwk"])],
    )
    def test_the_admin_s_door_asks_for_it_and_refuses_less(
        self, setting: str, value: list[str], settings: Any, lines: Lines
    ) -> None:
        setattr(settings, setting, value)
        for name in ("bob", "dave"):
            answer = ADMIN.sign_in(Client(), name)
            assert answer.status_code == 403 and "second factor" in answer.content.decode()
        assert nobody_is_signed_in() and lines.events.count("sign_in_refused") == 2
        client = Client()
        assert ADMIN.sign_in(client, "alice").status_code == 302
        assert client.get("/admin/").status_code == 200

    def test_the_provider_is_asked_for_the_class(self, settings: Any) -> None:
        settings.ADMIN_OIDC_ACR = ["urn:club:two-factors", "urn:club:key"]
        assert query_of(ADMIN.to_provider(Client()))["acr_values"] == "urn:club:two-factors urn:club:key"
        assert "acr_values" not in query_of(MEMBERS.to_provider(Client()))
