"""The identity provider's public keys: fetched rarely, kept through its outages, never waited for twice."""

import logging
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jwt import PyJWK, PyJWTError

from accounts.fetching import TIMEOUT, FetchError, fetch_json
from config.api.errors import ServiceUnavailable

logger = logging.getLogger(__name__)

COOL_DOWN = 30.0
FRESH = 600.0
KEPT = 24 * 3600.0

Keys = Mapping[str | None, Sequence[PyJWK]]
"""By kid. RFC 7517 §4.5 lets keys of different types share one, and lets a key have none."""


def fetch_keys(url: str) -> Keys:
    """The signing keys of a JWKS, or of the OpenID discovery document that names one, in `TIMEOUT` seconds for both.

    FetchError if there is none.
    """
    deadline = time.monotonic() + TIMEOUT
    document = fetch_json(url, deadline)
    if isinstance(document.get("jwks_uri"), str):
        document = fetch_json(document["jwks_uri"], deadline)
    keys = signing_keys(document.get("keys"))
    if not keys:
        raise FetchError(f"{url} names no usable key.")
    return keys


def signing_keys(entries: Any) -> Keys:
    keys: dict[str | None, list[PyJWK]] = {}
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, Mapping) and entry.get("use", "sig") == "sig" and entry.get("kty") != "oct":
            try:
                key = public_key(entry)
            except (PyJWTError, ValueError, TypeError) as error:
                logger.warning("a key of the provider is left out: %s", error)
            else:
                keys.setdefault(kid_of(entry), []).append(key)
    return keys


def kid_of(entry: Mapping[str, Any]) -> str | None:
    kid = entry.get("kid")
    return kid if isinstance(kid, str) else None


def public_key(entry: Mapping[str, Any]) -> PyJWK:
    """Without `d` a private key published by mistake is read as the public one it contains."""
    key = PyJWK({name: entry[name] for name in entry if name != "d"})
    if too_short := key.Algorithm.check_key_length(key.key):
        raise ValueError(too_short)
    return key


class KeySet:
    """The provider's keys in this process.

    An unknown kid asks the provider again, but at most once in `COOL_DOWN` seconds, failures included, so that a
    thousand random kids cause one fetch. Known keys keep serving for a day without the provider, and are renewed
    behind the requests that use them; only a request with an unknown kid waits, for the one fetch under way.
    """

    def __init__(self, url: str, fetch: Callable[[str], Keys] = fetch_keys) -> None:
        self.url = url
        self.fetch = fetch
        self.by_kid: Keys = {}
        self.fetched_at = self.attempted_at = float("-inf")
        self.lock = threading.Lock()

    def keys(self, kid: str | None) -> Sequence[PyJWK]:
        """Empty when the provider has no such key. ServiceUnavailable when that cannot be known now."""
        found = self.known(kid)
        if not found:
            self.refresh()
            found = self.known(kid)
        elif self.is_due(FRESH):
            self.renew()
        if not found and self.attempted_at > self.fetched_at:
            wait = math.ceil(self.attempted_at + COOL_DOWN - time.monotonic())
            raise ServiceUnavailable(
                "The identity provider does not answer; the token cannot be checked now.",
                headers={"Retry-After": str(max(1, wait))},
            )
        return found

    def known(self, kid: str | None) -> Sequence[PyJWK]:
        """A token without a kid means the keys without one, or the only key there is (OpenID Connect Core §10.1)."""
        if time.monotonic() - self.fetched_at >= KEPT:
            return ()
        if kid is None and len(self.by_kid) == 1:
            (only,) = self.by_kid.values()
            return only
        return self.by_kid.get(kid, ())

    def is_due(self, age: float) -> bool:
        now = time.monotonic()
        return now - self.fetched_at > age and now - self.attempted_at > COOL_DOWN

    def renew(self) -> None:
        """Without waiting for it."""
        threading.Thread(target=self.refresh, name="renew keys", daemon=True).start()

    def refresh(self) -> None:
        with self.lock:
            if not self.is_due(COOL_DOWN):
                return
            self.attempted_at = time.monotonic()
            try:
                self.by_kid = self.fetch(self.url)
                self.fetched_at = self.attempted_at
            except FetchError as error:
                logger.warning("signing keys: %s", error)
