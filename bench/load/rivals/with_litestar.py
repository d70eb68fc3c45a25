"""A rival: Litestar with hand-written SQL through asyncpg on the same tables, under uvicorn."""

import os
import uuid
from typing import Any, Literal

import asyncpg
import jwt
import orjson
from answers import board_answer, board_theme_answer, page_answer, system_answer, theme_answer
from litestar import Litestar, Request, Response, get, put
from litestar.exceptions import NotFoundException

SECRET = os.environ["JWT_SHARED_SECRET"]
CONNECTIONS = 8

BOARDS = """
SELECT board.*, deal.cards, deal.double_dummy_status, deal.double_dummy, deal.par,
       CASE WHEN system.id IS NOT NULL THEN to_jsonb(system) END AS system,
       (SELECT json_agg(theme ORDER BY theme.type, theme.identifier)
        FROM boards_board_themes link JOIN themes_theme theme ON theme.id = link.theme_id
        WHERE link.board_id = board.id) AS themes
FROM boards_board board
JOIN deals_deal deal ON deal.id = board.deal_id
LEFT JOIN accounts_auctionsystem system ON system.id = board.auction_system_id
"""
HAS_THEME = """
EXISTS (
    SELECT FROM boards_board_themes link JOIN themes_theme theme ON theme.id = link.theme_id
    WHERE link.board_id = board.id AND theme.{} = {}
)
"""
CONDITIONS = {
    "dealer": "board.dealer = {}",
    "vulnerability": "board.vulnerability = {}",
    "userId": "board.owner_id = {}",
    "auctionSystem": "board.auction_system_id = (SELECT id FROM accounts_auctionsystem WHERE identifier = {})",
    "theme": HAS_THEME.format("identifier", "{}"),
    "themeType": HAS_THEME.format("type", "{}"),
}
NEWEST = "board.number DESC"
ORDERS = {"newest": NEWEST, "top": f"board.down_votes - board.up_votes, {NEWEST}"}
CAST_VOTE = """
WITH vote AS (
    INSERT INTO voting_vote (account_id, board_id, value, created_at, updated_at)
    SELECT $1, id, $3, now(), now() FROM boards_board WHERE id = $2 AND published_at IS NOT NULL
    ON CONFLICT (account_id, board_id) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
    WHERE voting_vote.value <> excluded.value
    RETURNING board_id, value, xmax = 0 AS is_new
)
UPDATE boards_board SET
    up_votes = up_votes + CASE WHEN vote.value = 'up' THEN 1 WHEN vote.is_new THEN 0 ELSE -1 END,
    down_votes = down_votes + CASE WHEN vote.value = 'down' THEN 1 WHEN vote.is_new THEN 0 ELSE -1 END
FROM vote WHERE boards_board.id = vote.board_id
"""


class Row(asyncpg.Record):
    """A row whose columns are attributes, as those of an ORM are."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


class Fields(dict[str, Any]):
    """A row that came as JSON."""

    __getattr__ = dict.__getitem__


async def decode_json(connection: asyncpg.Connection) -> None:
    for name in ("json", "jsonb"):
        await connection.set_type_codec(
            name, schema="pg_catalog", encoder=lambda value: orjson.dumps(value).decode(), decoder=orjson.loads
        )


async def open_pool(app: Litestar) -> None:
    app.state.pool = await asyncpg.create_pool(
        os.environ["DATABASE_URL"], min_size=CONNECTIONS, max_size=CONNECTIONS, record_class=Row, init=decode_json
    )


def json_response(content: Any) -> Response:
    return Response(orjson.dumps(content), media_type="application/json")


def answer_of(row: Row) -> dict[str, Any]:
    themes = [board_theme_answer(Fields(theme)) for theme in row.themes or ()]
    return board_answer(row, row, themes, row.system and system_answer(Fields(row.system)))


@get("/api/boards")
async def list_boards(request: Request, page: int = 1, sort: Literal["newest", "top"] = "newest") -> Response:
    given = {name: value for name, value in request.query_params.items() if name in CONDITIONS and value}
    conditions = [CONDITIONS[name].format(f"${number}") for number, name in enumerate(given, start=1)]
    where = " AND ".join(["board.published_at IS NOT NULL", *conditions])
    size = int(request.query_params.get("pageSize", 20))
    keys = f"SELECT board.id FROM boards_board board WHERE {where} ORDER BY {ORDERS[sort]}"
    keys += f" LIMIT {size} OFFSET {(page - 1) * size}"
    async with request.app.state.pool.acquire() as connection:
        total = await connection.fetchval(f"SELECT count(*) FROM boards_board board WHERE {where}", *given.values())
        rows = await connection.fetch(f"{BOARDS} WHERE board.id IN ({keys}) ORDER BY {ORDERS[sort]}", *given.values())
    last = rows[-1]["number"] if rows and sort == "newest" else None
    return json_response(page_answer([answer_of(row) for row in rows], page, size, total, last))


@get("/api/boards/{board_id:uuid}")
async def show_board(request: Request, board_id: uuid.UUID) -> Response:
    query = f"{BOARDS} WHERE board.id = $1 AND board.published_at IS NOT NULL"
    row = await request.app.state.pool.fetchrow(query, board_id)
    if row is None:
        raise NotFoundException
    return json_response(answer_of(row))


@get("/api/themes")
async def list_themes(request: Request) -> Response:
    rows = await request.app.state.pool.fetch("SELECT * FROM themes_theme ORDER BY type, identifier, id")
    return json_response([theme_answer(row) for row in rows])


@put("/api/voting/{board_id:uuid}", status_code=204)
async def cast_vote(request: Request, board_id: uuid.UUID) -> None:
    body = orjson.loads(await request.body())
    token = request.headers["authorization"].removeprefix("Bearer ")
    account = jwt.decode(token, SECRET, ["HS256"], audience=os.environ["JWT_AUDIENCE"])["sub"]
    await request.app.state.pool.execute(CAST_VOTE, account, board_id, body["vote"])


HANDLERS = [list_boards, show_board, list_themes, cast_vote]
app = Litestar(HANDLERS, on_startup=[open_pool], openapi_config=None)
