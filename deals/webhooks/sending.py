"""One request to an endpoint: to an address that was checked, without redirects and proxies, and over soon."""

from collections.abc import Mapping

from config.http_client import send_request
from deals.webhooks.addresses import resolve_allowed

MAX_SECONDS = 15
"""For the whole request once it is connected."""

MAX_ANSWER_BYTES = 4096


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send the body and return the status of the answer, of which little is read.

    Raise RequestFailed without an answer, and its AddressRefused when nothing may be sent there.
    """
    address = resolve_allowed(url)
    answer = send_request(
        "POST", url, headers, body, address=address, max_seconds=MAX_SECONDS, max_bytes=MAX_ANSWER_BYTES
    )
    return answer.status
