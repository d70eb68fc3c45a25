"""Callers of a running service, who read and write all the time and remember each write that was acknowledged."""

import itertools
import json
import random
import re
import ssl
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

PATIENCE_SECONDS = 30
PAUSE_SECONDS = 0.05
READERS = 4
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
VOTES = "SELECT account_id, board_id, value FROM voting_vote"
PLACES = {
    "board": "SELECT id FROM boards_board WHERE published_at IS NOT NULL",
    "deal": "SELECT id FROM deals_deal",
    "form": "SELECT id FROM forms_submission",
}
"""Where each other kind of write is stored."""


@dataclass(frozen=True)
class Call:
    """A request and what became of it: a status, or the name of an error when there was no answer."""

    kind: str
    began_at: float
    ended_at: float
    outcome: int | str

    @property
    def succeeded(self) -> bool:
        return isinstance(self.outcome, int) and 200 <= self.outcome < 300


class Caller:
    """A client with one connection, which is kept as long as it is good."""

    def __init__(self, base: str) -> None:
        parts = urlsplit(base)
        self.connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)
        if parts.scheme == "https":
            context = ssl._create_unverified_context()  # the certificate is of the test's own making
            self.connection = HTTPSConnection(
                parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS, context=context
            )

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int | str, dict[str, Any]]:
        """Return the status, or the name of the error, and the object in the answer."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:  # a read with a type of its content is not a plain one, and never a replica's
            sent["Content-Type"] = "application/json"
        content = None if body is None else json.dumps(body)
        try:
            self.connection.request(method, path, content, sent)
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, HTTPException) as error:
            self.connection.close()  # the next request opens it again
            return type(error).__name__, {}
        is_json = answer.headers.get_content_type() == "application/json" and text
        value = json.loads(text) if is_json else {}
        return answer.status, value if isinstance(value, dict) else {}


class Traffic:
    """Readers, voters with tokens, a publisher with the API key and a sender of forms.

    Each write is another one, so that what was acknowledged must be found afterwards whatever came later; of the votes
    of an account on a board, the last one. So nobody else may vote with these accounts. Callers take turns among the
    addresses in `bases`, which may be several versions of the service.
    """

    def __init__(
        self, bases: Sequence[str], boards: Sequence[str], tokens: Mapping[str, str], api_key: str, seed: int
    ) -> None:
        self.bases, self.boards, self.tokens, self.api_key, self.seed = bases, boards, tokens, api_key, seed
        self.calls: list[Call] = []
        self.acknowledged: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self.votes: dict[tuple[str, str], tuple[str, str]] = {}
        """By account and board: the vote that was acknowledged last, and the one sent since, which may be stored."""
        self.refusals: Counter[str] = Counter()
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.read, args=(number,)) for number in range(READERS)]
        self.threads += [threading.Thread(target=self.vote, args=(account,)) for account in tokens]
        self.threads += [threading.Thread(target=each) for each in (self.publish, self.send_forms)]

    @contextmanager
    def running(self) -> Iterator["Traffic"]:
        for thread in self.threads:
            thread.start()
        try:
            yield self
        finally:
            self.is_over.set()
            for thread in self.threads:
                thread.join()

    def turns(self, pause: float = PAUSE_SECONDS) -> Iterator[tuple[int, Caller]]:
        """Yield numbers, each with the next caller, until the traffic is over."""
        callers = [Caller(base) for base in self.bases]
        turn = 0
        while not self.is_over.is_set():
            yield turn, callers[turn % len(callers)]
            turn += 1
            self.is_over.wait(pause)
        for caller in callers:
            caller.connection.close()

    def call(self, kind: str, caller: Caller, method: str, path: str, *body: object, **headers: str) -> Any:
        """Send a request, keep what became of it, and return the object in the answer, or None when it failed."""
        began_at = time.monotonic()
        outcome, value = caller.ask(method, path, *body, **headers)
        call = Call(kind, began_at, time.monotonic(), outcome)
        self.calls.append(call)
        if call.succeeded:
            return value
        self.refusals[f"{method} {ID.sub('…', path)}: {outcome} {value.get('message', '')}"] += 1
        return None

    def read(self, number: int) -> None:
        draw, accounts = random.Random(f"{self.seed} {number}"), list(self.tokens)
        for _, caller in self.turns():
            path = draw.choice(("/api/boards?pageSize=5", "/api/themes", "/boards", "board", "me"))
            if path == "me":
                token = self.tokens[draw.choice(accounts)]
                self.call("read", caller, "GET", "/api/accounts/me", Authorization=f"Bearer {token}")
            else:
                board = f"/api/boards/{draw.choice(self.boards)}"
                self.call("read", caller, "GET", board if path == "board" else path)

    def vote(self, account: str) -> None:
        """Vote on one board after the other, up and down in turn. Send a vote that was not acknowledged again."""
        boards = random.Random(f"{self.seed} {account}").sample(self.boards, len(self.boards))
        authorization = f"Bearer {self.tokens[account]}"
        for turn, caller in self.turns():
            board = boards[turn % len(boards)]
            last, _ = self.votes.get((account, board), ("", ""))
            value = "down" if last == "up" else "up"
            self.votes[account, board] = last, value
            done = self.call(
                "write", caller, "PUT", f"/api/voting/{board}", {"vote": value}, Authorization=authorization
            )
            if done is not None:
                self.votes[account, board] = value, value
                self.acknowledged["vote"].add((account, str(turn)))

    def publish(self) -> None:
        draw = random.Random(f"{self.seed} publish")
        for _, caller in self.turns(pause=4 * PAUSE_SECONDS):
            key = {"X_API_Key": self.api_key}
            deal = self.call("write", caller, "POST", "/api/deals", {"cards": deal_cards(draw)}, **key)
            if deal is None:
                continue
            self.acknowledged["deal"].add((deal["id"],))
            path = f"/api/deals/{deal['id']}/boards"
            board = self.call("write", caller, "POST", path, {"boardNumber": draw.randint(1, 32)}, **key)
            if board is not None:
                self.acknowledged["board"].add((board["id"],))

    def send_forms(self) -> None:
        for turn, caller in self.turns(pause=2 * PAUSE_SECONDS):
            form = {"name": "Ann", "email": "ann@example.org", "subject": "Hello"}
            message = {"message": f"Message {turn} of run {self.seed}."}
            stored = self.call("write", caller, "POST", "/api/forms/contact", form | message)
            if stored is not None:
                self.acknowledged["form"].add((stored["id"],))

    def find_lost(self, fetch: Callable[[str], Iterable[Sequence[Any]]]) -> dict[str, int]:
        """Return how many acknowledged writes of each kind are not in the database, which `fetch` asks."""
        acknowledged = {kind: self.acknowledged[kind].copy() for kind in PLACES}  # before the database is asked
        lost = {"vote": self.count_lost_votes(fetch)}
        for kind, sql in PLACES.items():
            stored = {plain(key) for (key,) in fetch(sql)}
            lost[kind] = len({plain(key) for (key,) in acknowledged[kind]} - stored)
        return lost

    def count_lost_votes(self, fetch: Callable[[str], Iterable[Sequence[Any]]]) -> int:
        """Return on how many boards an account has another vote than the one acknowledged last, or sent since."""
        before = self.votes.copy()
        stored = {(account, plain(board)): value for account, board, value in fetch(VOTES)}
        after = self.votes.copy()
        return sum(
            stored.get((account, plain(board))) not in {*possible, *after[account, board]}
            for (account, board), possible in before.items()
            if possible[0]
        )


def plain(key: object) -> str:
    """Return a key without hyphens: SQLite stores none."""
    return str(key).replace("-", "")


def deal_cards(draw: random.Random) -> str:
    """Return a random deal as PBN writes it."""
    cards = [f"{suit}{rank}" for suit in "SHDC" for rank in "AKQJT98765432"]
    draw.shuffle(cards)
    hands = (cards[place::4] for place in range(4))
    return "N:" + " ".join(
        ".".join("".join(card[1] for card in hand if card[0] == suit) for suit in "SHDC") for hand in hands
    )


def longest_silence(calls: Iterable[Call], began_at: float, ended_at: float) -> float:
    """Return the longest time between two moments in which no call succeeded."""
    moments = sorted(call.ended_at for call in calls if call.succeeded and began_at <= call.ended_at <= ended_at)
    points = [began_at, *moments, ended_at]
    return max(after - before for before, after in itertools.pairwise(points))
