"""Checks of secrets, addresses, connections, retention and limits, for `manage.py check` and before the service starts.

What would open the service to strangers, or keep or delete what it must not, is an error and stops the start. What only
does not work as its operator believes is a warning, which every start names.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks.security.base import SECRET_KEY_INSECURE_PREFIX
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.http.request import validate_host

from config import paths
from config.database.fitting import describe_misfit
from config.database.retention import RETENTIONS
from config.edge.limits.counters import parse_rate
from config.edge.security.client_address import trusted_proxies

MIN_SECRET_KEY_LENGTH = 50
MIN_TOKEN_LENGTH = 32
# Of 10^12 random keys of 32 hexadecimal digits, not one is expected to have fewer than six different ones.
MIN_DIFFERENT_CHARACTERS = 6
MAX_RETENTION_DAYS = 36_500
"""A hundred years. A date much before year 1, which a larger number could mean, would stop `prune`."""

MAIL_THAT_REACHES_NOBODY = ("console", "dummy", "filebased", "locmem")
RANDOM = "Use a random one, such as the output of `openssl rand -hex 32`."


@register(Tags.security)
def check_secrets(**kwargs: Any) -> Iterator[CheckMessage]:
    """Report secrets that can be guessed, and one secret that has two purposes."""
    named = {
        "SECRET_KEY": settings.SECRET_KEY,
        **{f"SECRET_KEY_FALLBACKS[{n}]": key for n, key in enumerate(settings.SECRET_KEY_FALLBACKS)},
        **{name: getattr(settings, name) for name in ("API_KEY", "API_KEY_PREVIOUS", "METRICS_TOKEN")},
    }
    owner_of: dict[str, str] = {}
    for name, secret in named.items():
        if problem := why_weak(name, secret):
            yield Error(f"{name} {problem}.", hint=RANDOM, id="config.E001")
        other = owner_of.setdefault(secret, name)
        # A key may stand among the former ones while it is being changed.
        if secret and other.split("_")[0] != name.split("_")[0]:
            yield Error(f"{name} is the same as {other}.", hint=RANDOM, id="config.E002")


def why_weak(name: str, secret: str) -> str:
    """Return what makes a secret weak, or "" for a strong or blank one. deals.checks looks at the API keys' length."""
    if not secret and not name.startswith("SECRET_KEY"):
        return ""
    lengths = {"SECRET_KEY": MIN_SECRET_KEY_LENGTH, "METRICS_TOKEN": MIN_TOKEN_LENGTH}
    shortest = lengths.get(name.partition("_FALLBACKS")[0], 0)
    if len(secret) < shortest:
        return f"is shorter than {shortest} characters"
    if len(set(secret)) < MIN_DIFFERENT_CHARACTERS:
        return f"has fewer than {MIN_DIFFERENT_CHARACTERS} different characters"
    if secret.startswith(SECRET_KEY_INSECURE_PREFIX):
        return f"begins with {SECRET_KEY_INSECURE_PREFIX}"
    return ""


@register(Tags.security)
def check_addresses(**kwargs: Any) -> Iterator[CheckMessage]:
    """Report a public address that is none, has a path or shows DEBUG pages, or that the service itself refuses."""
    address = settings.PUBLIC_BASE_URL
    if not (host := host_of(address)):
        sentence = f"PUBLIC_BASE_URL={address} is not an address: write it as https://boards.example."
        yield Error(sentence, id="config.E003")
        return
    if set(address.partition("://")[2]) & set("/?#"):
        hint = "Links, styles and forms of the pages begin at the root: with a path they would lead to other services."
        sentence = (
            f"PUBLIC_BASE_URL={address} is more than a scheme and a host: give the service a host name of its own,"
            " such as https://boards.club.example."
        )
        yield Error(sentence, hint=hint, id="config.E003")
        return
    if settings.DEBUG and address.startswith("https://"):
        hint = "Leave DEBUG out: its error pages show settings, addresses and statements to whoever causes one."
        yield Error("DEBUG is on at an https address.", hint=hint, id="config.E004")
    if not settings.DEBUG and not validate_host(host, settings.ALLOWED_HOSTS):
        yield checks.Warning(
            f"ALLOWED_HOSTS lacks {host}, the host of PUBLIC_BASE_URL.",
            hint="Unless a proxy changes the Host header, every request by the public address gets a 400.",
            id="config.W001",
        )


def host_of(address: str) -> str:
    """Return the host of an http or https address as ALLOWED_HOSTS has it, or "" for anything else."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        is_address = parts.scheme in ("http", "https") and parts.port != 0 and parts.username is None
    except ValueError:
        return ""
    if not is_address:
        return ""
    return f"[{host}]" if ":" in host else host


def mail_that_reaches_nobody() -> str:
    """Return what becomes of e-mail where EMAIL_URL names no mail server, such as "console". Else return ""."""
    kind = settings.EMAIL_BACKEND.rpartition(".backends.")[2].partition(".")[0]
    return kind if kind in MAIL_THAT_REACHES_NOBODY else ""


@register
def check_mail(**kwargs: Any) -> Iterator[CheckMessage]:
    """Warn of forms that are to be announced by a mail server that is none."""
    if settings.FORM_MAIL_TO and (kind := mail_that_reaches_nobody()):
        yield checks.Warning(
            f"FORM_MAIL_TO is set, but EMAIL_URL names no mail server ({kind}): nobody gets these e-mails.",
            hint="Set EMAIL_URL=smtp+tls://user:password@host:587. The console backend only writes them to the log.",
            id="config.W002",
        )


@register(Tags.security, deploy=True)
def check_connections(**kwargs: Any) -> list[CheckMessage]:
    """Warn of connections that others on the way can read or answer."""
    return [
        checks.Warning(
            f"{name} connects to {host} without TLS, or without verifying the certificate.",
            hint="For PostgreSQL add ?sslmode=verify-full&sslrootcert=FILE, for Redis write rediss://, for mail"
            " smtp+tls://. Connections within the machine do not need it.",
            id="config.W003",
        )
        for name, host in connections_without_tls()
        if host not in ("", *paths.LOOPBACK_HOSTS) and not host.startswith("/")
    ]


def connections_without_tls() -> Iterator[tuple[str, str]]:
    """Yield the setting and the host, or the socket, of each store and mail server whose certificate nothing checks."""
    for alias, database in settings.DATABASES.items():
        mode = database["OPTIONS"].get("sslmode") or os.environ.get("PGSSLMODE")
        if "postgresql" in database["ENGINE"] and mode not in ("verify-ca", "verify-full"):
            name = "DATABASE_URL" if alias == DEFAULT_DB_ALIAS else "DATABASE_REPLICA_URLS"
            yield from ((name, host) for host in database["HOST"].split(","))
    yield from caches_without_tls()
    if not mail_that_reaches_nobody() and not (settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL):
        yield "EMAIL_URL", settings.EMAIL_HOST


def caches_without_tls() -> Iterator[tuple[str, str]]:
    cache: dict[str, Any] = settings.CACHES["default"]
    locations = cache.get("LOCATION", [])
    for url in map(urlsplit, [locations] if isinstance(locations, str) else locations):
        if url.scheme != "rediss" or cache["OPTIONS"].get("ssl_cert_reqs", "required") != "required":
            yield "CACHE_URL", url.hostname or ""


@register(Tags.database, deploy=True)
def check_tables(databases: Sequence[str] | None = None, **kwargs: Any) -> Iterator[CheckMessage]:
    """Report a database whose tables do not fit this version, by `check --deploy --database default`."""
    for alias in databases or ():
        with suppress(DatabaseError):  # It does not answer. /readyz says so.
            if misfit := describe_misfit(connections[alias]):
                yield Error(misfit, id="config.E006")


@register
def check_retention(**kwargs: Any) -> list[CheckMessage]:
    """Report each retention that is negative, which `prune` would take for "for ever", or too long."""
    days_of = {name: getattr(settings, name) for name in sorted({each.setting for each in RETENTIONS if each.setting})}
    reason = f"is not from 0 to {MAX_RETENTION_DAYS}: write a number of days, or 0 to keep for ever."
    return [
        Error(f"{name}={days} {reason}", id="config.E005")
        for name, days in days_of.items()
        if not 0 <= days <= MAX_RETENTION_DAYS
    ]


MIN_LAG = 3
"""Two looks at the servers (config.database.replicas), each of which may take a second."""

RATES = (
    "READ_RATE",
    "WRITE_RATE",
    "EXPORT_RATE",
    "QUESTION_RATE_IN_TOTAL",
    "FORM_RATE_PER_CLIENT",
    "FORM_RATE_IN_TOTAL",
    "PRACTICE_RATE_PER_CLIENT",
    "PRACTICE_RATE_IN_TOTAL",
    "MEMBER_UPLOAD_RATE",
)


@register
def check_edge_settings(**kwargs: Any) -> Iterator[CheckMessage]:
    """Report what makes no sense: a rate or trusted proxy that cannot be parsed, a number or address that is wrong."""
    wrong = [
        (settings.CACHED_RESPONSES_MIB < 0, "E003", "CACHED_RESPONSES_MIB is negative: write 0 to keep no answers."),
        (settings.PUBLIC_MAX_AGE < 0, "E006", "PUBLIC_MAX_AGE is negative: write 0 to have caches ask."),
        (
            settings.REPLICA_MAX_LAG < MIN_LAG,
            "E007",
            f"REPLICA_MAX_LAG is less than {MIN_LAG} seconds: the lag cannot be measured that precisely.",
        ),
        (
            not 0 <= settings.ACCESS_LOG_SUCCESSES <= 1,
            "E004",
            "ACCESS_LOG_SUCCESSES is not a share: write a number from 0 to 1.",
        ),
    ]
    yield from (Error(reason, id=f"edge.{code}") for is_wrong, code, reason in wrong if is_wrong)
    for name in RATES:
        try:
            if rate := getattr(settings, name):
                parse_rate(rate)
        except ValueError as error:
            yield Error(f"{name}: {error}", id="edge.E001")
    try:
        trusted_proxies()
    except ValueError as error:
        yield Error(f"TRUSTED_PROXIES: {error}", id="edge.E002")
    if settings.METRICS_BIND and (reason := why_no_port_for_metrics()):
        yield Error(reason, id="edge.E005")


def why_no_port_for_metrics() -> str:
    """Return what is wrong with METRICS_BIND: no address, the service's own port, which proxies reach. Else ""."""
    host, _, port = settings.METRICS_BIND.rpartition(":")
    if not host or not port.isascii() or not port.isdecimal() or not 0 < int(port) < 65536:
        return "METRICS_BIND is not an address: write host:port, such as 127.0.0.1:9100."
    if port == os.environ.get("PORT", "8000"):
        return "METRICS_BIND has the port of the service: give metrics another."
    if settings.DEVELOPMENT_TOKENS and not host.strip("[]").startswith(("127.", "localhost", "::1")):
        return "With DEVELOPMENT_TOKENS, METRICS_BIND must be on 127.0.0.1."
    return ""
