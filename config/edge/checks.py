"""Checks of the edge's settings, for `manage.py check` and before the service starts."""

import os
from typing import Any

from django.conf import settings
from django.core.checks import Error, register

from config.edge.limits.counters import parse_rate
from config.edge.security.client_address import trusted_proxies

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
def check_edge_settings(**kwargs: Any) -> list[Error]:
    """Report a rate that cannot be parsed, a trusted proxy that is no network, a negative memory or age."""
    problems = []
    for name in RATES:
        try:
            if rate := getattr(settings, name):
                parse_rate(rate)
        except ValueError as error:
            problems.append(Error(f"{name}: {error}", id="edge.E001"))
    try:
        trusted_proxies()
    except ValueError as error:
        problems.append(Error(f"TRUSTED_PROXIES: {error}", id="edge.E002"))
    if settings.CACHED_RESPONSES_MIB < 0:
        problems.append(Error("CACHED_RESPONSES_MIB is negative: write 0 to keep no answers.", id="edge.E003"))
    if settings.PUBLIC_MAX_AGE < 0:
        problems.append(Error("PUBLIC_MAX_AGE is negative: write 0 to have caches ask.", id="edge.E006"))
    if settings.REPLICA_MAX_LAG < MIN_LAG:
        reason = f"REPLICA_MAX_LAG is less than {MIN_LAG} seconds: no replica would be seen to be so fresh."
        problems.append(Error(reason, id="edge.E007"))
    if not 0 <= settings.ACCESS_LOG_SUCCESSES <= 1:
        problems.append(Error("ACCESS_LOG_SUCCESSES is no share: write a number from 0 to 1.", id="edge.E004"))
    problems += check_metrics_bind()
    return problems


def check_metrics_bind() -> list[Error]:
    """Report an address for metrics that is none, or has the service's own port, which proxies reach."""
    if not settings.METRICS_BIND:
        return []
    host, _, port = settings.METRICS_BIND.rpartition(":")
    if not host or not port.isascii() or not port.isdecimal() or not 0 < int(port) < 65536:
        return [Error("METRICS_BIND is no address: write host:port, such as 127.0.0.1:9100.", id="edge.E005")]
    if port == os.environ.get("PORT", "8000"):
        return [Error("METRICS_BIND has the port of the service: give metrics another.", id="edge.E005")]
    if settings.DEVELOPMENT_TOKENS and not host.strip("[]").startswith(("127.", "localhost", "::1")):
        return [Error("With DEVELOPMENT_TOKENS, METRICS_BIND must be on 127.0.0.1.", id="edge.E005")]
    return []
