"""What a process knows of each server of its database: whether it answers, and which threads wait for it.

The connections tell it (config/database/postgresql/base.py), and the monitor judges by it (config/database/monitor.py).
Processes without a monitor, such as the worker and the commands, wait as long as the time-outs allow.
"""

import threading
from typing import Protocol
from weakref import WeakSet

from django.db import DEFAULT_DB_ALIAS


class Waiter(Protocol):
    """A connection as the monitor sees it. `waiting_since` is 0.0 while its thread does not wait."""

    waiting_since: float

    def is_one_of(self, backends: frozenset[int]) -> bool:
        """Tell whether the server's process of this connection is among these."""

    def cancel_statement(self) -> None:
        """Ask the server to end the statement. The connection stays."""

    def cut(self) -> None:
        """Break the connection, so that its thread has an error at once."""


class Server:
    """A server as the connections of this process find it. `answered_at` is when it last answered any of them."""

    def __init__(self) -> None:
        self.is_down = False
        self.answered_at = 0.0
        self.waiters: WeakSet[Waiter] = WeakSet()
        self.lock = threading.Lock()

    def add(self, waiter: Waiter) -> None:
        with self.lock:
            self.waiters.add(waiter)

    def waiting(self) -> list[Waiter]:
        """Return the connections whose threads wait, beginning with the longest wait."""
        with self.lock:
            waiting = [waiter for waiter in self.waiters if waiter.waiting_since]
        return sorted(waiting, key=lambda waiter: waiter.waiting_since)

    def cut_all(self) -> None:
        """End the wait of every thread."""
        for waiter in self.waiting():
            waiter.cut()


primary = Server()
replica_servers: dict[str, Server] = {}


def server_of(alias: str) -> Server:
    """Return the server of one of settings.DATABASES."""
    return primary if alias == DEFAULT_DB_ALIAS else replica_servers.setdefault(alias, Server())
