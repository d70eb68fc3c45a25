"""What a start says of settings, in a process that reads them from its environment."""

import os
import subprocess
import sys

import pytest

from tools.check import PRODUCTION_LIKE
from tools.environment import ROOT

DANGEROUS = [
    {
        "SECRET_KEY": "short",
        "API_KEY": "short",
        "DEBUG": "true",
        "METRICS_TOKEN": "short",
        "EVENT_RETENTION_DAYS": "-1",
    },
    {"PUBLIC_BASE_URL": "boards.example"},
    {"PUBLIC_BASE_URL": "https://boards.example/bridge/"},
    {"API_KEY": "short", "SILENCED_SYSTEM_CHECKS": "deals.E001"},
]


@pytest.mark.parametrize("wrong", DANGEROUS, ids="-".join)
def test_dangerous_settings_stop_the_start_by_name(wrong: dict[str, str]) -> None:
    done = load_application(**wrong)
    assert done.returncode != 0 and "SystemCheckError" in done.stderr
    assert all(name in done.stderr for name in wrong if name != "SILENCED_SYSTEM_CHECKS"), done.stderr


def test_what_only_does_not_work_is_named_at_the_start_and_fails_the_check_for_deployment() -> None:
    wrong = {"FORM_MAIL_TO": "club@example.org", "ALLOWED_HOSTS": "other.example"}
    done = load_application(**wrong)
    assert done.returncode == 0, done.stderr
    assert "FORM_MAIL_TO is set" in done.stderr and "ALLOWED_HOSTS lacks boards.example" in done.stderr
    command = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    assert run(command).returncode == 0
    assert run(command, **wrong).returncode != 0


def load_application(**environment: str) -> subprocess.CompletedProcess[str]:
    """Load what gunicorn loads, with the settings of a production and these."""
    return run(["-c", "import config.wsgi"], **environment)


def run(arguments: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    # The tests in a browser set it in their process, and the check for deployments warns of it.
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**inherited, **PRODUCTION_LIKE, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", ["DEBUG", "DEVELOPMENT_TOKENS"])
def test_a_misspelt_flag_stops_the_service_at_its_start(name: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        cwd=ROOT,
        env={**os.environ, name: "ture"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode != 0
    assert f"ImproperlyConfigured: {name}=ture is neither true nor false" in process.stderr


@pytest.mark.parametrize(
    ("address", "flag", "backend"),
    [
        ("https://boards.example", "", "OneTimeCodeBackend"),
        ("https://boards.example", "false", "PasswordBackend"),
        ("http://localhost:8000", "", "PasswordBackend"),
        ("http://localhost:8000", "true", "OneTimeCodeBackend"),
    ],
)
def test_passwords_need_a_one_time_code_behind_https(address: str, flag: str, backend: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", "from config import settings; print(settings.AUTHENTICATION_BACKENDS)"],
        cwd=ROOT,
        env={**os.environ, "PUBLIC_BASE_URL": address, "ADMIN_ONE_TIME_CODES": flag},
        capture_output=True,
        text=True,
        check=False,
    )
    asked = [name for name in ("PasswordBackend", "OneTimeCodeBackend") if name in process.stdout]
    assert asked == [backend], process.stderr


@pytest.mark.parametrize(("address", "prefix"), [("https://boards.example", "__Host-"), ("http://localhost:8000", "")])
def test_behind_https_no_other_host_can_set_or_replace_a_cookie(address: str, prefix: str) -> None:
    """The cookies of sessions and forms are Secure, for every path and this host alone: browsers insist on it.

    Nobody but a proxy of ours says that the request came by https, and then the answer binds the browser to it.
    """
    ask = (
        "import django; django.setup(); from django.test import Client; from django.conf import settings;"
        "headers = {'host': 'localhost', 'x-forwarded-proto': 'https'};"
        "answer = Client().get('/admin/login/', headers=headers); cookie = answer.cookies[settings.CSRF_COOKIE_NAME];"
        "print(settings.SESSION_COOKIE_NAME, cookie.key, bool(cookie['secure']), cookie['path'],"
        "repr(cookie['domain']),"
        "answer.get('Strict-Transport-Security'))"
    )
    process = subprocess.run(
        [sys.executable, "-c", ask],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": "sqlite://:memory:",
            "CACHE_URL": "",
            "PUBLIC_BASE_URL": address,
            "TRUSTED_PROXIES": "127.0.0.1",
            "SECRET_KEY": "abcdefghijklmnopqrstuvwxyz" * 3,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    strict = "max-age=31536000; includeSubDomains; preload" if prefix else None
    expected = f"{prefix}sessionid {prefix}csrftoken {bool(prefix)} / '' {strict}"
    assert process.stdout.strip() == expected, process.stderr
