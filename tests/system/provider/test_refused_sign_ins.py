"""What both clients refuse of a real provider's answers: forged, replayed, mixed up, too late, or of another browser.

After each refusal nobody is signed in, no account is made, and the security log has a line.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.utils import timezone

from tests import factories
from tests.log_lines import Lines
from tests.system.provider.browser import REDIRECT_URI, Browser
from tests.system.provider.ways_in import ADMIN, BOTH, HOST, MEMBERS, WayIn, accounts, nobody_is_signed_in, query_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clients")]

PERSON = {MEMBERS: "carol", ADMIN: "alice"}
"""Whose sign-in is attacked: somebody who has no account yet, and somebody who is staff."""

OTHER_DOOR = {MEMBERS: ADMIN, ADMIN: MEMBERS}
Attack = Callable[[WayIn, Client], Any]


def changed(old: str, new: str) -> Attack:
    """Return an attack that changes the provider's answer on its way."""

    def attack(way: WayIn, client: Client) -> Any:
        callback = way.begin_and_answer(client, PERSON[way])
        assert old in callback
        return client.get(callback.replace(old, new))

    return attack


def without(name: str) -> Attack:
    return changed(f"{name}=", f"no{name}=")


def bring(way: WayIn, client: Client, code: str) -> Any:
    """Bring a code in an answer to one's own request, which is a new one."""
    state = query_of(way.to_provider(client))["state"]
    return client.get(way.callback, {"code": code, "state": state, "iss": settings.JWT_ISSUER})


def stolen_code(way: WayIn, client: Client) -> Any:
    """Bring another browser's code. Its PKCE verifier is not here."""
    return bring(way, client, query_of(way.begin_and_answer(Client(), PERSON[way]))["code"])


def code_of_another_client(way: WayIn, client: Client) -> Any:
    """Bring a code that the provider has given to another service for this request's own nonce and challenge."""
    address = way.to_provider(client)
    sent = query_of(address)
    elsewhere = address.replace(f"client_id={sent['client_id']}", "client_id=stranger")
    elsewhere = elsewhere.replace(quote(HOST + way.callback, safe=""), quote(REDIRECT_URI, safe=""))
    code = query_of(Browser().fill_in(elsewhere, PERSON[way], REDIRECT_URI))["code"]
    return client.get(way.callback, {"code": code, "state": sent["state"], "iss": settings.JWT_ISSUER})


def answer_to_the_other_client(way: WayIn, client: Client) -> Any:
    """Bring the answer to a sign-in that this browser began as the other client."""
    callback = OTHER_DOOR[way].begin_and_answer(client, "alice")
    way.to_provider(client)
    return client.get(callback.replace(OTHER_DOOR[way].callback, way.callback))


def code_for_the_other_client(way: WayIn, client: Client) -> Any:
    """Bring the other client's code in an answer to this client's request, in the same browser."""
    return bring(way, client, query_of(OTHER_DOOR[way].begin_and_answer(client, "alice"))["code"])


def another_browsers_answer(way: WayIn, client: Client) -> Any:
    """Lead somebody who has just begun to sign in to the attacker's own answer: a forged login."""
    callback = way.begin_and_answer(Client(), PERSON[way])
    way.to_provider(client)
    return client.get(callback)


def answer_without_a_request(way: WayIn, client: Client) -> Any:
    return client.get(way.begin_and_answer(Client(), PERSON[way]))


def use(way: WayIn, client: Client) -> str:
    """Sign in and out again. Return the address of the answer that was used."""
    callback = way.begin_and_answer(client, PERSON[way])
    assert client.get(callback).status_code == 302
    client.logout()
    return callback


def after_its_session(way: WayIn, client: Client) -> Any:
    callback = way.begin_and_answer(client, PERSON[way])
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        return client.get(callback)


def after_an_hour(way: WayIn, client: Client) -> Any:
    """Come back after an hour to a session that has been stored since, and so lives."""
    callback = way.begin_and_answer(client, PERSON[way])
    with time_machine.travel(timezone.now() + timedelta(minutes=50), tick=False) as clock:
        way.to_provider(client)
        clock.shift(timedelta(minutes=11))
        assert f"{way.name}_sign_ins" in client.session
        return client.get(callback)


def sixth_tab(way: WayIn, client: Client) -> Any:
    """Come back to the first of six sign-ins that one browser has begun."""
    callback = way.begin_and_answer(client, PERSON[way])
    for _ in range(5):
        way.to_provider(client)
    return client.get(callback)


def late_code(way: WayIn, client: Client) -> Any:
    """Bring a code after its end. The provider's clock is its own, so this waits for it."""
    settings.MEMBER_OIDC_CLIENT_ID = settings.ADMIN_OIDC_CLIENT_ID = f"{way.name}-hurried"
    callback = way.begin_and_answer(client, PERSON[way])
    time.sleep(2)
    return client.get(callback)


def given_up(way: WayIn, client: Client) -> Any:
    """Press "Abort" on the provider's page."""
    browser = Browser()
    page, target = browser.open(way.to_provider(client))
    while not page:
        page, target = browser.open(target)
    abort = page.partition('href="')[2].partition('"')[0]
    while not target.startswith(HOST):
        _, target = browser.open(target or abort)
    assert query_of(target)["error"] == "access_denied"
    return client.get(target.removeprefix(HOST))


ATTACKS: dict[str, tuple[Attack, int]] = {
    "another code": (changed("code=", "code=x"), 403),
    "no code": (without("code"), 403),
    "another state": (changed("state=", "state=x"), 400),
    "no state": (without("state"), 400),
    "another issuer": (changed("iss=", "iss=x"), 400),
    "no issuer, which is promised": (without("iss"), 400),
    "a second issuer": (changed("iss=", "iss=https://evil.example&iss="), 400),
    "a second issuer after the good one": (changed("?", "?iss=https://evil.example&"), 400),
    "a second code": (changed("code=", "code=x&code="), 400),
    "an error beside the code": (changed("code=", "error=server_error&code="), 403),
    "given up at the provider": (given_up, 403),
    "a stolen code": (stolen_code, 403),
    "a code of another client": (code_of_another_client, 403),
    "the answer to the other client": (answer_to_the_other_client, 400),
    "the code for the other client": (code_for_the_other_client, 403),
    "another browser's answer": (another_browsers_answer, 400),
    "an answer that nobody asked for": (answer_without_a_request, 400),
    "an answer that was used": (lambda way, client: client.get(use(way, client)), 400),
    "a code that was used": (lambda way, client: bring(way, client, query_of(use(way, client))["code"]), 403),
    "an answer after its session's end": (after_its_session, 400),
    "an answer after an hour": (after_an_hour, 400),
    "the first answer of six": (sixth_tab, 400),
    "a code after its end": (late_code, 403),
}
"""For each attack what it does, and the status of its refusal."""


@BOTH
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_answer_that_is_not_this_browsers_own_good_one_is_refused(attack: str, way: WayIn, lines: Lines) -> None:
    """Try an attack. Those that replay have signed somebody in before, and out again."""
    factories.account("alice", role="admin")
    run, status = ATTACKS[attack]
    client = Client()
    answer = run(way, client)
    text = answer.content.decode()
    assert (answer.status_code, "Go back and begin again" in text) == (status, status == 400), text
    assert "_auth_user_id" not in client.session and nobody_is_signed_in()
    assert accounts() <= {"alice", "system", *({PERSON[way]} if "was used" in attack else set())}
    assert "no-store" in answer["Cache-Control"] and "Location" not in answer
    assert "sign_in_refused" in lines.events
