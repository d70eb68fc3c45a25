"""The mistakes in the edge's settings that `manage.py check` reports."""

from typing import Any

from django.test import override_settings

from config.edge.checks import RATES, check_edge_settings


def wrong(cases: list[tuple[str, Any, list[str]]]) -> list[tuple[str, Any, list[str]]]:
    """Return the settings whose problems are not those that are listed."""
    found = []
    for name, value, expected in cases:
        with override_settings(**{name: value}):
            problems = [str(error.id) for error in check_edge_settings()]
        if problems != expected:
            found.append((name, value, problems))
    return found


def test_a_malformed_rate_is_reported_and_a_rate_or_a_blank_one_accepted() -> None:
    malformed = ["10", "10/x", "0/m", "-1/m", "+5/m", "٥/m", "1.5/m", "/m", "10/minute", " 10/m"]
    assert wrong([("READ_RATE", rate, ["edge.E001"]) for rate in malformed]) == []
    assert wrong([(name, "10", ["edge.E001"]) for name in RATES]) == []
    assert wrong([("READ_RATE", rate, []) for rate in ("", "1/s", "100/m", "5/h", "1000000/d")]) == []
    for name in RATES:
        with override_settings(**{name: "10"}):
            assert name in check_edge_settings()[0].msg


def test_proxies_that_are_no_networks_are_reported_and_those_by_address_or_network_accepted() -> None:
    odd = ["10.0.0.1/8", "proxy.example", "", "10.0.0.0/33", "*"]
    assert wrong([("TRUSTED_PROXIES", [proxy], ["edge.E002"]) for proxy in odd]) == []
    good = [["10.0.0.0/8", "192.0.2.1"], ["2001:db8::/32", "::1"]]
    assert wrong([("TRUSTED_PROXIES", proxies, []) for proxies in good]) == []


def test_a_negative_age_or_memory_and_a_lag_that_no_look_can_see_are_reported() -> None:
    cases: list[tuple[str, Any, list[str]]] = [
        *(("PUBLIC_MAX_AGE", -1, ["edge.E006"]), ("PUBLIC_MAX_AGE", 60, [])),
        *(("REPLICA_MAX_LAG", 2, ["edge.E007"]), ("REPLICA_MAX_LAG", 3, [])),
        *(("CACHED_RESPONSES_MIB", -1, ["edge.E003"]), ("CACHED_RESPONSES_MIB", 0, [])),
        ("CACHED_RESPONSES_MIB", 64, []),
    ]
    assert wrong(cases) == []
