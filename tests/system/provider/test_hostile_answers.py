"""What both doors make of answers of the provider that are not good: a server of ours makes each of them."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from accounts.models import Account
from accounts.signing_in.doors import ADMIN
from accounts.signing_in.provider_client import provider_client
from tests import factories
from tests import identity_provider as idp
from tests.identity_provider import Provider

pytestmark = pytest.mark.django_db

BEGIN, CALLBACK = "/admin/login/provider/", "/admin/login/provider/callback/"
MEMBERS_BEGIN, MEMBERS_CALLBACK = "/sign-in", "/sign-in/callback"
FROM_OUR_PAGE = {"sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate"}
CLIENT = "the-admin"
SECRET = "a secret of the admin's client 0123456789"
DISCOVERY = "/.well-known/openid-configuration"


@pytest.fixture
def provider(settings: Any) -> Iterator[Provider]:
    with idp.running() as provider:
        provider.says(json.dumps(discovery(provider)).encode(), path=DISCOVERY)
        settings.JWT_ISSUER = provider.url
        settings.ADMIN_OIDC_CLIENT_ID, settings.ADMIN_OIDC_CLIENT_SECRET = CLIENT, SECRET
        settings.MEMBER_OIDC_CLIENT_ID, settings.MEMBER_OIDC_CLIENT_SECRET = CLIENT, SECRET
        settings.AUTHENTICATION_BACKENDS = ["accounts.backends.ProviderBackend"]
        provider_client.cache_clear()
        yield provider
    provider_client.cache_clear()


def discovery(provider: Provider, **changes: object) -> dict[str, object]:
    return {
        "issuer": provider.url,
        "authorization_endpoint": f"{provider.url}/authorize",
        "token_endpoint": f"{provider.url}/token",
        "jwks_uri": f"{provider.url}/jwks",
        "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256", "none"],
        **changes,
    }


@pytest.fixture
def boss(db: None) -> Account:
    return factories.account("boss", role="admin")


class SignIn:
    """A browser that has begun to sign in, and what the provider was told."""

    def __init__(self, provider: Provider, begin: str = BEGIN, callback: str = CALLBACK) -> None:
        self.provider = provider
        self.callback = callback
        self.client = Client()
        sent = parse_qs(urlsplit(self.client.get(begin, headers=FROM_OUR_PAGE)["Location"]).query)
        self.state, self.nonce = sent["state"][0], sent["nonce"][0]

    def claims(self, **changes: Any) -> dict[str, Any]:
        own = {"iss": self.provider.url, "aud": CLIENT, "sub": "boss", "nonce": self.nonce}
        return idp.claims(**{**own, **changes})

    def finish(self, body: object, status: int = 200, **headers: str) -> Any:
        """Come back with a code, for which the token endpoint gives this answer."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        kind = {"Content-Type": "application/json"}
        self.provider.says(raw, status, "/token", **kind, **headers)
        return self.client.get(self.callback, {"code": "c", "state": self.state})

    def finish_with(self, id_token: str) -> Any:
        return self.finish({"access_token": "a", "token_type": "Bearer", "id_token": id_token})

    @property
    def is_logged_in(self) -> bool:
        return "_auth_user_id" in self.client.session


def test_a_good_answer_of_this_provider_logs_in(provider: Provider, boss: Account) -> None:
    """Show that the refusals below are for what is wrong in each."""
    for claims in ({}, {"aud": [CLIENT]}):
        browser = SignIn(provider)
        assert browser.finish_with(idp.token(browser.claims(**claims))).status_code == 302
        assert browser.is_logged_in


REFUSED_CLAIMS: dict[str, dict[str, Any]] = {
    "another nonce": {"nonce": "n" * 20},
    "no nonce": {"nonce": None},
    "another audience": {"aud": "another-client"},
    "another audience, our party": {"aud": "another-client", "azp": CLIENT},
    "no audience": {"aud": None},
    "another party": {"aud": [CLIENT, "other"], "azp": "other"},
    "another issuer": {"iss": "https://evil.example"},
    "no issuer": {"iss": None},
    "expired": {"exp": 1_000_000_000},
    "no expiry": {"exp": None},
    "no subject": {"sub": None},
    "a number as subject": {"sub": 7},
    "a reserved subject": {"sub": "system"},
    "a subject with NUL": {"sub": "boss\x00"},
    "an expiry that is text": {"exp": "never"},
    "a wrong hash of the access token": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
}


@pytest.mark.parametrize("wrong", REFUSED_CLAIMS)
def test_an_id_token_with_wrong_claims_is_refused(wrong: str, provider: Provider, boss: Account) -> None:
    browser = SignIn(provider)
    answer = browser.finish_with(idp.token(browser.claims(**REFUSED_CLAIMS[wrong])))
    assert (answer.status_code, browser.is_logged_in) == (403, False)


FORGED: dict[str, Callable[[Any], str]] = {
    "a stranger's key": lambda claims: idp.token(claims, key="a stranger"),
    "a stranger's key under a good kid": lambda claims: idp.token(claims, key="a stranger", kid="rsa"),
    "no signature": idp.unsigned,
    "the client's secret": lambda claims: idp.token(claims, key=SECRET.encode(), alg="HS256"),
    "the public key as secret": lambda claims: idp.token(claims, key=idp.public_pem("rsa"), kid="rsa", alg="HS256"),
    "no token at all": lambda claims: "nonsense",
    "a signature cut off": lambda claims: idp.token(claims)[:-20],
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_id_token_is_refused(forgery: str, provider: Provider, boss: Account) -> None:
    browser = SignIn(provider)
    answer = browser.finish_with(FORGED[forgery](browser.claims()))
    assert (answer.status_code, browser.is_logged_in) == (403, False)


@pytest.mark.parametrize(
    ("body", "status", "expected"),
    [
        ({"access_token": "a", "token_type": "Bearer"}, 200, 403),
        ({"error": "invalid_grant"}, 400, 403),
        ({"error": "invalid_client"}, 401, 403),
        ([], 200, 403),
        (b"", 200, 403),
        (b"<html>", 200, 403),
        (b"\xff", 200, 403),
        ({}, 500, 503),
    ],
    ids=str,
)
def test_an_answer_without_an_id_token_is_refused(
    body: object, status: int, expected: int, provider: Provider, boss: Account
) -> None:
    browser = SignIn(provider)
    assert browser.finish(body, status).status_code == expected
    assert not browser.is_logged_in


def test_a_redirect_of_the_token_endpoint_is_not_followed(provider: Provider, boss: Account) -> None:
    browser = SignIn(provider)
    provider.says(b"{}", path="/elsewhere")
    assert browser.finish(b"", 307, Location=f"{provider.url}/elsewhere").status_code == 503
    assert "/elsewhere" not in provider.requested and not browser.is_logged_in


def test_a_token_endpoint_that_never_answers_is_a_503(
    provider: Provider, boss: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.signing_in.provider_client.TIMEOUT", 0.2)
    with idp.listening() as port:
        endpoint = {"token_endpoint": f"http://127.0.0.1:{port}/token"}
        provider.says(json.dumps(discovery(provider, **endpoint)).encode(), path=DISCOVERY)
        browser = SignIn(provider)
        answer = browser.finish({})
    assert (answer.status_code, answer["Retry-After"], browser.is_logged_in) == (503, "5", False)


def test_no_more_than_two_threads_wait_for_the_provider(provider: Provider) -> None:
    assert ADMIN.visits.acquire(blocking=False) and ADMIN.visits.acquire(blocking=False)
    try:
        answer = Client().get(BEGIN, headers=FROM_OUR_PAGE)
    finally:
        ADMIN.visits.release(2)
    assert (answer.status_code, answer["Retry-After"], provider.requested) == (503, "1", [])
    assert Client().get(BEGIN, headers=FROM_OUR_PAGE).status_code == 302


WRONG_DISCOVERY: dict[str, dict[str, object]] = {
    "another issuer": {"issuer": "https://evil.example"},
    "a token endpoint in plain": {"token_endpoint": "http://evil.example/token"},
    "keys in plain": {"jwks_uri": "http://evil.example/jwks"},
    "a page in plain": {"authorization_endpoint": "http://evil.example/authorize"},
    "no token endpoint": {"token_endpoint": None},
}


@pytest.mark.parametrize("wrong", WRONG_DISCOVERY)
def test_a_wrong_discovery_document_sends_nobody_anywhere(wrong: str, provider: Provider) -> None:
    provider.says(json.dumps(discovery(provider, **WRONG_DISCOVERY[wrong])).encode(), path=DISCOVERY)
    assert Client().get(BEGIN, headers=FROM_OUR_PAGE).status_code == 503


def test_a_key_that_is_new_at_the_provider_is_found(provider: Provider, boss: Account) -> None:
    provider.says(idp.key_set("ec"))
    first = SignIn(provider)
    assert first.finish_with(idp.token(first.claims(), key="ec")).status_code == 302
    provider.says(idp.key_set("ec", "rsa"))
    second = SignIn(provider)
    assert second.finish_with(idp.token(second.claims(), key="rsa")).status_code == 302


USER_INFO: dict[str, tuple[object, int, str]] = {
    "of the person": ({"sub": "nova", "name": "Nova"}, 200, "Nova"),
    "of another person": ({"sub": "boss", "name": "Boss"}, 200, ""),
    "of nobody": ({"name": "Nova"}, 200, ""),
    "with a name that is no text": ({"sub": "nova", "name": {"first": "Nova"}}, 200, ""),
    "with another door's rights": ({"sub": "nova", "name": "Nova", "role": "admin", "amr": ["otp"]}, 200, "Nova"),
    "no object": ([], 200, ""),
    "no JSON": (b"eyJhbGciOiJSUzI1NiJ9.e30.c2ln", 200, ""),
    "a refusal": ({"error": "invalid_token"}, 401, ""),
    "an error": (b"", 500, ""),
    "too long": (b" " * 600_000, 200, ""),
}  # fmt: skip


@pytest.mark.parametrize("kind", USER_INFO)
def test_whatever_the_userinfo_endpoint_says_the_person_signs_in(kind: str, provider: Provider, db: None) -> None:
    told, status, name = USER_INFO[kind]
    endpoint = {"userinfo_endpoint": f"{provider.url}/userinfo"}
    provider.says(json.dumps(discovery(provider, **endpoint)).encode(), path=DISCOVERY)
    provider.says(told if isinstance(told, bytes) else json.dumps(told).encode(), status, "/userinfo")
    browser = SignIn(provider, MEMBERS_BEGIN, MEMBERS_CALLBACK)
    assert browser.finish_with(idp.token(browser.claims(sub="nova"))).status_code == 302
    assert browser.is_logged_in and "/userinfo" in provider.requested
    account = Account.objects.get(pk="nova")
    assert (account.display_name, account.role) == (name, "member")
    assert set(Account.objects.values_list("pk", flat=True)) <= {"nova", "system"}


@pytest.mark.parametrize("endpoint", [None, "http://evil.example/userinfo", "file:///etc/passwd"])
def test_a_userinfo_endpoint_that_is_not_safe_is_not_asked(endpoint: str | None, provider: Provider, db: None) -> None:
    document = discovery(provider, userinfo_endpoint=endpoint)
    provider.says(json.dumps(document).encode(), path=DISCOVERY)
    browser = SignIn(provider, MEMBERS_BEGIN, MEMBERS_CALLBACK)
    assert browser.finish_with(idp.token(browser.claims(sub="nova"))).status_code == 302
    assert Account.objects.get(pk="nova").display_name == ""


def test_the_userinfo_endpoint_is_not_asked_for_a_name_that_the_id_token_has(provider: Provider, db: None) -> None:
    endpoint = {"userinfo_endpoint": f"{provider.url}/userinfo"}
    provider.says(json.dumps(discovery(provider, **endpoint)).encode(), path=DISCOVERY)
    browser = SignIn(provider, MEMBERS_BEGIN, MEMBERS_CALLBACK)
    assert browser.finish_with(idp.token(browser.claims(sub="nova", name="Nova"))).status_code == 302
    assert "/userinfo" not in provider.requested


def test_an_answer_without_an_access_token_signs_in_without_a_name(provider: Provider, db: None) -> None:
    endpoint = {"userinfo_endpoint": f"{provider.url}/userinfo"}
    provider.says(json.dumps(discovery(provider, **endpoint)).encode(), path=DISCOVERY)
    browser = SignIn(provider, MEMBERS_BEGIN, MEMBERS_CALLBACK)
    answer = browser.finish({"id_token": idp.token(browser.claims(sub="nova")), "token_type": "Bearer"})
    assert answer.status_code == 302 and browser.is_logged_in


# Of moments, the seconds from now.
OLD_LOGINS: dict[str, object] = {
    "none": None,
    "old": -400,
    "from the future": 400,
    "text": "now",
    "true": True,
    "milliseconds": 1_800_000_000_000,
}


@pytest.mark.parametrize("door", ["member", "admin"])
def test_a_login_that_is_old_or_of_an_unknown_time_is_refused_where_a_new_one_was_asked_for(
    door: str, provider: Provider, boss: Account
) -> None:
    ways = {"member": (MEMBERS_BEGIN, MEMBERS_CALLBACK), "admin": (BEGIN, CALLBACK)}
    begin, callback = ways[door]
    now = int(time.time())
    for kind, value in OLD_LOGINS.items():
        browser = SignIn(provider, f"{begin}?again=yes", callback)
        moment = now + value if type(value) is int and abs(value) < now else value
        answer = browser.finish_with(idp.token(browser.claims(auth_time=moment)))
        assert (answer.status_code, browser.is_logged_in) == (403, False), kind
        reason = "did not sign you in" if kind == "text" else "logged in just now"
        assert reason in answer.content.decode(), kind
    for begun, moment in ((f"{begin}?again=yes", now - 60), (begin, None), (begin, now - 400)):
        browser = SignIn(provider, begun, callback)
        assert browser.finish_with(idp.token(browser.claims(auth_time=moment))).status_code == 302, begun
        authenticated = browser.client.session["authenticated"]
        assert authenticated == (moment or 0), "the session is as old as the login"
