"""The databases of the measurements: made once for each size, and kept. And the floor's table of documents."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from bench.load.servers import ROOT, Server

SERVER_URL = os.environ.get("BENCH_DATABASE_URL") or "postgres://root@127.0.0.1:5432/postgres"
VERSION = 8
"""Change it when rows are seeded or documents stored otherwise: databases of another version are made anew."""
APPLICATION_NAME = "bench.load"
"""The name of this program's own sessions, whose processor time is nobody's."""

READERS = 4

CREATE_DOCUMENTS = """
DROP TABLE IF EXISTS bench_document;
CREATE TABLE bench_document (path text PRIMARY KEY, text text NOT NULL)
"""

INEXACT_COUNTERS = """
SELECT count(*) FROM boards_board LEFT JOIN (
    SELECT board_id AS id, count(*) FILTER (WHERE value = 'up') AS up, count(*) FILTER (WHERE value = 'down') AS down
    FROM voting_vote GROUP BY board_id
) AS counted USING (id)
WHERE up_votes <> coalesce(up, 0) OR down_votes <> coalesce(down, 0)
"""


def ensure_database(name: str, size: int, *, anew: bool = False) -> str:
    """Return the URL of the database of that many boards.

    Make it when it is missing, was not made to the end, or was made with other migrations than this checkout has.
    """
    url = urlsplit(SERVER_URL)._replace(path=f"/{name}").geturl()
    mark = f"bench.load {VERSION}, migrations {fingerprint_of_migrations()}: {size} boards"
    with psycopg.connect(SERVER_URL, autocommit=True) as connection:
        found = connection.execute(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s", (name,)
        ).fetchone()
        if found == (mark,) and not anew:
            return url
        if found and not (found[0] or "").startswith("bench.load"):
            raise SystemExit(f"The database {name} is not one of this program. Drop it or use --database.")
        identifier = sql.Identifier(name)
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(identifier))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(identifier))
        set_mark(connection, name, "bench.load: not finished")
        subprocess.run(
            [sys.executable, "-m", "bench.load.seed", str(size)],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": url},
            check=True,
        )
        set_mark(connection, name, mark)
    return url


def fingerprint_of_migrations() -> str:
    """Return a hash of the names and contents of our migrations."""
    digest = hashlib.sha256()
    for path in sorted(ROOT.glob("*/migrations/*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def set_mark(connection: psycopg.Connection[Any], name: str, mark: str) -> None:
    statement = sql.SQL("COMMENT ON DATABASE {} IS {}").format(sql.Identifier(name), sql.Literal(mark))
    connection.execute(statement)


def fill_documents(paths: Collection[str], ours: Server, connection: psycopg.Connection[Any]) -> int:
    """Store our answer to each path for the floor. Return how many were stored."""
    connection.execute(CREATE_DOCUMENTS)
    distinct = list(dict.fromkeys(paths))
    with ThreadPoolExecutor(READERS) as pool:
        for path, (status, _, body) in zip(distinct, pool.map(ours.get, distinct), strict=True):
            if status != 200:
                raise SystemExit(f"The service answers {path} with {status}.")
            connection.execute("INSERT INTO bench_document VALUES (%s, %s)", (path, body.decode()))
    connection.execute("VACUUM ANALYZE bench_document")
    return len(distinct)


def check_counters(connection: psycopg.Connection[Any]) -> None:
    """Exit when the votes of a board are not what its counters say."""
    (wrong,) = connection.execute(INEXACT_COUNTERS).fetchone() or (0,)
    if wrong:
        raise SystemExit(f"{wrong} boards have counters that are not the sum of their votes.")
