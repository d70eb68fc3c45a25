"""Checks of the edge's settings, for `manage.py check` and before the service starts."""

from typing import Any

from django.conf import settings
from django.core.checks import Error, register

from config.edge.client_address import trusted_proxies
from config.edge.counters import parse_rate


@register
def check_rates_and_proxies(**kwargs: Any) -> list[Error]:
    """Report a rate that cannot be parsed, and a trusted proxy that is no network."""
    problems = []
    for name in ("READ_RATE", "FORM_RATE_PER_CLIENT", "FORM_RATE_IN_TOTAL"):
        try:
            if rate := getattr(settings, name):
                parse_rate(rate)
        except ValueError as error:
            problems.append(Error(f"{name}: {error}", id="edge.E001"))
    try:
        trusted_proxies()
    except ValueError as error:
        problems.append(Error(f"TRUSTED_PROXIES: {error}", id="edge.E002"))
    return problems
