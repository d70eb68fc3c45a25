"""Which addresses a webhook may be sent to, and sending one: without redirects and proxies, and over soon.

An endpoint must not reach what only this network may reach.
"""

import socket
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError

from config.http_client import RequestFailed, send_request
from config.values.web_addresses import validate_characters

NAT64 = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that stand for IPv4 ones on the whole Internet (RFC 6052)."""

NOT_PUBLIC = (
    *map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")),
    *map(ip_network, ("64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10")),
)
"""What the registries of IANA (special-purpose addresses, RFC 6890) have and Python 3.11 takes for public: addresses of
protocols, relays that are given up, and examples (RFC 9637). Then the NAT64 of one network (RFC 8215), Teredo and 6to4,
whose relays lead to any IPv4 address, and addresses of a site."""

Address = IPv4Address | IPv6Address


class AddressRefused(RequestFailed):
    """The URL, or an address of its host, is one that no webhook may be sent to."""


def validate_endpoint_url(url: str) -> None:
    """Raise ValidationError for a URL that no webhook may be sent to, whatever its host resolves to."""
    try:
        split_url(url)
    except ValueError as error:
        raise ValidationError(str(error), code="invalid") from error
    validate_characters(url)


def split_url(url: str) -> SplitResult:
    """Return the parts of an endpoint's URL. Raise ValueError with a sentence when it may not be used.

    Plain http is for development alone (DEBUG).
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and not (settings.DEBUG and parts.scheme == "http"):
        raise ValueError("Give a URL that begins with https://.")
    if not parts.hostname or parts.port == 0:
        raise ValueError("Give a URL with a host.")
    if parts.username is not None:  # it is "" where only a password is given
        raise ValueError("Give a URL without a user name and password. Webhooks are signed instead.")
    if parts.fragment:
        raise ValueError("Give a URL without a fragment.")
    try:
        address = ip_address(parts.hostname)
    except ValueError:
        return parts
    if not is_allowed(address):
        raise ValueError("Give a URL of a public address.")
    return parts


def identify(url: str) -> tuple[str, str, int | None, str, str]:
    """Return what an endpoint's URL is, whatever its host's case, default port and closing dot (RFC 3986 §6.2)."""
    parts = urlsplit(url)
    port = parts.port or {"https": 443, "http": 80}.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").rstrip("."), port, parts.path or "/", parts.query


def resolve_allowed(url: str) -> str:
    """Return an address of the URL's host to connect to. Raise AddressRefused unless all its addresses are allowed.

    The caller connects to this address and does not resolve the name again: it could have another address by then.
    """
    try:
        host = split_url(url).hostname
    except ValueError as error:
        raise AddressRefused(str(error)) from error
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError) as error:
        raise AddressRefused(f"The host {host} has no address: {error}") from error
    addresses = [str(address[4][0]) for address in found]
    if not addresses or not all(is_allowed(ip_address(address.partition("%")[0])) for address in addresses):
        raise AddressRefused(f"The host {host} has an address that is not public.")
    return addresses[0]


def is_allowed(address: Address) -> bool:
    """Allow public addresses and, for development (DEBUG), this machine itself."""
    return is_public(address) or (settings.DEBUG and address.is_loopback)


def is_public(address: Address) -> bool:
    """Tell whether the whole Internet can reach the address. One that carries an IPv4 address is as public as that."""
    if isinstance(address, IPv6Address):
        if address in NAT64:
            return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
        if address.ipv4_mapped:
            return is_public(address.ipv4_mapped)
    if any(address in network for network in NOT_PUBLIC):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


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
