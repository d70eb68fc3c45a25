"""The service while its identity provider fails, and when it changes its keys."""

import json
import threading
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.tokens import jwks
from accounts.tokens.verifier import get_verifier, warm_keys
from tests import identity_provider as idp
from tests.answers import assert_error
from tests.clock import Clock
from tests.identity_provider import Provider, claims, key_set, public_jwk, token
from tests.provider_faults import UNUSABLE
from tests.undone import undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("deployed")]


def ask(path: str = "/api/accounts/me", **changes: Any) -> Any:
    client = APIClient(raise_request_exception=False)
    return client.get(path, headers={"authorization": "Bearer " + token(**changes)})


def test_a_service_without_keys_answers_503_and_never_401(provider: Provider, subtests: pytest.Subtests) -> None:
    for name in ["HTML", "empty", "bad UTF-8", "10 MB", "a redirect to itself", "500"]:
        with subtests.test(repr(name)), undone():
            get_verifier.cache_clear()
            provider.requested.clear()
            provider.answers["/jwks"] = UNUSABLE[name]
            for path in ("/api/accounts/me", "/api/auction-systems"):
                response = ask(path)
                assert_error(response, 503, "service_unavailable")
                assert int(response["Retry-After"]) >= 1
            assert provider.requested == ["/jwks"]
            assert not Account.objects.filter(pk="alice").exists()
            assert APIClient().get("/api/auction-systems").status_code == 200


def test_a_silent_provider_is_waited_for_until_the_limit(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    provider.answers["/jwks"] = UNUSABLE["nothing"]
    monkeypatch.setattr(jwks, "MAX_WAIT", 0.2)
    assert (ask().status_code, ask("/api/auction-systems").status_code) == (503, 503)


def test_a_token_that_cannot_be_read_is_refused_without_asking_the_provider(provider: Provider) -> None:
    client = APIClient()
    for bad in ("nonsense", idp.unsigned(), token(alg="HS256")):
        response = client.get("/api/accounts/me", headers={"authorization": f"Bearer {bad}"})
        assert response.status_code == 401
    assert provider.requested == []


def test_a_known_key_serves_through_an_outage_and_a_new_one_after_it(provider: Provider, clock: Clock) -> None:
    provider.says(key_set("rsa"))
    assert ask().status_code == 200
    provider.says(b"", status=500)
    clock.now += 1
    assert ask().status_code == 200
    answer = ask(key="ec")
    assert_error(answer, 503, "service_unavailable")
    provider.says(key_set("rsa", "ec"))
    clock.now += int(answer["Retry-After"]) + 1
    assert ask(key="ec").status_code == 200
    assert provider.requested == ["/jwks"] * 2


def test_warming_fetches_before_the_first_token(provider: Provider) -> None:
    answer = provider.answers["/jwks"]
    requested = threading.Event()

    def write(handler: idp.Handler) -> None:
        requested.set()
        handler.send(*answer)

    provider.answers["/jwks"] = write
    warm_keys()
    requested.wait()
    assert ask().status_code == 200
    assert provider.requested == ["/jwks"]


def test_warming_without_a_provider_is_only_logged(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.JWT_JWKS_URL = "http://127.0.0.1:1/jwks"
    warm_keys()
    assert ask().status_code == 503
    settings.JWT_JWKS_URL, settings.DEVELOPMENT_TOKENS = "", True
    warm_keys()
    assert [record.levelname for record in caplog.records if record.name == "accounts.tokens.jwks"] == ["WARNING"]


@pytest.mark.parametrize("kid", ["rsa", "ec", "ed"])
def test_keys_that_a_provider_publishes_without_kids_all_serve(provider: Provider, kid: str) -> None:
    """Allow two keys of a type, as while they are being changed. The token does not say which of them signed it."""
    published = [public_jwk(name) for name in ("rsa", "stranger", "ec", "ed")]
    for entry in published:
        del entry["kid"]
    for order in (published, published[::-1]):
        provider.says(json.dumps({"keys": order}).encode())
        get_verifier.cache_clear()
        assert ask(key=kid, kid=None).status_code == 200
        assert ask(key="stranger", kid=None).status_code == 200
        assert ask(key=kid, kid=None, payload=claims(aud="others")).status_code == 401
        assert ask(key="another stranger", kid=None).status_code == 401
