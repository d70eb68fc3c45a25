"""The identity provider's public keys: fetched rarely, kept through its outages, never waited for twice."""

import json
import logging
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from jwt import PyJWK, PyJWTError

from config.api.errors import ServiceUnavailable

logger = logging.getLogger(__name__)

TIMEOUT = 2.0
MAX_BYTES = 512 * 1024
COOL_DOWN = 30.0
FRESH = 600.0
KEPT = 24 * 3600.0


class JwksError(Exception):
    """The provider did not answer with a usable key set."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def is_safe_url(url: str) -> bool:
    """https, or http to this machine: keys that came in plain over a network prove nothing."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" or (
        parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
    )


def fetch_json(url: str) -> dict[str, Any]:
    """Each wait at most `TIMEOUT`, at most `MAX_BYTES`, without following redirects; JwksError otherwise."""
    if not is_safe_url(url):
        raise JwksError(f"{url} is neither https nor on this machine.")
    deadline = time.monotonic() + TIMEOUT
    body = bytearray()
    try:
        with _opener.open(url, timeout=TIMEOUT) as response:
            while chunk := response.read1(65536):
                body += chunk
                if len(body) > MAX_BYTES or time.monotonic() > deadline:
                    raise JwksError(f"{url} answers too much or too slowly.")
        document = json.loads(body)
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        raise JwksError(f"{url}: {error}") from error
    if not isinstance(document, dict):
        raise JwksError(f"{url} does not answer with a JSON object.")
    return document


def fetch_keys(url: str) -> dict[str | None, PyJWK]:
    """kid → signing key, of a JWKS or of an OpenID discovery document that names one; JwksError if there is none."""
    document = fetch_json(url)
    if isinstance(document.get("jwks_uri"), str):
        document = fetch_json(document["jwks_uri"])
    entries = document.get("keys")
    keys = {}
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, Mapping) and entry.get("use", "sig") == "sig" and entry.get("kty") != "oct":
            try:
                # Without `d` a private key published by mistake is read as the public one it contains.
                keys[entry.get("kid")] = PyJWK({name: entry[name] for name in entry if name != "d"})
            except (PyJWTError, ValueError, TypeError):
                logger.warning("a key of %s cannot be read", url)
    if not keys:
        raise JwksError(f"{url} names no usable key.")
    return keys


class KeySet:
    """The provider's keys in this process.

    An unknown kid asks the provider again, but at most once in `COOL_DOWN` seconds, failures included, so that a
    thousand random kids cause one fetch. Known keys keep serving for a day without the provider, and are renewed
    behind the requests that use them; only a request with an unknown kid waits, for the one fetch under way.
    """

    def __init__(self, url: str, fetch: Callable[[str], dict[str | None, PyJWK]] = fetch_keys) -> None:
        self.url = url
        self.fetch = fetch
        self.keys: dict[str | None, PyJWK] = {}
        self.fetched_at = self.attempted_at = float("-inf")
        self.lock = threading.Lock()

    def key(self, kid: str | None) -> PyJWK | None:
        """None when the provider has no such key. ServiceUnavailable when that cannot be known now."""
        found = self.known(kid)
        if found is None:
            self.refresh()
            found = self.known(kid)
        elif self.is_due(FRESH):
            threading.Thread(target=self.refresh, daemon=True).start()
        if found is None and self.attempted_at > self.fetched_at:
            raise ServiceUnavailable(
                "The identity provider does not answer; the token cannot be checked now."
            )
        return found

    def known(self, kid: str | None) -> PyJWK | None:
        """A token without a kid means the only key there is."""
        keys = self.keys if time.monotonic() - self.fetched_at < KEPT else {}
        return next(iter(keys.values())) if kid is None and len(keys) == 1 else keys.get(kid)

    def is_due(self, age: float) -> bool:
        now = time.monotonic()
        return now - self.fetched_at > age and now - self.attempted_at > COOL_DOWN

    def refresh(self) -> None:
        with self.lock:
            if not self.is_due(COOL_DOWN):
                return
            self.attempted_at = time.monotonic()
            try:
                self.keys = self.fetch(self.url)
                self.fetched_at = self.attempted_at
            except JwksError as error:
                logger.warning("signing keys: %s", error)
