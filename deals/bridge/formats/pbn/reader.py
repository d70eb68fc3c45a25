"""Reading PBN 2.1 leniently: any bytes become records and errors."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import BinaryIO

from deals.bridge.auction import Auction
from deals.bridge.board import ROOMS, TEXTS, BoardRecord, complete_record
from deals.bridge.contract import Contract
from deals.bridge.errors import BridgeError, NotationError
from deals.bridge.formats.outcomes import Outcome, RecordError, SkippedRecord
from deals.bridge.formats.pbn.comments import read_comments
from deals.bridge.formats.pbn.games import read_games
from deals.bridge.formats.pbn.inheritance import Context, refuse_inheritance
from deals.bridge.formats.pbn.repairs import GameRepairs
from deals.bridge.formats.pbn.sections import AuctionSection, PlaySection
from deals.bridge.formats.pbn.tokens import Tags, read_tags
from deals.bridge.formats.pbn.values import (
    read_board_number,
    read_contract,
    read_declarer,
    read_pair_number,
    read_points,
    read_section,
    read_value,
)
from deals.bridge.formats.raw_records import RawRecord
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat, parse_seat
from deals.bridge.texts import to_one_line
from deals.bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability, parse_vulnerability

PLAYERS = {"pair_ns": ("North", "South"), "pair_ew": ("East", "West")}
"""The tags of the players whose pairs the records keep."""

MAX_BOARD_NAME = 20
"""Characters of a Board tag that a remark repeats."""

_RESULT = re.compile(r"\^? ?(?:(NS|EW) ?)?([0-9]{1,2})(?: (?:NS|EW) ?[0-9]{1,2})?", re.IGNORECASE)

_TAG_AT_FAULT = {
    "dealer_contradicts_auction": "Auction",
    "contract_contradicts_auction": "Contract",
    "unknown_declarer": "Contract",
    "illegal_lead": "Play",
    "illegal_play": "Play",
    "impossible_result": "Result",
    "result_contradicts_play": "Result",
    "result_without_contract": "Result",
}
"""The tag whose line is reported for a contradiction between tags."""


def read_pbn(
    stream: BinaryIO, check: Callable[[BoardRecord], None] = BoardRecord.check, *, strict: bool = False
) -> Iterator[Outcome]:
    """Yield what comes of the file's records in order; a bad one costs none of its neighbours.

    `check` raises BridgeError for what is to be refused: a stricter one than the default must call it. A record
    whose parts contradict each other is repaired, or what contradicts is left out, with a warning. When `strict` it
    is refused.

    The reader needs only `stream.read(size)` and raises only what that raises. Its memory is bounded by one game
    of `MAX_RECORD_SIZE` bytes. Comments on their own, and headers of nothing but "##" tags (§4.8), are not records.

    Where real files stray from PBN 2.1:

    - A game without a Deal, but with an auction, contract, play or result, is a further table of the
      board before it and takes from that game the missing tags that describe a board; unless it has a
      Board of another number. Files of teams' matches are written so.
    - One hand may be left out: it has the other cards.
    - A missing Dealer is the auction's first caller, else what the board number implies, else the first
      hand of the Deal. A missing Vulnerable is what the board number implies, else None.
    - A missing Declarer or Contract is the complete auction's.
    """
    context = Context()
    record = 0
    for game in read_games(stream):
        tags = _read_game(game)
        is_record = tags.error is not None or _has_content(tags)
        context.inherit(tags)
        if not is_record:
            continue
        record += 1
        context.complete_table(tags)
        context.note_first_call(tags)
        board = to_one_line(tags.value("Board"))[:MAX_BOARD_NAME]
        repairs = GameRepairs(record, board, passes_are_written=context.passes_are_written)
        yield _read_record(tags, game, repairs, check, strict)


def _read_record(
    tags: Tags,
    game: RawRecord,
    repairs: GameRepairs,
    check: Callable[[BoardRecord], None],
    strict: bool,
) -> Outcome:
    """Read a game again and again, each time with one fault less, until it passes the check or cannot be kept."""
    position = repairs.record, repairs.board
    if _is_score_only(tags):
        return SkippedRecord(*position, game.line, "no_deal", "The game has no Deal, and no auction or play.")
    texts = _texts(tags)
    while True:
        try:
            board = repairs.finish(_board(tags, texts, repairs))
            check(board)
            return replace(repairs.keep(board), points=points) if (points := read_points(tags)) else repairs.keep(board)
        except BridgeError as error:
            line = _line(error, tags, game)
            if strict or not repairs.apply(error, tags, line):
                return RecordError(*position, line, error.code, error.message)


def _is_score_only(tags: Tags) -> bool:
    return not tags.error and bool(tags.by_name) and not any(tags.value(name) for name in ("Deal", "Auction", "Play"))


def _read_game(game: RawRecord) -> Tags:
    try:
        return read_tags(game.text(), game.line)
    except NotationError as error:
        return Tags(error=error)


def _has_content(tags: Tags) -> bool:
    """Tell whether the game has anything but comments and "##" tags."""
    return tags.has_other_content or any(not tag.value.startswith("##") for tag in tags.by_name.values())


def _line(error: BridgeError, tags: Tags, game: RawRecord) -> int:
    """Return the line to report for an error."""
    if isinstance(error, NotationError):
        return error.line
    tag = tags.by_name.get(_TAG_AT_FAULT.get(error.code, ""))
    return tag.line if tag else game.line


def _board(tags: Tags, texts: dict[str, str], repairs: GameRepairs) -> BoardRecord:
    if tags.error:
        raise tags.error
    refuse_inheritance(tags)
    layout = read_value(tags, "Deal", Layout.parse_three)
    if layout is None:
        raise BridgeError("no_deal", "The game has no Deal.")
    auction_section = read_section(tags, "Auction", repairs.read_auction) or AuctionSection(None)
    auction = auction_section.auction
    contract = _contract(tags, auction, repairs)
    auction_section.check_bid(contract)
    play = read_section(tags, "Play", lambda tag: repairs.read_play(tag, contract)) or PlaySection()
    number = read_board_number(tags)
    return complete_record(
        BoardRecord(
            layout=layout,
            dealer=_dealer(tags, auction, number),
            vulnerability=_vulnerability(tags, number),
            board_number=number,
            auction=auction,
            contract=contract,
            opening_lead="".join(play.cards[:1]),
            play=play.cards if len(play.cards) > 1 else (),
            tricks=None if play.continued else _tricks(tags, contract),
            commentary="\n".join(filter(None, [read_comments(tags.comments), *auction_section.remarks, *play.remarks])),
            **texts,
        )
    )


def _texts(tags: Tags) -> dict[str, str]:
    """Return the texts on one line. What is neither the open nor the closed room is a name for the table."""
    texts = {name: text.read(tags.value(text.tag)) for name, text in TEXTS.items()}
    if texts["room"] not in ROOMS:
        texts |= {"room": "", "table": texts["table"] or texts["room"]}
    if section := tags.value("Section"):
        texts["stage"] = ", ".join(filter(None, (texts["stage"], f"Section {section}")))
    for name, players in PLAYERS.items():
        texts[name] = texts[name] or read_pair_number(tags, players)
    return {**texts, "auction_system": tags.value("BidSystemNS") or tags.value("BidSystemEW")}


def _dealer(tags: Tags, auction: Auction | None, number: int | None) -> Seat:
    dealer = read_value(tags, "Dealer", parse_seat)
    if dealer:
        return dealer
    if auction:
        return auction.dealer
    return board_dealer(number) if number else parse_seat(tags.value("Deal")[:1])


def _vulnerability(tags: Tags, number: int | None) -> Vulnerability:
    vulnerability = read_value(tags, "Vulnerable", parse_vulnerability)
    return vulnerability or (board_vulnerability(number) if number else Vulnerability.NONE)


def _contract(tags: Tags, auction: Auction | None, repairs: GameRepairs) -> Contract | None:
    """Return the stated contract, filled up from a complete auction; `check` compares the two."""
    declarer = read_declarer(tags)
    stated = read_contract(tags)
    bid = auction.contract if auction else None
    if bid is None or bid.declarer is None:
        return stated
    is_swapped = tags.value("Declarer").startswith("^") and declarer is bid.declarer.partner
    if is_swapped:
        message = f"Declarer and dummy were swapped (^{declarer}); such a board cannot be kept."
        raise NotationError("irregularity", message, tags.by_name["Declarer"].line, "Declarer")
    stated = stated or replace(bid, declarer=declarer or bid.declarer)
    if repairs.doubling_of_auction:
        stated = replace(stated, doubled=bid.doubled)
    return stated if stated.passed_out or stated.declarer else replace(stated, declarer=bid.declarer)


def _tricks(tags: Tags, contract: Contract | None) -> int | None:
    """Return declarer's tricks from "9", "^9", "NS 9" or "EW 4 NS 9" (PBN 2.1 §3.4.15)."""
    return read_value(tags, "Result", lambda value: _parse_result(value, contract))


def _parse_result(value: str, contract: Contract | None) -> int | None:
    match = _RESULT.fullmatch(" ".join(value.split()))
    if match is None or int(match[2]) > 13:
        raise BridgeError("impossible_result", f"{value[:20]!r} is not a number of tricks, 0 to 13.")
    side, tricks = match[1], int(match[2])
    if contract and contract.passed_out and not tricks:
        return None
    is_theirs = side and contract and contract.declarer and contract.declarer.side != side.upper()
    return 13 - tricks if is_theirs else tricks
