"""The cases: what is requested of a database of N boards. The same database gives the same paths."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import psycopg

from bench.load.seed import ACCOUNTS, account_id
from bench.load.servers import COMMANDS, token_of

PAGE_SIZE = 20
MAX_DOCUMENTS = 5_000
"""How many different pages or boards a case requests at most: the floor's table has a document for each."""
SPREAD_VOTES = 20_000
KEPT, CHANGING = "kept", "changing"
"""The two ways to read: while nothing is committed, so that answers can be kept, and while something always is."""


@dataclass(frozen=True)
class Contents:
    """What the cases need to know of the database."""

    pages: int
    board_ids: Sequence[str]
    theme: str
    auction_system: str


@dataclass(frozen=True)
class Case:
    """`paths` are those of the documents. A vote has `lines` instead, made anew for each round.

    A `cold` case is measured only while something commits: no answer of it may have been kept.
    """

    name: str
    paths: Sequence[str] = ()
    group: str = "reads"
    once: bool = False
    cold: bool = False
    conditional: bool = False
    make_votes: Callable[[str], list[str]] | None = field(default=None, compare=False)

    @property
    def method(self) -> str:
        return "PUT" if self.make_votes else "GET"

    def ways(self, changing: bool) -> list[str]:
        """Return how it is measured: while nothing changes, while something commits all the time, or both."""
        if self.make_votes:
            return [KEPT]
        return [CHANGING] if self.cold else [KEPT, CHANGING] if changing else [KEPT]

    def lines(self, server_name: str) -> Sequence[str]:
        """Return the lines that wrk.lua sends. A crawl begins anywhere, since few servers come to its end."""
        if self.make_votes:
            return self.make_votes(server_name)
        if not self.once:
            return self.paths
        start = random.randrange(len(self.paths))
        return [*self.paths[start:], *self.paths[:start]]


def read_contents(connection: psycopg.Connection[Any]) -> Contents:
    count = scalar(connection, "SELECT count(*) FROM boards_board WHERE published_at IS NOT NULL")
    sample = connection.execute(
        "SELECT id::text FROM boards_board WHERE published_at IS NOT NULL ORDER BY md5(id::text) LIMIT %s",
        (MAX_DOCUMENTS,),
    )
    return Contents(
        pages=-(-count // PAGE_SIZE),
        board_ids=[row[0] for row in sample],
        theme=scalar(connection, "SELECT identifier FROM themes_theme ORDER BY type, identifier LIMIT 1"),
        auction_system=scalar(connection, "SELECT identifier FROM accounts_auctionsystem ORDER BY sort_order LIMIT 1"),
    )


def scalar(connection: psycopg.Connection[Any], query: str) -> Any:
    row = connection.execute(query).fetchone()
    assert row
    return row[0]


def make_cases(contents: Contents) -> list[Case]:
    boards = contents.board_ids
    filters = filters_of(contents)
    pairs = {f"{one}+{other}": f"{filters[one]}&{filters[other]}" for one, other in combinations(filters, 2)}
    return [
        Case("first", [page_path(1)]),
        Case("middle", [page_path(contents.pages // 2)]),
        Case("last", [page_path(contents.pages)]),
        Case("crawl", crawl_paths(contents.pages), once=True, cold=True),
        Case("board", [f"/api/boards/{board_id}" for board_id in boards]),
        Case("themes", ["/api/themes"]),
        Case("304", [page_path(1)], conditional=True),
        Case("vote", group="votes", make_votes=lambda server: spread_votes(server, boards)),
        Case("hot-vote", group="votes", make_votes=lambda server: hot_votes(server, boards)),
        *(Case(name, [f"/api/boards?{query}"], "filters") for name, query in filters.items()),
        *(Case(name, [f"/api/boards?{query}"], "pairs") for name, query in pairs.items()),
    ]


def filters_of(contents: Contents) -> dict[str, str]:
    """Return the query of each filter and of the other order, by their names."""
    return {
        "theme": f"theme={contents.theme}",
        "themeType": "themeType=convention",
        "dealer": "dealer=N",
        "vulnerability": "vulnerability=NS",
        "auctionSystem": f"auctionSystem={contents.auction_system}",
        "userId": f"userId={account_id(0)}",
        "top": "sort=top",
    }


def page_path(number: int) -> str:
    return "/api/boards" if number == 1 else f"/api/boards?page={number}"


def crawl_paths(pages: int) -> list[str]:
    """Return every page, or MAX_DOCUMENTS of them from first to last, in a random order that is always the same.

    Few pages are requested several times over: a crawl of a thousand boards would be too short to measure.
    """
    chosen = sorted({1 + index * pages // MAX_DOCUMENTS for index in range(MAX_DOCUMENTS)})
    random.Random(1).shuffle(chosen)
    return [page_path(number) for number in chosen] * (MAX_DOCUMENTS // len(chosen))


def spread_votes(server: str, board_ids: Sequence[str]) -> list[str]:
    """Return votes of random accounts on random boards, nearly all of them new, so that each changes a counter."""
    voters = voters_of(server)
    return [vote_line(random.choice(board_ids), random.choice(voters)) for _ in range(SPREAD_VOTES)]


def hot_votes(server: str, board_ids: Sequence[str]) -> list[str]:
    board_id = random.choice(board_ids)
    return [vote_line(board_id, voter) for voter in voters_of(server)]


def voters_of(server: str) -> list[str]:
    """Return the accounts that vote through this server. No two servers share one, so none repeats another's vote."""
    names = tuple(COMMANDS)
    return [account_id(number) for number in range(names.index(server), ACCOUNTS, len(names))]


def vote_line(board_id: str, voter: str) -> str:
    return f"/api/voting/{board_id}\t{cached_token(voter)}"


cached_token = cache(token_of)
