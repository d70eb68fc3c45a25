"""The client that a request comes from, and the limit on reads per client."""

from typing import Any

import pytest
import time_machine
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from config.edge.limits.counters import parse_rate
from config.edge.limits.read_limit import ReadLimiter
from config.edge.middleware import EdgeMiddleware
from config.edge.security.client_address import client_address, client_network, parse_address, trusted_proxies


def test_a_rate_is_requests_and_seconds() -> None:
    cases = [("1/s", (1, 1)), ("10/m", (10, 60)), ("2/h", (2, 3600)), ("3/d", (3, 86400))]
    wrong = [(rate, got) for rate, split in cases if (got := parse_rate(rate)) != split]
    assert wrong == []


def test_a_malformed_rate_is_refused(subtests: pytest.Subtests) -> None:
    for rate in [
        "", "5", "5/", "5/x", "5/M", "0/m", "-1/m", "+1/m", " 1/m", "1 /m", "٥/m", "²/m", "1_0/m", "a/m",
    ]:  # fmt: skip
        with subtests.test(rate=rate), pytest.raises(ValueError, match="is no rate"):
            parse_rate(rate)


# --- Addresses -----------------------------------------------------------------------------------------------


def test_an_address_is_read_as_proxies_write_it() -> None:
    cases = [
        ("192.0.2.1", "192.0.2.1"), (" 192.0.2.1 ", "192.0.2.1"), ("192.0.2.1:8080", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
        ("[::ffff:192.0.2.1]:443", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:443", "2001:db8::1"), ("fe80::1%eth0", "fe80::1"),
        ("[fe80::1%eth0]:1", "fe80::1"),
    ]  # fmt: skip
    wrong = [(text, got) for text, address in cases if (got := str(parse_address(text))) != address]
    assert wrong == []


def test_a_malformed_address_is_none() -> None:
    cases = [
        "", "unknown", "_hidden", "proxy.example", "1.2.3", "1.2.3.4.5", "01.2.3.4", "٥.1.1.1", "[", "[]",
        ":", "::g", "\x00",
    ]  # fmt: skip
    wrong = [(text, got) for text in cases if (got := parse_address(text)) is not None]
    assert wrong == []


@given(st.text(max_size=50) | st.text("0123456789abcdef.:[]%,", max_size=50))
@settings(deadline=None)
def test_no_text_makes_the_parser_of_addresses_fail(text: str) -> None:
    parse_address(text)


def request(remote: str, forwarded: str | None = None, path: str = "/api/boards") -> HttpRequest:
    more = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return RequestFactory().get(path, REMOTE_ADDR=remote, **more)


def test_forwarded_addresses_are_believed_from_the_right_while_each_is_a_proxy_of_ours(
    subtests: pytest.Subtests, settings: Any
) -> None:
    for remote, forwarded, client in [
        ("10.0.0.1", None, "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("10.0.0.1", "192.0.2.7:1234", "192.0.2.7"),
        ("10.0.0.1", "192.0.2.7, 10.0.0.2", "192.0.2.7"),
        ("10.0.0.1", "6.6.6.6, 192.0.2.7", "192.0.2.7"),
        ("10.0.0.1", "6.6.6.6, 192.0.2.7, 10.0.0.2,10.0.0.3", "192.0.2.7"),
        ("10.0.0.1", "10.9.9.9, 192.0.2.7", "192.0.2.7"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "6.6.6.6, nonsense, 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "6.6.6.6, ", "10.0.0.1"),
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "[2001:db8::7]:443", "2001:db8::7"),
        ("::ffff:10.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("10.0.0.1", "192.0.2.7, ::ffff:10.0.0.2", "192.0.2.7"),
        ("fd00::1", "192.0.2.7", "192.0.2.7"),
        ("192.0.2.9", "6.6.6.6", "192.0.2.9"),
        ("192.0.2.9", "6.6.6.6, 10.0.0.2", "192.0.2.9"),
        ("", "192.0.2.7", "192.0.2.7"),
        ("", "6.6.6.6, 192.0.2.7", "192.0.2.7"),
        ("", None, "None"),
        ("", "nonsense", "None"),
    ]:
        with subtests.test(remote=remote):
            settings.TRUSTED_PROXIES = ["10.0.0.0/8", "fd00::/8"]
            trusted_proxies.cache_clear()
            assert str(client_address(request(remote, forwarded).META)) == client


@pytest.mark.parametrize(("remote", "client"), [("192.0.2.9", "192.0.2.9"), ("127.0.0.1", "127.0.0.1"), ("", "None")])
def test_without_trusted_proxies_forwarded_addresses_are_ignored(remote: str, client: str) -> None:
    assert str(client_address(request(remote, "6.6.6.6").META)) == client


def test_a_household_is_one_client() -> None:
    cases = [
        ("192.0.2.9", 64, "192.0.2.9"),
        ("::ffff:192.0.2.9", 64, "192.0.2.9"),
        ("2001:db8:1:2:3:4:5:6", 64, "2001:db8:1:2::/64"),
        ("2001:db8:1:2:9:9:9:9", 64, "2001:db8:1:2::/64"),
        ("2001:db8:1:2:3:4:5:6", 48, "2001:db8:1::/48"),
        ("", 64, "None"),
    ]
    wrong = [
        (remote, got)
        for remote, prefix, network in cases
        if (got := client_network(request(remote).META, prefix)) != network
    ]
    assert wrong == []


# --- The limit -----------------------------------------------------------------------------------------------


def middleware(settings: Any, rate: str) -> EdgeMiddleware:
    settings.READ_RATE = rate
    settings.REQUEST_CHECKS = ["config.edge.limits.read_limit.ReadLimit"]
    return EdgeMiddleware(lambda request: HttpResponse())


def statuses(limited: EdgeMiddleware, requests: list[HttpRequest]) -> list[int]:
    return [limited(request).status_code for request in requests]


@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_a_read_over_the_rate_is_a_429_that_says_how_long_to_wait(settings: Any) -> None:
    limited = middleware(settings, "3/m")
    assert statuses(limited, [request("192.0.2.1")] * 5) == [200, 200, 200, 429, 429]
    refused = limited(request("192.0.2.1"))
    assert refused["Retry-After"] == "40"
    assert (refused["Content-Type"], b'"rate_limited"' in refused.content) == ("application/json", True)
    assert limited(request("192.0.2.2")).status_code == 200


@pytest.mark.parametrize("moment", ["12:00:59.999Z", "12:00:59.4Z", "12:00:00Z"])
def test_retry_after_is_never_less_than_a_second(moment: str, settings: Any) -> None:
    with time_machine.travel(f"2026-11-21T{moment}", tick=False):
        limited = middleware(settings, "1/m")
        limited(request("192.0.2.1"))
        assert 1 <= int(limited(request("192.0.2.1"))["Retry-After"]) <= 60


def test_a_new_window_starts_anew(settings: Any) -> None:
    with time_machine.travel("2026-11-21T12:00:59Z", tick=False) as clock:
        limited = middleware(settings, "1/m")
        assert statuses(limited, [request("192.0.2.1")] * 2) == [200, 429]
        clock.shift(2)
        assert statuses(limited, [request("192.0.2.1")] * 2) == [200, 429]


@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_one_client_in_many_spellings_is_one_client(settings: Any) -> None:
    limited = middleware(settings, "2/m")
    spellings = [request("192.0.2.1"), request("::ffff:192.0.2.1"), request("192.0.2.1", "6.6.6.6")]
    assert statuses(limited, spellings) == [200, 200, 429]
    household = [request(f"2001:db8::{number}") for number in range(1, 4)]
    assert statuses(limited, household) == [200, 200, 429]


@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_deals_monitors_static_files_and_posts_in_the_admin_are_not_counted(settings: Any) -> None:
    limited = middleware(settings, "1/m")
    for path in ("/livez", "/readyz", "/metrics", "/static/x", "/api/deals", "/api/deals/import"):
        assert set(statuses(limited, [request("192.0.2.1", path=path)] * 5)) == {200}, path
    posts = [RequestFactory().post("/admin/boards/board/", REMOTE_ADDR="192.0.2.1") for _ in range(5)]
    assert set(statuses(limited, posts)) == {200}
    assert statuses(limited, [request("192.0.2.1")] * 2) == [200, 429]


@pytest.mark.parametrize("method", ["head", "options"])
@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_head_and_options_count_as_reads(method: str, settings: Any) -> None:
    limited = middleware(settings, "1/m")
    asked = [getattr(RequestFactory(), method)("/api/boards", REMOTE_ADDR="192.0.2.1") for _ in range(2)]
    assert statuses(limited, asked) == [200, 429]


def test_a_blank_rate_is_no_limit(settings: Any) -> None:
    assert set(statuses(middleware(settings, ""), [request("192.0.2.1")] * 50)) == {200}


@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_a_flood_of_addresses_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadLimiter, "MAX_CLIENTS", 100)
    limiter = ReadLimiter("5/m")
    for number in range(1000):
        limiter.count(str(number))
    assert len(limiter.counts) <= 101
