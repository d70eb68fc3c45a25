"""The mistakes in the edge's settings that `manage.py check` reports."""

from typing import Any

from django.test import override_settings
from pytest import MonkeyPatch

from config.edge.checks import RATES, check_edge_settings
from config.edge.security.client_address import trusted_proxies

CASES: list[tuple[str, str, list[Any], list[Any]]] = [
    ("READ_RATE", "edge.E001", ["10", "10/x", "+5/m", " 10/m"], ["", "1/s", "100/m", "5/h", "1000000/d"]),
    *((name, "edge.E001", ["10"], []) for name in RATES),
    (
        "TRUSTED_PROXIES", "edge.E002",
        [["10.0.0.1/8"], ["proxy.example"], [""], ["10.0.0.0/33"], ["*"]],
        [["10.0.0.0/8", "192.0.2.1"], ["2001:db8::/32", "::1"]],
    ),
    ("CACHED_RESPONSES_MIB", "edge.E003", [-1], [0, 64]),
    ("ACCESS_LOG_SUCCESSES", "edge.E004", [-0.1, 1.1, float("nan")], [0, 0.5, 1]),
    (
        "METRICS_BIND", "edge.E005",
        ["0.0.0.0:9100", "127.0.0.1:8000", "9100", "127.0.0.1:x", "127.0.0.1:99999"],
        ["", "127.0.0.1:9100", "[::1]:9100"],
    ),
    ("PUBLIC_MAX_AGE", "edge.E006", [-1], [0, 60]),
    ("REPLICA_MAX_LAG", "edge.E007", [2], [3]),
]  # fmt: skip
"""For each setting the id of its error, values that have it, and values that have none."""


def test_a_setting_that_makes_no_sense_is_reported_by_its_name(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.delenv("PORT", raising=False)
    for name, error, wrong, right in CASES:
        for value in (*wrong, *right):
            with override_settings(**{name: value}):
                trusted_proxies.cache_clear()
                problems = check_edge_settings()
            assert [each.id for each in problems] == ([error] if value in wrong else []), (name, value)
            assert all(name in each.msg for each in problems), (name, value)
