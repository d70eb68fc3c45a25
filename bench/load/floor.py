"""The document floor: a WSGI application that writes out finished answers from a table, and takes votes.

It is the least that our answers can cost with a database behind them. It reads them as text, as psycopg does when
nobody tells it more. It imports nothing of the service, checks of a token only the signature, and knows no error but
its own crash. gunicorn loads it with --pythonpath bench/load.
"""

import base64
import hmac
import json
import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

import psycopg

URL = os.environ["DATABASE_URL"]
SECRET = os.environ["JWT_SHARED_SECRET"].encode()
local = threading.local()

SELECT = "SELECT text FROM bench_document WHERE path = %s"

# Of two values a vote that is stored and changes had the other before, so xmax tells the previous value: it is 0 in a
# row that was inserted. A vote that does not change returns no row, and no counter moves.
CAST_VOTE = """
WITH vote AS (
    INSERT INTO voting_vote (account_id, board_id, value, created_at, updated_at)
    SELECT %(account)s, id, %(value)s, now(), now()
    FROM boards_board WHERE id = %(board)s AND published_at IS NOT NULL
    ON CONFLICT (account_id, board_id) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
    WHERE voting_vote.value <> excluded.value
    RETURNING board_id, value, xmax = 0 AS is_new
)
UPDATE boards_board SET
    up_votes = up_votes + CASE WHEN vote.value = 'up' THEN 1 WHEN vote.is_new THEN 0 ELSE -1 END,
    down_votes = down_votes + CASE WHEN vote.value = 'down' THEN 1 WHEN vote.is_new THEN 0 ELSE -1 END
FROM vote WHERE boards_board.id = vote.board_id
"""


def connect() -> psycopg.Connection:
    """Return this thread's connection, which stays open."""
    if not hasattr(local, "connection"):
        local.connection = psycopg.connect(URL, autocommit=True)
    return local.connection


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    connection = connect()
    if environ["REQUEST_METHOD"] == "PUT":
        return cast_vote(connection, environ, start_response)
    row = connection.execute(SELECT, (environ["RAW_URI"],)).fetchone()
    body = row[0].encode() if row else None
    if body is None:
        start_response("404 Not Found", [("Content-Length", "0")])
        return []
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body]


def cast_vote(
    connection: psycopg.Connection, environ: dict[str, Any], start_response: Callable[..., Any]
) -> Iterable[bytes]:
    body = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
    board = environ["RAW_URI"].rpartition("/")[2]
    account = verified_subject(environ["HTTP_AUTHORIZATION"].removeprefix("Bearer "))
    connection.execute(CAST_VOTE, {"account": account, "board": board, "value": body["vote"]})
    start_response("204 No Content", [])
    return []


def verified_subject(token: str) -> str:
    signed, _, signature = token.rpartition(".")
    if not hmac.compare_digest(hmac.digest(SECRET, signed.encode(), "sha256"), decode(signature)):
        raise ValueError("The token's signature is wrong.")
    return json.loads(decode(signed.partition(".")[2]))["sub"]


def decode(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
