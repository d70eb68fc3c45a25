"""PostgreSQL's own log holds no text of a form, no reason and no address, with the settings of the docs."""

import re

import psycopg
import pytest

from tests.system.deployment import ROOT
from tests.system.postgresql_servers import primary

CANARY = "a-reason-that-nobody-else-may-read"
PAGE = ROOT / "docs" / "reliability" / "deployments.md"


def fail_in_each_way(url: str) -> None:
    """Send statements with the canary that end in an error, wait for a lock, or are slow."""
    # Django puts values into the text of a statement, too.
    with connect(url) as one, connect(url) as other:
        one.execute("CREATE TABLE IF NOT EXISTS forms (id int PRIMARY KEY, text text CHECK (text <> 'no'))")
        one.execute("DELETE FROM forms")
        one.execute("INSERT INTO forms VALUES (1, %s)", [CANARY])
        statements: list[tuple[str, list[object]]] = [
            ("INSERT INTO forms VALUES (1, %s)", [CANARY]),  # unique
            ("INSERT INTO forms VALUES (NULL, %s)", [CANARY]),  # not null: the failing row
            (f"INSERT INTO forms VALUES (2, '{CANARY}', 3)", []),  # too many values: the statement itself
            ("SELECT %s::int", [CANARY]),  # the value in the message: 22P02
        ]
        for statement, values in statements:
            with pytest.raises(psycopg.Error):
                one.execute(statement, values)
        with one.transaction():
            one.execute("UPDATE forms SET text = %s", [CANARY])
            other.execute("SET lock_timeout = '1500ms'")
            with pytest.raises(psycopg.errors.LockNotAvailable):
                other.execute("UPDATE forms SET text = %s", [CANARY])


def connect(url: str) -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor)


def test_the_documented_settings_keep_what_people_wrote_out_of_the_log() -> None:
    block = re.search(r"```sql\n(ALTER DATABASE.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    with primary() as server:
        log = server.folder / "log"
        server.execute("CREATE DATABASE boards")
        fail_in_each_way(server.url("boards"))
        before = log.read_text()
        for line in block[1].splitlines():
            if line.startswith("ALTER"):
                server.execute(line)
        offset = len(log.read_text())
        fail_in_each_way(server.url("boards"))
        told = log.read_text()[offset:]
    assert before.count(CANARY) >= 4  # as it comes
    assert "duplicate key value violates unique constraint" in told  # errors are still there
    (kept,) = [line for line in told.splitlines() if CANARY in line]
    assert "invalid input syntax" in kept
