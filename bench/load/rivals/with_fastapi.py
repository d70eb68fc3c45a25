"""A rival: FastAPI with SQLAlchemy's ORM on the same tables, under uvicorn."""

import os
import uuid
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

import jwt
import orjson
from answers import board_answer, board_theme_answer, page_answer, system_answer, theme_answer
from fastapi import Body, Depends, FastAPI, Header, HTTPException, Query, Response
from sqlalchemy import Select, create_engine, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.ext.declarative import DeferredReflection
from sqlalchemy.orm import DeclarativeBase, Mapped, joinedload, relationship, selectinload

SECRET = os.environ["JWT_SHARED_SECRET"]
CONNECTIONS = 8

URL = "postgresql+{}://" + os.environ["DATABASE_URL"].split("://", 1)[1]
engine = create_async_engine(URL.format("asyncpg"), pool_size=CONNECTIONS, max_overflow=0)
session_of = async_sessionmaker(engine, expire_on_commit=False)
app = FastAPI(openapi_url=None)


class Base(DeferredReflection, DeclarativeBase):
    """The columns are read from the database, so that a new one is known here too."""

    __abstract__ = True


class Theme(Base):
    __tablename__ = "themes_theme"


class AuctionSystem(Base):
    __tablename__ = "accounts_auctionsystem"


class Deal(Base):
    __tablename__ = "deals_deal"


class Board(Base):
    __tablename__ = "boards_board"
    deal: Mapped[Deal] = relationship()
    auction_system: Mapped[AuctionSystem | None] = relationship()
    themes: Mapped[list[Theme]] = relationship(secondary="boards_board_themes", order_by="Theme.type, Theme.identifier")


class Vote(Base):
    __tablename__ = "voting_vote"


with create_engine(URL.format("psycopg")).connect() as connection:
    Base.metadata.reflect(connection, only=["boards_board_themes"])
    Base.prepare(connection)


async def open_session() -> AsyncIterator[AsyncSession]:
    async with session_of() as session:
        yield session


Session = Annotated[AsyncSession, Depends(open_session)]


def json_response(content: Any) -> Response:
    return Response(orjson.dumps(content), media_type="application/json")


def answer_of(board: Board) -> dict[str, Any]:
    themes = [board_theme_answer(theme) for theme in board.themes]
    system = system_answer(board.auction_system) if board.auction_system else None
    return board_answer(board, board.deal, themes, system)


def with_details(query: Select[tuple[Board]]) -> Select[tuple[Board]]:
    return query.options(joinedload(Board.deal), joinedload(Board.auction_system), selectinload(Board.themes))


@app.get("/api/boards")
async def list_boards(
    session: Session,
    page: Annotated[int, Query(ge=1)] = 1,
    pageSize: Annotated[int, Query(ge=1, le=100)] = 20,  # noqa: N803
    theme: str = "",
    themeType: str = "",  # noqa: N803
    dealer: str = "",
    vulnerability: str = "",
    auctionSystem: str = "",  # noqa: N803
    userId: str = "",  # noqa: N803
    sort: Literal["newest", "top"] = "newest",
) -> Response:
    conditions = [Board.published_at.is_not(None)]
    columns = {Board.dealer: dealer, Board.vulnerability: vulnerability, Board.owner_id: userId}
    conditions += [column == value for column, value in columns.items() if value]
    if auctionSystem:
        conditions.append(Board.auction_system.has(AuctionSystem.identifier == auctionSystem))
    if theme:
        conditions.append(Board.themes.any(Theme.identifier == theme))
    if themeType:
        conditions.append(Board.themes.any(Theme.type == themeType))
    total = await session.scalar(select(func.count()).select_from(Board).where(*conditions)) or 0
    order = (Board.published_at.desc(), Board.id)
    keys = select(Board.id).where(*conditions)
    keys = keys.order_by(*([Board.down_votes - Board.up_votes] if sort == "top" else []), *order)
    ids = list(await session.scalars(keys.offset((page - 1) * pageSize).limit(pageSize)))
    rows = {board.id: board for board in await session.scalars(with_details(select(Board)).where(Board.id.in_(ids)))}
    return json_response(page_answer([answer_of(rows[key]) for key in ids], page, pageSize, total, sort))


@app.get("/api/boards/{board_id}")
async def show_board(board_id: uuid.UUID, session: Session) -> Response:
    query = with_details(select(Board)).where(Board.id == board_id, Board.published_at.is_not(None))
    board = await session.scalar(query)
    if board is None:
        raise HTTPException(404)
    return json_response(answer_of(board))


@app.get("/api/themes")
async def list_themes(session: Session) -> Response:
    themes = await session.scalars(select(Theme).order_by(Theme.type, Theme.identifier, Theme.id))
    return json_response([theme_answer(theme) for theme in themes])


@app.get("/api/auction-systems")
async def list_auction_systems(session: Session) -> Response:
    query = select(AuctionSystem).order_by(AuctionSystem.sort_order, AuctionSystem.identifier)
    return json_response([system_answer(system) for system in await session.scalars(query)])


@app.put("/api/voting/{board_id}", status_code=204)
async def cast_vote(
    board_id: uuid.UUID,
    session: Session,
    vote: Annotated[Literal["up", "down"], Body(embed=True)],
    authorization: Annotated[str, Header()],
) -> None:
    account = subject_of(authorization)
    locked = select(Board.id).where(Board.id == board_id, Board.published_at.is_not(None)).with_for_update()
    if await session.scalar(locked) is None:
        raise HTTPException(404)
    own = select(Vote.value).where(Vote.account_id == account, Vote.board_id == board_id)
    before = await session.scalar(own)
    if before != vote:
        now = func.now()
        values = {"account_id": account, "board_id": board_id, "value": vote, "created_at": now, "updated_at": now}
        await session.execute(
            insert(Vote)
            .values(values)
            .on_conflict_do_update(index_elements=["account_id", "board_id"], set_={"value": vote, "updated_at": now})
        )
        changes = {
            column: getattr(Board, column) + ((vote == value) - (before == value))
            for value, column in (("up", "up_votes"), ("down", "down_votes"))
        }
        await session.execute(update(Board).where(Board.id == board_id).values(changes))
    await session.commit()


def subject_of(authorization: str) -> str:
    token = authorization.removeprefix("Bearer ")
    return jwt.decode(token, SECRET, ["HS256"], audience=os.environ["JWT_AUDIENCE"])["sub"]
