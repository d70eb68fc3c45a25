"""The traffic of a soak: clients that read, vote, publish, import, export and send forms."""

import http.client
import json
import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bench.load.cases import Case, Contents, cached_token, make_cases
from bench.load.realistic_boards import random_layout, random_record
from bench.load.seed import ACCOUNTS, account_id
from bridge.formats.pbn.writer import HEADER, write_pbn

SHARES = {"read": 150, "vote": 30, "publish": 3, "form": 2, "import": 1, "export": 1}
"""How often a client begins each. Publishing is five requests: a deal, a board, a change, and both deleted again."""
GROUPS = ("reads", "filters", "pairs", "html")
FILES, BOARDS_OF_FILE = 20, 10
"""The files to import are few, so that the service soon has their boards: what is stored must not grow for ever."""
ADDRESSES = 4_000
TIMEOUT = 60
BAD_ANSWER = 400
JSON = {"Content-Type": "application/json"}


class Answer(NamedTuple):
    """One request: when it ended, in seconds since the start, how long it took, and its status or what went wrong."""

    kind: str
    at: float
    seconds: float
    status: str

    @property
    def failed(self) -> bool:
        return not self.status.isdecimal() or int(self.status) >= BAD_ANSWER


class Target:
    """The service, and what there is to ask of it."""

    def __init__(self, port: int, key: str, contents: Contents) -> None:
        self.port, self.contents = port, contents
        self.key = {"X-API-Key": key}
        self.reads: Sequence[Case] = [case for case in make_cases(contents) if case.group in GROUPS]
        choice = random.Random("files")
        self.files = [make_file(choice) for _ in range(FILES)]


def make_file(choice: random.Random) -> bytes:
    records = (random_record(number, random_layout(choice), choice) for number in range(BOARDS_OF_FILE))
    return (HEADER + "".join(map(write_pbn, records))).encode()


class Client:
    """A client with one connection at a time, which it keeps for some requests. It works until it is asked to stop."""

    def __init__(self, target: Target, rate: float, seed: str) -> None:
        self.target, self.rate = target, rate
        self.choice = random.Random(seed)
        self.answers: list[Answer] = []
        self.etags: dict[str, str] = {}
        self.connection = http.client.HTTPConnection("127.0.0.1", target.port, timeout=TIMEOUT)

    def work(self, started: float, stopped: threading.Event) -> None:
        """Begin something at random moments, `rate` times a second on average, or later when the last took longer."""
        kinds: dict[str, Callable[[], object]] = {
            "read": self.read,
            "vote": self.vote,
            "publish": self.publish,
            "form": self.send_form,
            "import": self.import_file,
            "export": self.export,
        }
        self.started, begin_at = started, time.monotonic()
        while not stopped.wait(max(0, begin_at - time.monotonic())):
            begin_at = max(begin_at + self.choice.expovariate(self.rate), time.monotonic() - TIMEOUT)
            (kind,) = self.choice.choices(list(SHARES), list(SHARES.values()))
            kinds[kind]()
            if self.choice.random() < 0.1:
                self.connection.close()
        self.connection.close()

    def read(self) -> None:
        path = self.choice.choice(self.choice.choice(self.target.reads).paths)
        self.ask("read", "GET", path)

    def vote(self) -> None:
        path = f"/api/voting/{self.choice.choice(self.target.contents.board_ids)}"
        token = cached_token(account_id(self.choice.randrange(ACCOUNTS)))
        vote = {"vote": self.choice.choice(["up", "down"])}
        self.ask("vote", "PUT", path, vote, {"Authorization": f"Bearer {token}"})

    def publish(self) -> None:
        contents, key = self.target.contents, self.target.key
        board = {
            "dealer": "N",
            "vulnerability": "NS",
            "themes": [contents.theme],
            "auctionSystem": contents.auction_system,
        }
        deal = self.ask("publish", "POST", "/api/deals", {"cards": random_layout(self.choice).cards}, key)
        if deal and (made := self.ask("publish", "POST", f"/api/deals/{deal['id']}/boards", board, key)):
            path = f"/api/deals/{deal['id']}/boards/{made['id']}"
            self.ask("publish", "PATCH", path, {"title": f"Title {self.choice.random()}"}, key)
            self.ask("publish", "DELETE", path, headers=key)
        if deal:
            self.ask("publish", "DELETE", f"/api/deals/{deal['id']}", headers=key)

    def send_form(self) -> None:
        form = {"name": "Ann", "email": "ann@example.org", "subject": "Hello", "message": "A message."}
        self.ask("form", "POST", "/api/forms/contact", form)

    def import_file(self) -> None:
        headers = {**self.target.key, "Content-Type": "application/x-pbn"}
        self.ask("import", "POST", "/api/deals/import?publish=true", self.choice.choice(self.target.files), headers)

    def export(self) -> None:
        headers = self.choice.choice([{}, {"Accept": "application/x-ndjson"}])
        path = "/api/boards" if headers else "/api/boards.pbn"
        self.ask("export", "GET", f"{path}?theme={self.target.contents.theme}", headers=headers)

    def ask(self, kind: str, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """Return the answer's JSON, or None for another type and for a failure. Note how long it took."""
        headers = {"X-Forwarded-For": self.address(), **(headers or {})}
        if not isinstance(body, bytes | None):
            headers, body = headers | JSON, json.dumps(body).encode()
        if method == "GET" and path in self.etags and self.choice.random() < 0.5:
            headers["If-None-Match"] = self.etags[path]
        begun = time.monotonic()
        try:
            self.connection.request(method, path, body, headers)
            response = self.connection.getresponse()
            content, status = response.read(), str(response.status)
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            content, status = b"", type(error).__name__
        now = time.monotonic()
        self.answers.append(answer := Answer(kind, now - self.started, now - begun, status))
        if answer.failed or not content:
            return None
        if method == "GET":
            self.etags[path] = response.headers.get("ETag", "")
        return json.loads(content) if response.headers["Content-Type"] == "application/json" else None

    def address(self) -> str:
        """Return one of so many addresses that no limit of one of them is reached."""
        number = self.choice.randrange(ADDRESSES)
        return f"10.0.{number // 250}.{number % 250 + 1}"
