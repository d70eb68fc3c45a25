"""The service works through PgBouncer in transaction mode, where nothing may be left on a connection (decision 0032).

Two connections to PostgreSQL serve all threads, so that what one leaves behind meets another at once.
"""

import os
import re
import signal
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any

import psycopg
import pytest
import requests
from django.db import NotSupportedError, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler
from django.test.utils import CaptureQueriesContext

from config import settings
from config.database.configuring import through_pooler
from config.edge.serving.cached_responses import POOLED_SNAPSHOT, SNAPSHOT
from tests import factories
from tests.system.deployment import ROOT, gunicorn, wait_until
from tests.system.guides.service import API_KEY, deploy, token_of
from tests.system.postgresql_servers import USER, Server, create_filled, needs_pgbouncer, pgbouncer, primary

pytestmark = needs_pgbouncer
FEW = {"default_pool_size": "2"}
NO_TIME_OUTS = {"connect_query": "SELECT 1"}
ONE_EXPORT = Lock()
"""The service gives a client one export at a time."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with primary() as running:
        create_filled(running, "boards")
        yield running


@pytest.fixture(scope="module")
def pool(server: Server) -> Iterator[str]:
    with pgbouncer(server, "boards", **FEW) as url:
        yield url


@pytest.fixture(autouse=True)
def _database_access(django_db_blocker: Any) -> Iterator[None]:
    """Allow connections: pytest-django knows only those to its own database."""
    with django_db_blocker.unblock():
        yield


@contextmanager
def connected(url: str, *, pooled: bool, **options: str) -> Iterator[BaseDatabaseWrapper]:
    """Yield Django's connection to a database as the settings make it."""
    place = re.fullmatch(rf"postgres://{USER}@(?P<HOST>[^:]+):(?P<PORT>\d+)/(?P<NAME>\w+)", url)
    assert place
    database = {"ENGINE": "config.database.postgresql", "USER": USER, "OPTIONS": options, **place.groupdict()}
    handler = ConnectionHandler({"default": through_pooler(database) if pooled else database})
    connections.settings["here"] = handler.settings["default"]
    try:
        yield connections["here"]
    finally:
        connections["here"].close()
        del connections["here"], connections.settings["here"]


# --- The service -----------------------------------------------------------------------------------------------


def test_the_service_does_all_its_work_through_two_connections(pool: str) -> None:
    """Eight callers vote, import, publish, read the feed, send forms and read, all at once."""
    environment = {**deploy(pool), "DATABASE_POOLED": "true", "FORM_RATE_PER_CLIENT": "1000/m"}
    with gunicorn(environment) as port, ThreadPoolExecutor(8) as callers:
        base = f"http://127.0.0.1:{port}"
        before = read_boards(base)
        rounds = [callers.submit(do_everything, base, number) for number in range(8)]
        statuses = {status for each in rounds for status in each.result()}
        after = read_boards(base)
    assert statuses <= {200, 201, 204}
    voted = min(before)
    assert after[voted] == {**before[voted], "up": before[voted]["up"] + 8}, "none of the eight votes is lost"


def read_boards(base: str) -> dict[str, dict[str, int]]:
    """Return the votes of each board, by its id."""
    answer = requests.get(f"{base}/api/boards?pageSize=100", timeout=60)
    answer.raise_for_status()
    return {each["id"]: each["votes"] for each in answer.json()["boards"]}


def do_everything(base: str, number: int) -> list[int | str]:
    """Do what a member, a service and a visitor do. Return the statuses, and the texts of refusals."""
    member = {"Authorization": f"Bearer {token_of(f'voter-{number}')}"}
    service = {"X-API-Key": API_KEY}
    ids = sorted(read_boards(base))
    statuses: list[int | str] = []

    def call(caller: dict[str, str], method: str, path: str, body: object = None) -> None:
        answer = requests.request(method, base + path, headers=caller, json=body, timeout=60)
        statuses.append(answer.status_code if answer.ok else answer.text)

    for turn in range(3):
        call(member, "PUT", f"/api/voting/{ids[0]}", {"vote": "up"})
        call(service, "POST", "/api/deals", {"cards": factories.layout(1000 + 10 * number + turn).cards})
        call(service, "GET", "/api/deals/events?limit=5")
        call(member, "GET", f"/api/voting?boardIds={ids[0]}")
        for path in ("/api/boards?theme=stayman", f"/api/boards/{ids[turn]}", "/", "/themes"):
            call({}, "GET", path)
        with ONE_EXPORT:
            call({}, "GET", "/api/boards.pbn")
    form = {"subject": "A question", "message": "How?", "email": "ann@example.org", "name": "Ann"}
    call({}, "POST", "/api/forms/contact", form)
    return statuses


# --- What is in force ------------------------------------------------------------------------------------------


def test_the_pooler_s_time_outs_are_those_of_the_service(pool: str) -> None:
    with psycopg.connect(pool, autocommit=True) as connection:
        shown = [connection.execute(f"SHOW {name}").fetchone() for name in ("lock_timeout", "statement_timeout")]
    assert shown == [(f"{settings.LOCK_WAIT_SECONDS}s",), ("1min",)]


def test_without_time_outs_of_the_pooler_or_the_role_the_service_does_not_work_and_says_why(server: Server) -> None:
    with tempfile.TemporaryFile() as log, pgbouncer(server, "boards", **NO_TIME_OUTS) as pool:
        with gunicorn({**deploy(pool), "DATABASE_POOLED": "true"}, log) as port:
            answer = requests.get(f"http://127.0.0.1:{port}/api/boards", timeout=60)
        log.seek(0)
        assert (answer.status_code, answer.json()["code"]) == (503, "service_unavailable")
        assert "lock_timeout and statement_timeout of the pooled connection is 0" in log.read().decode()
        with connected(pool, pooled=True) as connection:
            with pytest.raises(OperationalError, match="lock_timeout and statement_timeout"):
                connection.ensure_connection()
            assert connection.connection is None, "nobody uses it by mistake"
    try:
        server.execute(f"ALTER ROLE {USER} SET lock_timeout = '20s'")
        server.execute(f"ALTER ROLE {USER} SET statement_timeout = '60s'")
        with pgbouncer(server, "boards", **NO_TIME_OUTS) as pool, connected(pool, pooled=True) as connection:
            connection.ensure_connection()
    finally:
        server.execute(f"ALTER ROLE {USER} RESET ALL")


def test_nothing_that_asks_for_a_cursor_of_the_server_gets_one(pool: str) -> None:
    """Outside a transaction it would belong to a connection that the next statement may not have."""
    migrations = MigrationRecorder.Migration.objects
    with connected(pool, pooled=True) as connection, CaptureQueriesContext(connection) as captured:
        assert len(list(migrations.using(connection.alias).iterator(5))) > 5
    (query,) = captured
    assert "DECLARE" not in query["sql"]


def test_no_answer_that_was_kept_before_a_crash_is_sent_after_it(server: Server, pool: str) -> None:
    """The client's connection to the pooler lives on, and the server's transactions have the numbers that they had."""

    def has_recovered() -> bool:
        """Ask directly: a client that asks the pooler meanwhile loses its connection."""
        with suppress(psycopg.Error):
            return bool(server.execute("SELECT 1"))
        return False

    with psycopg.connect(pool, autocommit=True, prepare_threshold=None) as client:

        def states() -> list[str]:
            return [client.execute(sql).fetchall()[0][0] for sql in (SNAPSHOT, POOLED_SNAPSHOT)]

        before = states()
        assert states() == before, "nothing was committed"
        crash(server)
        wait_until(has_recovered)
        after = states()
    assert after[0] == before[0]
    assert after[1] != before[1]


def crash(server: Server) -> None:
    """Kill one process of the server. PostgreSQL then ends all others and recovers. Return when it has ended them."""
    idle = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    with psycopg.connect(server.url(), autocommit=True) as witness:
        os.kill(witness.execute(idle).fetchall()[0][0], signal.SIGKILL)
        with suppress(psycopg.OperationalError):
            while True:
                witness.execute("SELECT pg_sleep(0.02)")


# --- Migrations ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[False, True], ids=["direct", "pooled"])
def place(request: pytest.FixtureRequest, server: Server) -> Iterator[dict[str, Any]]:
    """Yield how to connect, directly or pooled, so that a statement may take 0.3 seconds."""
    if request.param:
        quick = "SET statement_timeout TO 300; SET lock_timeout TO 300"
        with pgbouncer(server, "boards", connect_query=quick, **FEW) as url:
            yield {"url": url, "pooled": True}
    else:
        options = "-c lock_timeout=300 -c statement_timeout=300"
        yield {"url": server.url("boards"), "pooled": False, "options": options}


@pytest.fixture
def connection(place: dict[str, Any]) -> Iterator[BaseDatabaseWrapper]:
    with connected(**place) as connection:
        yield connection


tables = map("slow_{}".format, count())


def test_a_migration_is_not_cancelled_by_the_time_limit_of_requests_but_waits_for_no_lock_for_ever(
    server: Server, connection: BaseDatabaseWrapper
) -> None:
    table = next(tables)
    with connection.schema_editor(atomic=True) as editor:
        editor.execute("SELECT pg_sleep(1)")
        editor.execute(f"CREATE TABLE {table} (id int)")
    with connection.cursor() as cursor, pytest.raises(OperationalError, match="statement timeout"):
        cursor.execute("SELECT pg_sleep(1)")
    with psycopg.connect(server.url("boards")) as holder:
        holder.execute(f"LOCK TABLE {table}")
        with pytest.raises(OperationalError, match="lock timeout"), connection.schema_editor(atomic=True) as editor:
            editor.execute(f"ALTER TABLE {table} ADD COLUMN more int")


def test_a_migration_outside_a_transaction_lifts_the_limit_on_its_own_connection_only(
    connection: BaseDatabaseWrapper,
) -> None:
    """CREATE INDEX CONCURRENTLY needs one. Through a pooler the lifted limit would stay for somebody else."""
    if connection.settings_dict.get("POOLED"):
        with pytest.raises(NotSupportedError, match="DATABASE_POOLED=false"):
            connection.schema_editor(atomic=False).__enter__()
    else:
        with connection.schema_editor(atomic=False) as editor:
            editor.execute("SELECT pg_sleep(1)")
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("300ms",)


# --- The code --------------------------------------------------------------------------------------------------

LEFT_BEHIND = re.compile(
    r"\.iterator\(|\bpg_(try_)?advisory_lock|[\"']LISTEN |\bCREATE TEMP|\bDECLARE \w+ CURSOR"
    r"|\bSET (?!LOCAL|NULL|DEFAULT)(SESSION )?[a-z_]+(_timeout|_commit|_path)\b"
)
APPS = ("accounts", "boards", "deals", "forms", "impersonation", "pages", "themes", "voting", "config")


def test_no_code_but_the_schema_editor_s_own_connection_leaves_anything_on_one() -> None:
    """`.iterator(` asks for a cursor of the server."""
    files = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    found = {path.relative_to(ROOT) for path in files if LEFT_BEHIND.search(path.read_text())}
    assert found == {Path("config/database/postgresql/schema.py")}
