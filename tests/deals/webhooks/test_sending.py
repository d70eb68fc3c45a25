"""A webhook reaches public addresses only, however the name of its host is answered."""

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from config.http_client import RequestFailed, ServerResponse
from deals.webhooks import addresses
from deals.webhooks.addresses import is_public, post, validate_endpoint_url

PUBLIC = "93.184.216.34"
PRIVATE = """
127.0.0.1 127.9.9.9 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 240.0.0.1
255.255.255.255 :: ::1 fe80::1 fe80::1%eth0 fc00::1 fec0::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1
64:ff9b:1::1 2002:7f00:1::1 2001:0:7f00:1::1 2001:db8::1
"""
NOT_REACHABLE = """
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29 192.0.0.8/32
192.0.0.170/31 192.0.2.0/24 192.88.99.0/24 192.88.99.2/32 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
203.0.113.0/24 240.0.0.0/4 255.255.255.255/32
::1/128 ::/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:2::/48 2001:10::/28 2001:db8::/32
2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10
"""
"""The special-purpose addresses (IANA, 2025-10) that the whole Internet cannot reach, or that are given up."""

BESIDE = "9.255.255.255 11.0.0.0 100.128.0.0 191.255.255.255 192.0.1.0 192.88.98.255 192.88.100.0 198.20.0.0 2003::1"


Names = Callable[..., list[str]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """Return a function that makes each look-up of a name answer with the next of these lists of addresses."""
    looked_up: list[str] = []

    def answer(*answers: list[str]) -> list[str]:
        remaining = list(answers)

        def getaddrinfo(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
            looked_up.append(host)
            addresses = remaining.pop(0) if len(remaining) > 1 else remaining[0]
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        return looked_up

    return answer


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Return where connections were attempted. None is made."""
    attempted: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        attempted.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    return attempted


def test_no_connection_is_made_to_an_address_that_is_not_public(
    names: Names, connections: list[tuple[str, int]]
) -> None:
    for address in PRIVATE.split():
        for resolved in ([address], [PUBLIC, address]):
            names(resolved)
            with pytest.raises(RequestFailed, match="not public"):
                post("https://hooks.example/", b"{}", {})
        assert connections == [], address


def test_the_registries_of_special_addresses_are_kept_and_what_is_beside_them_is_public() -> None:
    for network in map(ip_network, NOT_REACHABLE.split()):
        for address in (network[0], network[-1]):
            assert not is_public(address), address
            if isinstance(address, IPv4Address):
                assert not is_public(ip_address(f"::ffff:{address}")), address
                assert not is_public(ip_address(f"64:ff9b::{address}")), address
    for address in map(ip_address, BESIDE.split()):
        assert is_public(address), address


def test_a_public_address_is_connected_to_and_its_name_looked_up_once(
    names: Names, connections: list[tuple[str, int]]
) -> None:
    """DNS rebinding: the second answer would be an address of this network."""
    addresses = [PUBLIC, "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822"]
    for address in addresses:
        looked_up = names([address], ["169.254.169.254"])
        with pytest.raises(RequestFailed):
            post("https://hooks.example:8443/", b"{}", {})
    assert (connections, looked_up) == ([(address, 8443) for address in addresses], ["hooks.example"] * 3)


def test_a_url_that_may_not_be_used_is_refused_before_any_look_up(names: Names, settings) -> None:
    looked_up = names([PUBLIC])
    for url in (
        *(
            "http://hooks.example/",
            "ftp://hooks.example/",
            "//hooks.example/",
            "https://",
            "https:///path",
            "https://[",
        ),
        *("https://user:password@hooks.example/", "https://user@hooks.example/", "https://hooks.example:0/"),
        *("https://hooks.example:99999/", "https://hooks.example/#part", "https://127.0.0.1/"),
        *("https://[::1]/", "https://10.0.0.1:8443/"),
    ):
        with pytest.raises(ValidationError):
            validate_endpoint_url(url)
        with pytest.raises(RequestFailed):
            post(url, b"{}", {})
        assert looked_up == [], url
    settings.DEBUG = True  # Development allows plain HTTP to this machine and no further.
    validate_endpoint_url("http://127.0.0.1:9000/")
    with pytest.raises(ValidationError):
        validate_endpoint_url("http://10.0.0.1/")


def test_the_client_is_told_the_checked_address_and_how_much_it_may_read_for_how_long(
    names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tests/config/test_http_client.py tries what it makes of them, of redirects and of certificates."""
    asked: list[Any] = []

    def send_request(*args: Any, **options: Any) -> ServerResponse:
        asked.append((args, options))
        return ServerResponse(307, b"", is_truncated=False)

    monkeypatch.setattr(addresses, "send_request", send_request)
    names([PUBLIC])
    url, body, headers = "https://hooks.example/", b"{}", {"webhook-id": "1"}
    assert post(url, body, headers) == 307
    assert asked == [(("POST", url, headers, body), {"address": PUBLIC, "max_seconds": 15, "max_bytes": 4096})]
