"""Ask a long-running command to end in good order."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue


class ShutdownRequested(Exception):
    """Raised where work can be broken off: the process was asked to end. Release what you hold."""


class ShutdownRequest:
    """A request to end that any thread or signal handler may make at any moment. It wakes all threads that wait."""

    def __init__(self) -> None:
        self.requested = False
        # Not an Event: its lock may be held by the very wait that the signal handler interrupts.
        self._wake_ups: SimpleQueue[None] = SimpleQueue()

    def request(self, *signal_and_frame: object) -> None:
        self.requested = True
        self._wake_ups.put(None)

    def check(self) -> None:
        """Raise ShutdownRequested when the request has been made."""
        if self.requested:
            raise ShutdownRequested

    def wait(self, seconds: float) -> None:
        """Wait that long. Raise ShutdownRequested as soon as the request is made."""
        self.check()
        with suppress(Empty):
            self._wake_ups.get(timeout=seconds)
            self._wake_ups.put(None)  # for the next thread that waits
        self.check()

    @contextmanager
    def handle_signals(self) -> Iterator[None]:
        """Make SIGTERM and SIGINT this request while the block runs. Call it in the main thread."""
        previous = {number: signal.signal(number, self.request) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)
