"""Members sign in with a real OpenID provider, and get an account."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Account, Session
from accounts.personal_data.erasure import erase
from tests import factories
from tests.log_lines import Lines
from tests.system.provider.openid_provider import OpenIdProvider
from tests.system.provider.ways_in import CLIENTS, MEMBERS, accounts, nobody_is_signed_in, query_of, signed_in_as

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clients")]


@pytest.mark.parametrize("kind", CLIENTS)
def test_a_person_signs_in_gets_an_account_and_is_led_back(kind: str, settings: Any, lines: Lines) -> None:
    secret = CLIENTS[kind]
    settings.MEMBER_OIDC_CLIENT_ID, settings.MEMBER_OIDC_CLIENT_SECRET = f"member-{kind}", secret
    client = Client()
    answer = MEMBERS.sign_in(client, "alice", "?next=/boards%3Fpage%3D2")
    assert (answer.status_code, answer["Location"]) == (302, "/boards?page=2")
    alice = Account.objects.get(pk="alice")
    assert (alice.display_name, alice.language, alice.role) == ("Alice A.", "pt-BR", "member")
    assert alice.email == "alice@example.org"
    session = Session.objects.get(account=alice)
    assert session.kind == "member" and bool(session.provider_session) is bool(secret)
    assert "Alice A." in client.get("/").content.decode()
    assert set(client.session.keys()).isdisjoint({"member_next", "member_sign_ins"})
    (line,) = [line for line in lines.of("security") if line["event"] == "login"]
    assert (line["account"], line["way"]) == ("alice", "accounts.backends.MemberBackend")


@pytest.mark.parametrize("names_in_id_tokens", [True, False])
def test_the_name_and_a_verified_address_come_from_the_id_token_or_from_the_userinfo_endpoint(
    names_in_id_tokens: bool, openid: OpenIdProvider
) -> None:
    with openid.stopped():
        openid.names_in_id_tokens = names_in_id_tokens
    MEMBERS.sign_in(Client(), "alice")
    MEMBERS.sign_in(Client(), "bob")
    with openid.stopped():
        openid.names_in_id_tokens = True
    alice = Account.objects.get(pk="alice")
    assert (alice.display_name, alice.language, alice.email) == ("Alice A.", "pt-BR", "alice@example.org")
    assert Account.objects.get(pk="bob").email == "", "the provider has not verified it"


def test_the_second_sign_in_finds_the_same_account_and_keeps_its_name() -> None:
    MEMBERS.sign_in(Client(), "alice")
    Account.objects.filter(pk="alice").update(display_name="Ally")
    client = Client()
    MEMBERS.sign_in(client, "alice")
    assert signed_in_as(client) == "alice" and accounts() == {"alice", "system"}
    assert Account.objects.get(pk="alice").display_name == "Ally"


def test_who_cannot_have_an_account_gets_none() -> None:
    for subject in ("me", "system", "local-admin", "..", "ann lee", "ann/x", "é", "x" * 256):
        answer = MEMBERS.sign_in(Client(), subject)
        assert answer.status_code == 403 and "cannot be an account" in answer.content.decode(), subject
    assert nobody_is_signed_in() and accounts() <= {"system"}


@pytest.mark.parametrize("what", ["switched off", "erased"])
def test_who_is_switched_off_or_erased_is_refused(what: str, lines: Lines) -> None:
    factories.account("alice", is_active=what != "switched off", role="member")
    if what == "erased":
        erase(account_id="alice", by=None)
    before = Account.objects.values().get(pk="alice")
    answer = MEMBERS.sign_in(Client(), "alice")
    assert answer.status_code == 403 and "is switched off" in answer.content.decode()
    assert nobody_is_signed_in() and Account.objects.values().get(pk="alice") == before
    (line,) = [line for line in lines.of("security") if line["event"] == "login_failed"]
    assert line["account"] == "alice"


def test_the_callback_is_read_alone() -> None:
    """Refuse an answer that a form of another site brings, as response_mode=form_post would."""
    client = Client()
    answer = query_of(MEMBERS.begin_and_answer(client, "alice"))
    for send in (client.post, client.put, client.delete):
        assert send(MEMBERS.callback, answer).status_code == 405
    assert nobody_is_signed_in()
