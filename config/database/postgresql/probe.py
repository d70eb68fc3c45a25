"""A connection of the watch's own, on which the server is asked whether it answers."""

import select
import time
from typing import Any

from psycopg import OperationalError
from psycopg.conninfo import make_conninfo
from psycopg.pq import ConnStatus, PGconn, PollingStatus

MAX_CONNECT_SECONDS = 2
"""An attempt to connect begins anew after so long: the network tries its packets again ever more rarely."""
PAUSE_SECONDS = 0.1
NOT_FOR_LIBPQ = frozenset({"context", "cursor_factory", "prepare_threshold"})


class ServerProbe:
    """A connection that never blocks: a question without an answer stays asked, and is waited for in the next call.

    So a server that was frozen is found working as soon as it works, and has not got a hundred questions meanwhile.
    """

    def __init__(self, parameters: dict[str, Any]) -> None:
        libpq = {name: value for name, value in parameters.items() if name not in NOT_FOR_LIBPQ}
        self.conninfo = make_conninfo("", **libpq).encode()
        self.pgconn: Any = None  # psycopg has this class twice, in Python and in C
        self.event = 0
        self.is_asked = False
        self.began_at = 0.0

    def answers(self, seconds: float) -> bool:
        """Tell whether the server answers within so many seconds."""
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            try:
                self.ask()
                if self.is_ready(left):
                    if self.has_answered():
                        return True
                elif left <= 0:
                    return False
            except OperationalError:
                self.close()
                time.sleep(PAUSE_SECONDS)
                if left <= 0:
                    return False

    def ask(self) -> None:
        """Begin to connect, or send the question, unless that has been done."""
        if self.pgconn is not None and self.is_late():
            self.close()
        if self.pgconn is None:
            self.pgconn, self.began_at = PGconn.connect_start(self.conninfo), time.monotonic()
            self.event, self.is_asked = select.POLLOUT, False
        elif self.pgconn.status == ConnStatus.OK and not self.is_asked:
            self.pgconn.nonblocking = 1
            self.pgconn.send_query(b"SELECT 1")
            self.pgconn.flush()
            self.event, self.is_asked = select.POLLIN, True

    def is_late(self) -> bool:
        """Tell whether nobody takes the connection. One that a frozen server has taken is waited for."""
        late = time.monotonic() - self.began_at > MAX_CONNECT_SECONDS
        return late and self.pgconn.status != ConnStatus.OK and self.event == select.POLLOUT

    def is_ready(self, seconds: float) -> bool:
        """Wait until there is something to do, at most so long."""
        poll = select.poll()
        poll.register(self.pgconn.socket, self.event)
        return bool(poll.poll(max(0, seconds) * 1000))

    def has_answered(self) -> bool:
        """Go on where there is something to do. Return whether the server has answered."""
        if self.is_asked:
            self.pgconn.consume_input()
            if self.pgconn.is_busy():
                return False
            while self.pgconn.get_result() is not None:
                pass
            self.is_asked = False
            return True
        status = self.pgconn.connect_poll()
        if status == PollingStatus.FAILED:
            return self.has_been_refused()
        self.event = select.POLLOUT if status == PollingStatus.WRITING else select.POLLIN
        return False

    def has_been_refused(self) -> bool:
        """Tell whether the server itself refused the connection, having too many: then it works for those it has."""
        was_quick = time.monotonic() - self.began_at < MAX_CONNECT_SECONDS
        had_a_server = self.event == select.POLLIN
        self.close()
        if not (was_quick and had_a_server):
            raise OperationalError("Nothing takes connections.")
        return True

    def close(self) -> None:
        if self.pgconn is not None:
            self.pgconn.finish()
        self.pgconn = None
