"""What `manage.py check` and every start say of secrets, addresses, mail, retention, flags and the edge."""

from typing import Any

import pytest
from django.conf import settings as loaded
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from pytest import MonkeyPatch

from config.checks import RATES, check_connections, check_edge_settings
from config.database.retention import RETENTIONS
from config.edge.security.client_address import trusted_proxies
from config.settings import flag

GOOD = "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz"


def found(settings: Any, **values: Any) -> list[tuple[str, str]]:
    """Return the ids of what the checks say with these settings, each with the name that its sentence begins with."""
    for name, value in values.items():
        setattr(settings, name, value)
    return [(str(each.id), each.msg.split("=")[0].split()[0]) for each in run_checks()]


WEAK: list[tuple[str, list[Any], list[tuple[str, str]]]] = [
    ("SECRET_KEY", ["k", GOOD[:49], "abcab" * 20, f"django-insecure-{GOOD}"], [("config.E001", "SECRET_KEY")]),
    ("SECRET_KEY_FALLBACKS", [[GOOD, "old"]], [("config.E001", "SECRET_KEY_FALLBACKS[1]")]),
    ("SECRET_KEY_FALLBACKS", [[""]], [("config.E001", "SECRET_KEY_FALLBACKS[0]")]),
    ("API_KEY", ["abc" * 20], [("config.E001", "API_KEY")]),
    ("API_KEY", [loaded.SECRET_KEY], [("config.E002", "API_KEY")]),
    ("METRICS_TOKEN", [GOOD[:31], "0" * 32], [("config.E001", "METRICS_TOKEN")]),
    ("METRICS_TOKEN", [loaded.API_KEY], [("config.E002", "METRICS_TOKEN")]),
    (
        "PUBLIC_BASE_URL",
        [
            *("testserver", "ftp://testserver", "https://", "https://[", "https://user@testserver"),
            *(f"https://testserver{more}" for more in ("/bridge", ":8443/bridge", "//", "?x", "#x")),
        ],
        [("config.E003", "PUBLIC_BASE_URL")],
    ),
    ("PUBLIC_BASE_URL", ["https://other.example"], [("config.W001", "ALLOWED_HOSTS")]),
    # What is good:
    *(("SECRET_KEY", [GOOD], []), ("SECRET_KEY_FALLBACKS", [[loaded.SECRET_KEY]], [])),
    *(("API_KEY", ["", loaded.API_KEY_PREVIOUS], []), ("METRICS_TOKEN", [GOOD[:32]], [])),
    ("PUBLIC_BASE_URL", ["https://testserver:8443", "http://127.0.0.1:8000"], []),
]


def test_a_weak_secret_or_a_wrong_address_is_named(settings: Any) -> None:
    for name, values, expected in WEAK:
        for value in values:
            with override_settings(JWT_ISSUER="", **{name: value}):
                assert found(settings) == expected, (name, value)


def test_the_host_of_an_ipv6_address_is_compared_as_django_does(settings: Any) -> None:
    for hosts, problems in ((["[::1]"], 0), ([".testserver"], 1), (["*"], 0)):
        assert len(found(settings, ALLOWED_HOSTS=hosts, PUBLIC_BASE_URL="http://[::1]:8000")) == problems, hosts


def test_debug_at_an_https_address_is_an_error(settings: Any) -> None:
    assert found(settings, DEBUG=True) == []
    assert found(settings, PUBLIC_BASE_URL="https://testserver") == [("config.E004", "DEBUG")]


def postgresql(**values: Any) -> dict[str, Any]:
    return {"ENGINE": "config.database.postgresql", "HOST": "db.example", "OPTIONS": {}, **values}


def redis(location: Any, **options: str) -> dict[str, Any]:
    return {"BACKEND": "django.core.cache.backends.redis.RedisCache", "OPTIONS": options, "LOCATION": location}


TO_DATABASE, HERE = "DATABASE_URL connects to db.example", postgresql(HOST="127.0.0.1")
CONNECTIONS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("DATABASES", {"default": postgresql()}, [TO_DATABASE]),
    ("DATABASES", {"default": postgresql(OPTIONS={"sslmode": "require"})}, [TO_DATABASE]),
    ("DATABASES", {"default": postgresql(OPTIONS={"sslmode": "verify-full"})}, []),
    *(("DATABASES", {"default": postgresql(HOST=host)}, []) for host in ("/run/postgresql", "")),
    (
        "DATABASES",
        {"default": HERE, "replica1": postgresql(HOST="127.0.0.1,a.example")},
        ["DATABASE_REPLICA_URLS connects to a.example"],
    ),
    ("CACHES", {"default": redis("redis://:pw@redis.example:6379/0")}, ["CACHE_URL connects to redis.example"]),
    ("CACHES", {"default": redis(["redis://localhost", "redis://b"])}, ["CACHE_URL connects to b"]),
    ("CACHES", {"default": redis("rediss://redis.example")}, []),
    ("CACHES", {"default": redis("rediss://a.example", ssl_cert_reqs="none")}, ["CACHE_URL connects to a.example"]),
]


@pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")
def test_a_store_or_mail_server_beyond_this_machine_without_tls_is_warned_of_before_a_deployment(
    settings: Any, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.delenv("PGSSLMODE", raising=False)
    settings.DATABASES = {"default": postgresql(HOST="")}
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    for name, value, expected in CONNECTIONS:
        before = getattr(settings, name)
        setattr(settings, name, value)
        said = [each.msg.partition(" without TLS")[0] for each in check_connections()]
        assert said == expected, (name, value)
        setattr(settings, name, before)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "mail.example"
    assert [each.id for each in check_connections()] == ["config.W003"]
    settings.EMAIL_USE_TLS = True
    assert check_connections() == []


def test_mail_that_reaches_nobody_is_warned_of(settings: Any) -> None:
    for kind in ("console", "dummy", "filebased", "locmem"):
        settings.FORM_MAIL_TO = []
        assert found(settings, EMAIL_BACKEND=f"django.core.mail.backends.{kind}.EmailBackend") == []
        assert found(settings, FORM_MAIL_TO=["club@example.org"]) == [("config.W002", "FORM_MAIL_TO")], kind
        assert found(settings, EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend") == []


def test_a_retention_that_is_negative_or_endless_is_an_error(settings: Any) -> None:
    names = {retention.setting for retention in RETENTIONS if retention.setting}
    assert names >= {"EVENT_RETENTION_DAYS", "SUBMISSION_RETENTION_DAYS", "FEED_RETENTION_DAYS"}
    for name in sorted(names):
        for days in (-1, 36_501):
            assert found(settings, **{name: days}) == [("config.E005", name)]
        for days in (36_500, 0):
            assert found(settings, **{name: days}) == []


def test_a_flag_is_on_or_off_and_without_a_value_it_has_its_default(monkeypatch: MonkeyPatch) -> None:
    for default in (True, False):
        monkeypatch.delenv("A_FLAG", raising=False)
        assert flag("A_FLAG", default=default) is default
        for is_on, values in (
            *((True, ("true", "True", " TRUE ", "1", "on", "yes")), (default, ("", " "))),
            (False, ("false", "False", " FALSE ", "0", "off", "no")),
        ):
            for value in values:
                monkeypatch.setenv("A_FLAG", value)
                assert flag("A_FLAG", default=default) is is_on, value


def test_a_flag_with_any_other_value_is_refused_by_name(monkeypatch: MonkeyPatch) -> None:
    for value in ("ture", "2", "y", "none", "truefalse", "é"):
        monkeypatch.setenv("A_FLAG", value)
        with pytest.raises(ImproperlyConfigured, match=f"A_FLAG={value}"):
            flag("A_FLAG", default=True)


EDGE: list[tuple[str, str, list[Any], list[Any]]] = [
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


def test_a_setting_of_the_edge_that_makes_no_sense_is_reported_by_its_name(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.delenv("PORT", raising=False)
    for name, error, wrong, right in EDGE:
        for value in (*wrong, *right):
            with override_settings(**{name: value}):
                trusted_proxies.cache_clear()
                problems = list(check_edge_settings())
            assert [each.id for each in problems] == ([error] if value in wrong else []), (name, value)
            assert all(name in each.msg for each in problems), (name, value)
