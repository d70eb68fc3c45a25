"""What a provider may answer, and how long it may take."""

import json
import socket
import threading
from typing import Any

import pytest

from accounts import jwks
from accounts.fetching import Exchange, FetchError, connection_to, is_safe_url
from accounts.jwks import fetch_keys
from tests import identity_provider as idp
from tests.identity_provider import Handler, Provider, key_set, public_jwk
from tests.provider_faults import DRIPPING, UNUSABLE, slowly


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
    with pytest.raises(FetchError):
        fetch_keys(f"{provider.url}/discovery")
    assert provider.requested == ["/discovery"]


def test_a_discovery_document_is_not_followed_twice(provider: Provider) -> None:
    provider.says(json.dumps({"jwks_uri": f"{provider.url}/loop"}).encode(), path="/loop")
    with pytest.raises(FetchError):
        fetch_keys(f"{provider.url}/loop")
    assert len(provider.requested) == 2


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_answer_that_is_no_key_set_is_an_error_of_the_provider(provider: Provider, name: str) -> None:
    provider.answers = {"/jwks": UNUSABLE[name], "/other": (200, {}, key_set("ec"))}
    with pytest.raises(FetchError):
        fetch_keys(f"{provider.url}/jwks")
    assert provider.requested == ["/jwks"]


@pytest.mark.parametrize("name", DRIPPING)
def test_an_answer_that_drips_is_given_up_and_its_connection_closed(
    provider: Provider, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """However short each single wait is. That the provider's side ends shows that ours has closed."""
    monkeypatch.setattr(jwks, "TIMEOUT", 0.2)
    closed = threading.Event()

    def write(handler: Handler) -> None:
        slowly(DRIPPING[name])(handler)
        closed.set()

    provider.answers["/jwks"] = write
    with pytest.raises(FetchError, match="in time"):
        fetch_keys(f"{provider.url}/jwks")
    closed.wait()


def test_discovery_and_key_set_share_one_deadline(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jwks, "TIMEOUT", 0.3)
    over = threading.Event()
    deadlines: list[float] = []
    real = jwks.fetch_json

    def remembered(url: str, deadline: float) -> Any:
        deadlines.append(deadline)
        return real(url, deadline)

    monkeypatch.setattr(jwks, "fetch_json", remembered)
    provider.says(json.dumps({"jwks_uri": f"{provider.url}/jwks"}).encode(), path="/discovery")
    provider.answers["/jwks"] = lambda handler: over.wait()
    with pytest.raises(FetchError, match="in time"):
        fetch_keys(f"{provider.url}/discovery")
    over.set()
    assert provider.requested == ["/discovery", "/jwks"]
    assert len(deadlines) == 2
    assert len(set(deadlines)) == 1


def test_an_answer_that_never_comes_is_given_up(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks, "TIMEOUT", 0.05)
    over = threading.Event()
    provider.answers["/jwks"] = lambda handler: over.wait()
    with pytest.raises(FetchError, match="in time"):
        fetch_keys(f"{provider.url}/jwks")
    over.set()


def test_a_name_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks, "TIMEOUT", 0.05)
    over = threading.Event()

    def hang(*args: Any, **kwargs: Any) -> Any:
        over.wait()
        raise OSError("no such name")

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    with pytest.raises(FetchError, match="in time"):
        fetch_keys("https://id.example/jwks")
    over.set()


def test_a_connection_made_too_late_asks_for_nothing(provider: Provider) -> None:
    exchange = Exchange(f"{provider.url}/jwks")
    exchange.break_off()
    exchange.run()
    assert (exchange.body, exchange.problem, provider.requested) == (b"", None, [])


def test_it_goes_through_the_proxy_that_the_environment_names(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", provider.url)
    monkeypatch.setenv("no_proxy", "inside.example")
    with pytest.raises(FetchError, match="Tunnel connection failed"):
        fetch_keys("https://id.example/jwks")
    assert connection_to("https://inside.example/jwks").host == "inside.example"
    assert connection_to("http://127.0.0.1:1/jwks").host == "127.0.0.1"


@pytest.mark.parametrize("name", ["n", "e", "kid", "alg", "kty", "use", "crv", "x", "y"])
@pytest.mark.parametrize("odd", [None, 5, True, "", "é", "!!", [], ["a"], {}, {"a": 1}, "A" * 9000])
def test_an_odd_key_beside_good_ones_does_no_harm(
    name: str, odd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = {"keys": [{**public_jwk(kid), "kid": f"odd {kid}", name: odd} for kid in ("rsa", "ec", "ed")]}
    document["keys"].append(public_jwk("ec"))
    monkeypatch.setattr(jwks, "fetch_json", lambda url, deadline: document)
    assert "ec" in fetch_keys("")


def test_a_private_key_published_by_mistake_is_read_as_the_public_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    private = {
        **jwks.PyJWK(public_jwk("rsa")).Algorithm.to_jwk(idp.private_key("rsa"), as_dict=True),
        "kid": "rsa",
    }
    monkeypatch.setattr(jwks, "fetch_json", lambda url, deadline: {"keys": [private]})
    assert hasattr(fetch_keys("")["rsa"][0].key, "verify")


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
        ("https://", False),
        ("https://id.example:99999/", False),
        ("", False),
    ],
)
def test_keys_never_come_in_plain_over_a_network(url: str, safe: bool) -> None:
    assert is_safe_url(url) is safe
