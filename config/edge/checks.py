"""Checks of the edge's settings, for `manage.py check` and before the service starts."""

from typing import Any

from django.conf import settings
from django.core.checks import Error, register

from config.edge.client_address import trusted_proxies
from config.edge.counters import parse_rate


@register
def check_edge_settings(**kwargs: Any) -> list[Error]:
    """Report a rate that cannot be parsed, a trusted proxy that is no network, and a negative memory for answers."""
    problems = []
    for name in ("READ_RATE", "EXPORT_RATE", "FORM_RATE_PER_CLIENT", "FORM_RATE_IN_TOTAL"):
        try:
            if rate := getattr(settings, name):
                parse_rate(rate)
        except ValueError as error:
            problems.append(Error(f"{name}: {error}", id="edge.E001"))
    try:
        trusted_proxies()
    except ValueError as error:
        problems.append(Error(f"TRUSTED_PROXIES: {error}", id="edge.E002"))
    if settings.KEPT_ANSWERS_MIB < 0:
        problems.append(Error("KEPT_ANSWERS_MIB is negative: write 0 to keep no answers.", id="edge.E003"))
    return problems
