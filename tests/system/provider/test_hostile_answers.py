"""What both clients make of answers of the provider that are not good: a server of ours makes each of them."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from accounts.signing_in.provider_client import provider_client
from tests import factories
from tests import identity_provider as idp
from tests.identity_provider import Provider
from tests.system.provider.ways_in import ADMIN, BOTH, FROM_OUR_PAGE, MEMBERS, SECRET, WayIn, query_of, signed_in_as

pytestmark = pytest.mark.django_db

CLIENT = "the-admin"


@pytest.fixture
def provider(settings: Any) -> Iterator[Provider]:
    with idp.running() as provider:
        documents(provider)
        settings.JWT_ISSUER = provider.url
        settings.ADMIN_OIDC_CLIENT_ID, settings.ADMIN_OIDC_CLIENT_SECRET = CLIENT, SECRET
        settings.MEMBER_OIDC_CLIENT_ID, settings.MEMBER_OIDC_CLIENT_SECRET = CLIENT, SECRET
        settings.AUTHENTICATION_BACKENDS = ["accounts.backends.ProviderBackend"]
        provider_client.cache_clear()
        yield provider
    provider_client.cache_clear()


def documents(provider: Provider, **changes: object) -> None:
    """Let the provider have a discovery document that is good but for these changes."""
    document = {
        "issuer": provider.url,
        "authorization_endpoint": f"{provider.url}/authorize",
        "token_endpoint": f"{provider.url}/token",
        "jwks_uri": f"{provider.url}/jwks",
        "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256", "none"],
        **changes,
    }
    provider.says(json.dumps(document).encode(), path="/.well-known/openid-configuration")


@pytest.fixture
def boss(db: None) -> Account:
    return factories.account("boss", role="admin")


class SignIn:
    """A browser that has begun to sign in, and what the provider was told."""

    def __init__(self, provider: Provider, way: WayIn = ADMIN, query: str = "") -> None:
        self.provider, self.way, self.client = provider, way, Client()
        sent = query_of(way.to_provider(self.client, query))
        self.state, self.nonce = sent["state"], sent["nonce"]

    def claims(self, **changes: Any) -> dict[str, Any]:
        own = {"iss": self.provider.url, "aud": CLIENT, "sub": "boss", "nonce": self.nonce}
        return idp.claims(**{**own, **changes})

    def finish(self, body: object, status: int = 200, **headers: str) -> Any:
        """Come back with a code, for which the token endpoint gives this answer."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        kind = {"Content-Type": "application/json"}
        self.provider.says(raw, status, "/token", **kind, **headers)
        return self.client.get(self.way.callback, {"code": "c", "state": self.state})

    def finish_with(self, id_token: str) -> Any:
        return self.finish({"access_token": "a", "token_type": "Bearer", "id_token": id_token})

    @property
    def is_logged_in(self) -> bool:
        return signed_in_as(self.client) is not None


def test_a_good_answer_of_this_provider_logs_in_and_a_key_that_is_new_there_is_found(
    provider: Provider, boss: Account
) -> None:
    """Show that the refusals below are for what is wrong in each."""
    for keys, key, claims in ((["ec"], "ec", {}), (["ec", "rsa"], "rsa", {"aud": [CLIENT]})):
        provider.says(idp.key_set(*keys))
        browser = SignIn(provider)
        assert browser.finish_with(idp.token(browser.claims(**claims), key=key)).status_code == 302
        assert browser.is_logged_in


WRONG_CLAIMS: dict[str, dict[str, Any]] = {
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
FORGED: dict[str, Callable[[Any], str]] = {
    "a stranger's key": lambda claims: idp.token(claims, key="a stranger"),
    "a stranger's key under a good kid": lambda claims: idp.token(claims, key="a stranger", kid="rsa"),
    "no signature": idp.unsigned,
    "the client's secret": lambda claims: idp.token(claims, key=SECRET.encode(), alg="HS256"),
    "the public key as secret": lambda claims: idp.token(claims, key=idp.public_pem("rsa"), kid="rsa", alg="HS256"),
    "no token at all": lambda claims: "nonsense",
    "a signature cut off": lambda claims: idp.token(claims)[:-20],
}  # fmt: skip


@pytest.mark.parametrize("wrong", [*WRONG_CLAIMS, *FORGED])
def test_an_id_token_that_is_forged_or_has_wrong_claims_is_refused(
    wrong: str, provider: Provider, boss: Account
) -> None:
    browser = SignIn(provider)
    forge = FORGED.get(wrong, idp.token)
    answer = browser.finish_with(forge(browser.claims(**WRONG_CLAIMS.get(wrong, {}))))
    assert (answer.status_code, browser.is_logged_in) == (403, False)


def test_an_answer_without_an_id_token_is_refused(provider: Provider, boss: Account) -> None:
    for body, status, expected in (
        ({"access_token": "a", "token_type": "Bearer"}, 200, 403),
        *(({"error": "invalid_grant"}, 400, 403), ({"error": "invalid_client"}, 401, 403)),
        *(([], 200, 403), (b"", 200, 403), (b"<html>", 200, 403), (b"\xff", 200, 403), ({}, 500, 503)),
    ):
        browser = SignIn(provider)
        assert (browser.finish(body, status).status_code, browser.is_logged_in) == (expected, False), body


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
        documents(provider, token_endpoint=f"http://127.0.0.1:{port}/token")
        browser = SignIn(provider)
        answer = browser.finish({})
    assert (answer.status_code, answer["Retry-After"], browser.is_logged_in) == (503, "5", False)


def test_a_wrong_discovery_document_sends_nobody_anywhere(provider: Provider) -> None:
    for wrong in (
        {"issuer": "https://evil.example"},
        {"token_endpoint": "http://evil.example/token"},
        {"jwks_uri": "http://evil.example/jwks"},
        {"authorization_endpoint": "http://evil.example/authorize"},
        {"token_endpoint": None},
    ):
        documents(provider, **wrong)
        assert Client().get(ADMIN.begin, headers=FROM_OUR_PAGE).status_code == 503, wrong


USER_INFO: dict[str, tuple[object, int, str]] = {
    "of the person": ({"sub": "nova", "name": "Nova"}, 200, "Nova"),
    "of another person": ({"sub": "boss", "name": "Boss"}, 200, ""),
    "of nobody": ({"name": "Nova"}, 200, ""),
    "with a name that is not a text": ({"sub": "nova", "name": {"first": "Nova"}}, 200, ""),
    "with another client's rights": ({"sub": "nova", "name": "Nova", "role": "admin", "amr": ["otp"]}, 200, "Nova"),
    "no object": ([], 200, ""),
    "no JSON": (b"eyJhbGciOiJSUzI1NiJ9.e30.c2ln", 200, ""),
    "a refusal": ({"error": "invalid_token"}, 401, ""),
    "an error": (b"", 500, ""),
    "too long": (b" " * 600_000, 200, ""),
}  # fmt: skip


@pytest.mark.parametrize("kind", USER_INFO)
def test_whatever_the_userinfo_endpoint_says_the_person_signs_in(kind: str, provider: Provider) -> None:
    told, status, name = USER_INFO[kind]
    documents(provider, userinfo_endpoint=f"{provider.url}/userinfo")
    provider.says(told if isinstance(told, bytes) else json.dumps(told).encode(), status, "/userinfo")
    browser = SignIn(provider, MEMBERS)
    assert browser.finish_with(idp.token(browser.claims(sub="nova"))).status_code == 302
    assert browser.is_logged_in and "/userinfo" in provider.requested
    account = Account.objects.get(pk="nova")
    assert (account.display_name, account.role) == (name, "member")
    assert set(Account.objects.values_list("pk", flat=True)) <= {"nova", "system"}


def test_without_a_userinfo_endpoint_that_is_safe_and_needed_the_person_signs_in_all_the_same(
    provider: Provider,
) -> None:
    def signs_in(name: str, endpoint: str | None, **more: str) -> str:
        documents(provider, userinfo_endpoint=endpoint)
        provider_client.cache_clear()
        browser = SignIn(provider, MEMBERS)
        tokens = {"token_type": "Bearer", "id_token": idp.token(browser.claims(sub="nova", name=name or None))}
        assert browser.finish({**tokens, **more}).status_code == 302 and browser.is_logged_in
        return Account.objects.get(pk="nova").display_name

    for endpoint in (None, "http://evil.example/userinfo", "file:///etc/passwd"):
        assert signs_in("", endpoint, access_token="a") == ""
    Account.objects.filter(pk="nova").delete()
    assert signs_in("Nova", f"{provider.url}/userinfo", access_token="a") == "Nova"
    assert "/userinfo" not in provider.requested
    Account.objects.filter(pk="nova").delete()
    assert signs_in("", f"{provider.url}/userinfo") == "", "there is no access token to ask with"


# Of moments, the seconds from now.
OLD_LOGINS: dict[str, object] = {
    "none": None,
    "old": -400,
    "from the future": 400,
    "text": "now",
    "true": True,
    "milliseconds": 1_800_000_000_000,
}


@BOTH
def test_a_login_that_is_old_or_of_an_unknown_time_is_refused_where_a_new_one_was_asked_for(
    way: WayIn, provider: Provider, boss: Account
) -> None:
    now = int(time.time())
    for kind, value in OLD_LOGINS.items():
        browser = SignIn(provider, way, "?again=yes")
        moment = now + value if type(value) is int and abs(value) < now else value
        answer = browser.finish_with(idp.token(browser.claims(auth_time=moment)))
        assert (answer.status_code, browser.is_logged_in) == (403, False), kind
        reason = "did not sign you in" if kind == "text" else "ask you to log in again"
        assert reason in answer.content.decode(), kind
    for query, moment in (("?again=yes", now - 60), ("", None), ("", now - 400)):
        browser = SignIn(provider, way, query)
        assert browser.finish_with(idp.token(browser.claims(auth_time=moment))).status_code == 302, query
        authenticated = browser.client.session["authenticated"]
        assert authenticated == (moment or 0), "the session is as old as the login"
