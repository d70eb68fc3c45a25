"""Conversion between a stored Board and the bridge core's BoardRecord, and the labels of a board's texts.

Only this module knows both.
"""

import json
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import Any

from django.utils.text import capfirst

from boards.identity import fold
from boards.models import Board, parse_stored_contract
from boards.models.names import table_of
from bridge.auction import Auction, Call, plain_call
from bridge.board import TEXTS, BoardRecord, teams_of, texts_of
from bridge.dates import in_words
from bridge.diagram import Diagram
from bridge.errors import BridgeError
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability

MAX_LENGTHS = {column.name: column.max_length or 0 for column in Board._meta.fields if column.name in TEXTS}
"""Maximum lengths of the texts, in characters."""

IDENTIFYING = [name for name, text in TEXTS.items() if text.identifying]
OF_EVENT = frozenset(name for name, text in TEXTS.items() if text.identifying and text.shared)
"""The identifying texts that name an evening or its teams. Upper and lower case make no difference there."""

PLAIN = ("board_number", "opening_lead", "tricks", "commentary", "deal_commentary", *TEXTS)
"""The columns that stand in the record as they are."""


def columns_of(record: BoardRecord) -> dict[str, Any]:
    """Return the Board columns that store this record: all but deal, owner, themes and auction system."""
    contract = record.contract
    return {
        "dealer": record.dealer.value,
        "vulnerability": record.vulnerability.value,
        "auction": None if record.auction is None else [encode_call(call) for call in record.auction.calls],
        "contract": contract.text if contract else "",
        "declarer": contract.declarer.value if contract and contract.declarer else "",
        "play": list(record.play) or None,
        **{name: getattr(record, name) for name in PLAIN},
    }


COLUMNS = (
    *("deal__cards", "dealer", "vulnerability", "contract", "declarer", "play", "auction"),
    *("auction_system__labels", "system_text", *PLAIN),
)
"""All columns that a record is made of, for a `values_list` whose rows are named."""


def record_of_row(row: Any) -> BoardRecord:
    """Return the record of a named row of COLUMNS. Making a Board first would take an export longer."""
    return _make_record(row, row.deal__cards, row.auction, row.auction_system__labels, row.system_text)


def record_of(board: Board) -> BoardRecord:
    """Return the record that the board stores. Select the board's deal and auction system with it: both are read."""
    labels = board.auction_system.labels if board.auction_system else None
    return _make_record(board, board.deal.cards, board.auction, labels, board.system_text)


def record_without_calls(board: Board) -> BoardRecord:
    """Return the record without its auction and auction system, for what needs neither."""
    return _make_record(board, board.deal.cards)


def diagram_of(board: Board) -> Diagram:
    """Return the board's diagram, of SHOWN alone. Select the board's deal with it, which is read."""
    contract = parse_stored_contract(board.contract, board.declarer) if board.contract else None
    plain = {name: getattr(board, name) for name in ("board_number", "opening_lead", "tricks")}
    layout, dealer = Layout.from_canonical(board.deal.cards), Seat(board.dealer)
    return Diagram(BoardRecord(layout, dealer, Vulnerability(board.vulnerability), contract=contract, **plain))


_read_plain = attrgetter(*PLAIN)


def _make_record(
    stored: Any, cards: str, auction: Any = None, labels: dict[str, Any] | None = None, system_text: str = ""
) -> BoardRecord:
    """Return the record of a board or a row, with these values of its deal and auction system."""
    dealer = Seat(stored.dealer)
    calls = None if auction is None else Auction.from_legal(dealer, tuple(map(call_of, auction)))
    return BoardRecord(
        layout=Layout.from_canonical(cards),
        dealer=dealer,
        vulnerability=Vulnerability(stored.vulnerability),
        contract=parse_stored_contract(stored.contract, stored.declarer) if stored.contract else None,
        play=tuple(stored.play or ()),
        auction=calls,
        auction_system=labels.get("en", "") if labels else system_text,
        **dict(zip(PLAIN, _read_plain(stored), strict=True)),
    )


StoredCall = str | list[Any]
"""Most calls are stored as their text alone; one that is alerted or explained as [text, alert, explanation]."""


def encode_call(call: Call) -> StoredCall:
    return [call.call, call.alert, call.explanation] if call.alert or call.explanation else call.call


def call_of(stored: StoredCall) -> Call:
    return plain_call(stored) if isinstance(stored, str) else Call(*stored)


def decode_call(stored: StoredCall) -> dict[str, Any]:
    """Return a stored call as `call`, `alert` and `explanation`, the names that the API uses too."""
    call, alert, explanation = (stored, False, "") if isinstance(stored, str) else stored
    return {"call": call, "alert": alert, "explanation": explanation}


def fingerprint_of(record: BoardRecord, owner_id: str, number: int = 1) -> str:
    """Return a hash of what identifies a board: deal, owner, dealer, vulnerability, auction, contract, play, result.

    So do the identifying texts: they tell apart two evenings at which the same deal was played, and two tables at which
    the same happened. Where nothing tells two tables apart, `number` counts them, from 1 in the order of the file. The
    deal counts by its cards and not by its id, so that the fingerprint is known before the deal is stored.
    """
    calls = None if record.auction is None else [call.call for call in record.auction.calls]
    contract = record.contract
    declarer = contract.declarer if contract else None
    parts = (
        *(record.layout.cards, owner_id, record.dealer, record.vulnerability, calls),
        *(contract.text if contract else None, declarer, record.tricks, record.opening_lead, record.play),
        *(fold_of_event(getattr(record, name)) if name in OF_EVENT else getattr(record, name) for name in IDENTIFYING),
        number,
    )
    return sha256(json.dumps(parts).encode()).hexdigest()


fold_of_event = lru_cache(maxsize=4096)(fold)
"""Return a text of an event as it is compared. A file repeats the same few."""


def check_storable(record: BoardRecord) -> None:
    """Raise BridgeError when the record contradicts itself or has a text that is too long to store.

    A text is refused (`text_too_long`) and never cut.
    """
    record.check()
    for name, text in zip(TEXTS, texts_of(record), strict=True):
        if len(text) > (max_length := MAX_LENGTHS[name]):
            message = f"{name.replace('_', ' ').capitalize()} is longer than {max_length} characters."
            raise BridgeError("text_too_long", message, name)


def facts_of(board: Board) -> dict[str, str]:
    """Return what is known of where and how the board was played, by labels for people. Two texts may be one fact."""
    labels = {"home_team": "Teams", "pair_ns": "Pairs"}
    shown = {"title": "", "date": in_words(board.date), "visit_team": "", "pair_ew": ""}
    shown |= {"deal_title": board.deal_title * bool(board.title)}  # Without a title of its own a board is called so.
    shown |= {"home_team": " – ".join(filter(None, teams_of(board))), "pair_ns": table_of(board)[-1]}
    facts = {}
    for name in TEXTS:
        column: Any = Board._meta.get_field(name)
        text = shown.get(name, getattr(board, name))
        if text:
            facts[labels.get(name) or capfirst(column.verbose_name)] = dict(column.flatchoices).get(text, text)
    return facts
