"""The client that a request comes from, and the limit on reads per client."""

from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import MonkeyPatch

from config.edge.limits.counters import parse_rate
from config.edge.limits.read_limit import ReadLimiter
from config.edge.middleware import EdgeMiddleware
from config.edge.security.client_address import client_address, client_network, parse_address, trusted_proxies


def test_a_rate_is_requests_and_seconds_and_nothing_else() -> None:
    for rate, split in {"1/s": (1, 1), "10/m": (10, 60), "2/h": (2, 3600), "3/d": (3, 86400)}.items():
        assert parse_rate(rate) == split
    malformed = ("", "5", "5/", "5/x", "5/M", "0/m", "-1/m", "+1/m", " 1/m", "1 /m", "٥/m", "²/m", "1_0/m", "a/m")
    for rate in malformed:
        with pytest.raises(ValueError, match="is not a rate"):
            parse_rate(rate)


def test_an_address_is_read_as_proxies_write_it() -> None:
    for address, spellings in {
        "192.0.2.1": (
            *("192.0.2.1", " 192.0.2.1 ", "192.0.2.1:8080", "::ffff:192.0.2.1", "::FFFF:c000:201"),
            "[::ffff:192.0.2.1]:443",
        ),
        "2001:db8::1": ("2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:443"),
        "fe80::1": ("fe80::1%eth0", "[fe80::1%eth0]:1"),
        "None": (
            *("", "unknown", "_hidden", "proxy.example", "1.2.3", "1.2.3.4.5", "01.2.3.4", "٥.1.1.1", "["),
            *("[]", ":", "::g", "\x00"),
        ),
    }.items():
        for text in spellings:
            assert str(parse_address(text)) == address, text


@given(st.text(max_size=50) | st.text("0123456789abcdef.:[]%,", max_size=50))
@settings(deadline=None)
def test_no_text_makes_the_parser_of_addresses_fail(text: str) -> None:
    parse_address(text)


def request(remote: str, forwarded: str | None = None, path: str = "/api/boards") -> HttpRequest:
    more = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return RequestFactory().get(path, REMOTE_ADDR=remote, **more)


def test_forwarded_addresses_are_believed_from_the_right_while_each_is_a_proxy_of_ours(settings: Any) -> None:
    for remote in ("192.0.2.9", "127.0.0.1", ""):
        assert str(client_address(request(remote, "6.6.6.6").META)) == (remote or "None"), "no proxy is trusted"
    settings.TRUSTED_PROXIES = ["10.0.0.0/8", "fd00::/8"]
    trusted_proxies.cache_clear()
    for remote, forwarded, client in (
        *(("10.0.0.1", None, "10.0.0.1"), ("10.0.0.1", "", "10.0.0.1"), ("10.0.0.1", "192.0.2.7", "192.0.2.7")),
        *(("10.0.0.1", "192.0.2.7:1234", "192.0.2.7"), ("10.0.0.1", "192.0.2.7, 10.0.0.2", "192.0.2.7")),
        *(("10.0.0.1", "6.6.6.6, 192.0.2.7", "192.0.2.7"), ("10.0.0.1", "10.9.9.9, 192.0.2.7", "192.0.2.7")),
        ("10.0.0.1", "6.6.6.6, 192.0.2.7, 10.0.0.2,10.0.0.3", "192.0.2.7"),
        *(("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"), ("10.0.0.1", "6.6.6.6, nonsense, 10.0.0.2", "10.0.0.2")),
        *(("10.0.0.1", "6.6.6.6, ", "10.0.0.1"), ("10.0.0.1", "unknown", "10.0.0.1")),
        *(("10.0.0.1", "[2001:db8::7]:443", "2001:db8::7"), ("::ffff:10.0.0.1", "192.0.2.7", "192.0.2.7")),
        *(("10.0.0.1", "192.0.2.7, ::ffff:10.0.0.2", "192.0.2.7"), ("fd00::1", "192.0.2.7", "192.0.2.7")),
        *(("192.0.2.9", "6.6.6.6", "192.0.2.9"), ("192.0.2.9", "6.6.6.6, 10.0.0.2", "192.0.2.9")),
        *(("", "192.0.2.7", "192.0.2.7"), ("", "6.6.6.6, 192.0.2.7", "192.0.2.7")),
        *(("", None, "None"), ("", "nonsense", "None")),
    ):
        assert str(client_address(request(remote, forwarded).META)) == client, (remote, forwarded)


def test_a_household_is_one_client() -> None:
    for remote, prefix, network in (
        *(("192.0.2.9", 64, "192.0.2.9"), ("::ffff:192.0.2.9", 64, "192.0.2.9"), ("", 64, "None")),
        *(("2001:db8:1:2:3:4:5:6", 64, "2001:db8:1:2::/64"), ("2001:db8:1:2:9:9:9:9", 64, "2001:db8:1:2::/64")),
        ("2001:db8:1:2:3:4:5:6", 48, "2001:db8:1::/48"),
    ):
        assert client_network(request(remote).META, prefix) == network, remote


def limited_to(settings: Any, rate: str) -> Callable[..., list[int]]:
    """Return a function that sends requests through the edge with this rate, and returns their statuses."""
    settings.READ_RATE = rate
    settings.REQUEST_CHECKS = ["config.edge.limits.read_limit.ReadLimit"]
    edge = EdgeMiddleware(lambda request: HttpResponse())
    return lambda *requests: [edge(each).status_code for each in requests]


def test_a_read_over_the_rate_is_a_429_that_says_how_long_to_wait(settings: Any) -> None:
    settings.READ_RATE = "3/m"
    edge = EdgeMiddleware(lambda request: HttpResponse())
    spellings = (("192.0.2.1",), ("::ffff:192.0.2.1",), ("192.0.2.1", "6.6.6.6"), ("192.0.2.1",))
    for moment, wait in (("12:00:20Z", 40), ("12:01:59.4Z", 1), ("12:02:59.999Z", 1), ("12:03:00Z", 60)):
        with time_machine.travel(f"2026-11-21T{moment}", tick=False):
            *served, refused = [edge(request(*spelling)) for spelling in spellings]
            assert [each.status_code for each in served] == [200] * 3, f"{moment} is in a new window"
            assert (refused.status_code, refused["Retry-After"]) == (429, str(wait)), moment
            assert (refused["Content-Type"], b'"rate_limited"' in refused.content) == ("application/json", True)
            assert edge(request("192.0.2.2")).status_code == 200
            assert edge(request("192.0.2.1", path="/boards"))["Content-Type"] == "text/html; charset=utf-8"


@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_all_but_deals_monitors_static_files_and_posts_in_the_admin_is_counted(settings: Any) -> None:
    statuses = limited_to(settings, "1/m")
    for path in ("/livez", "/readyz", "/metrics", "/static/x", "/api/deals", "/api/deals/import"):
        assert statuses(*[request("192.0.2.1", path=path)] * 5) == [200] * 5, path
    assert statuses(*[RequestFactory().post("/admin/boards/board/", REMOTE_ADDR="192.0.2.1")] * 5) == [200] * 5
    for client, method in enumerate(("GET", "HEAD", "OPTIONS", "POST")):
        asked = RequestFactory().generic(method, "/api/boards", REMOTE_ADDR=f"192.0.2.{client}")
        assert statuses(asked, asked) == [200, 429], method
    assert statuses(asked) == [429]
    assert limited_to(settings, "")(*[asked] * 50) == [200] * 50, "a blank rate is not a limit"


@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_a_flood_of_addresses_does_not_fill_the_memory(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(ReadLimiter, "MAX_CLIENTS", 100)
    limiter = ReadLimiter("5/m")
    for number in range(1000):
        limiter.count(str(number))
    assert len(limiter.counts) <= 101
