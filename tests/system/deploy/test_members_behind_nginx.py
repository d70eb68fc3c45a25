"""Nothing leaks between members and strangers behind the real nginx, which keeps public answers, and a real replica."""

import json
import random
from collections import Counter
from contextlib import ExitStack

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
"""What is counted of each board: up, down, and the stored votes of both kinds."""

SCANS = "SELECT sum(seq_scan + coalesce(idx_scan, 0))::int FROM pg_stat_user_tables"
"""What a server has read. Each has its own statistics, and a process tells of its scans once a second."""


def settings_of(server: Server, replica: Server) -> dict[str, str]:
    return {
        **deploy(create_filled(server, "boards")),
        "DATABASE_REPLICA_URLS": replica.url("boards"),
        **dict.fromkeys(("ALLOWED_HOSTS", "TRUSTED_PROXIES"), "127.0.0.1"),
        **dict.fromkeys(("READ_RATE", "WRITE_RATE"), ""),
        "PUBLIC_MAX_AGE": "60",
        "WEB_CONCURRENCY": "2",
        "MEMBER_OIDC_CLIENT_ID": "a-club",
    }


def scans_of(replica: Server) -> int:
    ((scans,),) = replica.execute(SCANS, "boards")
    return int(scans)


def wait_until_read(replica: Server, stranger: Visitor) -> None:
    """Read pages until the replica has answered one: at the start, or on a busy machine, the primary does."""
    scans = scans_of(replica)

    def is_read() -> bool:
        stranger.read_as_stranger()
        return scans_of(replica) > scans

    deployment.wait_until(is_read)


def test_a_crowd_sees_nothing_of_each_other_and_each_member_the_own_votes() -> None:
    """Run nginx before two processes, which read public pages from a replica."""
    report = Report()
    with ExitStack() as stack:
        server = stack.enter_context(primary())
        replica = stack.enter_context(replica_of(server))
        environment = settings_of(server, replica)
        # The scheme of the address decides the name of the cookie.
        printed = deployment.python({**environment, "PUBLIC_BASE_URL": "http://127.0.0.1"}, "-c", SIGN_IN)
        sessions = [*json.loads(printed.splitlines()[-1]), *[""] * STRANGERS]
        port = stack.enter_context(deployment.gunicorn(environment))
        site = stack.enter_context(nginx(port, cache="boards"))
        before = server.execute(VOTES, "boards")
        boards = [board for board, *_ in before[:BOARDS]]
        pages = plain_pages() + [f"/boards/{board}" for board in boards]
        crowd = [
            Visitor(site.url, name_of(n), session, pages, boards, report, random.Random(n))
            for n, session in enumerate(sessions)
        ]
        wait_until_read(replica, crowd[-1])
        scans = scans_of(replica)
        let_in(crowd, STEPS)
        after, scans_after = server.execute(VOTES, "boards"), scans_of(replica)
    cast = Counter(vote for visitor in crowd for vote in visitor.votes.items())
    assert after == [
        (board, *(number + cast[board, way] for number, way in zip(counts, ("up", "down") * 2, strict=True)))
        for board, *counts in before
    ]
    assert (report.leaks, report.stale, report.failures) == ([], [], [])
    members = {what for who, what in report.cache if who == "members"}
    assert members == {""}, "the cache was not asked for a member"
    assert report.cache["strangers", "HIT"] > 0
    assert report.votes > MEMBERS
    assert scans_after > scans, "strangers' pages came from the primary"
