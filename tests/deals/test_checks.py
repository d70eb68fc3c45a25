"""A short API key stops the start. A blank one is a warning before a deployment."""

from typing import Any

import pytest
from django.core import checks
from django.core.checks import run_checks
from django.core.management import BaseCommand
from django.core.management.base import SystemCheckError


def ids_of_problems(*, deployment: bool) -> list[str]:
    messages = run_checks(tags=[checks.Tags.security], include_deployment_checks=deployment)
    return [message.id for message in messages if message.id and message.id.startswith("deals.")]


def test_a_short_api_key_is_an_error_and_a_blank_one_a_warning_before_a_deployment(settings: Any) -> None:
    for key, previous, errors in (
        *(("k" * 32, "", []), ("k" * 32, "p" * 32, []), ("k" * 31, "", ["deals.E001"])),
        *(("k" * 32, "p" * 31, ["deals.E001"]), ("k", "p", ["deals.E001", "deals.E001"]), ("", "", [])),
    ):
        settings.API_KEY, settings.API_KEY_PREVIOUS = key, previous
        assert ids_of_problems(deployment=False) == errors
        assert ids_of_problems(deployment=True) == [*errors, *["deals.W001"] * (not key)]


def test_the_service_does_not_start_with_a_short_api_key_and_does_not_show_it(settings: Any) -> None:
    settings.API_KEY = "xyzzy-plugh"
    with pytest.raises(SystemCheckError, match="API_KEY is shorter than 32 characters") as refusal:
        BaseCommand().check()  # as config/wsgi.py does
    assert settings.API_KEY not in str(refusal.value)
