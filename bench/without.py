"""Our application without the layer that WITHOUT names. `python -m bench.layers` serves it beside the whole one."""

import os
from collections.abc import Callable
from typing import Any

from django.conf import settings

import config.database
from config.database.postgresql.base import DatabaseWrapper


def leave_out_prepared_statements() -> None:
    del DatabaseWrapper.fetch_rows  # config.database.fetch_rows then takes a cursor of Django's


def leave_out_cached_responses() -> None:
    settings.CACHED_RESPONSES_MIB = 0


def leave_out_read_limit() -> None:
    settings.READ_RATE = ""


def leave_out_request_checks() -> None:
    settings.REQUEST_CHECKS = []


def leave_out_monitor() -> None:
    config.database.bound_waits = lambda *, threads: None


LAYERS: dict[str, Callable[[], None]] = {
    "statements through libpq": leave_out_prepared_statements,
    "cached responses": leave_out_cached_responses,
    "public reads": lambda: None,
    "limit on reads": leave_out_read_limit,
    "request checks": leave_out_request_checks,
    "monitor, bulkhead": leave_out_monitor,
}
"""What is left out before the application is loaded. Public reads are left out afterwards, and caching with them."""

if left_out := os.environ.get("WITHOUT"):
    LAYERS[left_out]()
    from config.wsgi import application as whole

    application: Any = whole.django if left_out == "public reads" else whole
