"""Whether this process is ready, and what is degraded: found by looking at most once a second, one thread at a time."""

import logging
import threading
import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.utils.module_loading import import_string
from redis.exceptions import RedisError

from config.api.errors import ServiceUnavailable, to_api_error
from config.database.fitting import describe_misfit
from config.database.migrated import find_missing_migrations

logger = logging.getLogger(__name__)

MAX_AGE = 1.0
"""Seconds for which what was found is answered again, so that a thousand monitors cost one look."""

WITHOUT_CACHE = "The cache does not answer: forms and logins to the admin must wait. Reads do not need it."

UNMIGRATED = "The database lacks migrations of this version: run manage.py migrate."


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check: the answer of /readyz, or the reason for its refusal."""

    body: dict[str, Any]
    refusal: str = ""


class Readiness:
    """What is known of this process. Threads share it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        self.finding: Finding | None = None
        self.found_at = float("-inf")

    def get(self) -> Finding:
        """Return what the last look has found, or look now. While another thread looks, the last finding holds.

        A look ends: the monitor of the database lets no thread wait for one that does not answer.
        """
        if not self.lock.acquire(blocking=self.finding is None):
            return self.finding or self.get()
        try:
            if self.finding is None or time.monotonic() - self.found_at >= MAX_AGE:
                was_ready = self.finding is not None and not self.finding.refusal
                self.finding = look(compare=not was_ready)
                self.found_at = time.monotonic()
            return self.finding
        finally:
            self.lock.release()


readiness = Readiness()


def look(*, compare: bool) -> Finding:
    """Ask the database, without which nothing is served, and what only some routes need.

    Its tables are compared with the models until a look has found the process ready: they change by migrations alone,
    which only add.
    """
    try:
        if compare and (misfit := describe_misfit(connection)):
            return Finding({}, misfit)
        with connection.cursor() as cursor:
            if find_missing_migrations(cursor):
                return Finding({}, UNMIGRATED)
        troubles = [trouble for name in settings.DEGRADATIONS if (trouble := import_string(name)())]
    except Exception as error:  # an outage is a finding, and anything else is raised again
        known = to_api_error(error)
        if not isinstance(known, ServiceUnavailable):
            raise
        logger.warning("The database does not answer.", extra={"fields": {"reason": str(error)}})
        return Finding({}, "The database does not answer.")
    answers = True
    try:
        cache.get("readyz")
    except (RedisError, OSError):
        answers = False
        troubles.insert(0, WITHOUT_CACHE)
    return Finding(
        {
            "status": "degraded" if troubles else "ok",
            "database": "ok",
            "cache": "ok" if answers else "unreachable",
            "degraded": troubles,
        }
    )
