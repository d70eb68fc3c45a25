"""The mistakes in the edge's settings that `manage.py check` reports."""

from typing import Any

import pytest

from config.edge.checks import RATES, check_edge_settings


@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize(
    "rate", ["10", "10/x", "0/m", "-1/m", "+5/m", "٥/m", "1.5/m", "/m", "10/minute", " 10/m"]
)
def test_a_malformed_rate_is_reported(name: str, rate: str, settings: Any) -> None:
    setattr(settings, name, rate)
    assert [(error.id, name in error.msg) for error in check_edge_settings()] == [("edge.E001", True)]


@pytest.mark.parametrize("rate", ["", "1/s", "100/m", "5/h", "1000000/d"])
def test_a_rate_or_a_blank_one_is_accepted(rate: str, settings: Any) -> None:
    settings.READ_RATE = rate
    assert check_edge_settings() == []


@pytest.mark.parametrize("proxies", [["10.0.0.1/8"], ["proxy.example"], [""], ["10.0.0.0/33"], ["*"]])
def test_proxies_that_are_no_networks_are_reported(proxies: list[str], settings: Any) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert [error.id for error in check_edge_settings()] == ["edge.E002"]


@pytest.mark.parametrize("proxies", [["10.0.0.0/8", "192.0.2.1"], ["2001:db8::/32", "::1"]])
def test_proxies_by_address_or_network_are_accepted(proxies: list[str], settings: Any) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert check_edge_settings() == []


@pytest.mark.parametrize(
    ("name", "value", "problems"),
    [
        ("PUBLIC_MAX_AGE", -1, ["edge.E006"]),
        ("PUBLIC_MAX_AGE", 60, []),
        ("REPLICA_MAX_LAG", 2, ["edge.E007"]),
        ("REPLICA_MAX_LAG", 3, []),
    ],
)
def test_a_negative_age_and_a_lag_that_no_look_can_see_are_reported(
    name: str, value: int, problems: list[str], settings: Any
) -> None:
    setattr(settings, name, value)
    assert [error.id for error in check_edge_settings()] == problems


@pytest.mark.parametrize(("mib", "problems"), [(-1, ["edge.E003"]), (0, []), (64, [])])
def test_a_negative_memory_for_answers_is_reported(mib: int, problems: list[str], settings: Any) -> None:
    settings.CACHED_RESPONSES_MIB = mib
    assert [error.id for error in check_edge_settings()] == problems
