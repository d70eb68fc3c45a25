"""A bulkhead for requests that write: together they never keep the last threads of a web process from its readers.

Two things hold a writer up. Other writers get on sooner or later, so it waits for one of their permits. But a lock that
somebody keeps stops all who have a permit: as soon as the server says so, nobody waits for them.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

THREADS_OF_READERS = 2
WAIT_SECONDS = 10
"""The longest wait for a permit. It is for a busy machine: twenty equal imports are answered one after the other."""


class Bulkhead:
    """The permits to write. `locked` is how many threads wait for a lock; `permits` is None where nobody counts."""

    def __init__(self) -> None:
        self.permits: int | None = None
        self.taken = 0
        self.locked = 0
        self.changed = threading.Condition()

    @property
    def is_stuck(self) -> bool:
        """Tell whether as many threads wait for a lock as may write."""
        return self.permits is not None and self.locked >= self.permits

    def enter(self) -> bool:
        """Take a permit, and wait for one if need be. Return False when there is none to be had."""
        with self.changed:
            if not self.changed.wait_for(self.can_tell, WAIT_SECONDS) or self.is_stuck:
                return False
            self.taken += 1
            return True

    def can_tell(self) -> bool:
        return self.permits is None or self.taken < self.permits or self.is_stuck

    def leave(self) -> None:
        """Give the permit back."""
        with self.changed:
            self.taken -= 1
            self.changed.notify()

    def note_locked(self, threads: int) -> None:
        """Record how many threads wait for a lock, as the server says. Whoever waits for their permits need not."""
        with self.changed:
            self.locked = threads
            if self.is_stuck:
                self.changed.notify_all()

    @contextmanager
    def waiting_for_lock(self) -> Iterator[None]:
        """Count this thread as one that waits for a lock while the block runs, where no server says so: on SQLite."""
        with self.changed:
            self.note_locked(self.locked + 1)
        try:
            yield
        finally:
            with self.changed:
                self.note_locked(self.locked - 1)


writers = Bulkhead()
"""The permits of this process. gunicorn sets their number in each worker (config/gunicorn.conf.py)."""
