"""A program on this machine that receives webhooks."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook


class Receiver(ThreadingHTTPServer):
    """Keeps what it was sent, and answers with `statuses` in turn, the last one for ever."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.statuses = [200]
        self.headers: dict[str, str] = {}
        self.messages: list[tuple[dict[str, str], bytes]] = []
        self.url = f"http://127.0.0.1:{self.server_port}/hooks?of=boards"

    def read(self, secret: str) -> list[Any]:
        """Return the messages so far, as a receiver reads them that checks their signatures, and forget them."""
        messages, self.messages = self.messages, []
        return [Webhook(secret).verify(body, headers) for headers, body in messages]


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.messages.append(({**self.headers, ":path": self.path}, body))
        statuses = self.server.statuses
        self.send_response(statuses.pop(0) if len(statuses) > 1 else statuses[0])
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        return


@contextmanager
def receiving() -> Iterator[Receiver]:
    with Receiver() as receiver:
        thread = threading.Thread(target=receiver.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield receiver
        receiver.shutdown()
        thread.join()
