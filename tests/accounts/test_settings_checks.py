"""The mistakes in the token settings that `manage.py check` reports."""

from typing import Any

import pytest
from django.core import checks
from django.core.checks import run_checks
from django.test import override_settings

from accounts.checks import check_token_deployment, check_token_settings, find_problems

GOOD_PROVIDER = {
    "JWT_JWKS_URL": "https://id.example/jwks", "JWT_ISSUER": "https://id.example", "JWT_AUDIENCE": "boards",
    "DEVELOPMENT_TOKENS": False,
}  # fmt: skip
GOOD_SECRET = {**GOOD_PROVIDER, "JWT_JWKS_URL": "", "JWT_SHARED_SECRET": "s" * 32}


def test_the_settings_of_the_tests_pass_every_check() -> None:
    assert run_checks() == []


WITHOUT_PASSWORDS = {
    **GOOD_PROVIDER, "ADMIN_OIDC_CLIENT_ID": "the-admin", "ADMIN_OIDC_CLIENT_SECRET": "s",
    "ADMIN_PASSWORDS": False,
}  # fmt: skip
NO_PROVIDER = {"DEVELOPMENT_TOKENS": False}


WITH_CLIENT = {**GOOD_PROVIDER, "ADMIN_OIDC_CLIENT_ID": "the-admin"}
GOOD = (GOOD_PROVIDER, GOOD_SECRET, {"DEVELOPMENT_TOKENS": True}, WITHOUT_PASSWORDS, NO_PROVIDER)
"""One way to verify tokens, or none."""

PROBLEMS: list[tuple[dict[str, Any], set[str]]] = [
    *((values, set()) for values in GOOD),
    ({**WITH_CLIENT, "DEVELOPMENT_TOKENS": True, "JWT_JWKS_URL": ""}, {"E006"}),
    ({**WITH_CLIENT, "JWT_ISSUER": "http://id.example"}, {"E006"}),
    ({**WITH_CLIENT, "JWT_ISSUER": "urn:example:id"}, {"E006"}),
    ({**GOOD_PROVIDER, "ADMIN_OIDC_CLIENT_SECRET": "s"}, {"E007"}),
    ({**GOOD_PROVIDER, "ADMIN_PASSWORDS": False}, {"E008"}),
    ({**NO_PROVIDER, "JWT_ISSUER": "https://id.example"}, {"E001"}),
    ({**NO_PROVIDER, "JWT_AUDIENCE": "boards"}, {"E001"}), ({**NO_PROVIDER, "JWT_TOKEN_TYPE": "at+jwt"}, {"E001"}),
    ({**NO_PROVIDER, "JWT_SCOPE": "boards"}, {"E001"}), ({**NO_PROVIDER, "JWT_ALGORITHMS": ["RS256"]}, {"E001"}),
    ({**GOOD_PROVIDER, "DEVELOPMENT_TOKENS": True}, {"E001"}), ({**GOOD_SECRET, "DEVELOPMENT_TOKENS": True}, {"E001"}),
    ({**GOOD_PROVIDER, "JWT_SHARED_SECRET": "s" * 32, "JWT_ALGORITHMS": ["HS256"]}, {"E001"}),
    ({**GOOD_PROVIDER, "JWT_ISSUER": ""}, {"E002"}), ({**GOOD_PROVIDER, "JWT_AUDIENCE": ""}, {"E002"}),
    ({**GOOD_SECRET, "JWT_AUDIENCE": ""}, {"E002"}),
    ({**GOOD_PROVIDER, "JWT_JWKS_URL": "http://id.example/jwks"}, {"E003"}),
    ({**GOOD_PROVIDER, "JWT_JWKS_URL": "file:///etc/keys"}, {"E003"}),
    ({**GOOD_PROVIDER, "JWT_JWKS_URL": "https://["}, {"E003"}),
    ({**GOOD_SECRET, "JWT_SHARED_SECRET": "s" * 31}, {"E004"}),
    ({**GOOD_PROVIDER, "JWT_ALGORITHMS": ["HS256"]}, {"E005"}),
    ({**GOOD_PROVIDER, "JWT_ALGORITHMS": ["RS256", "none"]}, {"E005"}),
    ({**GOOD_SECRET, "JWT_ALGORITHMS": ["RS256"]}, {"E005"}),
]  # fmt: skip


def test_a_mistake_in_the_token_settings_and_nothing_else_is_reported(subtests: pytest.Subtests) -> None:
    for values, numbers in PROBLEMS:
        with subtests.test(str(values)), override_settings(**values):
            assert {number for number, _ in find_problems()} == numbers
            reported = {(error.id, error.level) for error in check_token_settings()}
            assert reported == {(f"accounts.{each}", checks.ERROR) for each in numbers}


WARNED: list[tuple[dict[str, Any], list[str]]] = [
    (GOOD_PROVIDER, ["accounts.W001"]), (GOOD_SECRET, ["accounts.W001"]),
    ({**GOOD_PROVIDER, "JWT_TOKEN_TYPE": "at+jwt"}, []), ({"DEVELOPMENT_TOKENS": True}, []),
    (NO_PROVIDER, ["accounts.W002"]), ({**NO_PROVIDER, "HTTPS": True}, ["accounts.W002", "accounts.W003"]),
    ({"HTTPS": True}, ["accounts.W003"]), ({"HTTPS": True, "ADMIN_ONE_TIME_CODES": True}, []),
    ({**WITHOUT_PASSWORDS, "JWT_TOKEN_TYPE": "at+jwt", "HTTPS": True, "ADMIN_OIDC_AMR": ["mfa"]}, []),
]  # fmt: skip


def test_a_deployment_is_warned_of_what_is_missing(subtests: pytest.Subtests) -> None:
    for values, warnings in WARNED:
        with subtests.test(str(values)), override_settings(**values):
            assert [check.id for check in check_token_deployment()] == warnings


def test_a_start_does_not_repeat_the_warnings_of_a_deployment() -> None:
    with override_settings(**NO_PROVIDER, HTTPS=True):
        deployment = {check.id for check in run_checks(include_deployment_checks=True)}
        assert {"accounts.W002", "accounts.W003"} <= deployment
        assert not {"accounts.W002", "accounts.W003"} & {check.id for check in run_checks()}


def test_each_start_warns_of_clients_whose_provider_cannot_end_a_session(settings: Any) -> None:
    for values, warnings in (
        (GOOD_SECRET, []),
        ({**GOOD_SECRET, "MEMBER_OIDC_CLIENT_ID": "members"}, ["accounts.W005"]),
        ({**GOOD_SECRET, "ADMIN_OIDC_CLIENT_ID": "the-admin"}, ["accounts.W005"]),
        ({**GOOD_PROVIDER, "JWT_SHARED_SECRET": "", "MEMBER_OIDC_CLIENT_ID": "members"}, []),
    ):
        settings.MEMBER_OIDC_CLIENT_ID = settings.ADMIN_OIDC_CLIENT_ID = ""
        for name, value in values.items():
            setattr(settings, name, value)
        assert [check.id for check in run_checks()] == warnings, values
