"""Our answers, made from rows by hand, for a rival to send.

They are what a careful programmer would write without this service's framework: plain dictionaries, no validation of
the answer, the database's rows as they come.
"""

import re
from base64 import urlsafe_b64encode
from datetime import UTC, datetime
from struct import pack
from typing import Any
from uuid import UUID

from boards.identity import slug_of
from bridge.auction import is_over
from bridge.board import TEXTS, BoardRecord
from bridge.contract import Contract
from bridge.double_dummy import DoubleDummyTable, par_for
from bridge.layout import Layout
from bridge.scores import score
from bridge.seats import Seat
from bridge.verdict import judge
from bridge.vulnerability import Vulnerability

BASE = "https://boards.example"
SEATS = ("north", "east", "south", "west")
SUITS = ("spades", "hearts", "diamonds", "clubs")
DENOMINATIONS = ("C", "D", "H", "S", "NT")
POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}


def timestamp(value: datetime) -> str:
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def auction_of(stored: list[Any] | None) -> dict[str, Any] | None:
    if stored is None:
        return None
    calls: list[dict[str, Any]] = [
        {"call": call, "alert": False, "explanation": ""}
        if isinstance(call, str)
        else {"call": call[0], "alert": call[1], "explanation": call[2]}
        for call in stored
    ]
    return {"calls": calls, "complete": is_over([call["call"] for call in calls])}


def contract_and_result(row: Any) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    if not row.contract:
        return None, None
    contract = Contract.parse(row.contract, Seat(row.declarer) if row.declarer else None)
    described = {
        "text": contract.text,
        "passedOut": contract.passed_out,
        "level": contract.level,
        "denomination": contract.denomination,
        "doubled": contract.doubled,
        "declarer": contract.declarer,
    }
    if row.tricks is None and not contract.passed_out:
        return described, None
    points = score(contract, Vulnerability(row.vulnerability), row.tricks)
    return described, {"tricks": row.tricks, "score": points}


def tricks_of(digits: str) -> dict[str, dict[str, int]] | None:
    rows = {seat: digits[start : start + 5] for seat, start in zip("NESW", range(0, 20, 5), strict=True)}
    return (
        {
            seat: {name: int(digit, 16) for name, digit in zip(DENOMINATIONS, row, strict=True)}
            for seat, row in rows.items()
        }
        if digits
        else None
    )


def verdict_of(row: Any, deal: Any) -> list[dict[str, Any]]:
    """Return the sentences about a board whose play is not analysed, as no board of the seed is."""
    if not row.contract:
        return []
    record = BoardRecord(
        Layout.from_canonical(deal.cards),
        Seat(row.dealer),
        Vulnerability(row.vulnerability),
        contract=Contract.parse(row.contract, Seat(row.declarer) if row.declarer else None),
        tricks=row.tricks,
    )
    par = deal.par and par_for(deal.par, row.vulnerability, row.dealer)
    table = DoubleDummyTable(deal.double_dummy) if deal.double_dummy else None
    return [
        {**verdict._asdict(), "contracts": [*verdict.contracts], "cards": []}
        for verdict in judge(record, table, par, None)
    ]


def hands_of(cards: str) -> dict[str, Any]:
    hands = dict(zip(SEATS, cards[2:].split(" "), strict=True))
    return {
        "hands": {seat: dict(zip(SUITS, hand.split("."), strict=True)) for seat, hand in hands.items()},
        "hcp": {seat: sum(POINTS.get(card, 0) for card in hand) for seat, hand in hands.items()},
    }


def links_of(board_id: UUID) -> dict[str, str]:
    file, page = f"{BASE}/api/boards/{board_id}", f"{BASE}/boards/{board_id}"
    files = {ending: f"{file}.{ending}" for ending in ("pbn", "lin", "svg")}
    return {**files, "html": page, "handviewer": f"{page}/hand-viewer"}


def board_answer(row: Any, deal: Any, themes: list[dict[str, Any]], system: dict[str, Any] | None) -> dict[str, Any]:
    """Return the answer for the rows of a board and its deal, and what its themes and auction system are shown as."""
    contract, result = contract_and_result(row)
    return {
        "id": str(row.id),
        "dealId": str(row.deal_id),
        "boardNumber": row.board_number,
        **{re.sub("_.", lambda found: found[0][1].upper(), name): getattr(row, name) for name in TEXTS},
        "commentary": row.commentary,
        "dealCommentary": row.deal_commentary,
        "eventSlug": slug_of(row.event, row.date, row.site),
        "dealer": row.dealer,
        "vulnerability": row.vulnerability,
        **hands_of(deal.cards),
        "auction": auction_of(row.auction),
        "contract": contract,
        "openingLead": row.opening_lead or None,
        "play": row.play,
        "result": result,
        "doubleDummyStatus": deal.double_dummy_status,
        "doubleDummy": tricks_of(deal.double_dummy),
        "par": deal.par and par_for(deal.par, row.vulnerability, row.dealer),
        "analysis": None,
        "verdict": verdict_of(row, deal),
        "auctionSystem": system,
        "systemText": row.system_text,
        "themes": themes,
        "userId": row.owner_id,
        "votes": {"up": row.up_votes, "down": row.down_votes},
        "links": links_of(row.id),
        "publishedAt": timestamp(row.published_at),
        "createdAt": timestamp(row.created_at),
        "updatedAt": timestamp(row.updated_at),
    }


def system_answer(row: Any) -> dict[str, Any]:
    return {"id": row.id, "identifier": row.identifier, "labels": row.labels, "sortOrder": row.sort_order}


def board_theme_answer(row: Any) -> dict[str, Any]:
    return {"id": str(row.id), "identifier": row.identifier, "type": row.type, "labels": row.labels}


def theme_answer(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "type": row.type,
        "userId": row.owner_id,
        "labels": row.labels,
        "description": row.description,
        "identifier": row.identifier,
        "createdAt": timestamp(row.created_at),
        "updatedAt": timestamp(row.updated_at),
    }


def page_answer(
    boards: list[dict[str, Any]], page: int, page_size: int, total: int, last: int | None
) -> dict[str, Any]:
    """Return a page. `last` is the number of its last board, None where votes sort."""
    pages = -(-total // page_size)
    pagination = {
        "page": page,
        "pageSize": page_size,
        "totalCount": total,
        "totalPages": pages,
        "hasMore": page < pages,
        "nextCursor": cursor_after(last) if last is not None and page < pages else None,
    }
    return {"boards": boards, "pagination": pagination}


def cursor_after(number: int) -> str:
    """Return the cursor after a board's number, as config.api.pagination encodes it."""
    return urlsafe_b64encode(pack(">cq", b"p", number)).decode()
