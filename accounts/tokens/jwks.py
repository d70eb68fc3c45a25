"""The identity provider's public keys: fetched rarely, kept through its outages, waited for at most two seconds.

Limits make every fetch end, so that none keeps its thread and its connection for ever.
"""

import json
import logging
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from jwt import PyJWK, PyJWTError

from config.api.errors import ServiceUnavailable
from config.http_client import RequestFailed, send_request

TIMEOUT = 5.0
"""Seconds for a whole fetch once it is connected, however quickly its bytes follow each other."""

MAX_BYTES = 512 * 1024


class FetchError(Exception):
    """The provider did not answer with a JSON object, or not in time."""


def is_safe_url(url: str) -> bool:
    """Allow https, and http to this machine alone: keys that came in plain over a network prove nothing."""
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    local = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
    return usable and (parts.scheme == "https" or local)


def fetch_json(url: str, bearer: str = "") -> dict[str, Any]:
    """Return the JSON object at this very address, of at most MAX_BYTES. Raise FetchError for any other answer.

    `bearer` is the token to show there (RFC 6750). Only https goes through a proxy: plain http must not leave this
    machine.
    """
    if not is_safe_url(url):
        raise FetchError(f"{url} must begin with https:// or be on this machine.")
    headers = {"Accept": "application/json", "User-Agent": "bridge-boards"}
    if bearer:
        headers["Authorization"] = f"Bearer {bearer}"
    try:
        answer = send_request("GET", url, headers, use_proxy=True, max_seconds=TIMEOUT, max_bytes=MAX_BYTES)
        document = json.loads(answer.body) if answer.status == HTTPStatus.OK and not answer.is_truncated else None
    except (RequestFailed, ValueError, RecursionError) as error:
        raise FetchError(f"{url}: {error}") from error
    if not isinstance(document, dict):
        raise FetchError(f"{url} answers {answer.status} without a JSON object of at most {MAX_BYTES // 1024} KiB.")
    return document


logger = logging.getLogger(__name__)

COOL_DOWN = 30.0
"""The fewest seconds between the starts of two fetches."""

REFRESH_AFTER = 600.0
"""Seconds after which keys are fetched again."""

MAX_AGE = 24 * 3600.0
"""Seconds after which keys are no longer trusted, when every fetch since has failed."""

SHORT_WAIT = 0.3
"""Seconds that every request waits for a fetch, counted from its start. A provider that is well answers within them."""

MAX_WAIT = 2.0
"""Seconds after the start of a fetch until which MAX_WAITING requests go on waiting."""

MAX_ASKED, MAX_KID = 1000, 200
"""The unknown kids that a process remembers, and how long each may be: strangers choose them, so 300 KiB at most."""

MAX_WAITING = 2
"""The requests that wait longer. Each holds one of the eight threads of a process, and strangers choose kids."""

MAX_FETCHES = 3
"""The most fetches at once. A fetch that hangs does not stop the next, and those that hang do not pile up."""

NO_ANSWER = "The identity provider does not answer, so the token cannot be checked now."
NEW_KEY = "The token is signed with an unknown key. The identity provider's keys will be fetched again shortly."

Keys = Mapping[str | None, Sequence[PyJWK]]
"""Keys by kid. RFC 7517 §4.5 lets keys of different types share one, and lets a key have none."""


def fetch_keys(url: str) -> Keys:
    """Return the signing keys of a JWKS, or of the OpenID discovery document that names one.

    Raise FetchError if there is none.
    """
    document = fetch_json(url)
    if isinstance(document.get("jwks_uri"), str):
        document = fetch_json(document["jwks_uri"])
    keys = parse_keys(document.get("keys"))
    if not keys:
        raise FetchError(f"{url} has no usable key.")
    return keys


def parse_keys(entries: Any) -> Keys:
    """Return the public signing keys among the entries. A key that cannot be used is left out with a warning."""
    keys: dict[str | None, list[PyJWK]] = {}
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, Mapping) or entry.get("use", "sig") != "sig" or entry.get("kty") == "oct":
            continue
        problem: object
        try:
            # Without its `d` a private key that is published by mistake is the public one that it contains.
            key = PyJWK({name: entry[name] for name in entry if name != "d"})
            problem = key.Algorithm.check_key_length(key.key)
        except (PyJWTError, ValueError, TypeError) as error:
            problem = error
        if problem:
            logger.warning("a key of the provider is left out: %s", problem)
        else:
            kid = entry.get("kid")
            keys.setdefault(kid if isinstance(kid, str) else None, []).append(key)
    return keys


class KeySet:
    """The provider's keys in this process, fetched in the background (docs/tokens.md has the rules).

    Within COOL_DOWN of a fetch an unknown kid may be that of a key which the provider has just made: a 503, until a
    fetch that began after the kid was first seen has shown that the provider does not have it.
    """

    def __init__(self, url: str, fetch: Callable[[str], Keys] = fetch_keys) -> None:
        self.url = url
        self.fetch = fetch
        self.by_kid: Keys = {}
        self.fetched_at = self.attempted_at = float("-inf")
        self.asked_at: dict[str | None, float] = {}
        """When an unknown kid was first asked for."""
        self.lock = threading.Lock()
        self.running = 0
        self.waiting = threading.BoundedSemaphore(MAX_WAITING)
        self.finished = threading.Event()
        """Set when the latest fetch is over. Each fetch has an event of its own."""

    def get_keys(self, kid: str | None) -> Sequence[PyJWK]:
        """Return the keys for a token with this kid, or none where the provider has none.

        Raise ServiceUnavailable when that cannot be known now.
        """
        keys = self._get_cached(kid)
        if keys:
            if self._is_due(REFRESH_AFTER):
                self.refresh()
            return keys
        asked_at = self._remember(kid)
        self.refresh()
        self._wait()
        # Order matters: a fetch stores the keys and then its time. Reading the time first means that, when it is new,
        # the keys read next are new too. In the other order old keys with a new time would make a good kid unknown.
        fetched_at = self.fetched_at
        answered = fetched_at >= self.attempted_at
        keys = self._get_cached(kid)
        if not keys and not (answered and fetched_at >= asked_at):
            retry_after = math.ceil(self.attempted_at + COOL_DOWN - time.monotonic())
            raise ServiceUnavailable(
                NEW_KEY if answered else NO_ANSWER, headers={"Retry-After": str(max(1, retry_after))}
            )
        return keys

    def _remember(self, kid: str | None) -> float:
        """Return when this unknown kid was first asked for, now perhaps, and long ago for what names no new key."""
        if kid is None or len(kid) > MAX_KID:
            return float("-inf")
        with self.lock:
            if len(self.asked_at) >= MAX_ASKED and kid not in self.asked_at:
                self.asked_at.clear()
            return self.asked_at.setdefault(kid, time.monotonic())

    def _wait(self) -> None:
        """Wait for the latest fetch, as the class says. Raise ServiceUnavailable where MAX_WAITING wait already."""
        if self._ends_within(SHORT_WAIT) or not self._seconds_until(MAX_WAIT):
            return
        if not self.waiting.acquire(blocking=False):
            retry_after = max(1, math.ceil(self._seconds_until(MAX_WAIT)))
            raise ServiceUnavailable(NEW_KEY, headers={"Retry-After": str(retry_after)})
        try:
            self._ends_within(MAX_WAIT)
        finally:
            self.waiting.release()

    def _ends_within(self, seconds: float) -> bool:
        """Wait for the latest fetch until `seconds` after its start. Return whether it has ended."""
        return self.finished.wait(self._seconds_until(seconds))

    def _seconds_until(self, age: float) -> float:
        return max(0.0, self.attempted_at + age - time.monotonic())

    def refresh(self) -> None:
        """Start a fetch in the background, except within COOL_DOWN of the last or where MAX_FETCHES are under way."""
        with self.lock:
            if not self._is_due(COOL_DOWN) or self.running >= MAX_FETCHES:
                return
            self.attempted_at = started_at = time.monotonic()
            self.finished = finished = threading.Event()
        threading.Thread(target=self._run_fetch, args=(started_at, finished), name="fetch keys", daemon=True).start()

    def _run_fetch(self, started_at: float, finished: threading.Event) -> None:
        """Fetch the keys and store them, unless a fetch that started later has stored its own."""
        with self.lock:
            self.running += 1
        try:
            keys = self.fetch(self.url)
            with self.lock:
                if started_at > self.fetched_at:
                    # A key that the provider has taken back is none that it has just made.
                    self.asked_at |= dict.fromkeys(self.by_kid.keys() - keys.keys(), started_at)
                    self.by_kid = keys
                    self.fetched_at = started_at
        except FetchError as error:
            logger.warning("signing keys: %s", error)
        finally:
            with self.lock:
                self.running -= 1
            finished.set()

    def _get_cached(self, kid: str | None) -> Sequence[PyJWK]:
        """Return the known keys for a token with this kid.

        A token without a kid means the keys without one, or the only key there is (OpenID Connect Core §10.1).
        """
        if time.monotonic() - self.fetched_at >= MAX_AGE:
            return ()
        if kid is None and len(self.by_kid) == 1:
            (only,) = self.by_kid.values()
            return only
        return self.by_kid.get(kid, ())

    def _is_due(self, age: float) -> bool:
        """Tell whether the keys are older than `age` seconds and the cool-down is over."""
        now = time.monotonic()
        return now - self.fetched_at > age and now - self.attempted_at > COOL_DOWN
