"""The provider's keys: fetched rarely, kept through its outages, never waited for twice."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from jwt import PyJWK
from rest_framework.test import APIClient

from accounts import jwks
from accounts.jwks import COOL_DOWN, FRESH, KEPT, JwksError, KeySet, fetch_keys, is_safe_url
from accounts.models import Account
from accounts.tokens import verifier
from config.api.errors import ServiceUnavailable
from tests import identity_provider as idp
from tests.identity_provider import Handler, Provider, key_set, public_jwk, token


@pytest.fixture
def provider() -> Iterator[Provider]:
    with idp.running() as running:
        yield running


class Clock:
    """time.monotonic() as jwks sees it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(jwks, "time", clock)
    return clock


class Keys:
    """A fetch that counts, and fails when told to."""

    def __init__(self, *kids: str | None) -> None:
        self.kids, self.fails, self.count = list(kids), False, 0

    def __call__(self, url: str) -> dict[str | None, PyJWK]:
        self.count += 1
        if self.fails:
            raise JwksError("down")
        return {kid: PyJWK(public_jwk("ec")) for kid in self.kids}


class Here(threading.Thread):
    """A thread that runs where it is started."""

    def start(self) -> None:
        self.run()


@pytest.fixture
def background(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks.threading, "Thread", Here)


def test_keys_are_fetched_once_for_many_tokens(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a", "b"))
    assert [keys.key("a"), keys.key("b"), keys.key("a")].count(None) == 0
    assert fetch.count == 1


def test_an_unknown_kid_asks_again_but_once_in_a_cool_down(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a"))
    assert keys.key("a")
    fetch.kids = ["a", "b"]
    assert [keys.key(f"random {number}") for number in range(200)] == [None] * 200
    assert keys.key("b") is None
    assert fetch.count == 1
    clock.now += COOL_DOWN + 1
    assert keys.key("b")
    assert fetch.count == 2


def test_a_failure_starts_the_cool_down_too(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a"))
    fetch.fails = True
    for number in range(200):
        with pytest.raises(ServiceUnavailable):
            keys.key(f"random {number}")
    assert fetch.count == 1
    fetch.fails = False
    clock.now += COOL_DOWN + 1
    assert keys.key("a")


def test_known_keys_serve_for_a_day_without_the_provider(clock: Clock, background: None) -> None:
    keys = KeySet("", fetch := Keys("a"))
    assert keys.key("a")
    fetch.fails = True
    clock.now += KEPT - 1
    assert keys.key("a")
    clock.now += 2
    with pytest.raises(ServiceUnavailable) as refused:
        keys.key("a")
    assert int(refused.value.headers["Retry-After"]) >= 1


def test_an_unknown_kid_during_an_outage_is_not_called_wrong(clock: Clock) -> None:
    keys = KeySet("", fetch := Keys("a"))
    assert keys.key("a")
    fetch.fails = True
    clock.now += COOL_DOWN + 1
    with pytest.raises(ServiceUnavailable):
        keys.key("b")
    assert keys.key("a")


def test_keys_are_renewed_behind_the_requests_that_use_them(clock: Clock, background: None) -> None:
    keys = KeySet("", fetch := Keys("a"))
    first = keys.key("a")
    clock.now += FRESH + 1
    assert keys.key("a") is first
    assert keys.key("a") is not first
    assert fetch.count == 2


def test_a_key_the_provider_withdrew_is_forgotten_at_the_renewal(clock: Clock, background: None) -> None:
    keys = KeySet("", fetch := Keys("a", "b"))
    assert keys.key("a")
    fetch.kids = ["b"]
    clock.now += FRESH + 1
    keys.key("a")
    assert keys.key("a") is None


def test_a_token_without_kid_means_the_only_key(clock: Clock) -> None:
    assert KeySet("", Keys("a")).key(None)
    assert KeySet("", Keys("a", "b")).key(None) is None


def test_a_token_without_kid_lives_through_an_outage_and_asks_no_more_often(
    clock: Clock, background: None
) -> None:
    keys = KeySet("", fetch := Keys("a"))
    assert keys.key(None)
    clock.now += COOL_DOWN + 1
    assert keys.key(None)
    assert fetch.count == 1
    fetch.fails = True
    clock.now += FRESH
    assert keys.key(None)
    assert keys.key(None)
    assert fetch.count == 2


def test_requests_that_come_together_wait_for_one_fetch() -> None:
    arrived, release = threading.Event(), threading.Event()
    fetched: list[str] = []

    def slow(url: str) -> dict[str | None, PyJWK]:
        fetched.append(url)
        arrived.set()
        release.wait()
        return {"a": PyJWK(public_jwk("ec"))}

    keys = KeySet("", slow)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(keys.key("a"))) for _ in range(10)]
    for thread in threads:
        thread.start()
    arrived.wait()
    release.set()
    for thread in threads:
        thread.join()
    assert len(fetched) == 1
    assert len(found) == 10
    assert None not in found


def test_a_known_kid_does_not_wait_for_a_fetch_under_way(clock: Clock) -> None:
    keys = KeySet("", Keys("a"))
    assert keys.key("a")
    with keys.lock:
        assert keys.key("a")


# --- Over HTTP -----------------------------------------------------------------------------------------------


def test_it_reads_a_key_set(provider: Provider) -> None:
    assert fetch_keys(f"{provider.url}/jwks").keys() == {"rsa", "ec", "ed"}


def test_it_follows_a_discovery_document(provider: Provider) -> None:
    document = {"issuer": idp.ISSUER, "jwks_uri": f"{provider.url}/jwks"}
    provider.says(json.dumps(document).encode(), path="/.well-known/openid-configuration")
    assert fetch_keys(f"{provider.url}/.well-known/openid-configuration").keys() == {"rsa", "ec", "ed"}
    assert provider.requested == ["/.well-known/openid-configuration", "/jwks"]


@pytest.mark.parametrize(
    "uri",
    [
        "http://id.example/jwks",
        "file:///etc/passwd",
        "ftp://127.0.0.1/x",
        "",
        "/jwks",
        "https://[",
        "https://a b/\n",
    ],
)
def test_a_discovery_document_leads_nowhere_unsafe(provider: Provider, uri: str) -> None:
    provider.says(json.dumps({"jwks_uri": uri}).encode(), path="/discovery")
    with pytest.raises(JwksError):
        fetch_keys(f"{provider.url}/discovery")
    assert provider.requested == ["/discovery"]


def test_a_discovery_document_is_not_followed_twice(provider: Provider) -> None:
    provider.says(json.dumps({"jwks_uri": f"{provider.url}/loop"}).encode(), path="/loop")
    with pytest.raises(JwksError):
        fetch_keys(f"{provider.url}/loop")
    assert len(provider.requested) == 2


def endless(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
    try:
        while True:
            handler.wfile.write(b" " * 65536)
    except OSError:
        return


def garbage(handler: Handler) -> None:
    handler.wfile.write(b"\x00\xff not HTTP at all\r\n\r\n")


def cut_off(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 9999\r\n\r\n{")


def silence(handler: Handler) -> None:
    """Closes the connection without a word."""


UNUSABLE: dict[str, Any] = {
    "HTML": (200, {"Content-Type": "text/html"}, b"<!DOCTYPE html><h1>Maintenance</h1>"),
    "empty": (200, {}, b""),
    "bad UTF-8": (200, {}, b'{"keys": "\xff"}'),
    "10 MB": (200, {}, b'{"keys": [' + b" " * 10_000_000 + b"]}"),
    "a redirect to itself": (302, {"Location": "/jwks"}, b""),
    "a permanent redirect": (308, {"Location": "/other"}, b""),
    "404": (404, {}, key_set("ec")),
    "500": (500, {}, b""),
    "an array": (200, {}, b"[]"),
    "null": (200, {}, b"null"),
    "a number too long": (200, {}, b'{"keys": ' + b"9" * 5000 + b"}"),
    "nested too deep": (200, {}, b"[" * 200_000),
    "no keys": (200, {}, b"{}"),
    "keys empty": (200, {}, b'{"keys": []}'),
    "keys an object": (200, {}, b'{"keys": {"a": 1}}'),
    "keys of odd things": (200, {}, b'{"keys": [null, 1, "a", [], {}, {"kty": []}, {"kty": "RSA"}]}'),
    "only a shared secret": (200, {}, b'{"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "rsa"}]}'),
    "only a key for encryption": (200, {}, json.dumps({"keys": [public_jwk("ec", use="enc")]}).encode()),
    "endless": endless,
    "no HTTP": garbage,
    "cut off": cut_off,
    "nothing": silence,
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_answer_that_is_no_key_set_is_an_error_of_the_provider(provider: Provider, name: str) -> None:
    provider.answers = {"/jwks": UNUSABLE[name], "/other": (200, {}, key_set("ec"))}
    with pytest.raises(JwksError):
        fetch_keys(f"{provider.url}/jwks")
    assert provider.requested == ["/jwks"]


def test_an_answer_that_drips_is_given_up(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks, "TIMEOUT", 0.05)
    over = threading.Event()

    def drip(handler: Handler) -> None:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
        try:
            while not over.wait(0.01):
                handler.wfile.write(b" ")
        except OSError:
            return

    provider.answers["/jwks"] = drip
    with pytest.raises(JwksError):
        fetch_keys(f"{provider.url}/jwks")
    over.set()


def test_an_answer_that_never_comes_is_given_up(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks, "TIMEOUT", 0.05)
    over = threading.Event()
    provider.answers["/jwks"] = lambda handler: over.wait()
    with pytest.raises(JwksError):
        fetch_keys(f"{provider.url}/jwks")
    over.set()


@pytest.mark.parametrize("name", ["n", "e", "kid", "alg", "kty", "use", "crv", "x", "y"])
@pytest.mark.parametrize("odd", [None, 5, True, "", "é", "!!", [], ["a"], {}, {"a": 1}, "A" * 9000])
def test_an_odd_key_beside_good_ones_does_no_harm(
    name: str, odd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = {"keys": [{**public_jwk(kid), "kid": f"odd {kid}", name: odd} for kid in ("rsa", "ec", "ed")]}
    document["keys"].append(public_jwk("ec"))
    monkeypatch.setattr(jwks, "fetch_json", lambda url: document)
    assert "ec" in fetch_keys("")


def test_a_private_key_published_by_mistake_is_read_as_the_public_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    private = {
        **jwks.PyJWK(public_jwk("rsa")).Algorithm.to_jwk(idp.private_key("rsa"), as_dict=True),
        "kid": "rsa",
    }
    monkeypatch.setattr(jwks, "fetch_json", lambda url: {"keys": [private]})
    assert hasattr(fetch_keys("")["rsa"].key, "verify")


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://id.example/jwks", True),
        ("http://localhost:8080/jwks", True),
        ("http://127.0.0.1/jwks", True),
        ("http://[::1]:1/jwks", True),
        ("http://id.example/jwks", False),
        ("http://localhost.evil.example/jwks", False),
        ("http://localhost@evil.example/jwks", False),
        ("http://127.0.0.1.nip.io/", False),
        ("file:///etc/passwd", False),
        ("https://[", False),
        ("", False),
    ],
)
def test_keys_never_come_in_plain_over_a_network(url: str, safe: bool) -> None:
    assert is_safe_url(url) is safe


# --- Through the service -------------------------------------------------------------------------------------


@pytest.fixture
def deployed(provider: Provider, settings: Any) -> None:
    for name, value in idp.settings_of(provider).items():
        setattr(settings, name, value)
    verifier.cache_clear()


def ask(path: str = "/api/accounts/me", **changes: Any) -> Any:
    client = APIClient(raise_request_exception=False)
    return client.get(path, headers={"authorization": "Bearer " + token(**changes)})


@pytest.mark.django_db
@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize(
    "name", ["HTML", "empty", "bad UTF-8", "10 MB", "a redirect to itself", "500", "nothing"]
)
def test_cold_and_without_keys_it_is_a_503_and_never_a_401(provider: Provider, name: str) -> None:
    provider.answers["/jwks"] = UNUSABLE[name]
    for path in ("/api/accounts/me", "/api/auction-systems"):
        response = ask(path)
        assert (response.status_code, response.json()["code"]) == (503, "service_unavailable")
        assert int(response["Retry-After"]) >= 1
    assert provider.requested == ["/jwks"]
    assert not Account.objects.filter(pk="alice").exists()


@pytest.mark.django_db
@pytest.mark.usefixtures("deployed")
def test_cold_and_unreachable_it_is_a_503(settings: Any) -> None:
    settings.JWT_JWKS_URL = "http://127.0.0.1:1/jwks"
    assert ask().status_code == 503
    assert ask("/api/auction-systems").status_code == 503
    assert APIClient().get("/api/auction-systems").status_code == 200


@pytest.mark.django_db
@pytest.mark.usefixtures("deployed")
def test_a_token_that_cannot_be_read_is_refused_without_asking_the_provider(provider: Provider) -> None:
    client = APIClient()
    for bad in ("nonsense", idp.unsigned(), token(alg="HS256")):
        response = client.get("/api/accounts/me", headers={"authorization": f"Bearer {bad}"})
        assert response.status_code == 401
    assert provider.requested == []


@pytest.mark.django_db
@pytest.mark.usefixtures("deployed")
def test_two_hundred_random_kids_cost_the_provider_one_request(provider: Provider) -> None:
    assert {ask(kid=f"random {number}").status_code for number in range(200)} == {401}
    assert provider.requested == ["/jwks"]


@pytest.mark.django_db
@pytest.mark.usefixtures("deployed")
def test_a_new_key_is_found_after_the_cool_down(provider: Provider, clock: Clock) -> None:
    provider.says(key_set("rsa"))
    assert ask().status_code == 200
    provider.says(key_set("rsa", "ec"))
    assert ask(key="ec").status_code == 401
    clock.now += COOL_DOWN + 1
    assert ask(key="ec").status_code == 200


@pytest.mark.django_db
@pytest.mark.usefixtures("deployed")
def test_it_signs_in_through_an_outage(provider: Provider) -> None:
    assert ask().status_code == 200
    provider.says(b"", status=500)
    assert ask().status_code == 200
