"""Public answers that a process keeps and sends again for as long as PostgreSQL says that nothing was committed since.

Each hit asks the database first, so that a change is visible to the very next read in every process (decision 0014).
"""

import sys
import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from django.conf import settings
from django.db import Error
from django.db.backends.signals import connection_created

from config.database import fetch_rows, reading_connection
from config.edge.serving.answers import PublicResponse

# Two equal texts mean that the same transactions are visible. A standby does not list those that run, so that it says
# what it has replayed.
SNAPSHOT = """
SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text ELSE pg_current_snapshot()::text END
"""
# Through a pooler a crash does not show as a new connection. But what was on the disk survives it, and more follows.
POOLED_SNAPSHOT = """
SELECT
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text
    ELSE pg_current_snapshot()::text || ' ' || pg_current_wal_flush_lsn()::text END
    || ' ' || extract(epoch FROM pg_postmaster_start_time())::text
"""

# The scheme decides some headers, and may be that of a proxy.
ADDRESS = ("HTTP_HOST", "wsgi.url_scheme", "HTTP_X_FORWARDED_PROTO", "PATH_INFO", "QUERY_STRING")

MIN_BYTES = 4096
"""The smallest body that is kept. To make a smaller one, such as a board, costs hardly more than to check it."""

MAX_PAUSE = 63
"""How many requests for an address may pass without a look at the state of the database."""

ENTRY_BYTES = 1500
"""What an entry costs beside its texts, about: Python's objects and their entries in dictionaries."""


@dataclass(slots=True)
class Address:
    """What is known of the answers to one address: by which headers they vary, and how often keeping them was in vain.

    After each look that found a change, twice as many requests as before pass without one, at most MAX_PAUSE.
    """

    vary: tuple[str, ...]
    pause: int = 0
    left: int = 0

    def passes(self) -> bool:
        """Tell whether the next request passes without a look."""
        self.left -= 1
        return self.left >= 0

    def found(self, *, unchanged: bool) -> None:
        """Record what a look has found."""
        self.pause = 0 if unchanged else min(2 * self.pause + 1, MAX_PAUSE)
        self.left = self.pause


class ResponseStore:
    """A dictionary with a limit in bytes. It drops what was not used for the longest time. Threads share it."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.bytes = 0
        self.entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.lock = threading.Lock()

    def get(self, key: Hashable) -> Any:
        with self.lock:
            if key not in self.entries:
                return None
            self.entries.move_to_end(key)
            return self.entries[key][0]

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Store a value of `size` bytes, unless it would take more than an eighth of the store."""
        size += ENTRY_BYTES
        self.discard(key)
        if size > self.max_bytes // 8:
            return
        with self.lock:
            self.entries[key] = value, size
            self.bytes += size
            while self.bytes > self.max_bytes:
                _, (_, dropped) = self.entries.popitem(last=False)
                self.bytes -= dropped

    def discard(self, key: Hashable) -> None:
        with self.lock:
            _, size = self.entries.pop(key, (None, 0))
            self.bytes -= size


class CachedResponses:
    """Keep public answers and give them again until anything is committed. PostgreSQL only: SQLite cannot say that.

    The first answer to an address is only noted, with the headers it varies by: a crawl never asks for the state.
    """

    def __init__(self) -> None:
        self.store = ResponseStore(settings.CACHED_RESPONSES_MIB * 2**20)
        self.connections = 0
        connection_created.connect(self.count_connection)

    @property
    def may_keep(self) -> bool:
        """Tell whether anything is kept. Inside a transaction, as in most tests, readers see what is not committed."""
        connection = reading_connection()
        return bool(self.store.max_bytes) and connection.vendor == "postgresql" and not connection.in_atomic_block

    def look(self, environ: Mapping[str, Any]) -> tuple[str, PublicResponse | None]:
        """Return a cached response that is still right, or None, and the state to keep the next answer under.

        The state is "" where the next answer is not to be kept.
        """
        if not self.may_keep:
            return "", None
        known: Address | None = self.store.get(address_of(environ))
        if known is None or known.passes() or not (state := self.database_state()):
            return "", None
        kept_state, answer = self.store.get(key_of(environ, known.vary)) or (state, None)
        known.found(unchanged=kept_state == state)
        return state, answer if kept_state == state else None

    def note(self, environ: Mapping[str, Any], vary: tuple[str, ...] | None) -> None:
        """Store by which headers the answers to an address vary, or that none may be kept."""
        if not self.may_keep:
            return
        address = address_of(environ)
        known: Address | None = self.store.get(address)
        if vary is None:
            self.store.discard(address)
        elif known is None or known.vary != vary:
            self.store.put(address, Address(vary), text_bytes(*address))

    def keep(self, environ: Mapping[str, Any], state: str, answer: PublicResponse) -> None:
        """Store the address of an answer, and the answer itself under a state, if there is one."""
        if len(answer.body) < MIN_BYTES:
            self.note(environ, None)
            return
        self.note(environ, answer.template.vary)
        if state:
            # Each answer is kept beside the state that was read before it was made. Its body is a copy of the exact
            # size: orjson's own bytes hold up to three times the memory.
            kept = state, answer._replace(body=bytes(memoryview(answer.body)))
            key = key_of(environ, answer.template.vary)
            headers = chain.from_iterable((*answer.template.headers, *answer.own_headers))
            self.store.put(key, kept, len(answer.body) + text_bytes(*key, *headers))

    def database_state(self) -> str:
        """Return a text that changes with every commit, or "" when the database does not tell.

        After a crash PostgreSQL may give a transaction's number away again. So the text has the number of connections
        that this process has made: read when this connection exists and before it is used, it has grown since
        everything that was kept before the crash. And it names the database: each replica has a state of its own. It
        names the day, which decides what a search for "yesterday" finds.
        """
        connection = reading_connection()
        sql = POOLED_SNAPSHOT if connection.settings_dict.get("POOLED") else SNAPSHOT
        try:
            connection.close_if_health_check_failed()
            connection.ensure_connection()
            connections = self.connections
            ((snapshot,),) = fetch_rows(sql)
        except Error:
            return ""
        return f"{connection.alias} {connections} {datetime.now(UTC).date()} {snapshot}" if snapshot else ""

    def count_connection(self, **kwargs: Any) -> None:
        self.connections += 1


def address_of(environ: Mapping[str, Any]) -> tuple[str | None, ...]:
    """Return where a request goes. A tuple, since the path is decoded: it may contain a question mark of its own."""
    return tuple(map(environ.get, ADDRESS))


def key_of(environ: Mapping[str, Any], vary: tuple[str, ...]) -> tuple[Any, ...]:
    return (*address_of(environ), *vary, *map(environ.get, vary))


def text_bytes(*texts: str | None) -> int:
    return sum(map(sys.getsizeof, texts))
