"""The client that a request comes from: its address behind our own proxies, and the network that limits count."""

import ipaddress
from collections.abc import Mapping
from functools import cache, lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Any

from django.conf import settings

Address = IPv4Address | IPv6Address

MAX_CLIENTS = 2048
"""The clients whose addresses a process remembers in parsed form: about 1 MiB."""


@cache
def trusted_proxies() -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ipaddress.ip_network(network) for network in settings.TRUSTED_PROXIES)


@lru_cache(MAX_CLIENTS)
def parse_address(text: str) -> Address | None:
    """Parse an address as proxies write it: with a port, in brackets, with a zone, or IPv4 mapped into IPv6."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def client_address(meta: Mapping[str, Any]) -> Address | None:
    """Return the nearest address that is not a proxy of ours, or None where the server gives none (a unix socket).

    Walk X-Forwarded-For from the right, and only while each hop is a trusted proxy: anything to the left of the first
    other address is only that client's claim.
    """
    client = parse_address(meta.get("REMOTE_ADDR", ""))
    if client is None and not trusted_proxies():
        return None
    for hop in reversed(meta.get("HTTP_X_FORWARDED_FOR", "").split(",")):
        if client is not None and not any(client in network for network in trusted_proxies()):
            break
        nearer = parse_address(hop)
        if nearer is None:
            break
        client = nearer
    return client


OF_PROXIES = ("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP", "HTTP_CF_CONNECTING_IP")
"""What proxies add to a request, beside all that begins with X-Forwarded- (RFC 7239, RFC 9110 §7.6.3)."""


def is_on_this_machine(meta: Mapping[str, Any]) -> bool:
    """Tell whether the client is on this machine. A client behind a proxy is not, whether we trust the proxy or not.

    A proxy on this machine that adds no header to say so cannot be told from a client.
    """
    client = client_address(meta)
    is_passed_on = any(name.startswith("HTTP_X_FORWARDED_") or name in OF_PROXIES for name in meta)
    return client is not None and client.is_loopback and not is_passed_on


def client_network(meta: Mapping[str, Any], prefix: int = 64) -> str:
    """Return what a limit counts as one client: an IPv4 address, or an IPv6 network, since a household has 2^64."""
    return name_network(client_address(meta), prefix)


@lru_cache(MAX_CLIENTS)
def name_network(client: Address | None, prefix: int) -> str:
    if isinstance(client, IPv6Address):
        return str(ipaddress.ip_network((client, prefix), strict=False))
    return str(client)
