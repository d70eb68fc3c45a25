"""How a long-running command is asked to end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue


class Stopping(Exception):
    """We were asked to end: let go of what you hold."""


class Stop:
    """A request to end that a signal handler may make at any moment, and that a pause notices."""

    def __init__(self) -> None:
        self.requested = False
        # An Event's lock may be held by the very pause that the handler interrupts; this is made for it.
        self._bell: SimpleQueue[None] = SimpleQueue()

    def request(self, *signal_and_frame: object) -> None:
        self.requested = True
        self._bell.put(None)

    def check(self) -> None:
        if self.requested:
            raise Stopping

    def pause(self, seconds: float) -> None:
        """Stopping when the request is made before they are over."""
        self.check()
        with suppress(Empty):
            self._bell.get(timeout=seconds)
        self.check()

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """SIGTERM and SIGINT are the request, here."""
        before = {number: signal.signal(number, self.request) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
