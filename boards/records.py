"""Between a stored board and the BoardRecord of the bridge core: the one place that knows both."""

import json
from hashlib import sha256
from typing import Any

from boards.models import Board
from deals.bridge.auction import Auction, Call
from deals.bridge.board import ONE_LINE_TEXTS, BoardRecord
from deals.bridge.errors import BridgeError
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability

TEXTS = {field.name: field.max_length or 0 for field in Board._meta.fields if field.name in ONE_LINE_TEXTS}
"""The texts of one line and how long each may be."""


def columns_of(record: BoardRecord) -> dict[str, Any]:
    """The columns of a Board that hold this record, without its deal, owner, themes and auction system."""
    contract = record.contract
    return {
        "board_number": record.board_number,
        "dealer": record.dealer.value,
        "vulnerability": record.vulnerability.value,
        "auction": None if record.auction is None else [stored_call(call) for call in record.auction.calls],
        "contract": contract.text if contract else "",
        "declarer": contract.declarer.value if contract and contract.declarer else "",
        "opening_lead": record.opening_lead,
        "play": list(record.play) or None,
        "tricks": record.tricks,
        "commentary": record.commentary,
        **{name: getattr(record, name) for name in TEXTS},
    }


def record_of(board: Board) -> BoardRecord:
    """The inverse of `columns_of`; needs the board's deal and auction system."""
    dealer = Seat(board.dealer)
    return BoardRecord(
        deal=board.deal.layout,
        dealer=dealer,
        vulnerability=Vulnerability(board.vulnerability),
        board_number=board.board_number,
        auction=None
        if board.auction is None
        else Auction(dealer, tuple(Call(**call_of(stored)) for stored in board.auction)),
        contract=board.final_contract,
        opening_lead=board.opening_lead,
        play=tuple(board.play or ()),
        tricks=board.tricks,
        commentary=board.commentary,
        auction_system=board.auction_system.labels.get("en", "") if board.auction_system else "",
        **{name: getattr(board, name) for name in TEXTS},
    )


StoredCall = str | list[Any]
"""Most calls are only their text; one that is alerted or explained is [text, alert, explanation]."""


def stored_call(call: Call) -> StoredCall:
    return [call.call, call.alert, call.explanation] if call.alert or call.explanation else call.call


def call_of(stored: StoredCall) -> dict[str, Any]:
    """The inverse of `stored_call`, as on the wire: call, alert and explanation."""
    call, alert, explanation = (stored, False, "") if isinstance(stored, str) else stored
    return {"call": call, "alert": alert, "explanation": explanation}


def fingerprint_of(record: BoardRecord, owner_id: str) -> str:
    """The same for the same deal, owner, dealer, vulnerability, auction, contract and result; texts do not count.

    By the cards and not by the deal's id, so that it is known before the deal is stored.
    """
    calls = None if record.auction is None else [call.call for call in record.auction.calls]
    contract = record.contract
    declarer = contract.declarer if contract else None
    parts = (
        record.deal.cards,
        owner_id,
        record.dealer,
        record.vulnerability,
        calls,
        contract.text if contract else None,
        declarer,
        record.tricks,
    )
    return sha256(json.dumps(parts).encode()).hexdigest()


def check_storable(record: BoardRecord) -> None:
    """BoardRecord.check, and BridgeError `text_too_long` rather than a text cut short."""
    record.check()
    for name, longest in TEXTS.items():
        if len(getattr(record, name)) > longest:
            raise BridgeError("text_too_long", f"{name.capitalize()} is longer than {longest} characters.")
