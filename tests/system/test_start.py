"""What a start says of settings, in a process that reads them from its environment."""

import subprocess
import sys

from tests.system.deployment import inherited
from tools.check import PRODUCTION_LIKE
from tools.environment import ROOT

DANGEROUS: list[dict[str, str]] = [
    {
        **dict.fromkeys(("SECRET_KEY", "API_KEY", "METRICS_TOKEN"), "short"),
        "DEBUG": "true",
        "EVENT_RETENTION_DAYS": "-1",
        "READ_RATE": "5/x",
        "METRICS_BIND": "nowhere",
    },
    {"PUBLIC_BASE_URL": "https://boards.example/bridge/"},
    {"API_KEY": "short", "SILENCED_SYSTEM_CHECKS": "deals.E001"},
]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=ROOT, env={**inherited(), **environment}, capture_output=True, text=True, check=False
    )


def load_application(**environment: str) -> subprocess.CompletedProcess[str]:
    """Load what gunicorn loads, with the settings of a production and these."""
    return run("-c", "import config.wsgi", **PRODUCTION_LIKE | environment)


def test_dangerous_settings_stop_the_start_by_name() -> None:
    for wrong in DANGEROUS:
        done = load_application(**wrong)
        assert done.returncode != 0 and "SystemCheckError" in done.stderr, wrong
        assert all(name in done.stderr for name in wrong if name != "SILENCED_SYSTEM_CHECKS"), done.stderr


def test_what_only_does_not_work_is_named_at_the_start_and_fails_the_check_for_deployment() -> None:
    wrong = {"FORM_MAIL_TO": "club@example.org", "ALLOWED_HOSTS": "other.example"}
    done = load_application(**wrong)
    assert done.returncode == 0, done.stderr
    assert "FORM_MAIL_TO is set" in done.stderr and "ALLOWED_HOSTS lacks boards.example" in done.stderr
    command = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    assert run(*command, **PRODUCTION_LIKE).returncode == 0
    assert run(*command, **PRODUCTION_LIKE | wrong).returncode != 0


def test_a_misspelt_flag_stops_the_service_at_its_start() -> None:
    for name in ("DEBUG", "DEVELOPMENT_TOKENS"):
        process = run("-c", "import config.settings", **{name: "ture"})
        assert process.returncode != 0
        assert f"ImproperlyConfigured: {name}=ture must be true or false" in process.stderr


def test_passwords_need_a_one_time_code_behind_https() -> None:
    for address, flag, backend in (
        ("https://boards.example", "", "OneTimeCodeBackend"),
        ("https://boards.example", "false", "PasswordBackend"),
        ("http://localhost:8000", "", "PasswordBackend"),
        ("http://localhost:8000", "true", "OneTimeCodeBackend"),
    ):
        ask = "from config import settings; print(settings.AUTHENTICATION_BACKENDS)"
        process = run("-c", ask, PUBLIC_BASE_URL=address, ADMIN_ONE_TIME_CODES=flag)
        asked = [name for name in ("PasswordBackend", "OneTimeCodeBackend") if name in process.stdout]
        assert asked == [backend], process.stderr


ASK_FOR_COOKIES = """
import django
django.setup()
from django.conf import settings
from django.test import Client
answer = Client().get("/admin/login/", headers={"host": "localhost", "x-forwarded-proto": "https"})
cookie = answer.cookies[settings.CSRF_COOKIE_NAME]
print(settings.SESSION_COOKIE_NAME, cookie.key, bool(cookie["secure"]), cookie["path"], repr(cookie["domain"]))
print(answer.get("Strict-Transport-Security"))
"""


def test_behind_https_no_other_host_can_set_or_replace_a_cookie() -> None:
    """The cookies of sessions and forms are Secure, for every path and this host alone: browsers insist on it.

    Nobody but a proxy of ours says that the request came by https, and then the answer binds the browser to it.
    """
    plain = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "sqlite://:memory:", "CACHE_URL": ""}
    plain |= {"TRUSTED_PROXIES": "127.0.0.1", "SECRET_KEY": "abcdefghijklmnopqrstuvwxyz" * 3}
    strict = "max-age=31536000; includeSubDomains; preload"
    for address, expected in {
        "https://boards.example": f"__Host-sessionid __Host-csrftoken True / ''\n{strict}\n",
        "http://localhost:8000": "sessionid csrftoken False / ''\nNone\n",
    }.items():
        process = run("-c", ASK_FOR_COOKIES, **plain, PUBLIC_BASE_URL=address)
        assert process.stdout == expected, process.stderr


def test_a_colour_that_nobody_can_read_stops_the_service_at_its_start_and_a_club_signs_its_mails() -> None:
    process = run("-c", "import config.settings", CLUB_ACCENT="#ffcc00")
    assert process.returncode != 0
    assert "ImproperlyConfigured: CLUB_ACCENT=#ffcc00 is too light" in process.stderr
    ask = "from config import settings; print(settings.DEFAULT_FROM_EMAIL, settings.CLUB)"
    process = run("-c", ask, CLUB_NAME="Linden, Bridge", CLUB_BAND="#12305a", MAIL_FROM="")
    assert process.stdout.startswith('"Linden, Bridge" <noreply@localhost> Club('), process.stderr
    assert "band='#12305a'" in process.stdout
