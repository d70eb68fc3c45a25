"""Fetch a JSON document of the identity provider.

Requests that need the document wait with a deadline of their own (accounts.tokens.jwks). The limits here make every
fetch end, so that none keeps its thread and its connection for ever.
"""

import json
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

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
    """Return the JSON object at this very address, without following a redirect. Raise FetchError otherwise.

    `bearer` is the token to show there (RFC 6750).
    """
    if not is_safe_url(url):
        raise FetchError(f"{url} is neither https nor on this machine.")
    try:
        document = json.loads(_read(url, bearer))
    except (RequestFailed, ValueError, RecursionError) as error:
        raise FetchError(f"{url}: {error}") from error
    if not isinstance(document, dict):
        raise FetchError(f"{url} does not answer with a JSON object.")
    return document


def _read(url: str, bearer: str) -> bytes:
    """Return the body of a 200 with at most MAX_BYTES. Raise FetchError for any other answer.

    Only https goes through a proxy: plain http must not leave this machine.
    """
    headers = {"Accept": "application/json", "User-Agent": "bridge-boards"}
    if bearer:
        headers["Authorization"] = f"Bearer {bearer}"
    answer = send_request("GET", url, headers, use_proxy=True, max_seconds=TIMEOUT, max_bytes=MAX_BYTES)
    if answer.status != HTTPStatus.OK:
        raise FetchError(f"{url} answers with status {answer.status}.")
    if answer.is_truncated:
        raise FetchError(f"{url} answers with more than {MAX_BYTES // 1024} KiB.")
    return answer.body
