"""Back-channel logout: what ends sessions, and what does not."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.test import Client, TestCase

from accounts.models import Account, Session
from accounts.models.sessions import MEMBER_BACKEND
from accounts.signing_in import attempts
from accounts.signing_in.back_channel import EVENT, verify
from config.api.errors import InvalidToken
from tests import factories
from tests import identity_provider as idp
from tests.linear import assert_linear
from tests.log_lines import Lines
from tests.members import is_signed_in, signed_in
from tests.undone import undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("deployed")]

ADDRESS = "/sign-in/back-channel-logout"


@pytest.fixture(autouse=True)
def members(settings: Any, deployed: None) -> None:
    settings.MEMBER_OIDC_CLIENT_ID, settings.ADMIN_OIDC_CLIENT_ID = "members", "the-admin"


@pytest.fixture
def mia() -> Account:
    return factories.account("mia")


def at_provider(account: Account, sid: str, backend: str = MEMBER_BACKEND) -> Client:
    """Return a browser whose login has this name at the provider."""
    return signed_in(account, backend, provider_session=sid)


def logout_token(**changes: Any) -> str:
    now = int(time.time())
    good = {"aud": "members", "sub": "mia", "iat": now, "exp": now + 120, "events": {EVENT: {}}, "jti": str(uuid4())}
    header = {"typ": changes.pop("typ", "logout+jwt"), "key": changes.pop("key", "rsa")}
    return idp.token(idp.claims(**{**good, **changes}), **header)


def send(token: str) -> Any:
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    return browser.post(ADDRESS, {"logout_token": token})


def test_it_ends_all_logins_of_a_person_or_one_alone_and_nobody_else_s(mia: Account) -> None:
    other = at_provider(factories.account("zoe"), "3")
    cases: tuple[tuple[dict[str, Any], list[bool]], ...] = (
        ({}, [False, False, False]), ({"sid": "1"}, [False, True, False]),
        ({"sid": "1", "sub": None}, [False, True, True]),
    )  # fmt: skip
    for claims, left in cases:
        clients = (at_provider(mia, "1"), at_provider(mia, "2"), signed_in(mia))
        answer = send(logout_token(**claims))
        assert (answer.status_code, answer.content, answer["Cache-Control"]) == (200, b"", "no-store")
        assert [is_signed_in(client) for client in (*clients, other)] == [*left, True], claims
    for nothing in ({"sid": "unknown", "sub": None}, {"sub": "nobody"}):
        assert send(logout_token(**nothing)).status_code == 200, "a login that is not here is not an error"


def test_a_token_ends_the_sessions_of_the_client_that_it_is_for(mia: Account, settings: Any) -> None:
    def left(audience: str | list[str], claims: dict[str, Any]) -> list[str]:
        Session.objects.all().delete()
        for backend in ("accounts.backends.MemberBackend", "accounts.backends.PasswordBackend"):
            at_provider(mia, "1", backend)
        assert send(logout_token(aud=audience, **claims)).status_code == 200
        return sorted(Session.objects.values_list("kind", flat=True))

    for claims in ({}, {"sid": "1"}, {"sid": "1", "sub": None}):
        settings.ADMIN_OIDC_CLIENT_ID = "the-admin"
        ends = [left(audience, claims) for audience in ("members", "the-admin", ["members", "the-admin"])]
        assert ends == [["admin"], ["member"], []], claims
        settings.ADMIN_OIDC_CLIENT_ID = "members"
        assert left("members", claims) == [], "one client for members and staff"


def test_a_token_ends_no_session_that_began_after_it(mia: Account) -> None:
    token = logout_token(iat=int(time.time()) - 60)
    client = signed_in(mia)
    assert send(token).status_code == 200 and is_signed_in(client)


def test_a_token_serves_once(mia: Account) -> None:
    """Sign in again at once, within the seconds by which clocks may differ."""
    token, next_token = logout_token(sid="1"), logout_token(sid="1")
    at_provider(mia, "1")
    assert send(token).status_code == 200
    client = at_provider(mia, "1")
    answer = send(token)
    assert answer.status_code == 400 and "used before" in answer.json()["error_description"]
    assert is_signed_in(client)
    assert send(next_token).status_code == 200 and not is_signed_in(client)


def test_a_token_that_could_not_be_acted_on_may_be_sent_again(mia: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Providers repeat what met an interruption of service (§2.5)."""
    token, client = logout_token(sid="1"), at_provider(mia, "1")

    def fail(*args: Any, **kwargs: Any) -> int:
        raise OperationalError("canceling statement due to lock timeout")

    with monkeypatch.context() as broken:
        broken.setattr("accounts.signing_in.back_channel.end_sessions", fail)
        assert send(token).status_code == 503 and is_signed_in(client)
    assert send(token).status_code == 200 and not is_signed_in(client)


REFUSED: dict[str, dict[str, Any]] = {
    "a stranger's key": {"key": "a stranger"}, "another client": {"aud": "another"},
    "the API's audience": {"aud": idp.AUDIENCE}, "another issuer": {"iss": "https://evil.example"},
    "no expiry": {"exp": None}, "no time": {"iat": None}, "a time that is text": {"iat": "now"},
    "no type": {"typ": None}, "an ID token's type": {"typ": "JWT"}, "an access token's type": {"typ": "at+jwt"},
    "no event": {"events": None}, "another event": {"events": {"http://schemas.openid.net/event/other": {}}},
    "an event that is not an object": {"events": {EVENT: True}}, "events that are a list": {"events": [EVENT]},
    "a nonce, as an ID token has": {"nonce": "n"}, "neither person nor login": {"sub": None},
    "a login that is a number": {"sub": None, "sid": 1}, "a login of nothing": {"sid": ""},
    "a login with NUL": {"sid": "1\x00"}, "a person with NUL": {"sub": "mia\x00"}, "a long login": {"sid": "1" * 256},
    "no id": {"jti": None}, "an id that is a number": {"jti": 1}, "a blank id": {"jti": ""},
}  # fmt: skip
MOMENTS = {"old": ("iat", -300), "from the future": ("iat", 300), "expired": ("exp", -60)}
"""Which moment is wrong, as the seconds from now."""


def test_a_token_that_is_not_good_ends_nothing(mia: Account, subtests: pytest.Subtests) -> None:
    client, now = at_provider(mia, "1"), int(time.time())
    moments = {name: {key: now + seconds} for name, (key, seconds) in MOMENTS.items()}
    id_token = idp.claims(sub="mia", aud="members", nonce="n")
    tokens = {
        **{name: logout_token(**changes) for name, changes in {**REFUSED, **moments}.items()},
        **{text[:9]: text for text in ("", "x", "a.b.c", "é", "\x00", "x" * 20_000)},
        "an access token": idp.token(idp.claims(sub="mia")), "an ID token": idp.token(id_token),
    }  # fmt: skip
    for name, token in tokens.items():
        with subtests.test(name), undone():
            answer = send(token)
            assert answer.status_code == 400 and answer.json()["error"] == "invalid_request"
            assert is_signed_in(client)
    with pytest.raises(InvalidToken, match="too long"):
        verify(b"a." * 10_000)


def test_an_end_is_logged_and_so_is_a_refusal_without_a_word_of_the_token(mia: Account, lines: Lines) -> None:
    at_provider(mia, "1")
    token = logout_token(sid="1")
    with TestCase.captureOnCommitCallbacks(execute=True):
        send(token)
    (line,) = [line for line in lines.of("security") if line["event"] == "session_ended"]
    assert (line["subject"], line["why"]) == ("mia", "by the identity provider")
    crit = idp.token(idp.claims(sub="mia"), typ="logout+jwt", crit=["canary"])
    for refused in (crit, logout_token(aud="another"), token):
        send(refused)
    reasons = [line["reason"] for line in lines.of("security") if line["event"] == "logout_token_refused"]
    assert reasons == ["InvalidTokenError", "InvalidAudienceError", "The logout token was used before."]
    assert "canary" not in "".join(lines.raw)


GROWING: dict[str, Callable[[int], dict[str, Any]]] = {
    "a long person": lambda size: {"sub": "m" * size},
    "a long word in the event": lambda size: {"events": {EVENT: {"a" * 10: "b" * size}}},
    "many events": lambda size: {"events": {str(number): 0 for number in range(size // 12)}},
    "many clients": lambda size: {"aud": ["x" * 9] * (size // 13)},
    "a login of lists": lambda size: {"sid": [[]] * (size // 4)},
}


@pytest.mark.parametrize("name", GROWING)
def test_twice_the_token_costs_at_most_two_and_a_half_times_the_work(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let tokens be longer than the 16 KiB that they may have, so that the cost is that of reading them."""
    monkeypatch.setattr("accounts.tokens.verifier.MAX_BYTES", 10_000_000)

    def make(size: int) -> bytes:
        good = {"aud": "members", "iat": int(time.time()), "jti": str(time.perf_counter_ns())}
        return idp.token(idp.claims(**{**good, **GROWING[name](size)})).encode()

    def work(raw: bytes) -> None:
        with suppress(InvalidToken):
            verify(raw)

    assert_linear(make, work)


def test_it_is_a_post_and_limited(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    assert Client().get(ADDRESS).status_code == 405
    assert attempts.VISITS["members.logout_token"][0][0] >= 1000, "a provider ends a whole club's logins at once"
    settings.READ_RATE = "1/h"  # a provider may share its address with readers
    monkeypatch.setitem(attempts.VISITS, "members.logout_token", ((3, 60), (1200, 60)))
    statuses = [Client(REMOTE_ADDR="192.0.2.9").post(ADDRESS).status_code for _ in range(4)]
    assert statuses == [400, 400, 400, 429]
