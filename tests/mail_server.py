"""A mail server (SMTP, RFC 5321) that keeps what it is sent, and fails as a test wants it to."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any


class MailServer(ThreadingTCPServer):
    """`received` has the recipients and the message of each mail that was taken, also of those without an answer.

    `answers` has what a command is answered instead, such as {"RCPT": "450 Later"}; "" ends the connection.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.received: list[tuple[list[str], EmailMessage]] = []
        self.answers: dict[str, str] = {}

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class Conversation(StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        recipients: list[str] = []
        self.say("220 ready")
        while line := self.rfile.readline().decode():
            verb = line.split()[0].upper()
            if verb == "RCPT":
                recipients.append(line.partition("<")[2].partition(">")[0])
            if verb == "DATA":
                self.say("354 go on")
                self.server.received.append((recipients, self.read_message()))
                recipients = []
            answer = self.server.answers.get(verb, "221 bye" if verb == "QUIT" else "250 done")
            if not answer:
                return
            self.say(answer)

    def read_message(self) -> EmailMessage:
        lines = iter(self.rfile.readline, b".\r\n")
        data = b"".join(line.removeprefix(b".") for line in lines)
        return message_from_bytes(data, policy=policy.default)

    def say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\r\n".encode())


@contextmanager
def running_mail_server(settings: Any) -> Iterator[MailServer]:
    """Run a mail server while the block runs, and name it in the settings."""
    with MailServer() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        yield server
        server.shutdown()
