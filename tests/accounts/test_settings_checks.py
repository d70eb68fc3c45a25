"""The mistakes in a deployment's settings that `manage.py check` reports."""

from typing import Any

import pytest
from django.core import checks
from django.core.checks import run_checks

from accounts.checks import check_token_settings, find_problems
from config.edge.checks import check_rates_and_proxies
from deals.checks import check_api_keys

GOOD_PROVIDER = {
    "JWT_JWKS_URL": "https://id.example/jwks",
    "JWT_ISSUER": "https://id.example",
    "JWT_AUDIENCE": "boards",
    "DEVELOPMENT_TOKENS": False,
}
GOOD_SECRET = {**GOOD_PROVIDER, "JWT_JWKS_URL": "", "JWT_SHARED_SECRET": "s" * 32}


def numbers_of_problems(settings: Any, values: dict[str, Any]) -> set[str]:
    for name, value in values.items():
        setattr(settings, name, value)
    return {number for number, _ in find_problems()}


def test_the_settings_of_the_tests_pass_every_check() -> None:
    assert run_checks() == []


@pytest.mark.parametrize("good", [GOOD_PROVIDER, GOOD_SECRET, {"DEVELOPMENT_TOKENS": True}])
def test_settings_that_name_one_way_to_verify_tokens_are_accepted(
    good: dict[str, Any], settings: Any
) -> None:
    assert numbers_of_problems(settings, good) == set()


WRONG = [
    ({"DEVELOPMENT_TOKENS": False}, {"E001", "E002"}),
    ({**GOOD_PROVIDER, "DEVELOPMENT_TOKENS": True}, {"E001"}),
    ({**GOOD_SECRET, "DEVELOPMENT_TOKENS": True}, {"E001"}),
    ({**GOOD_PROVIDER, "JWT_SHARED_SECRET": "s" * 32, "JWT_ALGORITHMS": ["HS256"]}, {"E001"}),
    ({**GOOD_PROVIDER, "JWT_ISSUER": ""}, {"E002"}),
    ({**GOOD_PROVIDER, "JWT_AUDIENCE": ""}, {"E002"}),
    ({**GOOD_SECRET, "JWT_AUDIENCE": ""}, {"E002"}),
    ({**GOOD_PROVIDER, "JWT_JWKS_URL": "http://id.example/jwks"}, {"E003"}),
    ({**GOOD_PROVIDER, "JWT_JWKS_URL": "file:///etc/keys"}, {"E003"}),
    ({**GOOD_PROVIDER, "JWT_JWKS_URL": "https://["}, {"E003"}),
    ({**GOOD_SECRET, "JWT_SHARED_SECRET": "s" * 31}, {"E004"}),
    ({**GOOD_PROVIDER, "JWT_ALGORITHMS": ["HS256"]}, {"E005"}),
    ({**GOOD_PROVIDER, "JWT_ALGORITHMS": ["RS256", "none"]}, {"E005"}),
    ({**GOOD_SECRET, "JWT_ALGORITHMS": ["RS256"]}, {"E005"}),
]


@pytest.mark.parametrize(("values", "numbers"), WRONG)
def test_a_mistake_in_the_token_settings_is_reported(
    values: dict[str, Any], numbers: set[str], settings: Any
) -> None:
    assert numbers_of_problems(settings, values) == numbers
    assert {error.id for error in check_token_settings()} == {f"accounts.{number}" for number in numbers}
    assert {error.level for error in check_token_settings()} == {checks.ERROR}


@pytest.mark.parametrize("name", ["READ_RATE", "FORM_RATE_PER_CLIENT", "FORM_RATE_IN_TOTAL"])
@pytest.mark.parametrize(
    "rate", ["10", "10/x", "0/m", "-1/m", "+5/m", "٥/m", "1.5/m", "/m", "10/minute", " 10/m"]
)
def test_a_malformed_rate_is_reported(name: str, rate: str, settings: Any) -> None:
    setattr(settings, name, rate)
    assert [(error.id, name in error.msg) for error in check_rates_and_proxies()] == [("api.E001", True)]


@pytest.mark.parametrize("rate", ["", "1/s", "100/m", "5/h", "1000000/d"])
def test_a_rate_or_a_blank_one_is_accepted(rate: str, settings: Any) -> None:
    settings.READ_RATE = rate
    assert check_rates_and_proxies() == []


@pytest.mark.parametrize("proxies", [["10.0.0.1/8"], ["proxy.example"], [""], ["10.0.0.0/33"], ["*"]])
def test_proxies_that_are_no_networks_are_reported(proxies: list[str], settings: Any) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert [error.id for error in check_rates_and_proxies()] == ["api.E002"]


@pytest.mark.parametrize("proxies", [["10.0.0.0/8", "192.0.2.1"], ["2001:db8::/32", "::1"]])
def test_proxies_by_address_or_network_are_accepted(proxies: list[str], settings: Any) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert check_rates_and_proxies() == []


@pytest.mark.parametrize(
    ("key", "previous", "ids"),
    [
        ("k" * 32, "", []),
        ("k" * 32, "p" * 32, []),
        ("k" * 31, "", ["deals.E001"]),
        ("k" * 32, "p" * 31, ["deals.E001"]),
        ("k", "p", ["deals.E001", "deals.E001"]),
        ("", "", ["deals.W001"]),
    ],
)
def test_a_short_or_blank_api_key_is_reported_without_showing_it(
    key: str, previous: str, ids: list[str], settings: Any
) -> None:
    settings.API_KEY, settings.API_KEY_PREVIOUS = key, previous
    assert [message.id for message in check_api_keys()] == ids
    assert all(key not in message.msg for message in check_api_keys() if len(key) > 1)


def test_the_api_key_is_checked_for_a_deployment(settings: Any) -> None:
    settings.API_KEY = "short"
    messages = {message.id for message in run_checks(include_deployment_checks=True)}
    assert "deals.E001" in messages
