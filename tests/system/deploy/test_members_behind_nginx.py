"""Nothing leaks between members and strangers behind the real nginx, which keeps public answers, and a real replica."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pytest

from tests.routes import plain_pages
from tests.system import deployment
from tests.system.deploy.crowd import Report, Visitor, let_in, name_of
from tests.system.guides.service import deploy
from tests.system.nginx import needs_nginx, nginx
from tests.system.postgresql_servers import Server, create_filled, primary, replica_of

pytestmark = [needs_nginx, pytest.mark.filterwarnings("ignore:Unverified HTTPS request")]
MEMBERS, STRANGERS, BOARDS, STEPS = 20, 4, 6, 10
SIGN_IN = f"""
import django, json
django.setup()
from accounts.models import Account
from tests.members import signed_in
from tests.system.deploy.crowd import name_of
accounts = [Account.objects.create(id=f"crowd-{{n}}", display_name=name_of(n)) for n in range({MEMBERS})]
print(json.dumps([signed_in(account).cookies["sessionid"].value for account in accounts]))
"""
VOTES = """
SELECT id::text, up_votes, down_votes,
    (SELECT count(*) FILTER (WHERE value = 'up') FROM voting_vote WHERE board_id = board.id),
    (SELECT count(*) FILTER (WHERE value = 'down') FROM voting_vote WHERE board_id = board.id)
FROM boards_board board WHERE published_at IS NOT NULL ORDER BY id
"""
SCANS = "SELECT sum(seq_scan + coalesce(idx_scan, 0))::int FROM pg_stat_user_tables"
"""What a server has read. Each has its own statistics, and a process tells of its scans once a second."""


@dataclass
class Site:
    """A deployment as a club has it, the sessions of its members, and the boards that they vote on."""

    server: Server
    replica: Server
    base: str
    sessions: list[str]
    boards: list[str]

    def crowd(self, report: Report) -> list[Visitor]:
        pages = plain_pages() + [f"/boards/{board}" for board in self.boards]
        sessions = [*self.sessions, *[""] * STRANGERS]
        return [
            Visitor(self.base, name_of(n), session, pages, self.boards, report, random.Random(n))
            for n, session in enumerate(sessions)
        ]

    def counters(self) -> dict[str, tuple[int, ...]]:
        """Return what is counted of each board: up, down, and the stored votes of both kinds."""
        return {board: tuple(counts) for board, *counts in self.server.execute(VOTES, "boards")}

    def scans_of_replica(self) -> int:
        ((scans,),) = self.replica.execute(SCANS, "boards")
        return int(scans)


@contextmanager
def site() -> Iterator[Site]:
    """Run nginx before two processes, which read public pages from a replica."""
    with ExitStack() as stack:
        first = stack.enter_context(primary())
        replica = stack.enter_context(replica_of(first))
        environment = {
            **deploy(create_filled(first, "boards")),
            "DATABASE_REPLICA_URLS": replica.url("boards"),
            "ALLOWED_HOSTS": "127.0.0.1",
            "TRUSTED_PROXIES": "127.0.0.1",
            "READ_RATE": "",
            "WRITE_RATE": "",
            "PUBLIC_MAX_AGE": "60",
            "WEB_CONCURRENCY": "2",
            "MEMBER_OIDC_CLIENT_ID": "a-club",
        }
        program = [sys.executable, "-c", SIGN_IN]
        printed = subprocess.run(
            program,
            cwd=deployment.ROOT,
            # The scheme of the address decides the name of the cookie.
            env={**os.environ, **environment, "PUBLIC_BASE_URL": "http://127.0.0.1"},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
        port = stack.enter_context(deployment.gunicorn(environment))
        proxy = stack.enter_context(nginx(port, cache="boards"))
        here = Site(first, replica, proxy.url, json.loads(printed.splitlines()[-1]), [])
        here.boards = list(here.counters())[:BOARDS]
        yield here


def expected(before: dict[str, tuple[int, ...]], crowd: list[Visitor]) -> dict[str, tuple[int, ...]]:
    """Return the counters that the crowd's votes must have led to."""
    votes = Counter(vote for visitor in crowd for vote in visitor.votes.items())
    return {
        board: tuple(number + votes[board, way] for number, way in zip(counts, ("up", "down") * 2, strict=True))
        for board, counts in before.items()
    }


def watch(steps: int) -> Report:
    """Let the crowd make so many steps each, and return what it saw."""
    report = Report()
    with site() as here:
        crowd, before, scans = here.crowd(report), here.counters(), here.scans_of_replica()
        let_in(crowd, steps)
        report.is_exact = here.counters() == expected(before, crowd)
        report.scans = here.scans_of_replica() - scans
    return report


def test_a_crowd_sees_nothing_of_each_other_and_each_member_the_own_votes() -> None:
    report = watch(STEPS)
    sys.stdout.write(f"{report}\n")
    assert (report.leaks, report.stale, report.failures, report.is_exact) == ([], [], [], True)
    members = {what for who, what in report.cache if who == "members"}
    assert members == {""}, "the cache was not asked for a member"
    assert report.cache["strangers", "HIT"] > 0
    assert report.votes > MEMBERS
    assert report.scans > 0, "strangers' pages came from the primary"
