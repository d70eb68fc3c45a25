"""Settings that are read from the environment fail loudly when their value makes no sense."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.settings import flag


@pytest.mark.parametrize("value", ["true", "True", " TRUE ", "1", "on", "yes"])
def test_a_flag_is_on(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_FLAG", value)
    assert flag("A_FLAG", default=False) is True


@pytest.mark.parametrize("value", ["false", "False", " FALSE ", "0", "off", "no"])
def test_a_flag_is_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_FLAG", value)
    assert flag("A_FLAG", default=True) is False


@pytest.mark.parametrize("default", [True, False])
def test_a_flag_that_is_not_set_or_blank_has_its_default(
    default: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("A_FLAG", raising=False)
    assert flag("A_FLAG", default=default) is default
    for blank in ("", " "):
        monkeypatch.setenv("A_FLAG", blank)
        assert flag("A_FLAG", default=default) is default


@pytest.mark.parametrize("value", ["ture", "2", "y", "none", "truefalse", "é"])
def test_a_flag_with_any_other_value_is_refused_by_name(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_FLAG", value)
    with pytest.raises(ImproperlyConfigured, match=f"A_FLAG={value.strip()}"):
        flag("A_FLAG", default=True)


@pytest.mark.parametrize("name", ["DEBUG", "DEVELOPMENT_TOKENS"])
def test_a_misspelt_flag_stops_the_service_at_its_start(name: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        cwd=settings.BASE_DIR,
        env={**os.environ, name: "ture"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode != 0
    assert f"ImproperlyConfigured: {name}=ture is neither true nor false" in process.stderr


@pytest.mark.parametrize(
    ("address", "prefix"), [("https://boards.example", "__Host-"), ("http://localhost:8000", "")]
)
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
        cwd=settings.BASE_DIR,
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
