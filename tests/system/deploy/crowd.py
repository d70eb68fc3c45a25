"""Members and strangers who read and vote all at once, and what each of them was shown that is not theirs."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import requests

from tests.system.readers import OF_MEMBERS

NAME = re.compile(r"Crowd-\d\d-7c1f")
BALLOT = re.compile(r'<form id="ballot" method="post">(.*?)</form>', re.S)
HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
BUTTON = re.compile(r'"/boards/([0-9a-f-]{36})/vote" name="(up|down)" value="(\w+)" aria-pressed="(true|false)"')
ORIGIN = {"Origin": "https://127.0.0.1", "Referer": "https://127.0.0.1/boards"}
ONCE: dict[str, Any] = {"allow_redirects": False, "verify": False, "timeout": 120}
OF_A_FORM = {"csrftoken": "a" * 32}
"""The cookie of a visitor who has seen a form. It makes nobody a member."""


def name_of(number: int) -> str:
    return f"Crowd-{number:02}-7c1f"


@dataclass
class Report:
    """What a crowd saw. Each leak, stale vote and failure is told in words."""

    votes: int = 0
    leaks: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    cache: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many answers members and strangers got, by what nginx says of its cache: nothing where it was not asked."""
    lock: Lock = field(default_factory=Lock)

    def count(self, who: str, path: str, answer: requests.Response) -> None:
        with self.lock:
            self.cache[who, answer.headers.get("X-Cache", "")] += 1
            if answer.status_code >= 500:
                self.failures.append(f"{path}: {answer.status_code}")


@dataclass
class Visitor:
    """One of the crowd: a stranger, or a member, who also reads without the session, from another browser."""

    base: str
    name: str
    session: str
    pages: Sequence[str]
    boards: Sequence[str]
    report: Report
    choice: random.Random
    votes: dict[str, str] = field(default_factory=dict)
    """What this member has voted, "up" or "down" by board."""

    def __post_init__(self) -> None:
        self.member, self.stranger = requests.Session(), requests.Session()
        self.member.cookies.set("sessionid", self.session)

    def visit(self, steps: int) -> None:
        """Read as a stranger, read as a member, and vote, in any order."""
        ways = (self.read_as_stranger, self.read, self.vote) if self.session else (self.read_as_stranger,)
        for _ in range(steps):
            self.choice.choice(ways)()

    def read_as_stranger(self) -> None:
        path = self.choice.choice(self.pages)
        cookies = OF_A_FORM if self.choice.random() < 0.3 else {}
        answer = self.stranger.get(self.base + path, cookies=cookies, **ONCE)
        self.stranger.cookies.clear()
        self.report.count("strangers", path, answer)
        words = NAME.findall(answer.text)
        if answer.headers["Cache-Control"].startswith("public"):
            words += [word for word in OF_MEMBERS if word in answer.text]
            words += [name for name in answer.headers if name == "Set-Cookie"]
        if words:
            self.report.leaks.append(f"{path} for a stranger: {words}")

    def read(self, path: str = "") -> str:
        """Read a page as the member, and return it. It is theirs, no cache's, and shows the votes that they cast."""
        path = path or self.choice.choice(self.pages)
        answer = self.member.get(self.base + path, **ONCE)
        self.report.count("members", path, answer)
        names = set(NAME.findall(answer.text))
        is_page = answer.status_code == 200 and 'class="band"' in answer.text
        is_own = names == {self.name} if is_page else names <= {self.name}
        private = "no-store" in answer.headers["Cache-Control"] and "ETag" not in answer.headers
        if not is_own or not private or "X-Cache" in answer.headers:
            self.report.leaks.append(f"{path} for {self.name}: {names}, {answer.headers}")
        for board, name, _, is_pressed in BUTTON.findall(answer.text):
            if (is_pressed == "true") is not (self.votes.get(board) == name):
                self.report.stale.append(f"{path} for {self.name}: {name} {is_pressed}, not {self.votes.get(board)}")
        return answer.text

    def vote(self) -> None:
        """Press a button of a board, and follow to the page that shows the vote."""
        board = self.choice.choice(self.boards)
        path = f"/boards/{board}"
        page = self.read(path)
        _, name, value, _ = self.choice.choice([button for button in BUTTON.findall(page) if button[0] == board])
        fields = {**dict(HIDDEN.findall(BALLOT.findall(page)[0])), name: value}
        answer = self.member.post(f"{self.base}{path}/vote", fields, headers=ORIGIN, **ONCE)
        self.report.count("members", f"{path}/vote", answer)
        if answer.status_code != 303:
            self.report.failures.append(f"{path}/vote: {answer.status_code}")
            return
        with self.report.lock:
            self.report.votes += 1
        self.votes.pop(board, None)
        if value != "none":
            self.votes[board] = value
        self.read(answer.headers["Location"].partition("#")[0])


def let_in(visitors: Sequence[Visitor], steps: int) -> None:
    """Let the visitors come, all at once. Raise what failed in one of them."""
    with ThreadPoolExecutor(len(visitors)) as pool:
        for done in [pool.submit(visitor.visit, steps) for visitor in visitors]:
            done.result()
