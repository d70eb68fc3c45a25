"""What the service makes of a provider's answers, and how long an answer may take."""

import base64
import itertools
import json
import threading
from typing import Any

import pytest

from accounts.tokens import jwks
from accounts.tokens.jwks import FetchError, fetch_keys, is_safe_url
from tests import identity_provider as idp
from tests.identity_provider import Provider, key_set, public_jwk
from tests.provider_faults import UNUSABLE


def test_it_reads_a_key_set_and_follows_a_discovery_document(provider: Provider) -> None:
    document = {"issuer": idp.ISSUER, "jwks_uri": f"{provider.url}/jwks"}
    provider.says(json.dumps(document).encode(), path="/.well-known/openid-configuration")
    for path in ("/jwks", "/.well-known/openid-configuration"):
        assert fetch_keys(f"{provider.url}{path}").keys() == {"rsa", "ec", "ed"}
    assert provider.requested == ["/jwks", "/.well-known/openid-configuration", "/jwks"]


def test_a_discovery_document_is_not_followed_to_an_unsafe_address(provider: Provider) -> None:
    for uri in (
        "http://id.example/jwks", "file:///etc/passwd", "ftp://127.0.0.1/x", "", "/jwks", "https://[", "https://a b/\n"
    ):  # fmt: skip
        provider.requested.clear()
        provider.says(json.dumps({"jwks_uri": uri}).encode(), path="/discovery")
        with pytest.raises(FetchError):
            fetch_keys(f"{provider.url}/discovery")
        assert provider.requested == ["/discovery"], uri


def test_a_discovery_document_is_not_followed_twice(provider: Provider) -> None:
    provider.says(json.dumps({"jwks_uri": f"{provider.url}/loop"}).encode(), path="/loop")
    with pytest.raises(FetchError):
        fetch_keys(f"{provider.url}/loop")
    assert len(provider.requested) == 2


def test_an_answer_that_is_no_key_set_is_the_providers_error(provider: Provider, subtests: pytest.Subtests) -> None:
    for name in UNUSABLE:
        with subtests.test(repr(name)):
            provider.requested.clear()
            provider.answers = {"/jwks": UNUSABLE[name], "/other": (200, {}, key_set("ec"))}
            with pytest.raises(FetchError):
                fetch_keys(f"{provider.url}/jwks")
            assert provider.requested == ["/jwks"]


def test_an_answer_that_never_comes_is_given_up(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    """tests/config/test_http_client.py has the answers that come a byte at a time."""
    monkeypatch.setattr(jwks, "TIMEOUT", 0.05)
    over = threading.Event()
    provider.answers["/jwks"] = lambda handler: over.wait()
    with pytest.raises(FetchError, match="takes too long"):
        fetch_keys(f"{provider.url}/jwks")
    over.set()


def test_https_goes_through_the_proxy_of_the_environment(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", provider.url.replace("//", "//user:secret@"))
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(FetchError, match="Tunnel connection failed"):
        fetch_keys("https://id.example/jwks")
    assert provider.requested == ["id.example:443"]
    assert provider.proxy_authorization == "Basic " + base64.b64encode(b"user:secret").decode()


def test_http_to_this_machine_goes_through_no_proxy(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    assert fetch_keys(f"{provider.url}/jwks").keys() == {"rsa", "ec", "ed"}


def test_an_odd_key_beside_good_ones_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    document: dict[str, Any] = {}
    monkeypatch.setattr(jwks, "fetch_json", lambda url: document)
    names = ("n", "e", "kid", "alg", "kty", "use", "crv", "x", "y")
    for name, odd in itertools.product(names, (None, 5, True, "", "é", "!!", [], ["a"], {}, {"a": 1}, "A" * 9000)):
        keys = [{**public_jwk(kid), "kid": f"odd {kid}", name: odd} for kid in ("rsa", "ec", "ed")]
        document["keys"] = [*keys, public_jwk("ec")]
        assert "ec" in fetch_keys(""), (name, odd)


def test_a_private_key_published_by_mistake_is_read_as_the_public_one(monkeypatch: pytest.MonkeyPatch) -> None:
    private = {**jwks.PyJWK(public_jwk("rsa")).Algorithm.to_jwk(idp.private_key("rsa"), as_dict=True), "kid": "rsa"}
    monkeypatch.setattr(jwks, "fetch_json", lambda url: {"keys": [private]})
    assert hasattr(fetch_keys("")["rsa"][0].key, "verify")


def test_keys_never_come_in_plain_over_a_network() -> None:
    local = ("http://localhost:8080/jwks", "http://127.0.0.1/jwks", "http://[::1]:1/jwks")
    assert all(is_safe_url(url) for url in ("https://id.example/jwks", *local))
    for url in (
        "http://id.example/jwks", "http://localhost.evil.example/jwks", "http://localhost@evil.example/jwks",
        "http://127.0.0.1.nip.io/", "file:///etc/passwd", "https://[", "https://", "https://id.example:99999/", "",
    ):  # fmt: skip
        assert not is_safe_url(url), url
